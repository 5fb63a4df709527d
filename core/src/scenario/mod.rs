//! The scenario: what a `.fence` text says, with its parameters still named.

mod corpus;
mod edit;
mod error;
mod parse;
#[cfg(test)]
mod tests;

use serde::Serialize;

use crate::id::WorkerId;
use crate::invariant::Invariant;
use crate::mechanism::{Mechanism, Sharing};
use crate::observation::Situation;
use crate::program::Point;
use crate::time::{Clock, Duration};

pub use corpus::{CORPUS, Entry, find};
pub use edit::{set_parameter, snap, step};
pub use error::ScenarioError;
pub use parse::{parse, parse_bytes};

/// Most bytes of a scenario's text.
pub const MAX_BYTES: usize = 100_000;
/// Most lines of a scenario's text.
pub const MAX_LINES: usize = 2_000;
/// Most characters of a name.
pub const MAX_NAME: usize = 40;
/// Most parameters.
pub const MAX_PARAMETERS: usize = 8;
/// Most faults.
pub const MAX_FAULTS: usize = 16;
/// Most rows of a comparison.
pub const MAX_ROWS: usize = 8;
/// Most expectations.
pub const MAX_EXPECTATIONS: usize = 64;
/// Most losses in a search.
pub const MAX_LOSSES: u8 = 4;

/// A scenario as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// Its name: lower-case words joined by hyphens.
    pub name: String,
    /// The comment lines before `scenario`, without their `#`.
    pub comment: Vec<String>,
    /// What each operation brings, for sentences: `result report` in the text; "write" where it says nothing.
    pub result: String,
    /// The workers, in the order of the `workers` line.
    pub workers: Vec<Worker>,
    /// How long a grant lasts by the issuer's clock.
    pub lease: Quantity,
    /// How long every message takes.
    pub latency: Quantity,
    /// The first epoch.
    pub first_epoch: u64,
    /// Whose the business operations are.
    pub sharing: Sharing,
    /// What a worker does that has no reply.
    pub retry: Retry,
    /// The named parameters.
    pub parameters: Vec<Parameter>,
    /// What goes wrong.
    pub faults: Vec<Fault>,
    /// The mechanisms that are run, at least one.
    pub rows: Vec<Row>,
    /// What must come out.
    pub expectations: Vec<Expectation>,
    /// The bounds of a search.
    pub bounds: Bounds,
}

/// A worker and its work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// Its name.
    pub name: String,
    /// How long each of its operations takes to compute.
    pub compute: Quantity,
    /// How many operations it carries out under one grant.
    pub operations: u8,
    /// When it first asks for the lock.
    pub start: Start,
    /// Its own clock.
    pub clock: Clock,
}

/// When a worker first asks for the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// At this time of the run.
    At(Quantity),
    /// When the first lease expires: a standby that is not called while the owner gives the lock back by itself.
    OnExpiry,
}

/// A duration of the scenario: given in place, or by a parameter's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Given in place.
    Fixed(Duration),
    /// The parameter of this index in [`Scenario::parameters`].
    Parameter(usize),
}

/// A named duration that people may change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Duration,
    /// The least and the greatest value it may take.
    pub range: Option<(Duration, Duration)>,
}

/// What a worker does that has no reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// How long it waits for a reply, on its own clock.
    pub after: Quantity,
    /// How often it sends a request at most, the first try included.
    pub attempts: u8,
}

/// What goes wrong in a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A process is frozen.
    Freeze {
        /// Whose.
        worker: WorkerId,
        /// For how long.
        length: Quantity,
        /// From when on.
        from: FreezeAt,
    },
    /// A message is lost.
    Lose(MessagePattern),
    /// A message takes longer.
    Delay {
        /// Which.
        message: MessagePattern,
        /// How much longer than the scenario's latency.
        by: Quantity,
    },
}

/// Where a freeze begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreezeAt {
    /// At this time of the run.
    Time(Quantity),
    /// Just before or just after the worker passes a point of its program.
    Point {
        /// Before or after.
        side: Side,
        /// The point.
        point: Point,
        /// In which operation of the worker, from 1; 1 for points outside operations.
        operation: u8,
        /// At which try, from 1.
        attempt: u8,
    },
}

/// On which side of a program point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Before it.
    Before,
    /// After it.
    After,
}

/// Names one message of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessagePattern {
    /// Whose request it is, or answers.
    pub worker: WorkerId,
    /// The request's kind.
    pub call: CallKind,
    /// The request itself, or the reply to it.
    pub leg: Leg,
    /// Of which operation of the worker, from 1; 1 for requests outside operations.
    pub operation: u8,
    /// Of which try, from 1.
    pub attempt: u8,
}

/// A kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    /// For the lock.
    Acquire,
    /// For recognition of an epoch.
    Register,
    /// To change the row.
    Write,
    /// To give the lock back.
    Release,
}

/// Request or reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leg {
    /// From the worker.
    Request,
    /// To the worker.
    Reply,
}

/// One row of the comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its mechanism.
    pub mechanism: Mechanism,
}

/// One line of `expect`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// The row it speaks of, by index; every row if none.
    pub row: Option<usize>,
    /// What must come out.
    pub outcome: Expected,
    /// The line of the text, from 1.
    pub line: u32,
}

/// What an `expect` line asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// The invariant holds.
    Holds(Invariant),
    /// The invariant is violated; the expectation fails once it holds.
    Violated(Invariant),
    /// The run reached the situation.
    Sometimes(Situation),
    /// The run did not reach the situation.
    Never(Situation),
}

/// The bounds of a search; what is not named is 0 for faults, and what the scenario has otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Workers that take part, the first ones of the `workers` line.
    pub workers: u8,
    /// Grants of the lock.
    pub grants: u8,
    /// Operations under one grant.
    pub operations: u8,
    /// Messages lost.
    pub losses: u8,
}

impl Scenario {
    /// What `quantity` stands for.
    pub fn duration(&self, quantity: Quantity) -> Duration {
        match quantity {
            Quantity::Fixed(duration) => duration,
            Quantity::Parameter(index) => self.parameters[index].value,
        }
    }

    /// The addresses that the comment names as sources (`Source: ADDRESS`).
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.comment.iter().filter_map(|line| line.strip_prefix("Source:")).map(str::trim)
    }

    /// The rest of the comment, a string a paragraph; an empty line parts them.
    pub fn description(&self) -> Vec<String> {
        let mut paragraphs: Vec<String> = Vec::new();
        let mut goes_on = false;
        for line in self.comment.iter().filter(|line| !line.starts_with("Source:")) {
            match paragraphs.last_mut() {
                Some(paragraph) if goes_on && !line.is_empty() => {
                    paragraph.push(' ');
                    paragraph.push_str(line);
                }
                _ if !line.is_empty() => paragraphs.push(line.clone()),
                _ => {}
            }
            goes_on = !line.is_empty();
        }
        paragraphs
    }

    /// The parameter called `name`.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The name of `worker`.
    pub fn worker_name(&self, worker: WorkerId) -> &str {
        &self.workers[worker.index()].name
    }
}

impl CallKind {
    /// Its name in the scenario language.
    pub const fn name(self) -> &'static str {
        match self {
            CallKind::Acquire => "acquire",
            CallKind::Register => "register",
            CallKind::Write => "write",
            CallKind::Release => "release",
        }
    }
}
