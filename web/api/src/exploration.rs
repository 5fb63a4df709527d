//! What a search of one row has found, as scripts get it.

use fencepost_core::counterexample;
use fencepost_core::explore::{Bounds, Search};
use fencepost_core::invariant::Invariant;
use fencepost_core::observation::Situation;
use fencepost_core::scenario::Scenario;
use fencepost_core::simulate::search_config;
use serde::Serialize;

/// What a search of one row has found.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Exploration {
    row: String,
    states: usize,
    transitions: u64,
    depth: usize,
    complete: bool,
    stopped_at: Option<String>,
    bytes: usize,
    broken: Vec<Broken>,
    reached: Vec<Reached>,
}

#[derive(Serialize)]
struct Broken {
    invariant: Invariant,
    steps: usize,
    scenario: Option<String>,
}

#[derive(Serialize)]
struct Reached {
    situation: Situation,
    steps: usize,
}

impl Exploration {
    /// Searches the row of this index.
    pub fn of(scenario: &Scenario, row: usize, max_states: usize) -> Self {
        let row = &scenario.rows[row];
        let config = search_config(scenario, &row.mechanism);
        let bounds = Bounds { states: max_states.min(Bounds::MAX.states), ..Bounds::MAX };
        // Only the report is kept: its states are gone when the counterexamples are timed.
        let report = Search::within(&config, bounds).run();
        let stopped_at = report.stopped_at();
        let timed = |invariant, path: &[_]| counterexample::timed(scenario, row, &config, path, invariant);
        let broken = report.broken.iter().map(|found| Broken {
            invariant: found.evidence.invariant,
            steps: found.path.len(),
            scenario: timed(found.evidence.invariant, &found.path).ok().map(|timed| timed.to_text()),
        });
        let reached =
            report.reached.iter().map(|found| Reached { situation: found.situation, steps: found.path.len() });
        Self {
            row: row.name.clone(),
            states: report.progress.states,
            transitions: report.progress.transitions,
            depth: report.progress.depth,
            complete: stopped_at.is_empty(),
            stopped_at: (!stopped_at.is_empty()).then(|| stopped_at.join(", ")),
            bytes: report.bytes,
            broken: broken.collect(),
            reached: reached.collect(),
        }
    }
}

/// The scenario has no row of the name that was asked for.
#[derive(Debug, Serialize)]
pub struct UnknownRow {
    message: String,
    expected: Vec<String>,
}

impl UnknownRow {
    /// The index of the row called `name`.
    pub fn unless_in(scenario: &Scenario, name: &str) -> Result<usize, Self> {
        scenario.rows.iter().position(|row| row.name == name).ok_or_else(|| Self {
            message: format!("There is no row `{name}` in {}.", scenario.name),
            expected: scenario.rows.iter().map(|row| row.name.clone()).collect(),
        })
    }
}
