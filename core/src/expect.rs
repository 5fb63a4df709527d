//! The `expect` lines of a scenario, held against what came out.

use std::fmt;

use crate::compare::Comparison;
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

/// The rows, by name, about which the scenario expects nothing at all.
pub fn unspoken(scenario: &Scenario) -> Vec<&str> {
    let spoken = |row: usize| scenario.expectations.iter().any(|expectation| speaks_of(expectation, row));
    scenario.rows.iter().enumerate().filter(|(index, _)| !spoken(*index)).map(|(_, row)| row.name.as_str()).collect()
}

fn speaks_of(expectation: &Expectation, row: usize) -> bool {
    expectation.row.is_none_or(|of| of == row)
}
