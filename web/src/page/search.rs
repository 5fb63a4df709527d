//! Asking for a search, and what stands above the figure while it shows what one has found. The search itself, and all that
//! is said of it, is the script's: it is not here until somebody asks for it.

use wasm_bindgen::closure::Closure;
use yew::prelude::*;

use super::markup::{Markup, list};
use super::state::{Action, Outcome, Session};
use crate::host::Host;

// The last element is the script's: what it puts there is not known here, and stays.
static SEARCH: Markup = Markup::new(
    "<section id='search' aria-labelledby='search-title'>\
     <h2 id='search-title'>Can it be broken?</h2>\
     <p>The figure shows one schedule. A search goes through all of them, within the bounds that the scenario sets.</p>\
     <div class='ask'><label for='search-row'>Row</label>\
     <select id='search-row' autocomplete='off'>{}{}</select>\
     <button id='search-start' type='button' class='worded'>Find the shortest schedule that breaks it</button></div>\
     <div id='search-result'></div></section>",
);

static ROW: Markup = Markup::new("<option key='{}'>{}</option>");

static ALL: Markup = Markup::new("<option key='' data-every=''>each row in turn</option>");

static OPENED: Markup = Markup::new(
    "<p id='opened'><span>This is a counterexample that a search has found. Your scenario is kept as it was.</span> \
     <button id='return' type='button' class='worded'>Back to my scenario</button></p>",
);

/// The panel below the figure. Yew puts children in from the last to the first, so the last option is the chosen one.
pub fn draw(outcome: &Outcome) -> Html {
    let rows = &outcome.comparison.runs;
    let options = rows.iter().map(|run| ROW.fill().with(&run.name).with(&run.name).done());
    SEARCH.fill().with(list(options.collect())).with((rows.len() > 1).then(|| ALL.fill().done())).done()
}

/// The way back from a counterexample.
pub fn opened(session: &Session) -> Option<Html> {
    session.is_opened().then(|| OPENED.fill().done())
}

/// Lets the script open what it has found, from now on.
pub fn follow(host: &Host, dispatch: Callback<Action>) {
    let open = Closure::<dyn FnMut(String)>::new(move |text| dispatch.emit(Action::Open(text)));
    host.follow_search(open.into_js_value());
}
