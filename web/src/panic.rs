//! What a reader sees when the program itself has failed: a panel that says so, over a page that stays as it was.

use std::panic::PanicHookInfo;

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(message: &str);
}

/// From now on a panic is written to the console and shown on the page.
pub fn report() {
    yew::set_custom_panic_hook(Box::new(show));
}

fn show(panic: &PanicHookInfo<'_>) {
    let message = panic.to_string();
    console_error(&message);
    // The panel stands in the page's HTML: nothing that may just have failed is needed to show it.
    let panel = web_sys::window().and_then(|window| window.document()).and_then(|page| page.get_element_by_id("panic"));
    if let Some(panel) = panel {
        if let Ok(Some(detail)) = panel.query_selector("code") {
            detail.set_text_content(Some(&message));
        }
        // A browser that refuses this has nothing better to offer.
        let _ = panel.remove_attribute("hidden");
    }
}
