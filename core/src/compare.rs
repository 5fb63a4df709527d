//! One schedule under several mechanisms, and where they part.

use serde::Serialize;

use crate::fact::Fact;
use crate::id::WorkerId;
use crate::run::Run;
use crate::scenario::Scenario;
use crate::simulate::simulate;
use crate::time::Instant;

/// A scenario and what came of it under each of its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The scenario.
    pub scenario: Scenario,
    /// A run a row, in the rows' order.
    pub runs: Vec<Run>,
    /// Where the runs part; none if there is one run, or all tell the same story.
    pub difference: Option<Difference>,
}

/// The first fact that is not the same in all runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// When the earliest run has it.
    pub at: Instant,
    /// Its index in each run's facts; none where a run has nothing in its place.
    pub facts: Vec<Option<usize>>,
}

/// A fact of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct FactRef {
    /// The run, by index.
    pub run: usize,
    /// The fact, by its index in the run's facts.
    pub fact: usize,
}

/// Runs every row of `scenario`.
pub fn compare(scenario: &Scenario) -> Comparison {
    let runs: Vec<Run> = scenario.rows.iter().map(|row| simulate(scenario, row)).collect();
    let difference = difference(&runs);
    Comparison { scenario: scenario.clone(), runs, difference }
}

/// Whose story a fact belongs to. Stories are compared one by one: between two of them the order of facts means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Actor {
    Issuer,
    Worker(WorkerId),
    Destination,
}

/// The actor in whose story `fact` counts. Messages, pauses, and what only some mechanisms do (registration, checks) tell no
/// story of their own: what comes of them does.
fn actor(fact: &Fact) -> Option<Actor> {
    match *fact {
        Fact::Granted { .. } | Fact::LeaseExpired { .. } | Fact::Released { .. } => Some(Actor::Issuer),
        Fact::Acquired { worker, .. }
        | Fact::Read { worker, .. }
        | Fact::Concluded { worker, .. }
        | Fact::Stopped { worker, .. }
        | Fact::GaveUp { worker } => Some(Actor::Worker(worker)),
        Fact::Applied { .. } | Fact::Rejected { .. } | Fact::Replayed { .. } => Some(Actor::Destination),
        Fact::Sent { .. }
        | Fact::Delivered { .. }
        | Fact::Held { .. }
        | Fact::Lost { .. }
        | Fact::GrantedAgain { .. }
        | Fact::Queued { .. }
        | Fact::ReleaseIgnored { .. }
        | Fact::Reckoned { .. }
        | Fact::Checked { .. }
        | Fact::TimedOut { .. }
        | Fact::ReplyIgnored { .. }
        | Fact::Recognized { .. }
        | Fact::RecognizedAgain { .. }
        | Fact::RegistrationRefused { .. }
        | Fact::Froze { .. }
        | Fact::Thawed { .. }
        | Fact::ComputeBegan { .. }
        | Fact::ComputeEnded { .. } => None,
    }
}

fn difference(runs: &[Run]) -> Option<Difference> {
    let workers = (0..crate::id::MAX_WORKERS as u8).map(|worker| Actor::Worker(WorkerId(worker)));
    [Actor::Issuer, Actor::Destination]
        .into_iter()
        .chain(workers)
        .filter_map(|teller| difference_in_story(runs, teller))
        .min_by_key(|difference| difference.at)
}

fn difference_in_story(runs: &[Run], teller: Actor) -> Option<Difference> {
    let stories: Vec<Vec<usize>> = runs
        .iter()
        .map(|run| {
            let told = |&index: &usize| actor(&run.facts[index].fact) == Some(teller);
            (0..run.facts.len()).filter(told).collect()
        })
        .collect();
    let longest = stories.iter().map(Vec::len).max()?;
    (0..longest).find_map(|place| {
        let facts: Vec<Option<usize>> = stories.iter().map(|story| story.get(place).copied()).collect();
        let entries = || facts.iter().zip(runs).map(|(index, run)| index.map(|index| run.facts[index]));
        let first = entries().next()?;
        let same = entries().all(|entry| entry.map(|entry| entry.fact) == first.map(|entry| entry.fact));
        let at = entries().flatten().map(|entry| entry.at).min()?;
        (!same).then_some(Difference { at, facts })
    })
}
