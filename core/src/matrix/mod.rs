//! What each mechanism prevents: every mechanism in every situation, decided by search.
//!
//! A mechanism is a row of a scenario's `compare` section, a situation the lines around it with the bounds of a search and
//! what is asked. [`scenario`] puts the two together, in the scenario language, and a [`Trial`] searches every schedule of
//! it. Nothing here knows what comes out: where the language refuses the combination, that is the answer, and the reason.
//!
//! The cells do not depend on each other, so whoever drives them may do so in any order and on any number of threads.

mod cell;
mod json;
mod mechanisms;
mod situations;
mod table;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

pub use cell::{Answer, Broken, Cell, Harm, MAX_STATES, Trial, Witness};
pub use mechanisms::Mechanism;
pub use situations::{Group, Question, Situation};

use crate::scenario::{Scenario, parse};

/// Every cell, decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    /// The cells in the order of [`pairs`].
    cells: Vec<Cell>,
}

/// Every mechanism in every situation: all situations of the first mechanism, then those of the next.
pub fn pairs() -> impl Iterator<Item = (&'static Mechanism, &'static Situation)> {
    Mechanism::ALL.iter().flat_map(|mechanism| Situation::ALL.iter().map(move |situation| (mechanism, situation)))
}

impl Matrix {
    /// The matrix of these cells, which are in the order of [`pairs`].
    ///
    /// # Panics
    /// If there are more or fewer of them.
    pub fn of(cells: Vec<Cell>) -> Self {
        assert_eq!(cells.len(), pairs().count(), "a cell for each mechanism in each situation");
        Self { cells }
    }

    /// The cells with their mechanisms and situations.
    pub fn cells(&self) -> impl Iterator<Item = (&'static Mechanism, &'static Situation, &Cell)> {
        pairs().zip(&self.cells).map(|((mechanism, situation), cell)| (mechanism, situation, cell))
    }

    /// The cell of this mechanism in this situation.
    pub fn cell(&self, mechanism: &str, situation: &str) -> Option<&Cell> {
        self.cells().find(|(of, under, _)| of.name == mechanism && under.name == situation).map(|(_, _, cell)| cell)
    }

    /// Whether all that is broken in this cell is broken without what makes the situation, too.
    pub fn is_broken_anyway(&self, mechanism: &Mechanism, situation: &Situation) -> bool {
        let broken = |situation: &str| match self.cell(mechanism.name, situation).map(|cell| &cell.answer) {
            Some(Answer::Broken(broken)) => broken.invariants.iter().map(|(invariant, _)| *invariant).collect(),
            _ => Vec::new(),
        };
        let (here, plain) = (broken(situation.name), situation.plain.map(broken).unwrap_or_default());
        !here.is_empty() && here.iter().all(|invariant| plain.contains(invariant))
    }

    /// Whether there is an answer in every cell.
    pub fn is_decided(&self) -> bool {
        self.cells.iter().all(Cell::is_decided)
    }

    /// For programs, and for the page. Its form is described in `docs/matrix.md`.
    pub fn to_json(&self) -> String {
        json::written(self)
    }

    /// For a terminal.
    pub fn to_text(&self) -> String {
        table::written(self)
    }
}

/// The text of the scenario in which `mechanism` meets `situation`, whether or not it can be read.
fn text(mechanism: &Mechanism, situation: &Situation) -> String {
    let mut text = format!("# {}\n#\n", situation.title);
    for line in wrapped(situation.explanation, LINE) {
        let _ = writeln!(text, "# {line}");
    }
    let _ = writeln!(text, "# Source: {}", situation.source);
    let _ = writeln!(text, "scenario {}\nworkers A B\nlease 10s", situation.name);
    if !situation.settings.iter().any(|line| line.starts_with("epochs ")) {
        text.push_str("epochs from 33\n");
    }
    text.push_str("work A compute 1s\nwork B compute 1s\n");
    for line in situation.settings {
        let _ = writeln!(text, "{line}");
    }
    let _ = writeln!(text, "compare\n  {} {}", mechanism.name, mechanism.row);
    if !situation.asked().is_empty() {
        text.push_str("expect\n");
    }
    for invariant in situation.asked() {
        let _ = writeln!(text, "  {} {} holds", mechanism.name, invariant.name());
    }
    let retries = situation.retries + u8::from(mechanism.tries_again && situation.group.is_about_tries());
    if retries > 1 {
        let _ = writeln!(text, "retry after 2s, {} attempts", retries + 1);
    }
    let _ = writeln!(text, "explore {}, retries {retries}", situation.bounds);
    text
}

/// How many characters of a comment stand on a line.
const LINE: usize = 118;

/// The scenario in which `mechanism` meets `situation`. Its one row is called as the mechanism is, and it expects what is
/// asked to hold.
///
/// # Errors
/// Why the mechanism has nothing to do with the situation.
pub fn scenario(mechanism: &Mechanism, situation: &Situation) -> Result<Scenario, String> {
    if let Some(why) = settled(mechanism, situation) {
        return Err(why);
    }
    parse(&text(mechanism, situation)).map_err(|error| error.message)
}

/// What the mechanism itself sets to something else than the situation does.
fn settled(mechanism: &Mechanism, situation: &Situation) -> Option<String> {
    let settings = situation.settings.iter().filter_map(|line| line.split_once(' '));
    for (switch, value) in settings {
        let own = mechanism.row.split(", ").filter_map(|setting| setting.split_once(' '));
        for (own, own_value) in own {
            if own == switch && own_value != value {
                return Some(format!("`{switch} {own_value}` is part of the mechanism; the situation has `{value}`."));
            }
        }
    }
    None
}

/// `text` in lines of at most `width` characters where its words allow.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
