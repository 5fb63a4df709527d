//! The few things that the page asks of the browser itself.

use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlDialogElement, HtmlElement, Storage, Window};

use super::state::{Draft, Question};

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

/// Sets a style property of `element` through the object model: a strict security policy refuses `style` attributes.
pub fn set_style(element: &HtmlElement, property: &str, value: &str) {
    // Names and values are ours, and correct.
    let _ = element.style().set_property(property, value);
}

/// Whether the reader has asked for as little motion as possible.
pub fn reduces_motion() -> bool {
    let query = window().match_media("(prefers-reduced-motion: reduce)");
    query.ok().flatten().is_some_and(|query| query.matches())
}

/// Opens the list of keys.
pub fn show_keys() {
    if let Some(dialog) = find::<HtmlDialogElement>("#keys").filter(|dialog| !dialog.open()) {
        let _ = dialog.show_modal();
    }
}

/// Whether any of `element` can be seen.
pub fn is_in_view(element: &Element) -> bool {
    let place = element.get_bounding_client_rect();
    let height = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(0.0);
    place.bottom() > 0.0 && place.top() < height
}

/// Where texts survive a reload. A browser may refuse it: then they do not.
fn storage() -> Option<Storage> {
    window().session_storage().ok().flatten()
}

fn key(path: &str) -> String {
    ["fencepost:", path].concat()
}

/// The text that was written for the question of this path before the page was loaded again.
pub fn kept_text(path: &str) -> Option<String> {
    storage()?.get_item(&key(path)).ok().flatten()
}

/// Keeps what has been written until the tab is closed.
pub fn keep_texts(questions: &[Question], drafts: &[Option<Draft>]) {
    let Some(storage) = storage() else { return };
    for (question, draft) in questions.iter().zip(drafts) {
        let Some(draft) = draft else { continue };
        let _ = match draft.text == draft.original {
            true => storage.remove_item(&key(&question.path)),
            false => storage.set_item(&key(&question.path), &draft.text),
        };
    }
}
