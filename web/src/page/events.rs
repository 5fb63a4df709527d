//! What a reader does, as changes to ask for. There is one listener for each kind of event, wherever on the page it happens:
//! the parts of the page only draw.

use std::cell::Cell;
use std::rc::Rc;

use fencepost_core::compare::FactRef;
use gloo_events::{EventListener, EventListenerOptions, EventListenerPhase};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent, PointerEvent};
use yew::Callback;

use super::parameters;
use super::state::{Action, Nudge};
use crate::host::Host;

const EVENTS: [&str; 10] = [
    "click",
    "focusout",
    "hashchange",
    "input",
    "keydown",
    "lostpointercapture",
    "pointercancel",
    "pointerdown",
    "pointermove",
    "pointerup",
];

/// Pixels that a finger moves before it means to scrub.
const TAP: f64 = 6.0;

/// How many steps the page keys go, and the arrow keys with Shift.
const MANY: i64 = 10;

/// What the pointer does to the figure.
#[derive(Clone, Copy)]
enum Pointer {
    Nothing,
    /// A finger that may yet want to scroll the page; where it came down.
    Touches(f64),
    /// Takes the cursor along.
    Scrubs,
    /// Takes a handle along.
    Drags,
}

/// Listens for as long as the page is there.
pub fn listen(host: &Host, dispatch: &Callback<Action>) {
    let pointer = Rc::new(Cell::new(Pointer::Nothing));
    // On the way down: what the page's script does about a press comes after.
    let options = EventListenerOptions { phase: EventListenerPhase::Capture, passive: false };
    let window = web_sys::window().expect("the page runs in a window");
    for name in EVENTS {
        let (host, pointer, dispatch) = (host.clone(), pointer.clone(), dispatch.clone());
        EventListener::new_with_options(&window, name, options, move |event| {
            let action = match name {
                "hashchange" => host.asked().map(Action::Choose),
                _ => element(event).and_then(|target| action(name, event, &target, &host, &pointer)),
            };
            if let Some(action) = action {
                dispatch.emit(action);
            }
        })
        .forget();
    }
}

fn element(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

fn closest(element: &Element, selector: &str) -> Option<Element> {
    element.closest(selector).ok().flatten()
}

fn is_in(element: &Element, selector: &str) -> bool {
    closest(element, selector).is_some()
}

fn action(name: &str, event: &Event, target: &Element, host: &Host, pointer: &Cell<Pointer>) -> Option<Action> {
    match name {
        "click" => clicked(target, host),
        "focusout" => parameters::of_field(target).map(Action::Leave),
        "input" => typed(target),
        "keydown" => pressed(event.unchecked_ref(), target, host),
        _ if name.starts_with("pointer") || name.starts_with("lost") => {
            pointed(name, event.unchecked_ref(), target, pointer)
        }
        _ => None,
    }
}

fn clicked(target: &Element, host: &Host) -> Option<Action> {
    let button = closest(target, "#app button")?;
    if let Some(line) = button.get_attribute("data-index") {
        return Some(Action::SeekLine(line.parse().ok()?));
    }
    Some(match &*button.id() {
        "to-start" => Action::Start,
        "back" => Action::Back,
        "play" => Action::TogglePlay,
        "step" => Action::Forward,
        "to-end" => Action::End,
        "to-difference" => Action::Difference,
        "reset" | "restore" | "as-it-was" => Action::Restore,
        "reinstate" => Action::Reinstate,
        "try-again" => Action::TryAgain,
        "return" => Action::Return,
        "show-keys" => {
            host.show_keys();
            return None;
        }
        _ => Action::SeekFact(fact_of(&button)?),
    })
}

/// The fact that `element` says it shows.
fn fact_of(element: &Element) -> Option<FactRef> {
    let named = element.get_attribute("data-fact")?;
    let (run, fact) = named.split_once(':')?;
    Some(FactRef { run: run.parse().ok()?, fact: fact.parse().ok()? })
}

fn typed(target: &Element) -> Option<Action> {
    if target.id() == "scenario-text" {
        return Some(Action::Edit(target.unchecked_ref::<HtmlTextAreaElement>().value()));
    }
    let name = parameters::of_field(target)?;
    Some(Action::Type { name, text: target.unchecked_ref::<HtmlInputElement>().value() })
}

/// Keys, as video players have them. Every other key, and every key with Ctrl, Alt or Meta, is the browser's.
fn pressed(event: &KeyboardEvent, target: &Element, host: &Host) -> Option<Action> {
    if event.ctrl_key() || event.alt_key() || event.meta_key() || event.is_composing() || event.default_prevented() {
        return None;
    }
    let key = event.key();
    // What has the focus comes first with the keys that are its own.
    let own = if target.id() == "cursor" {
        on_the_cursor(&key)
    } else if let Some(name) = target.get_attribute("data-parameter") {
        on_a_handle(&key, if event.shift_key() { MANY } else { 1 }).map(|by| Action::Nudge { name, by })
    } else if let Some(name) = parameters::of_field(target) {
        in_a_field(&key).map(|by| Action::Nudge { name, by })
    } else {
        None
    };
    let action = if own.is_some() {
        own
    } else if is_in(target, "input, textarea, select, dialog") {
        None
    } else if key == "?" {
        host.show_keys();
        event.prevent_default();
        None
    // Where a press of the space bar presses something, it does; and who reads on below wants to scroll.
    } else if (key == " " && is_in(target, "button, a, summary")) || !host.is_in_view() {
        None
    } else {
        on_the_page(&key)
    };
    let action = action?;
    event.prevent_default();
    // A key that is held steps on, but does not flicker between playing and not.
    (!event.repeat() || action != Action::TogglePlay).then_some(action)
}

fn on_the_page(key: &str) -> Option<Action> {
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

fn on_the_cursor(key: &str) -> Option<Action> {
    match key {
        "ArrowUp" => Some(Action::Forward),
        "ArrowDown" => Some(Action::Back),
        _ => on_the_page(key),
    }
}

fn in_a_field(key: &str) -> Option<Nudge> {
    match key {
        "ArrowUp" => Some(Nudge::Steps(1)),
        "ArrowDown" => Some(Nudge::Steps(-1)),
        _ => None,
    }
}

fn on_a_handle(key: &str, steps: i64) -> Option<Nudge> {
    Some(match key {
        "ArrowRight" | "ArrowUp" => Nudge::Steps(steps),
        "ArrowLeft" | "ArrowDown" => Nudge::Steps(-steps),
        "PageUp" => Nudge::Steps(MANY),
        "PageDown" => Nudge::Steps(-MANY),
        "Home" => Nudge::Least,
        "End" => Nudge::Most,
        _ => return None,
    })
}

fn pointed(name: &str, event: &PointerEvent, target: &Element, pointer: &Cell<Pointer>) -> Option<Action> {
    let stage = closest(target, ".stage")?;
    let x = f64::from(event.client_x()) - stage.get_bounding_client_rect().left() + f64::from(stage.scroll_left());
    // What is drawn for a fact leads to it; anything else to the time beneath the pointer.
    let pick = || match closest(target, "[data-fact]").and_then(|shown| fact_of(&shown)) {
        Some(fact) => Action::SeekFact(fact),
        None => Action::Seek(x),
    };
    let capture = |element: &Element| {
        let _ = element.set_pointer_capture(event.pointer_id());
    };
    match (name, pointer.get()) {
        ("pointerdown", _) => {
            if event.button() != 0 || !event.is_primary() {
                return None;
            }
            if let Some(handle) = closest(target, ".handle") {
                capture(&handle);
                pointer.set(Pointer::Drags);
                return Some(Action::Hold { name: handle.get_attribute("data-parameter")?, x });
            }
            if event.pointer_type() != "mouse" {
                pointer.set(Pointer::Touches(x));
                return None;
            }
            capture(&stage);
            pointer.set(Pointer::Scrubs);
            Some(pick())
        }
        ("pointermove", Pointer::Drags) => Some(Action::Drag(x)),
        ("pointermove", Pointer::Scrubs) => Some(Action::Seek(x)),
        ("pointermove", Pointer::Touches(from)) if (x - from).abs() >= TAP => {
            capture(&stage);
            pointer.set(Pointer::Scrubs);
            Some(Action::Seek(x))
        }
        ("pointermove", _) => None,
        (_, before) => {
            pointer.set(Pointer::Nothing);
            match before {
                Pointer::Drags => Some(Action::LetGo),
                Pointer::Touches(_) if name == "pointerup" => Some(pick()),
                _ => None,
            }
        }
    }
}
