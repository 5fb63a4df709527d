//! The parameters as numbers to type, beside the handles to drag.

use fencepost_core::scenario::Parameter;
use web_sys::Element;
use yew::prelude::*;

use super::quantity;
use super::state::Session;

/// The parameter whose field `element` is.
pub fn of_field(element: &Element) -> Option<String> {
    element.id().strip_prefix("parameter-").map(str::to_owned)
}

/// A field a parameter.
pub fn draw(session: &Session) -> Html {
    // While the text has a mistake its parameters cannot be set.
    let locked = session.mistake.is_some();
    let parameters = session.outcome.comparison.scenario.parameters.iter().map(|parameter| {
        let handle = session.scene.handles.iter().find(|handle| handle.parameter == parameter.name);
        field(parameter, handle.map(|handle| &*handle.label), session.typed(&parameter.name), locked)
    });
    html! {
        <div class="parameters">
            { for parameters }
            // There all the time: a button that came with the first change would push the fields aside in mid-drag.
            <button id="reset" type="button" class="worded" title="Restore the original" disabled={!session.is_edited()}>
                { "Reset" }
            </button>
            if locked {
                <p class="note">{ "The text below has a mistake: the figure is that of the last text without one." }</p>
            }
        </div>
    }
}

/// A field; `label` says what its parameter changes.
fn field(parameter: &Parameter, label: Option<&str>, typed: Option<&str>, locked: bool) -> Html {
    let unit = quantity::unit(parameter);
    let id = ["parameter-", &parameter.name].concat();
    let problem_id = [&id, "-problem"].concat();
    let problem = typed.and_then(|typed| quantity::read(typed, parameter).err());
    let value = typed.map_or_else(|| quantity::write(parameter.value, unit), str::to_owned);
    let (invalid, said) = match problem {
        Some(problem) => (Some("true"), html! { <strong>{ problem }</strong> }),
        None => (None, range(parameter)),
    };
    html! {
        <div class="parameter" key={&*parameter.name}>
            <label for={id.clone()}>
                { parameter.name.clone() }
                <span>{ label.map(|label| [": ", label].concat()) }</span>
            </label>
            <input
                {id}
                type="text"
                inputmode="decimal"
                autocomplete="off"
                disabled={locked}
                aria-invalid={invalid}
                aria-describedby={problem_id.clone()}
                {value}
            />
            <span class="unit">{ unit.name }</span>
            <span id={problem_id} class="problem" aria-live="polite">{ said }</span>
        </div>
    }
}

fn range(parameter: &Parameter) -> Html {
    let Some((least, most)) = parameter.range else { return Html::default() };
    let unit = quantity::unit(parameter);
    [quantity::write(least, unit), " to ".to_owned(), quantity::write(most, unit)].concat().into()
}
