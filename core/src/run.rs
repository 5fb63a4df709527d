//! A run of one row of a scenario: its facts in order, the choices that led to them, and what was judged of them.

use serde::{Deserialize, Serialize};

use crate::event::Event;
use crate::fact::Fact;
use crate::invariant::{Evidence, Invariant};
use crate::mechanism::Mechanism;
use crate::observation::Situation;
use crate::scenario::{Fault, Scenario};
use crate::time::Instant;

/// A fact and the true instant at which it happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Entry {
    /// When, in microseconds since the run began.
    pub at: Instant,
    /// What.
    #[serde(flatten)]
    pub fact: Fact,
}

/// A choice of the driver, and when it made it. The list of choices replays the run anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Choice {
    /// When.
    pub at: Instant,
    /// What was chosen among what was enabled.
    pub event: Event,
}

/// A broken invariant, and the fact at which it broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Violation {
    /// Index of the fact in [`Run::facts`].
    pub fact: usize,
    /// What shows it.
    #[serde(flatten)]
    pub evidence: Evidence,
}

/// A situation that the run reached, and the fact that brought it about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Sighting {
    /// Index of the fact in [`Run::facts`].
    pub fact: usize,
    /// What was reached.
    pub situation: Situation,
}

/// What happened under one mechanism.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The row's name.
    pub name: String,
    /// The row's mechanism.
    pub mechanism: Mechanism,
    /// What happened, in order.
    pub facts: Vec<Entry>,
    /// What was chosen, in order.
    pub choices: Vec<Choice>,
    /// Every violation, in order.
    pub violations: Vec<Violation>,
    /// Every sighting, in order.
    pub sightings: Vec<Sighting>,
    /// Whether each of the scenario's faults struck: one that names what never happens in this row does not.
    pub struck: Vec<bool>,
    /// The limit at which the run stopped before its end, if it did.
    pub stopped_at: Option<Limit>,
}

/// A limit of the model that a run or search ran into: a result, never a silent pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// More messages in flight than [`crate::network::MAX_MESSAGES`].
    Messages,
    /// More grants than [`crate::id::MAX_GRANTS`].
    Grants,
    /// More tokens than [`crate::epoch::MAX_TOKENS`].
    Tokens,
    /// More writes under way in the destination than [`crate::destination::MAX_PENDING`].
    Pending,
    /// A lease renewed more often than its terms can be counted.
    Renewals,
    /// More choices than [`crate::simulate::MAX_CHOICES`].
    Choices,
}

impl Limit {
    /// All of them.
    pub const ALL: [Limit; 6] =
        [Limit::Messages, Limit::Grants, Limit::Tokens, Limit::Pending, Limit::Renewals, Limit::Choices];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Limit::Messages => "messages",
            Limit::Grants => "grants",
            Limit::Tokens => "tokens",
            Limit::Pending => "pending",
            Limit::Renewals => "renewals",
            Limit::Choices => "choices",
        }
    }
}

impl Run {
    /// Whether `invariant` held throughout.
    pub fn holds(&self, invariant: Invariant) -> bool {
        self.violations.iter().all(|violation| violation.evidence.invariant != invariant)
    }

    /// Whether the run reached `situation`.
    pub fn reached(&self, situation: Situation) -> bool {
        self.sightings.iter().any(|sighting| sighting.situation == situation)
    }

    /// The violations that `fact` (by index) brought about.
    pub fn violations_at(&self, fact: usize) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(move |violation| violation.fact == fact)
    }

    /// The faults of its scenario that did not strike: what they name does not come in this row, or not before its end.
    pub fn not_struck<'s>(&self, scenario: &'s Scenario) -> impl Iterator<Item = &'s Fault> {
        scenario.faults.iter().zip(&self.struck).filter(|(_, struck)| !**struck).map(|(fault, _)| fault)
    }

    /// When the last fact happened.
    pub fn end(&self) -> Instant {
        self.facts.last().map_or(Instant::START, |entry| entry.at)
    }
}
