//! The Fencepost page. It shows what [`fencepost_core`] computes: no rule of the protocol stands here, no sentence about a
//! run, and nothing is laid out.

mod page;
mod panic;

use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Element;

/// Mounts the page into `root`, whose children it replaces.
#[wasm_bindgen(js_name = mountPage)]
pub fn mount_page(root: Element) {
    panic::report();
    page::mount(root);
}
