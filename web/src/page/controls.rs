//! Playing and stepping.

use yew::prelude::*;

use super::markup::Markup;
use super::quantity;
use super::state::Session;

static CONTROLS: Markup = Markup::new(
    "<div class='controls' role='group' aria-label='Playing and stepping'>{}{}{}{}{}\
     <output id='cursor-time' for='cursor'>{} s</output>\
     <button id='to-difference' type='button' class='worded' disabled='{}'>First difference</button>\
     <button id='show-keys' type='button' class='worded' aria-haspopup='dialog'>Keys</button></div>",
);

static BUTTON: Markup = Markup::new(
    "<button id='{}' type='button' class='icon' aria-label='{}' title='{}'>\
     <svg viewBox='0 0 20 20' width='20' height='20' aria-hidden='true'><path d='{}'/></svg></button>",
);

/// The row of buttons.
pub fn draw(session: &Session) -> Html {
    let outcome = &session.outcome;
    let (play, play_icon) = if session.playing.is_some() { ("Pause", PAUSE) } else { ("Play", PLAY) };
    CONTROLS
        .fill()
        .with(button("to-start", "To the start", TO_START))
        .with(button("back", "One fact back", BACK))
        .with(button("play", play, play_icon))
        .with(button("step", "One fact on", STEP))
        .with(button("to-end", "To the end", TO_END))
        .with(quantity::seconds(session.at(), outcome.decimals))
        .with(outcome.difference.is_none())
        .done()
}

fn button(id: &'static str, name: &'static str, icon: &'static str) -> Html {
    BUTTON.fill().with(id).with(name).with(name).with(icon).done()
}

const PLAY: &str = "M5 3v14l12-7z";
const PAUSE: &str = "M4 3h4v14H4zM12 3h4v14h-4z";
const STEP: &str = "M4 4v12l8-6zM13 4h2.5v12H13z";
const BACK: &str = "M16 4v12l-8-6zM4.5 4H7v12H4.5z";
const TO_START: &str = "M18 4v12l-7-6zM11 4v12l-7-6zM1.5 4H4v12H1.5z";
const TO_END: &str = "M2 4v12l7-6zM9 4v12l7-6zM16 4h2.5v12H16z";
