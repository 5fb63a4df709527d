//! The figure: the core's scene as SVG nodes, and over it what can be taken hold of.
//!
//! Handles and the cursor are HTML elements: SVG elements cannot be focused everywhere.

mod drawing;

use fencepost_core::plot::{Axis, Handle, Px};
use fencepost_core::scenario::Parameter;
use fencepost_core::words;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

use super::quantity;
use super::state::{Action, Cursor, Session};

pub use drawing::draw as draw_scene;

/// The width at which a figure is drawn in a box of this width: in steps, so that a window that is being resized does not
/// lay out every pixel.
pub fn usable(width: i32) -> u32 {
    (width.max(240) as u32) / 4 * 4
}

/// The figure; `drawing` is what its scene looks like.
pub fn draw(session: &Session, drawing: &Html) -> Html {
    let scene = &session.scene;
    let handles = scene.handles.iter().filter_map(|handle| {
        let parameter = session.outcome.comparison.scenario.parameter(&handle.parameter)?;
        Some(draw_handle(handle, parameter, scene.axis, session.mistake.is_some()))
    });
    html! {
        <figure id="figure" data-held={truth(session.held.is_some())}>
            <div class="stage">
                { drawing.clone() }
                { cursor(session) }
                { for handles }
            </div>
        </figure>
    }
}

fn truth(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

/// Follows the width of the figure from now on.
pub fn follow_width(stage: Element, dispatch: Callback<Action>) {
    let observed = stage.clone();
    let callback = Closure::<dyn FnMut()>::new(move || dispatch.emit(Action::Resize(usable(stage.client_width()))));
    if let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) {
        observer.observe(&observed);
    }
    callback.forget();
}

/// The cursor: a line through all rows with its time, and a veil over what is still to come.
///
/// Styles are set as properties, `~style`: a strict security policy refuses `style` attributes.
fn cursor(session: &Session) -> Html {
    let (outcome, axis, at) = (&session.outcome, session.scene.axis, session.at());
    let x = axis.x(at);
    let place = |top: Px, left: Px, width: Px| {
        let height = Px(axis.bottom.0 - top.0);
        format!("top:{top}px;height:{height}px;left:{left}px;width:{width}px")
    };
    let width = Px(axis.right.0 - axis.left.0);
    // Inside the lanes, which cut off what goes beyond them.
    let inside = format!("transform:translateX({}px)", Px(x.0 - axis.left.0));
    let line = format!("top:{}px;height:{}px;transform:translateX({x}px)", axis.top, Px(axis.bottom.0 - axis.top.0));
    let now = quantity::seconds(at, outcome.decimals);
    let told = session.line().map_or([""; 2], |line| [": ", &outcome.lines[line].text]).concat();
    // Near an edge the time stands beside the line instead of under its middle.
    let edge = match x {
        x if x.0 < 300 => "left",
        x if x.0 > session.scene.width.0 - 300 => "right",
        _ => "none",
    };
    html! {
        <>
            <div class="lanes behind" ~style={place(axis.top, axis.left, width)}>
                <div class="thread" ~style={&*inside} />
            </div>
            // The names of leases stand above the lanes and step back with them.
            <div class="lanes" ~style={place(Px(0), axis.left, width)}>
                <div class="veil" ~style={&*inside} data-shown={truth(session.cursor != Cursor::Difference)} />
            </div>
            <div
                id="cursor"
                ~style={line}
                role="slider"
                tabindex="0"
                aria-label="Time"
                aria-valuemin="0"
                aria-valuemax={quantity::seconds(outcome.end, outcome.decimals)}
                aria-valuenow={now.clone()}
                aria-valuetext={[&now, " seconds", &told].concat()}
                data-edge={edge}
            >
                <span aria-hidden="true">{ now }{ " s" }</span>
            </div>
        </>
    }
}

/// A handle: drags a parameter along the axis.
fn draw_handle(handle: &Handle, parameter: &Parameter, axis: Axis, locked: bool) -> Html {
    let Handle { parameter: name, label, zero, value, y } = handle;
    let place = format!("transform:translate({}px,{y}px)", axis.x(*zero + *value));
    let unit = quantity::unit(parameter);
    let (least, most) = quantity::limits(parameter);
    html! {
        <div
            key={&**name}
            class="handle"
            ~style={place}
            role="slider"
            tabindex="0"
            data-parameter={name.clone()}
            aria-label={[name, ": ", label].concat()}
            aria-valuemin={quantity::write(least, unit)}
            aria-valuemax={quantity::write(most, unit)}
            aria-valuenow={quantity::write(*value, unit)}
            aria-valuetext={words::span(*value)}
            aria-disabled={locked.then_some("true")}
        />
    }
}
