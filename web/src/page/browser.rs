//! The few things that the page asks of the browser itself.

use wasm_bindgen::JsCast;
use web_sys::{Document, Element, Window};

pub fn window() -> Window {
    web_sys::window().expect("the page runs in a window")
}

pub fn document() -> Document {
    window().document().expect("the window shows a document")
}

/// The first element of the page that `selector` names.
pub fn find<T: JsCast>(selector: &str) -> Option<T> {
    document().query_selector(selector).ok().flatten()?.dyn_into().ok()
}

/// Whether the reader has asked for as little motion as possible.
pub fn reduces_motion() -> bool {
    let query = window().match_media("(prefers-reduced-motion: reduce)");
    query.ok().flatten().is_some_and(|query| query.matches())
}

/// Whether any of `element` can be seen.
pub fn is_in_view(element: &Element) -> bool {
    let place = element.get_bounding_client_rect();
    let height = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(0.0);
    place.bottom() > 0.0 && place.top() < height
}
