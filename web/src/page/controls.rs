//! Playing and stepping.

use std::rc::Rc;

use fencepost_core::time::Instant;
use yew::prelude::*;

use super::browser;
use super::quantity;
use super::state::{Action, Dispatch, Outcome};

#[derive(PartialEq, Properties)]
pub struct ControlsProps {
    pub outcome: Rc<Outcome>,
    pub at: Instant,
    pub playing: bool,
    pub dispatch: Dispatch,
}

/// The row of buttons.
#[component]
pub fn Controls(props: &ControlsProps) -> Html {
    let ControlsProps { outcome, at, playing, dispatch } = props;
    let on = |action: Action| {
        let dispatch = dispatch.clone();
        Callback::from(move |_: MouseEvent| dispatch.dispatch(action.clone()))
    };
    let show_keys = Callback::from(|_: MouseEvent| browser::show_keys());
    let (play, play_icon) = if *playing { ("Pause", PAUSE) } else { ("Play", PLAY) };
    html! {
        <div class="controls" role="group" aria-label="Playing and stepping">
            { button("to-start", "To the start", TO_START, on(Action::Start)) }
            { button("back", "One fact back", BACK, on(Action::Back)) }
            { button("play", play, play_icon, on(Action::TogglePlay)) }
            { button("step", "One fact on", STEP, on(Action::Forward)) }
            { button("to-end", "To the end", TO_END, on(Action::End)) }
            <output id="cursor-time" for="cursor">{ quantity::seconds(*at, outcome.decimals) }{ " s" }</output>
            <button
                id="to-difference"
                type="button"
                class="worded"
                disabled={outcome.difference.is_none()}
                onclick={on(Action::Difference)}
            >
                { "First difference" }
            </button>
            <button type="button" class="worded" aria-haspopup="dialog" onclick={show_keys}>{ "Keys" }</button>
        </div>
    }
}

fn button(id: &'static str, name: &'static str, icon: &'static str, onclick: Callback<MouseEvent>) -> Html {
    html! {
        <button {id} type="button" class="icon" aria-label={name} title={name} {onclick}>
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d={icon} /></svg>
        </button>
    }
}

const PLAY: &str = "M5 3v14l12-7z";
const PAUSE: &str = "M4 3h4v14H4zM12 3h4v14h-4z";
const STEP: &str = "M4 4v12l8-6zM13 4h2.5v12H13z";
const BACK: &str = "M16 4v12l-8-6zM4.5 4H7v12H4.5z";
const TO_START: &str = "M18 4v12l-7-6zM11 4v12l-7-6zM1.5 4H4v12H1.5z";
const TO_END: &str = "M2 4v12l7-6zM9 4v12l7-6zM16 4h2.5v12H16z";
