//! The Fencepost page. It shows what [`fencepost_core`] computes: no rule of the protocol stands here, no sentence about a
//! run, and nothing is laid out.

mod page;

use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Element;

/// Starts the page: what it draws takes the place of what `root` holds.
///
/// `load(path, done)` fetches the text of a scenario and calls `done(text)`, or `done(undefined, why)` where it does not
/// come. `explain(text, done)` calls `done(message)` with what is wrong with a text, in words: they are not part of this
/// module. `asked` is the text of the scenario that the page's address names, where it has come by now.
#[wasm_bindgen(js_name = mountPage)]
pub fn mount_page(root: Element, load: Function, explain: Function, asked: Option<String>) {
    page::mount(root, load, explain, asked);
}
