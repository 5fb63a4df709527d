//! One schedule under several mechanisms, and where they part.

use serde::Serialize;

use crate::fact::Fact;
use crate::id::{MAX_WORKERS, WorkerId};
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

impl Comparison {
    /// The row in which most facts are of this kind; the first of them where there are several. Some points of the program
    /// only some mechanisms have, so what goes wrong there goes wrong in their rows only.
    pub(crate) fn row_with_most(&self, kind: fn(&Fact) -> bool) -> usize {
        let count = |row: usize| self.runs[row].facts.iter().filter(|entry| kind(&entry.fact)).count();
        (1..self.runs.len()).fold(0, |most, row| if count(row) > count(most) { row } else { most })
    }
}

/// Runs every row of `scenario`.
pub fn compare(scenario: &Scenario) -> Comparison {
    let runs: Vec<Run> = scenario.rows.iter().map(|row| simulate(scenario, row)).collect();
    let difference = difference(&runs);
    Comparison { scenario: scenario.clone(), runs, difference }
}

/// Whose story a fact belongs to. Stories are compared one by one: between two of them the order of facts means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Actor {
    Issuer,
    Destination,
    Worker(WorkerId),
}

impl Actor {
    const ALL: [Actor; 2 + MAX_WORKERS] = [
        Actor::Issuer,
        Actor::Destination,
        Actor::Worker(WorkerId(0)),
        Actor::Worker(WorkerId(1)),
        Actor::Worker(WorkerId(2)),
    ];
}

/// The actor in whose story `fact` counts. Messages, pauses, and what only some mechanisms do (registration, checks) tell no
/// story of their own: what comes of them does.
fn actor(fact: &Fact) -> Option<Actor> {
    match *fact {
        Fact::Granted { .. }
        | Fact::LeaseExpired { .. }
        | Fact::Released { .. }
        | Fact::ReleasedByAnother { .. }
        | Fact::IssuerRestored { .. } => Some(Actor::Issuer),
        Fact::Acquired { worker, .. }
        | Fact::Read { worker, .. }
        | Fact::Concluded { worker, .. }
        | Fact::Stopped { worker, .. }
        | Fact::GaveUp { worker } => Some(Actor::Worker(worker)),
        Fact::Applied { .. }
        | Fact::Rejected { .. }
        | Fact::Replayed { .. }
        | Fact::Effected { .. }
        | Fact::EffectRepeated { .. }
        | Fact::EffectRefused { .. } => Some(Actor::Destination),
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
        | Fact::Duplicated { .. }
        | Fact::Minted { .. }
        | Fact::Denied { .. }
        | Fact::Renewed { .. }
        | Fact::RenewalRefused { .. }
        | Fact::ClockSkewed
        | Fact::ReplicaCaughtUp
        | Fact::Extended { .. }
        | Fact::LocalDeadlinePassed { .. }
        | Fact::ReadRefused { .. }
        | Fact::Declared { .. }
        | Fact::Admitted { .. }
        | Fact::Recorded { .. }
        | Fact::LookedUp { .. }
        | Fact::DeadlinePassed { .. }
        | Fact::ControlRowLost
        | Fact::Merged { .. }
        | Fact::EffectChecked { .. }
        | Fact::EffectLookedUp { .. }
        | Fact::OutboxCleared { .. }
        | Fact::KeyPruned { .. }
        | Fact::Crashed { .. }
        | Fact::Suspended { .. }
        | Fact::Resumed { .. }
        | Fact::Stuck { .. }
        | Fact::Unstuck { .. }
        | Fact::Froze { .. }
        | Fact::Thawed { .. }
        | Fact::ComputeBegan { .. }
        | Fact::ComputeEnded { .. } => None,
    }
}

fn difference(runs: &[Run]) -> Option<Difference> {
    let mut earliest: Option<Difference> = None;
    for teller in Actor::ALL {
        let difference = difference_in_story(runs, teller);
        if let Some(found) = difference
            && earliest.as_ref().is_none_or(|known| found.at < known.at)
        {
            earliest = Some(found);
        }
    }
    earliest
}

fn difference_in_story(runs: &[Run], teller: Actor) -> Option<Difference> {
    // The next fact of each run's story.
    let mut facts: Vec<Option<usize>> = runs.iter().map(|run| told_from(run, 0, teller)).collect();
    loop {
        let mut at: Option<Instant> = None;
        let mut same = true;
        let mut first = None;
        for (number, (run, fact)) in runs.iter().zip(&facts).enumerate() {
            let entry = fact.map(|fact| &run.facts[fact]);
            let fact = entry.map(|entry| &entry.fact);
            if number == 0 {
                first = fact;
            }
            same &= fact == first;
            at = at.into_iter().chain(entry.map(|entry| entry.at)).min();
        }
        let at = at?;
        if !same {
            return Some(Difference { at, facts });
        }
        for (run, fact) in runs.iter().zip(&mut facts) {
            *fact = fact.and_then(|fact| told_from(run, fact + 1, teller));
        }
    }
}

/// The first fact of `teller`'s story in `run`, at this index or after it.
fn told_from(run: &Run, start: usize, teller: Actor) -> Option<usize> {
    (start..run.facts.len()).find(|index| actor(&run.facts[*index].fact) == Some(teller))
}
