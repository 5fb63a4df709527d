//! A comparison told as one list: what happened in every row once, and what happened in some rows with their names.

use serde::Serialize;

use crate::compare::{Comparison, FactRef};
use crate::time::{Duration, Instant};
use crate::words::Narrator;

/// How far apart the same thing may happen in two rows to be told as one: less than a reader of seconds would miss.
pub const APART: Duration = Duration::from_millis(50);

/// One line of the story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// When, in the first of the rows; never before the line above.
    pub at: Instant,
    /// What happened, as a sentence.
    pub text: String,
    /// The fact in each row where it happened, in the rows' order.
    pub facts: Vec<FactRef>,
}

/// The story of `comparison`. Every row's facts stand in the row's own order.
///
/// Rows differ by the round trips that only some mechanisms make, so the same sentence a trifle earlier or later, by
/// [`APART`] at most, is the same line.
pub fn story(comparison: &Comparison) -> Vec<Line> {
    let mut rows: Vec<Vec<Line>> = comparison.runs.iter().enumerate().map(|(run, _)| told(comparison, run)).collect();
    for row in &mut rows {
        row.reverse();
    }
    let mut story: Vec<Line> = Vec::new();
    while let Some(mut line) = next(&rows) {
        for row in &mut rows {
            if row.last().is_some_and(|candidate| line.facts.contains(&candidate.facts[0])) {
                row.pop();
            }
        }
        line.at = story.last().map_or(line.at, |above| line.at.max(above.at));
        story.push(line);
    }
    story
}

/// The story of one row.
fn told(comparison: &Comparison, run: usize) -> Vec<Line> {
    let facts = &comparison.runs[run].facts;
    let narrator = Narrator::new(&comparison.scenario, &comparison.runs[run]);
    let listed = (0..facts.len()).filter(|&fact| Narrator::is_listed(&facts[fact].fact));
    listed
        .map(|fact| Line { at: facts[fact].at, text: narrator.fact(fact), facts: vec![FactRef { run, fact }] })
        .collect()
}

/// The line that comes next, given what is left of each row (next fact last): the earliest that no row holds back. A row
/// that has the same sentence further on, but not next, holds it back; if all hold each other back, the earliest goes alone.
fn next(rows: &[Vec<Line>]) -> Option<Line> {
    let candidates = || rows.iter().filter_map(|row| row.last());
    let free = candidates().filter(|candidate| {
        rows.iter().all(|row| match row.iter().rfind(|line| same(line, candidate)) {
            Some(line) => row.last() == Some(line),
            None => true,
        })
    });
    match free.min_by_key(|candidate| candidate.at) {
        Some(first) => {
            let mut line = first.clone();
            let alike = candidates().filter(|candidate| same(candidate, first));
            line.facts = alike.map(|candidate| candidate.facts[0]).collect();
            Some(line)
        }
        None => candidates().min_by_key(|candidate| candidate.at).cloned(),
    }
}

fn same(one: &Line, other: &Line) -> bool {
    one.text == other.text && one.at.since(other.at).max(other.at.since(one.at)) <= APART
}
