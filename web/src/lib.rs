//! The Fencepost page. It shows what [`fencepost_core`] computes: no rule of the protocol stands here, no sentence about a
//! run, and nothing is laid out.

mod host;
mod page;

use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Element;

use host::Host;

/// Starts the page: what it draws takes the place of what `root` holds, and the scenario's text goes into `editor`. `asked` is the text of the question that the page's
/// address asks for, where it has come by now.
#[wasm_bindgen(js_name = mountPage)]
pub fn mount_page(root: Element, editor: Element, host: Host, asked: Option<String>) {
    page::mount(root, editor, host, asked);
}
