//! The entries of `expect`.

use super::line::Line;
use super::outline::Statement;
use super::vocabulary::{Frequency, Verdict, Vocabulary};
use crate::invariant::Invariant;
use crate::observation::Situation;
use crate::scenario::error::Result;
use crate::scenario::{Expectation, Expected, MAX_EXPECTATIONS, Row};

/// Reads the entries of `expect`.
pub(super) fn read(statement: &mut Statement<'_>, rows: &[Row]) -> Result<Vec<Expectation>> {
    let mut known: Vec<Expectation> = Vec::new();
    statement.read_entries(MAX_EXPECTATIONS, &mut |line| {
        let first = line.peek();
        let row = row(line, rows)?;
        let outcome = outcome(line)?;
        let line = first.map_or(0, |word| word.place.line);
        let meets = |other: &Expectation| other.row == row || other.row.is_none() || row.is_none();
        // The same twice, once for all rows, is no contradiction, and no mistake.
        let repeats = |other: &Expectation| other.row != row && other.outcome == outcome;
        let same = |other: &&Expectation| meets(other) && !repeats(other) && subject(other.outcome) == subject(outcome);
        if let (Some(word), Some(earlier)) = (first, known.iter().find(same)) {
            let subject = subject(outcome);
            let (line, row) = (earlier.line, word.quoted());
            return Err(word.error(format_args!("Line {line} already says what to expect of `{subject}` for {row}.")));
        }
        known.push(Expectation { row, outcome, line });
        Ok(())
    })?;
    Ok(known)
}

/// Reads a row's name, or `all`, which is none.
fn row(line: &mut Line<'_>, rows: &[Row]) -> Result<Option<usize>> {
    if line.accept("all") {
        return Ok(None);
    }
    let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let (index, _) = line.one_of("a row", &names)?;
    Ok(Some(index))
}

/// Reads `no-lost-update holds`, `never two-believers` and the like.
fn outcome(line: &mut Line<'_>) -> Result<Expected> {
    for frequency in Frequency::VALUES {
        if line.accept(frequency.word()) {
            return situation(line, *frequency);
        }
    }
    if let Some(word) = line.peek().filter(|word| Situation::read(word.text).is_some()) {
        let found = word.quoted();
        let message = format_args!("{found} is a situation: `sometimes` or `never` stands before it.");
        return Err(word.error(message).expecting(Frequency::WORDS));
    }
    let invariant = line.choose()?;
    Ok(match line.choose()? {
        Verdict::Holds => Expected::Holds(invariant),
        Verdict::Spared => Expected::Spared(invariant),
        Verdict::Violated => Expected::Violated(invariant),
    })
}

fn situation(line: &mut Line<'_>, frequency: Frequency) -> Result<Expected> {
    if let Some(word) = line.peek().filter(|word| Invariant::read(word.text).is_some()) {
        let found = word.quoted();
        return Err(word.error(format_args!(
            "{found} is an invariant: `holds`, `spared` or `violated` stands after it, nothing before it."
        )));
    }
    let situation = line.choose()?;
    Ok(match frequency {
        Frequency::Sometimes => Expected::Sometimes(situation),
        Frequency::Never => Expected::Never(situation),
    })
}

/// What an expectation is about.
fn subject(outcome: Expected) -> &'static str {
    match outcome {
        Expected::Holds(invariant) | Expected::Spared(invariant) | Expected::Violated(invariant) => invariant.word(),
        Expected::Sometimes(situation) | Expected::Never(situation) => situation.word(),
    }
}
