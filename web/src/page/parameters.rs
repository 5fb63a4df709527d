//! The parameters as numbers to type, beside the handles to drag.

use fencepost_core::scenario::Parameter;
use web_sys::Element;
use yew::prelude::*;

use super::markup::{Hole, Markup, list};
use super::quantity;
use super::state::Session;

/// The parameter whose field `element` is.
pub fn of_field(element: &Element) -> Option<String> {
    element.id().strip_prefix("parameter-").map(str::to_owned)
}

// The button is there all the time: one that came with the first change would push the fields aside in mid-drag.
static PARAMETERS: Markup = Markup::new(
    "<div class='parameters'>{}\
     <button id='reset' type='button' class='worded' title='Restore the original' disabled='{}'>Reset</button>{}</div>",
);

static LOCKED: Markup =
    Markup::new("<p class='note'>The text below has a mistake: the figure is that of the last text without one.</p>");

static FIELD: Markup = Markup::new(
    "<div class='parameter' key='{}'><label for='{}'>{}<span>{}</span></label>\
     <input id='{}' type='text' inputmode='decimal' autocomplete='off' disabled='{}' aria-invalid='{}' \
     aria-describedby='{}' value='{}'/>\
     <span class='unit'>{}</span><span id='{}' class='problem' aria-live='polite'>{}</span></div>",
);

static PROBLEM: Markup = Markup::new("<strong>{}</strong>");

/// A field a parameter.
pub fn draw(session: &Session) -> Html {
    // While the text has a mistake its parameters cannot be set.
    let locked = session.mistake.is_some();
    let parameters = session.outcome.comparison.scenario.parameters.iter().map(|parameter| {
        let handle = session.scene.handles.iter().find(|handle| handle.parameter == parameter.name);
        field(parameter, handle.map(|handle| &*handle.label), session.typed(&parameter.name), locked)
    });
    PARAMETERS
        .fill()
        .with(list(parameters.collect()))
        .with(!session.is_edited())
        .with(locked.then(|| LOCKED.fill().done()))
        .done()
}

/// A field; `label` says what its parameter changes.
fn field(parameter: &Parameter, label: Option<&str>, typed: Option<&str>, locked: bool) -> Html {
    let unit = quantity::unit(parameter);
    let name = &parameter.name;
    let id = ["parameter-", name].concat();
    let problem_id = [&id, "-problem"].concat();
    let problem = typed.and_then(|typed| quantity::read(typed, parameter).err());
    let value = typed.map_or_else(|| quantity::write(parameter.value, unit), str::to_owned);
    let invalid = problem.as_ref().map(|_| "true");
    let said = match problem {
        Some(problem) => Hole::from(PROBLEM.fill().with(problem).done()),
        None => range(parameter).into(),
    };
    FIELD
        .fill()
        .with(name)
        .with(&id)
        .with(name)
        .with(label.map(|label| [": ", label].concat()))
        .with(id)
        .with(locked)
        .with(invalid)
        .with(&problem_id)
        .with(value)
        .with(unit.name)
        .with(problem_id)
        .with(said)
        .done()
}

fn range(parameter: &Parameter) -> Option<String> {
    let (least, most) = parameter.range?;
    let unit = quantity::unit(parameter);
    Some([&quantity::write(least, unit), " to ", &quantity::write(most, unit)].concat())
}
