//! The parameters as numbers to type, beside the handles to drag.

use std::rc::Rc;

use fencepost_core::scenario::{self, Parameter};
use fencepost_core::time::Duration;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::quantity;
use super::state::{Action, Dispatch};

#[derive(PartialEq, Properties)]
pub struct ParametersProps {
    pub parameters: Rc<Vec<Parameter>>,
    /// While the text has a mistake its parameters cannot be set.
    pub locked: bool,
    pub edited: bool,
    pub dispatch: Dispatch,
}

/// A field a parameter.
#[component]
pub fn Parameters(props: &ParametersProps) -> Html {
    let field = |parameter: &Parameter| {
        html! {
            <Field
                key={parameter.name.clone()}
                parameter={parameter.clone()}
                locked={props.locked}
                dispatch={props.dispatch.clone()}
            />
        }
    };
    let restore = {
        let dispatch = props.dispatch.clone();
        Callback::from(move |_: MouseEvent| dispatch.dispatch(Action::Restore))
    };
    html! {
        <div class="parameters">
            { for props.parameters.iter().map(field) }
            // There all the time: a button that came with the first change would push the fields aside in mid-drag.
            <button type="button" class="worded" title="Restore the original" disabled={!props.edited} onclick={restore}>
                { "Reset" }
            </button>
            if props.locked {
                <p class="note">{ "The text below has a mistake: the figure is that of the last text without one." }</p>
            }
        </div>
    }
}

#[derive(PartialEq, Properties)]
struct FieldProps {
    parameter: Parameter,
    locked: bool,
    dispatch: Dispatch,
}

#[component]
fn Field(props: &FieldProps) -> Html {
    let FieldProps { parameter, locked, dispatch } = props;
    let unit = quantity::unit(parameter);
    // What was typed, while it says something else than the value does: half a number, or none that can be used.
    let typed = use_state_eq(|| None::<String>);
    {
        // A value that comes from elsewhere, by the handle or in the text, is shown.
        let typed = typed.clone();
        use_effect_with(parameter.clone(), move |parameter| {
            let stands = typed.as_ref().is_some_and(|typed| quantity::read(typed, parameter) == Ok(parameter.value));
            if !stands {
                typed.set(None);
            }
        });
    }
    let set = {
        let (dispatch, name) = (dispatch.clone(), parameter.name.clone());
        move |value: Duration| dispatch.dispatch(Action::Set { name: name.clone(), value })
    };
    let oninput = {
        let (typed, parameter, set) = (typed.clone(), parameter.clone(), set.clone());
        Callback::from(move |event: InputEvent| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            if let Ok(value) = quantity::read(&text, &parameter) {
                set(value);
            }
            typed.set(Some(text));
        })
    };
    let onblur = {
        let (typed, parameter) = (typed.clone(), parameter.clone());
        Callback::from(move |_: FocusEvent| {
            if typed.as_ref().is_some_and(|typed| quantity::read(typed, &parameter).is_ok()) {
                typed.set(None);
            }
        })
    };
    let onkeydown = {
        let (typed, parameter) = (typed.clone(), parameter.clone());
        Callback::from(move |event: KeyboardEvent| {
            let (step, (least, most)) = (scenario::step(&parameter), quantity::limits(&parameter));
            let value = match &*event.key() {
                "ArrowUp" if parameter.value < most => scenario::snap(&parameter, parameter.value + step),
                "ArrowDown" if parameter.value > least => {
                    scenario::snap(&parameter, parameter.value - step.min(parameter.value))
                }
                _ => return,
            };
            event.prevent_default();
            typed.set(None);
            set(value);
        })
    };

    let problem = typed.as_ref().and_then(|typed| quantity::read(typed, parameter).err());
    let id = format!("parameter-{}", parameter.name);
    let problem_id = format!("{id}-problem");
    let value = typed.as_ref().map_or_else(|| quantity::write(parameter.value, unit), Clone::clone);
    html! {
        <div class="parameter">
            <label for={id.clone()}>{ &parameter.name }</label>
            <input
                {id}
                type="text"
                inputmode="decimal"
                autocomplete="off"
                disabled={*locked}
                aria-invalid={problem.is_some().then_some("true")}
                aria-describedby={problem_id.clone()}
                {value}
                {oninput}
                {onblur}
                {onkeydown}
            />
            <span class="unit">{ unit.name }</span>
            <span id={problem_id} class="problem" aria-live="polite">{ problem.as_deref().map_or_else(
                || range(parameter),
                |problem| html! { <strong>{ problem }</strong> },
            ) }</span>
        </div>
    }
}

fn range(parameter: &Parameter) -> Html {
    let Some((least, most)) = parameter.range else { return Html::default() };
    let unit = quantity::unit(parameter);
    html! { format!("{} to {}", quantity::write(least, unit), quantity::write(most, unit)) }
}
