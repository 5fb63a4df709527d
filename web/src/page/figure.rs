//! The figure: the core's scene as SVG nodes, and over it what can be taken hold of.
//!
//! Handles and the cursor are HTML elements: SVG elements cannot be focused everywhere.

mod drawing;

use fencepost_core::plot::{Axis, Handle, Px};
use fencepost_core::scenario::Parameter;
use fencepost_core::words;
use wasm_bindgen::closure::Closure;
use yew::prelude::*;

use super::markup::{Markup, list, truth};
use super::quantity;
use super::state::{Action, Cursor, Session};
use crate::host::Host;

pub use drawing::draw as draw_scene;

static FIGURE: Markup = Markup::new("<figure id='figure' data-held='{}'><div class='stage'>{}{}{}</div></figure>");

static CURSOR: Markup = Markup::new(
    "<div class='lanes behind' ~style='{}'><div class='thread' ~style='{}'/></div>\
     <div class='lanes' ~style='{}'><div class='veil' ~style='{}' data-shown='{}'/></div>\
     <div id='cursor' ~style='{}' role='slider' tabindex='0' aria-label='Time' aria-valuemin='0' aria-valuemax='{}' \
     aria-valuenow='{}' aria-valuetext='{}' data-edge='{}'><span aria-hidden='true'>{} s</span></div>",
);

static HANDLE: Markup = Markup::new(
    "<div key='{}' class='handle' ~style='{}' role='slider' tabindex='0' data-parameter='{}' aria-label='{}' \
     aria-valuemin='{}' aria-valuemax='{}' aria-valuenow='{}' aria-valuetext='{}' aria-disabled='{}'/>",
);

/// The width at which a figure is drawn in a box of this width: in steps, so that a window that is being resized does not
/// lay out every pixel.
pub fn usable(width: f64) -> u32 {
    (width.max(240.0) as u32) / 4 * 4
}

/// The figure; `drawing` is what its scene looks like.
pub fn draw(session: &Session, drawing: &Html) -> Html {
    let scene = &session.scene;
    let mut handles = Vec::new();
    for handle in &scene.handles {
        if let Some(parameter) = session.outcome.comparison.scenario.parameter(&handle.parameter) {
            handles.push(draw_handle(handle, parameter, scene.axis, session.mistake.is_some()));
        }
    }
    FIGURE
        .fill()
        .with(truth(session.held.is_some()))
        .with(drawing.clone())
        .with(cursor(session))
        .with(list(handles))
        .done()
}

/// Follows the width of the figure from now on.
pub fn follow_width(host: &Host, dispatch: Callback<Action>) {
    let changed = Closure::<dyn FnMut(f64)>::new(move |width| dispatch.emit(Action::Resize(usable(width))));
    host.follow_width(changed.into_js_value());
}

/// The cursor: a line through all rows with its time, and a veil over what is still to come.
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
    CURSOR
        .fill()
        .with(place(axis.top, axis.left, width))
        .with(inside.clone())
        // The names of leases stand above the lanes and step back with them.
        .with(place(Px(0), axis.left, width))
        .with(inside)
        .with(truth(session.cursor != Cursor::Difference))
        .with(line)
        .with(quantity::seconds(outcome.end, outcome.decimals))
        .with(&now)
        .with([&now, " seconds", &told].concat())
        .with(edge)
        .with(now)
        .done()
}

/// A handle: drags a parameter along the axis.
fn draw_handle(handle: &Handle, parameter: &Parameter, axis: Axis, locked: bool) -> Html {
    let Handle { parameter: name, label, zero, value, y } = handle;
    let place = format!("transform:translate({}px,{y}px)", axis.x(*zero + *value));
    let unit = quantity::unit(parameter);
    let (least, most) = quantity::limits(parameter);
    HANDLE
        .fill()
        .with(name)
        .with(place)
        .with(name)
        .with([name, ": ", label].concat())
        .with(quantity::write(least, unit))
        .with(quantity::write(most, unit))
        .with(quantity::write(*value, unit))
        .with(words::span(*value))
        .with(locked.then_some("true"))
        .done()
}
