//! The facts as sentences: the picture's equal for those who read or hear it.

use fencepost_core::story::Line;
use yew::prelude::*;

use super::markup::{Markup, list};
use super::quantity;
use super::state::Outcome;

static FACTS: Markup = Markup::new(
    "<section id='facts' aria-labelledby='facts-title'><h2 id='facts-title'>What happens, in order</h2><ol>{}</ol></section>",
);

static LINE: Markup = Markup::new(
    "<li key='{}' aria-current='{}'><button type='button' tabindex='{}' data-index='{}'>\
     <span class='time'>{} s</span><span class='told'>{} {} {}</span></button></li>",
);

static ROWS: Markup = Markup::new("<span class='rows'>{}</span>");

static DIFFERENCE: Markup = Markup::new("<span class='mark'>first difference</span>");

/// The list; `current` is the line at the cursor.
pub fn draw(outcome: &Outcome, current: Option<usize>) -> Html {
    let lines = outcome.lines.iter().enumerate().map(|(index, line)| draw_line(outcome, current, index, line));
    FACTS.fill().with(list(lines.collect())).done()
}

fn draw_line(outcome: &Outcome, current: Option<usize>, index: usize, line: &Line) -> Html {
    let runs = &outcome.comparison.runs;
    // The rows where it happens, if not in all.
    let only = (line.facts.len() < runs.len()).then(|| {
        let rows: Vec<&str> = line.facts.iter().map(|fact| runs[fact.run].name.as_str()).collect();
        ROWS.fill().with(rows.join(", ")).done()
    });
    let mark = (outcome.difference == Some(index)).then(|| DIFFERENCE.fill().done());
    // Without a current line the first one can be reached by the tab key.
    let tabindex = if current.unwrap_or(0) == index { "0" } else { "-1" };
    let number = index.to_string();
    LINE.fill()
        .with(&number)
        .with((current == Some(index)).then_some("step"))
        .with(tabindex)
        .with(number)
        .with(quantity::seconds(line.at, outcome.decimals))
        .with(&line.text)
        .with(only)
        .with(mark)
        .done()
}
