//! The scenario as text. Whatever is typed stays; what is wrong with it is shown at its place.

use fencepost_core::scenario::ScenarioError;
use yew::prelude::*;

use super::markup::{Markup, list, truth};
use super::state::Session;

/// The text area is as high as the text has lines, between these.
const ROWS: std::ops::RangeInclusive<usize> = 12..=22;

/// Characters of a faulty line that are shown on either side of the fault.
const AROUND: usize = 48;

static EDITOR: Markup = Markup::new(
    "<header><h2 id='scenario-title'><label for='scenario-text'>The scenario as text</label></h2>{}</header>\
     <p>Everything above comes from this text. Change it, and the figure follows.</p>\
     <div id='scenario-error' aria-live='polite'>{}</div>\
     <div class='editor' data-broken='{}'>\
     <div class='gutter' aria-hidden='true'><div><pre>{}</pre>{}</div></div>\
     <textarea id='scenario-text' wrap='off' spellcheck='false' autocapitalize='off' autocomplete='off' rows='{}' \
     aria-invalid='{}' aria-describedby='scenario-error'/></div>",
);

static BUTTON: Markup = Markup::new("<button id='{}' type='button' class='worded'>{}</button>");

static MARK: Markup = Markup::new("<div class='mark' ~style='{}'/>");

static MISTAKE: Markup = Markup::new(
    "<p data-line='{}' data-column='{}'><strong>{}</strong>{}</p><pre aria-hidden='true'>{}\n<b>{}</b></pre>",
);

static CODE: Markup = Markup::new("<code>{}</code>");

/// What stands in the section of the page that is there for it.
pub fn draw(session: &Session) -> Html {
    let (text, mistake) = (session.text(), session.mistake.as_deref());
    let button = |id: &'static str, name: &'static str| BUTTON.fill().with(id).with(name).done();
    let button = if session.is_edited() {
        Some(button("restore", "Restore the original"))
    } else if session.can_reinstate() {
        Some(button("reinstate", "Bring my changes back"))
    } else {
        None
    };
    // One line more than there are ends of lines, as editors count.
    let lines = text.matches('\n').count() + 1;
    let mut numbers = String::new();
    for line in 1..=lines {
        numbers += &line.to_string();
        numbers.push('\n');
    }
    let mark = mistake.map(|mistake| MARK.fill().with(["--line:", &(mistake.line - 1).to_string()].concat()).done());
    EDITOR
        .fill()
        .with(button)
        .with(mistake.map(|mistake| explain(mistake, text)))
        .with(truth(mistake.is_some()))
        .with(numbers)
        .with(mark)
        .with(lines.clamp(*ROWS.start(), *ROWS.end()).to_string())
        .with(mistake.map(|_| "true"))
        .done()
}

fn explain(mistake: &ScenarioError, text: &str) -> Html {
    let ScenarioError { line, column, message, .. } = mistake;
    let (shown, pointer) = excerpt(text, *line, *column);
    MISTAKE
        .fill()
        .with(line.to_string())
        .with(column.to_string())
        .with(format!("Line {line}, column {column}. "))
        .with(coded(message))
        .with(shown)
        .with(pointer)
        .done()
}

/// A message, with what stands between backticks set as code.
fn coded(message: &str) -> Html {
    let parts = message.split('`').enumerate();
    list(
        parts
            .map(|(number, part)| if number % 2 == 1 { CODE.fill().with(part.to_owned()).done() } else { part.into() })
            .collect(),
    )
}

/// The line with the fault, and the caret that goes under it.
fn excerpt(text: &str, line: u32, column: u32) -> (String, String) {
    let line = text.split('\n').nth(line as usize - 1).unwrap_or_default().trim_end();
    let at = (column as usize - 1).min(line.chars().count());
    let (from, to) = (at.saturating_sub(AROUND), at + AROUND);
    let (mut shown, mut pointer) = (String::new(), String::new());
    if from > 0 {
        shown.push('…');
        pointer.push(' ');
    }
    for (index, character) in line.chars().enumerate().skip(from) {
        if index == to {
            shown.push('…');
            break;
        }
        shown.push(character);
        // What is as wide as the text before the fault: a tab stays a tab.
        if index < at {
            pointer.push(if character == '\t' { '\t' } else { ' ' });
        }
    }
    pointer.push('^');
    (shown, pointer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_shown_in_its_line() {
        assert_eq!(excerpt("a\nlease 0s\nb", 2, 7), ("lease 0s".into(), "      ^".into()));
        assert_eq!(excerpt("\tx", 1, 2), ("\tx".into(), "\t^".into()));
        assert_eq!(excerpt("", 1, 1), (String::new(), "^".into()));
        assert_eq!(excerpt("ab", 1, 9), ("ab".into(), "  ^".into()), "past the end of the line");
        assert_eq!(excerpt("ab", 7, 1), (String::new(), "^".into()), "past the end of the text");
    }

    #[test]
    fn of_a_long_line_only_the_part_around_the_fault_is_shown() {
        let (shown, pointer) = excerpt(&"x".repeat(1_000), 1, 501);
        assert_eq!(shown, format!("…{}…", "x".repeat(2 * AROUND)));
        assert_eq!(pointer.len(), AROUND + 2);
    }
}
