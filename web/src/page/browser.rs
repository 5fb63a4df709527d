//! The few things that the page asks of the browser itself.

use fencepost_core::scenario::CORPUS;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlDialogElement, HtmlElement, Storage, Window};
use yew::prelude::*;

use super::state::Draft;

pub fn window() -> Window {
    web_sys::window().expect("the page runs in a window")
}

pub fn document() -> Document {
    window().document().expect("the window shows a document")
}

/// A reference to an element that is to have these style properties. What the style sheet hides is shown with them:
/// nothing is seen in a place where it does not belong.
#[hook]
pub fn use_style(properties: Vec<(&'static str, String)>) -> NodeRef {
    let element = use_node_ref();
    use_effect_with((element.clone(), properties), |(element, properties)| {
        if let Some(element) = element.cast::<Element>() {
            for (property, value) in properties {
                set_style(&element, property, value);
            }
            set_style(&element, "visibility", "visible");
        }
    });
    element
}

/// Sets a style property of `element` through the object model: a strict security policy refuses `style` attributes.
pub fn set_style(element: &Element, property: &str, value: &str) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        // Names and values are ours, and correct.
        let _ = element.style().set_property(property, value);
    }
}

/// Whether the reader has asked for as little motion as possible.
pub fn reduces_motion() -> bool {
    let query = window().match_media("(prefers-reduced-motion: reduce)");
    query.ok().flatten().is_some_and(|query| query.matches())
}

/// Opens the list of keys.
pub fn show_keys() {
    let dialog = document().get_element_by_id("keys");
    if let Some(dialog) = dialog.and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok())
        && !dialog.open()
    {
        let _ = dialog.show_modal();
    }
}

/// Where texts survive a reload. A browser may refuse it: then they do not.
fn storage() -> Option<Storage> {
    window().session_storage().ok().flatten()
}

fn key(path: &str) -> String {
    format!("fencepost:{path}")
}

/// The text that was written for the question of this path before the page was loaded again.
pub fn kept_text(path: &str) -> Option<String> {
    storage()?.get_item(&key(path)).ok().flatten()
}

/// Keeps what has been written until the tab is closed.
pub fn keep_texts(drafts: &[Draft]) {
    let Some(storage) = storage() else { return };
    for (entry, draft) in CORPUS.iter().zip(drafts) {
        let _ = match *draft.text == *entry.text {
            true => storage.remove_item(&key(entry.path)),
            false => storage.set_item(&key(entry.path), &draft.text),
        };
    }
}
