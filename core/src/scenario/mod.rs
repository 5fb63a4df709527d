//! The scenario: what a `.fence` text says, with its parameters still named.

mod corpus;
mod edit;
mod error;
mod parse;
mod print;
#[cfg(test)]
mod tests;

use serde::Serialize;

use crate::destination::Stage;
use crate::id::{GrantId, WorkerId};
use crate::invariant::Invariant;
use crate::mechanism::{Mechanism, Sharing};
use crate::observation::Situation;
use crate::program::Point;
use crate::replication::Replica;
use crate::system::Budget;
use crate::time::{Clock, Duration};

pub use corpus::{CORPUS, Entry, find};
pub use edit::{Widened, set_parameter, snap, step, widen};
pub use error::ScenarioError;
pub use parse::{parse, parse_bytes};
pub use print::{print, print_fault};

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
/// Most of each thing that may go wrong in a search.
pub const MAX_BUDGET: u8 = 4;
/// The highest number of an occurrence.
pub const MAX_OCCURRENCE: u8 = 99;

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
    /// The last number of a counter that begins again at 0 after it (`token wrapping`).
    pub last_epoch: Option<u64>,
    /// Whose the business operations are.
    pub sharing: Sharing,
    /// What a worker does that has no reply.
    pub retry: Retry,
    /// How often a lease is renewed; a third of the lease, if none.
    pub renew_every: Option<Quantity>,
    /// How long before its lease ends, by its own clock, a worker takes it for lost.
    pub margin: Quantity,
    /// How long a candidate waits at least that was refused, before it asks again.
    pub poll_every: Quantity,
    /// By how much more it waits at most: each time by as much as is drawn.
    pub poll_jitter: Quantity,
    /// What random numbers are drawn from; the first epoch, if none.
    pub seed: Option<u64>,
    /// How long a worker goes on that is slow to stop when its lease is lost.
    pub stop_after: Quantity,
    /// How long a replica of the destination, or of the lock service, is behind.
    pub replicate_after: Quantity,
    /// How long the relay takes for an outbox row, and as long again to note it.
    pub relay_after: Quantity,
    /// The lock service's wall clock.
    pub lock_clock: Clock,
    /// The destination's clock.
    pub destination_clock: Clock,
    /// The named parameters.
    pub parameters: Vec<Parameter>,
    /// What goes wrong.
    pub faults: Vec<Fault>,
    /// The mechanisms that are run, at least one.
    pub rows: Vec<Row>,
    /// What must come out.
    pub expectations: Vec<Expectation>,
    /// The invariant at whose first violation the run of every row ends.
    pub stop_at: Option<Invariant>,
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
    /// A worker stands still.
    Pause {
        /// In what way.
        kind: Pause,
        /// Whose.
        worker: WorkerId,
        /// For how long.
        length: Quantity,
        /// From when on.
        from: When,
    },
    /// A worker crashes, and is started again.
    Crash {
        /// Which.
        worker: WorkerId,
        /// How long it takes until it runs again.
        down: Quantity,
        /// When.
        from: When,
    },
    /// The lock service crashes and starts again at once: who waited for the lock has to ask again.
    CrashLockService {
        /// At this time of the run.
        at: Quantity,
    },
    /// The destination crashes and starts again at once.
    CrashDestination {
        /// When.
        from: DestinationWhen,
    },
    /// The destination stands still in the middle of a write that takes several steps.
    HoldWrite {
        /// For how long.
        length: Quantity,
        /// Before which step of which write.
        step: WriteStep,
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
    /// A message arrives a second time.
    Duplicate {
        /// Which.
        message: MessagePattern,
        /// How much later than the first time.
        by: Quantity,
    },
    /// A change of what has a replica reaches that one later.
    DelayReplication {
        /// Which replica.
        to: Replica,
        /// Which of the changes that it hears of, from 1.
        occurrence: u8,
        /// How much longer than the scenario's delay of a replica.
        by: Quantity,
    },
    /// All messages between a worker and one of its partners are lost for a while, in both directions.
    Cut {
        /// Which worker.
        worker: WorkerId,
        /// From whom.
        from: Partner,
        /// From this time of the run on.
        at: Quantity,
        /// For how long.
        length: Quantity,
    },
    /// A wall clock is set.
    SetClock {
        /// Whose.
        of: ClockOf,
        /// By how much.
        by: Quantity,
        /// Back; else ahead.
        back: bool,
        /// At this time of the run.
        at: Quantity,
    },
    /// The lock service goes on with what it knew before a grant: from a backup, or as the replica that takes over.
    Forget {
        /// The first grant that it does not know of.
        grant: GrantId,
        /// At this time of the run.
        at: Quantity,
    },
    /// The payment provider forgets the key of an operation.
    Prune {
        /// Whose operation.
        worker: WorkerId,
        /// Which of its operations, from 1.
        operation: u8,
        /// At this time of the run.
        at: Quantity,
    },
}

/// In what way a worker stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// Its process is stopped (SIGSTOP, garbage collection, no CPU): it takes no step, and its clocks run on.
    Freeze,
    /// Its machine is suspended: it takes no step, and its monotonic clock stands still.
    Suspend,
    /// The thread that does the work is stuck: the rest of the process, a renewing thread too, goes on.
    Stick,
}

/// Which of several like things is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occasion {
    /// Of which operation of the worker, from 1; 1 for what lies outside operations.
    pub operation: u8,
    /// Of which try, from 1.
    pub attempt: u8,
    /// Under which grant; any, if none.
    pub grant: Option<GrantId>,
    /// Which time that everything else fits, from 1.
    pub occurrence: u8,
}

impl Occasion {
    /// The first of all.
    pub const FIRST: Occasion = Occasion { operation: 1, attempt: 1, grant: None, occurrence: 1 };
}

/// When something befalls a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// At this time of the run.
    Time(Quantity),
    /// Just before or just after the worker passes a point of its program.
    Point {
        /// Before or after.
        side: Side,
        /// The point.
        point: Point,
        /// Which time that it passes there.
        occasion: Occasion,
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

/// When something befalls the destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DestinationWhen {
    /// At this time of the run.
    Time(Quantity),
    /// Just before a step of a write that takes several.
    Step(WriteStep),
}

/// A step of a write that the destination carries out in several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteStep {
    /// Which step.
    pub stage: Stage,
    /// Whose write.
    pub worker: WorkerId,
    /// Which of its writes.
    pub occasion: Occasion,
}

/// Whom a worker talks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Partner {
    /// The lock service.
    LockService,
    /// The destination.
    Destination,
}

/// Whose wall clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockOf {
    /// A worker's.
    Worker(WorkerId),
    /// The lock service's.
    LockService,
    /// The destination's.
    Destination,
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
    /// Which of several.
    pub occasion: Occasion,
}

/// A kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    /// For a token.
    Mint,
    /// For the lock.
    Acquire,
    /// To let the lease run on.
    Renew,
    /// For recognition of an epoch.
    Register,
    /// To change the row.
    Write,
    /// What became of a write.
    LookUp,
    /// What became of an effect outside.
    EffectLookUp,
    /// For an effect outside.
    Effect,
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
    /// The invariant holds, on every schedule.
    Holds(Invariant),
    /// The invariant holds on the scenario's own schedule, though another schedule breaks it.
    Spared(Invariant),
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
    /// What may go wrong, and how often.
    pub budget: Budget,
}

impl Scenario {
    /// What `quantity` stands for.
    pub fn duration(&self, quantity: Quantity) -> Duration {
        match quantity {
            Quantity::Fixed(duration) => duration,
            Quantity::Parameter(index) => self.parameters[index].value,
        }
    }

    /// What its random numbers are drawn from.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(self.first_epoch)
    }

    /// Whether polls are drawn apart.
    pub fn has_jitter(&self) -> bool {
        self.poll_jitter != Quantity::Fixed(Duration::ZERO)
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
    /// All of them, in the order of the program.
    pub const ALL: [CallKind; 9] = [
        CallKind::Mint,
        CallKind::Acquire,
        CallKind::Renew,
        CallKind::Register,
        CallKind::EffectLookUp,
        CallKind::Effect,
        CallKind::Write,
        CallKind::LookUp,
        CallKind::Release,
    ];

    /// Its name in the scenario language.
    pub const fn name(self) -> &'static str {
        match self {
            CallKind::Mint => "mint",
            CallKind::Acquire => "acquire",
            CallKind::Renew => "renew",
            CallKind::Register => "register",
            CallKind::Write => "write",
            CallKind::LookUp => "look-up",
            CallKind::EffectLookUp => "effect-look-up",
            CallKind::Effect => "effect",
            CallKind::Release => "release",
        }
    }
}
