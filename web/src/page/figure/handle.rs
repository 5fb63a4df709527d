//! A handle over the figure: drags a parameter along the axis.

use fencepost_core::plot::{Axis, Handle};
use fencepost_core::scenario::{self, Parameter};
use fencepost_core::time::{Duration, Instant};
use fencepost_core::words;
use web_sys::Element;
use yew::prelude::*;

use super::super::browser::use_style;
use super::super::quantity;
use super::super::state::{Action, Dispatch};
use super::{pixels, x_in};

/// How many steps the page keys go, and the arrow keys with Shift.
const MANY: u64 = 10;

#[derive(PartialEq, Properties)]
pub struct HandleProps {
    pub handle: Handle,
    pub parameter: Parameter,
    pub axis: Axis,
    pub stage: NodeRef,
    pub locked: bool,
    pub dispatch: Dispatch,
}

#[component]
pub fn HandleOver(props: &HandleProps) -> Html {
    let HandleProps { handle, parameter, axis, stage, locked, dispatch } = props;
    let x = axis.x(handle.zero + handle.value);
    let grip = use_style(vec![("transform", format!("translate({}, {})", pixels(x), pixels(handle.y)))]);

    let set = {
        let (dispatch, name) = (dispatch.clone(), parameter.name.clone());
        move |value: Duration| dispatch.dispatch(Action::Set { name: name.clone(), value })
    };
    // While held: how far from the handle's middle it was taken, so that it does not jump to the pointer.
    let taken = use_mut_ref(|| None::<f64>);
    let onpointerdown = {
        let (taken, grip, stage, dispatch) = (taken.clone(), grip.clone(), stage.clone(), dispatch.clone());
        let (locked, end) = (*locked, axis.end);
        Callback::from(move |event: PointerEvent| {
            let (Some(grip), Some(stage)) = (grip.cast::<Element>(), stage.cast::<Element>()) else { return };
            if locked || event.button() != 0 || !event.is_primary() {
                return;
            }
            let _ = grip.set_pointer_capture(event.pointer_id());
            *taken.borrow_mut() = Some(x_in(&stage, event.client_x()) - f64::from(x.0) / 10.0);
            dispatch.dispatch(Action::Hold(end));
        })
    };
    let onpointermove = {
        let (taken, stage, set) = (taken.clone(), stage.clone(), set.clone());
        let (axis, zero, parameter) = (*axis, handle.zero, parameter.clone());
        Callback::from(move |event: PointerEvent| {
            let (Some(offset), Some(stage)) = (*taken.borrow(), stage.cast::<Element>()) else { return };
            let at: Instant = axis.at(x_in(&stage, event.client_x()) - offset);
            set(scenario::snap(&parameter, at.since(zero)));
        })
    };
    let let_go = {
        let dispatch = dispatch.clone();
        Callback::from(move |_: PointerEvent| {
            if taken.borrow_mut().take().is_some() {
                dispatch.dispatch(Action::LetGo);
            }
        })
    };
    let onkeydown = {
        let (parameter, locked) = (parameter.clone(), *locked);
        Callback::from(move |event: KeyboardEvent| {
            if event.ctrl_key() || event.alt_key() || event.meta_key() {
                return;
            }
            let many = if event.shift_key() { MANY } else { 1 };
            let (least, most) = quantity::limits(&parameter);
            let value = match &*event.key() {
                "ArrowRight" | "ArrowUp" => on(&parameter, many),
                "ArrowLeft" | "ArrowDown" => back(&parameter, many),
                "PageUp" => on(&parameter, MANY),
                "PageDown" => back(&parameter, MANY),
                "Home" => least,
                "End" if parameter.range.is_some() => most,
                _ => return,
            };
            event.prevent_default();
            if !locked {
                set(value);
            }
        })
    };

    let unit = quantity::unit(parameter);
    let (least, most) = quantity::limits(parameter);
    html! {
        <div
            class="handle"
            ref={grip}
            role="slider"
            tabindex="0"
            data-parameter={handle.parameter.clone()}
            aria-label={format!("{}: {}", handle.parameter, handle.label)}
            aria-valuemin={quantity::write(least, unit)}
            aria-valuemax={quantity::write(most, unit)}
            aria-valuenow={quantity::write(handle.value, unit)}
            aria-valuetext={words::span(handle.value)}
            aria-disabled={locked.then_some("true")}
            {onpointerdown}
            {onpointermove}
            onpointerup={&let_go}
            onpointercancel={&let_go}
            onlostpointercapture={&let_go}
            {onkeydown}
        />
    }
}

fn on(parameter: &Parameter, steps: u64) -> Duration {
    let (_, most) = quantity::limits(parameter);
    let by = Duration::from_micros(scenario::step(parameter).micros() * steps);
    scenario::snap(parameter, (parameter.value + by).min(most))
}

fn back(parameter: &Parameter, steps: u64) -> Duration {
    let by = Duration::from_micros(scenario::step(parameter).micros() * steps);
    scenario::snap(parameter, parameter.value - by.min(parameter.value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stop_at_the_ends_of_the_range() {
        let range = Some((Duration::ZERO, Duration::from_secs(30)));
        let pause = |seconds| Parameter { name: "pause".into(), value: Duration::from_secs(seconds), range };
        assert_eq!(on(&pause(30), 1), Duration::from_secs(30));
        assert_eq!(back(&pause(0), MANY), Duration::ZERO);
        assert_eq!(back(&Parameter { value: on(&pause(15), 1), ..pause(15) }, 1), Duration::from_secs(15));
    }
}
