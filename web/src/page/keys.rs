//! Keys, as video players have them.

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

use super::browser;
use super::state::{Action, Dispatch};

/// Listens to the keys that the figure knows; every other key, and every key with Ctrl, Alt or Meta, is the browser's.
#[hook]
pub fn use_keys(dispatch: Dispatch) {
    use_effect_with((), move |()| {
        let options = EventListenerOptions::enable_prevent_default();
        let listener = EventListener::new_with_options(&browser::window(), "keydown", options, move |event| {
            let event: &KeyboardEvent = event.unchecked_ref();
            if handle(event, &dispatch) {
                event.prevent_default();
            }
        });
        || drop(listener)
    });
}

/// Does what the key says; false if it is none of ours.
fn handle(event: &KeyboardEvent, dispatch: &Dispatch) -> bool {
    if event.ctrl_key() || event.alt_key() || event.meta_key() || event.is_composing() || event.default_prevented() {
        return false;
    }
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_in =
        |selector: &str| target.as_ref().is_some_and(|target| target.closest(selector).ok().flatten().is_some());
    if is_in("input, textarea, select, [role=slider], dialog") {
        return false;
    }
    let key = event.key();
    if key == "?" {
        browser::show_keys();
        return true;
    }
    // Where a press of the space bar presses something, it does; and who reads on below wants to scroll.
    if (key == " " && is_in("button, a, summary")) || !is_in_view() {
        return false;
    }
    let Some(action) = action(&key) else { return false };
    // A key that is held steps on, but does not flicker between playing and not.
    if !(event.repeat() && action == Action::TogglePlay) {
        dispatch.dispatch(action);
    }
    true
}

fn action(key: &str) -> Option<Action> {
    Some(match key {
        " " | "k" => Action::TogglePlay,
        "ArrowRight" => Action::Forward,
        "ArrowLeft" => Action::Back,
        "Home" => Action::Start,
        "End" => Action::End,
        "d" => Action::Difference,
        _ => return None,
    })
}

/// Whether any of the figure, its controls and its facts can be seen.
fn is_in_view() -> bool {
    let Some(explorer) = browser::document().get_element_by_id("explorer") else { return false };
    let place = explorer.get_bounding_client_rect();
    let height = browser::window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(0.0);
    place.bottom() > 0.0 && place.top() < height
}
