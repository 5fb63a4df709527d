//! What the benches measure: bodies that need nothing but the core, so that they run in a browser as they do natively.

use fencepost_core::destination::Guard;
use fencepost_core::explore::{Report, Search};
use fencepost_core::mechanism::{Mechanism, OperationIds};
use fencepost_core::run::Run;
use fencepost_core::scenario::{CORPUS, Scenario, parse};
use fencepost_core::simulate::simulate;
use fencepost_core::system::Config;

use crate::walk;

/// The searches to measure, with their names: what a page shows by default under the weakest and the strongest mechanism,
/// and one that does not fit into any cache.
pub fn searches() -> [(&'static str, Config); 3] {
    let unguarded = walk::config(Mechanism::UNGUARDED);
    let registered =
        Mechanism { guard: Guard::Registered, operation_ids: OperationIds::InTransaction, ..Mechanism::UNGUARDED };
    [
        ("unguarded", unguarded),
        ("registered", Config { mechanism: registered, ..unguarded }),
        ("two-operations", Config { operations: [2; 3], ..unguarded }),
    ]
}

/// Searches everything under `config`.
pub fn explore(config: &Config) -> Report {
    Search::new(config).run()
}

/// The scenarios of the corpus.
pub fn corpus() -> Vec<Scenario> {
    CORPUS.iter().map(|entry| parse(entry.text).expect("the corpus is well-formed")).collect()
}

/// Runs every row of every scenario, and counts the facts.
pub fn simulate_all(scenarios: &[Scenario]) -> usize {
    let runs = scenarios.iter().flat_map(|scenario| scenario.rows.iter().map(|row| simulate(scenario, row)));
    runs.map(|run: Run| run.facts.len()).sum()
}
