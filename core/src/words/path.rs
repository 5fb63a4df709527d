//! A path that a search has found, in sentences.

use super::Narrator;
use crate::command::Command;
use crate::event::Event;
use crate::fact::Fact;
use crate::invariant::Evidence;
use crate::observation::Situation;
use crate::run::{Entry, Run, Sighting, Violation};
use crate::scenario::{Row, Scenario};
use crate::simulate::search_config;
use crate::system::{Config, Driver, State};
use crate::time::Instant;

/// What each choice of `path` brings about in `row` of `scenario`, in sentences: one text a choice.
///
/// # Panics
/// If `path` is none that a search of this row takes.
pub fn path(scenario: &Scenario, row: &Row, path: &[Event]) -> Vec<String> {
    let (run, ends) = replayed(&row.name, &search_config(scenario, &row.mechanism), path);
    // In a search, every worker has as many operations as the bounds say.
    let mut scenario = scenario.clone();
    for worker in &mut scenario.workers {
        worker.operations = scenario.bounds.operations;
    }
    let narrator = Narrator::new(&scenario, &run);
    let mut from = 0;
    let mut told = Vec::new();
    for end in ends {
        let facts = from..end;
        let heard: Vec<usize> = facts.clone().filter(|&fact| Narrator::is_listed(&run.facts[fact].fact)).collect();
        // Of a message that nothing is made of, it is told that it arrives.
        let heard = if heard.is_empty() { facts.collect() } else { heard };
        told.push(heard.into_iter().map(|fact| narrator.fact(fact)).collect::<Vec<_>>().join(" "));
        from = end;
    }
    told
}

/// Writes down what is told of a path, which has no times.
#[derive(Default)]
struct Log {
    facts: Vec<Entry>,
    violations: Vec<Violation>,
    sightings: Vec<Sighting>,
}

impl Driver for Log {
    fn fact(&mut self, fact: Fact) {
        self.facts.push(Entry { at: Instant::START, fact });
    }

    fn violation(&mut self, evidence: Evidence) {
        self.violations.push(Violation { fact: self.facts.len() - 1, evidence });
    }

    fn situation(&mut self, situation: Situation) {
        self.sightings.push(Sighting { fact: self.facts.len() - 1, situation });
    }

    fn command(&mut self, _command: Command) {}
}

/// The facts of `path`, and how many there are after each of its choices.
fn replayed(row: &str, config: &Config, path: &[Event]) -> (Run, Vec<usize>) {
    let mut state = State::new(config);
    let mut log = Log::default();
    let mut ends = Vec::new();
    for &event in path {
        state.step(config, event, &mut log).expect("no path goes on past a limit");
        ends.push(log.facts.len());
    }
    let Log { facts, violations, sightings } = log;
    let run = Run {
        name: row.to_owned(),
        mechanism: config.mechanism,
        facts,
        choices: Vec::new(),
        violations,
        sightings,
        struck: Vec::new(),
        stopped_at: None,
    };
    (run, ends)
}
