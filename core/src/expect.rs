//! The `expect` lines of a scenario, held against what came out: of its own schedule, and of every schedule.

use std::fmt;

use crate::compare::Comparison;
use crate::explore::Report;
use crate::scenario::{Expectation, Expected, Scenario};

/// An expectation that was not met in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The line of the scenario's text, from 1.
    pub line: u32,
    /// The row's name.
    pub row: String,
    /// What was expected.
    pub expected: Expected,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { line, row, expected } = self;
        match expected {
            Expected::Holds(invariant) | Expected::Spared(invariant) => {
                write!(f, "line {line}: {} is violated in {row}", invariant.name())
            }
            Expected::Violated(invariant) => write!(f, "line {line}: {} holds in {row}", invariant.name()),
            Expected::Sometimes(situation) => write!(f, "line {line}: {row} never reaches {}", situation.name()),
            Expected::Never(situation) => write!(f, "line {line}: {row} reaches {}", situation.name()),
        }
    }
}

/// The expectations of the scenario that its runs do not meet.
pub fn failures(comparison: &Comparison) -> Vec<Failure> {
    let Comparison { scenario, runs, .. } = comparison;
    let mut failures = Vec::new();
    for expectation in &scenario.expectations {
        for (_, run) in runs.iter().enumerate().filter(|(row, _)| speaks_of(expectation, *row)) {
            let met = match expectation.outcome {
                // A run that stopped at a limit has not come to its end: nothing has been kept yet.
                Expected::Holds(_) | Expected::Spared(_) | Expected::Never(_) if run.stopped_at.is_some() => false,
                Expected::Holds(invariant) | Expected::Spared(invariant) => run.holds(invariant),
                Expected::Violated(invariant) => !run.holds(invariant),
                Expected::Sometimes(situation) => run.reached(situation),
                Expected::Never(situation) => !run.reached(situation),
            };
            if !met {
                let Expectation { outcome, line, .. } = *expectation;
                failures.push(Failure { line, row: run.name.clone(), expected: outcome });
            }
        }
    }
    failures
}

/// An expectation that the search of a row does not meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmet {
    /// The line of the scenario's text, from 1.
    pub line: u32,
    /// The row, by its index.
    pub row: usize,
    /// What came out instead, in words.
    pub text: String,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

/// The expectations of the scenario that searches of its rows, each by its index, do not meet.
///
/// What the scenario expects of its rows holds for its own schedule; of every schedule, it can only mean the invariants. What
/// is to hold must have been looked at to the end and not found broken. What is to be violated must have been found broken,
/// and so must what a row is spared: another schedule has to do what the scenario's own does not. A situation that one
/// schedule never reaches, another one may.
pub fn unmet(scenario: &Scenario, searches: &[(usize, Report)]) -> Vec<Unmet> {
    let mut unmet = Vec::new();
    for expectation in &scenario.expectations {
        for (row, report) in searches.iter().filter(|(row, _)| speaks_of(expectation, *row)) {
            let name = &scenario.rows[*row].name;
            let text = match expectation.outcome {
                Expected::Holds(invariant) => match report.counterexample(invariant) {
                    Some(found) => {
                        Some(format!("{} is broken in {name}, in {} steps", invariant.name(), found.path.len()))
                    }
                    None if report.stopped_at().is_empty() => None,
                    None => Some(format!("{} is not decided in {name}: the search stopped", invariant.name())),
                },
                Expected::Violated(invariant) | Expected::Spared(invariant) => match report.counterexample(invariant) {
                    Some(_) => None,
                    None => Some(format!("{} is not broken in {name} within the bounds", invariant.name())),
                },
                Expected::Sometimes(_) | Expected::Never(_) => None,
            };
            unmet.extend(text.map(|text| Unmet { line: expectation.line, row: *row, text }));
        }
    }
    unmet
}

/// The rows, by name, about which the scenario expects nothing at all.
pub fn unspoken(scenario: &Scenario) -> Vec<&str> {
    let spoken = |row: usize| scenario.expectations.iter().any(|expectation| speaks_of(expectation, row));
    scenario.rows.iter().enumerate().filter(|(index, _)| !spoken(*index)).map(|(_, row)| row.name.as_str()).collect()
}

fn speaks_of(expectation: &Expectation, row: usize) -> bool {
    expectation.row.is_none_or(|of| of == row)
}
