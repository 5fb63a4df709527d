//! What a comparison shows, in instants: lanes, bars, bands, marks and messages, with the facts they stand for. No places.
//!
//! What is the same under all rows, the lock service and the workers, is told once, as one row has it. Each row has
//! its destination's lane, and in it whatever its workers experience otherwise.

mod effects;
mod events;
mod gaps;
mod halts;
mod lengths;
mod messages;
mod rows;
mod shared;

use std::fmt::Write as _;

use serde::Serialize;

use crate::compare::Comparison;
use crate::epoch::Token;
use crate::event::Process;
use crate::fact::{Conclusion, Stop};
use crate::id::WorkerId;
use crate::program::Point;
use crate::run::Run;
use crate::time::{Duration, Instant};
use crate::words::{self, Narrator, Verdict};

use super::scene::{Break, FactRef};
use crate::fact::Fact;

/// What is drawn of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Timeline {
    /// The whole figure in a few sentences, for those who do not see it.
    pub label: String,
    /// When the last fact of any run happened.
    pub end: Instant,
    /// Stretches in which nothing happens for so long that all else would be too small to see, in the order of time.
    pub gaps: Vec<Break>,
    /// The lock service's lane: a bar a grant.
    pub leases: Vec<Lease>,
    /// What else happens in the lock service's lane.
    #[serde(rename = "lockEvents")]
    pub lock_events: Vec<Happening>,
    /// A lane a worker.
    pub workers: Vec<WorkerLane>,
    /// Where two or more workers believe at once.
    pub bands: Vec<Band>,
    /// Handovers, from the end of a lease until its successor knows that it owns the lock.
    pub handovers: Vec<Bracket>,
    /// A destination's lane a row.
    pub rows: Vec<RowLane>,
    /// Messages worth drawing.
    pub arrows: Vec<Arrow>,
    /// Where the rows part.
    pub difference: Option<Instant>,
    /// Parameters that are lengths on the axis.
    pub lengths: Vec<Length>,
}

/// A grant, as long as it truly lasts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lease {
    /// To whom.
    pub worker: WorkerId,
    /// The worker's name.
    pub name: String,
    /// The epoch handed out with it.
    pub epoch: Token,
    /// How long it was granted for.
    pub length: Duration,
    /// When it was granted.
    pub from: Instant,
    /// When it ended.
    pub to: Instant,
    /// How it ended.
    pub end: LeaseEnd,
    /// When it was renewed: its end moved with each.
    pub renewals: Vec<Moment>,
    /// In words.
    pub label: String,
    /// The fact of the grant.
    pub fact: FactRef,
}

/// How a grant ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeaseEnd {
    /// Its time was over.
    Expired,
    /// Its owner gave it back.
    Released,
    /// Another's release ended it.
    TakenAway,
    /// The lock service went on without knowing of it.
    Forgotten,
    /// It had not ended when the run did.
    Open,
}

/// A worker's lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WorkerLane {
    /// Which worker.
    pub worker: WorkerId,
    /// Its name.
    pub name: String,
    /// While it believes that it owns the lock.
    pub beliefs: Vec<Belief>,
    /// While it waits for the lock.
    pub waits: Vec<Wait>,
    /// While it computes.
    pub computes: Vec<Stretch>,
    /// While it stands still, in whatever way.
    pub halts: Vec<Halt>,
    /// What else befalls it.
    pub events: Vec<Happening>,
    /// Points of its program.
    pub points: Vec<Passed>,
    /// Where it believes in other rows and not in the first.
    pub elsewhere: Vec<Elsewhere>,
}

/// A bar of belief: from learning of the grant to stopping.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Belief {
    /// The epoch it believes in.
    pub epoch: Token,
    /// From when on.
    pub from: Instant,
    /// Until when.
    pub to: Instant,
    /// Why it stopped; none if it still believes when the run ends.
    pub stop: Option<Stop>,
    /// The true end of its grant, where the belief outlasts it.
    pub outlasts: Option<Instant>,
    /// When, in true time, its own clock says that the lease ends.
    pub reckoned: Option<Instant>,
    /// In words.
    pub label: String,
    /// The fact with which it begins.
    pub fact: FactRef,
}

/// A stretch of a worker's time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stretch {
    /// From.
    pub from: Instant,
    /// To.
    pub to: Instant,
    /// In words.
    pub label: String,
    /// The fact with which it begins.
    pub fact: FactRef,
}

/// A stretch in which a worker, or its work, stands still.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Halt {
    /// In what way.
    pub kind: HaltKind,
    /// From.
    pub from: Instant,
    /// To.
    pub to: Instant,
    /// In words.
    pub label: String,
    /// The fact with which it begins.
    pub fact: FactRef,
}

/// In what way a worker stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HaltKind {
    /// Its process is frozen.
    Freeze,
    /// Its machine is suspended.
    Suspend,
    /// The thread that does the work is stuck.
    Stick,
    /// It has crashed and does not run.
    Crash,
}

/// A moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// When.
    pub at: Instant,
    /// In words.
    pub label: String,
    /// The fact.
    pub fact: FactRef,
}

/// Something that happens in a lane and has a sign of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Happening {
    /// When.
    pub at: Instant,
    /// What kind of thing.
    pub sign: Sign,
    /// What is written beside it.
    pub text: String,
    /// In words.
    pub label: String,
    /// The fact; none if the run has none of it.
    pub fact: Option<FactRef>,
}

/// The signs, from the gravest on: where two coincide the first is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sign {
    /// Something does harm, and is no write and no effect.
    Broken,
    /// Something breaks an invariant, and no harm has come of it.
    Impaired,
    /// A process crashes.
    Crash,
    /// What it kept is gone.
    Lost,
    /// It goes back to what it knew before.
    Restored,
    /// A clock is set.
    Clock,
    /// Something is refused.
    Refused,
    /// Something of less weight.
    Noted,
}

/// A stretch of waiting for the lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Wait {
    /// From.
    pub from: Instant,
    /// To.
    pub to: Instant,
    /// Whether it has asked for the lock and stands in line; a standby has not.
    pub asked: bool,
    /// In words.
    pub label: String,
}

/// A point of a worker's program that it passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Passed {
    /// When.
    pub at: Instant,
    /// Which.
    pub point: Point,
    /// In words.
    pub label: String,
    /// The fact.
    pub fact: FactRef,
}

/// A stretch of belief that is not drawn with the others, since only other rows have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Elsewhere {
    /// From: where the belief that is drawn ends, or where this one begins.
    pub from: Instant,
    /// To.
    pub to: Instant,
    /// The rows that have it, by index.
    pub rows: Vec<usize>,
    /// In words.
    pub label: String,
}

/// A stretch in which two or more workers believe at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Band {
    /// From.
    pub from: Instant,
    /// To.
    pub to: Instant,
    /// How many believe.
    pub believers: usize,
    /// In words.
    pub label: String,
    /// The fact with which it begins.
    pub fact: FactRef,
}

/// A stretch made of parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bracket {
    /// From.
    pub from: Instant,
    /// The parts in their order: what each is, and when it ends. Parts that take no time are left out.
    pub parts: Vec<(&'static str, Instant)>,
    /// In words.
    pub label: String,
    /// The fact with which it begins.
    pub fact: FactRef,
}

impl Bracket {
    /// When its last part ends.
    pub fn end(&self) -> Instant {
        self.parts.last().map_or(self.from, |(_, at)| *at)
    }
}

/// A row's lane: its destination, and what its workers experience otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RowLane {
    /// The row's name.
    pub name: String,
    /// Its mechanism in a few words.
    pub mechanism: String,
    /// What came out of it.
    pub verdict: Verdict,
    /// Which epoch the destination goes by, from when on.
    pub steps: Vec<Step>,
    /// What became of each write.
    pub marks: Vec<Mark>,
    /// Writes that were carried out in several steps, and not at once.
    pub splits: Vec<Split>,
    /// What else befalls the destination.
    pub events: Vec<Happening>,
    /// What is outside, if effects are.
    pub outside: Option<Outside>,
    /// When that happened which decides, if no mark shows it.
    pub decided: Option<Instant>,
}

impl RowLane {
    /// Whether `fact` is shown in this lane.
    pub fn shows(&self, fact: FactRef) -> bool {
        let outside = self.outside.iter();
        let mut marks = self.marks.iter().chain(outside.clone().flat_map(|outside| &outside.marks));
        let mut events = self.events.iter().chain(outside.flat_map(|outside| &outside.events));
        marks.any(|mark| mark.fact == fact)
            || events.any(|event| event.fact == Some(fact))
            || self.steps.iter().any(|step| step.fact == fact)
            || self.splits.iter().any(|split| split.fact == fact)
    }
}

/// A write of which check, change and record came apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Split {
    /// Whose write.
    pub worker: WorkerId,
    /// When the guard let it pass, where that was a step of its own.
    pub checked: Option<Instant>,
    /// When it changed the row; none if it never did.
    pub applied: Option<Instant>,
    /// When it was recorded, where that was a step of its own.
    pub recorded: Option<Instant>,
    /// When its last step was taken, or the destination crashed before it.
    pub to: Instant,
    /// In words.
    pub label: String,
    /// The fact of its first step.
    pub fact: FactRef,
}

impl Split {
    /// When its first step was taken.
    pub fn from(&self) -> Instant {
        self.checked.or(self.applied).unwrap_or(self.to)
    }
}

/// The world outside of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outside {
    /// What is brought about there: "mails".
    pub name: String,
    /// Whether a relay at the destination asks for the effects, and not the workers.
    pub relayed: bool,
    /// What became of each wish for an effect, and of questions about them.
    pub marks: Vec<Mark>,
    /// What else befalls it.
    pub events: Vec<Happening>,
}

/// An epoch the destination goes by, until the next step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// From when on.
    pub from: Instant,
    /// Until when, if it is lost with the control row.
    pub lost: Option<Instant>,
    /// Whose epoch.
    pub worker: WorkerId,
    /// The epoch.
    pub epoch: Token,
    /// Whether it was registered; else it is the highest seen on a write.
    pub registered: bool,
    /// In words.
    pub label: String,
    /// The fact.
    pub fact: FactRef,
}

/// What became of a write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// When it was decided.
    pub at: Instant,
    /// What became of it.
    pub fate: Fate,
    /// Whose write.
    pub worker: WorkerId,
    /// Under which epoch.
    pub epoch: Token,
    /// What is written beside it, from long to short.
    pub texts: Vec<String>,
    /// What is written beside it where even the shortest of these has no room.
    pub short: Option<String>,
    /// Whether it decides the row's verdict, which then stands beside it.
    pub decisive: bool,
    /// In words.
    pub label: String,
    /// The fact.
    pub fact: FactRef,
}

/// What became of a write, as far as the drawing of it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Applied.
    Applied,
    /// Applied after the lock had gone to another, and rightly so.
    Late,
    /// It broke an invariant.
    Violating,
    /// Refused.
    Rejected,
    /// Answered from the record.
    Replayed,
    /// Never sent, because of what the lock service answered.
    NotSent,
    /// Not sent yet: the lock service has said that all is well, and time goes by.
    Asked,
    /// An effect came about.
    Effected,
    /// Somebody asked whether the effect had come about.
    LookedUp,
}

/// A message, with its way in every row that has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Arrow {
    /// Whose request it is, or answers.
    pub worker: WorkerId,
    /// Whether it goes to (or comes from) the lock service; else a destination.
    #[serde(rename = "toLock")]
    pub to_lock: bool,
    /// Whether it goes outside, or comes from there.
    pub outside: bool,
    /// Whether it is the reply.
    pub reply: bool,
    /// Its ways; one where it goes to the lock service.
    pub ways: Vec<Way>,
}

/// A message's way in one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Way {
    /// The row, by index.
    pub row: usize,
    /// When it was sent.
    pub sent: Instant,
    /// When it arrived or was lost.
    pub ended: Instant,
    /// What became of it.
    pub end: Ending,
    /// Whether it took longer than messages do.
    pub late: bool,
    /// What is written beside it, from long to short; nothing where it is clear from the mark it leads to.
    pub texts: Vec<String>,
    /// In words.
    pub label: String,
    /// The fact with which it ended.
    pub fact: FactRef,
}

/// How a message ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It arrived.
    Arrived,
    /// It reached a process that was frozen.
    Held,
    /// It was lost.
    Lost,
}

/// A parameter that is a length on the axis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Length {
    /// Its name.
    pub parameter: String,
    /// What it changes, in words.
    pub label: String,
    /// Where it would be 0.
    pub zero: Instant,
    /// Its value.
    pub value: Duration,
    /// The lane in which it is seen.
    pub lane: Lane,
}

/// A lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lane {
    /// The lock service's.
    Lock,
    /// A worker's.
    Worker(WorkerId),
    /// A row's, by index.
    Row(usize),
}

/// Derives what is drawn of `comparison`.
pub fn timeline(comparison: &Comparison) -> Timeline {
    let tellers: Vec<Teller<'_>> = (0..comparison.runs.len()).map(|row| Teller::new(comparison, row)).collect();
    let main = main_row(comparison);
    let workers = shared::workers(&tellers, main);
    let lengths = lengths::lengths(&tellers);
    Timeline {
        label: label(comparison),
        end: end(comparison),
        gaps: gaps::gaps(comparison, &lengths),
        leases: shared::leases(&tellers[main]),
        lock_events: events::of_lock_service(&tellers[main]),
        bands: shared::bands(&tellers[main], &workers),
        handovers: shared::handovers(&tellers[main]),
        workers,
        rows: tellers.iter().map(rows::row).collect(),
        arrows: messages::arrows(&tellers, main),
        difference: comparison.difference.as_ref().map(|difference| difference.at),
        lengths,
    }
}

/// The row from which lock service and workers are drawn: that in which workers stand still most often, since some points of
/// the program only some mechanisms have; of those the one in which the lock service has most to do.
fn main_row(comparison: &Comparison) -> usize {
    let weight = |run: &Run| {
        let count = |kind: fn(&Fact) -> bool| run.facts.iter().filter(|entry| kind(&entry.fact)).count();
        let halts = count(|fact| {
            matches!(
                fact,
                Fact::Froze { .. }
                    | Fact::Suspended { .. }
                    | Fact::Stuck { .. }
                    | Fact::Crashed { process: Process::Worker { .. } }
            )
        });
        (halts, count(|fact| matches!(fact, Fact::Renewed { .. } | Fact::RenewalRefused { .. })))
    };
    let weights: Vec<_> = comparison.runs.iter().map(weight).collect();
    (1..weights.len()).fold(0, |most, row| if weights[row] > weights[most] { row } else { most })
}

/// When the last fact of any run happened.
fn end(comparison: &Comparison) -> Instant {
    comparison.runs.iter().map(Run::end).max().unwrap_or(Instant::START)
}

/// The figure in words: what is in it, and what came out.
fn label(comparison: &Comparison) -> String {
    let workers: Vec<&str> = comparison.scenario.workers.iter().map(|worker| worker.name.as_str()).collect();
    let plural = if workers.len() == 1 { "" } else { "s" };
    let who = words::list(&workers);
    let destinations = match comparison.runs.len() {
        1 => "a destination".to_owned(),
        rows => format!("{rows} destinations"),
    };
    let headline = words::headline(comparison);
    format!("Timeline of a lock service, worker{plural} {who}, and {destinations}. {headline}")
}

/// One run, with what is needed to tell of it.
struct Teller<'a> {
    comparison: &'a Comparison,
    row: usize,
    run: &'a Run,
    narrator: Narrator<'a>,
}

impl<'a> Teller<'a> {
    fn new(comparison: &'a Comparison, row: usize) -> Self {
        let run = &comparison.runs[row];
        Self { comparison, row, run, narrator: Narrator::new(&comparison.scenario, run) }
    }

    fn fact(&self, fact: usize) -> FactRef {
        FactRef { run: self.row, fact }
    }

    fn name(&self, worker: WorkerId) -> &'a str {
        self.comparison.scenario.worker_name(worker)
    }

    /// What `worker`'s operation of this index (from 0) brings: "A's report", "A's report 2".
    fn result(&self, worker: WorkerId, index: u8) -> String {
        format!("{}’s {}", self.name(worker), words::result(&self.comparison.scenario, worker, index))
    }
}

/// What a worker makes of an answer, as others would put it.
fn told(conclusion: Conclusion) -> &'static str {
    match conclusion {
        Conclusion::Done => "is told: applied",
        Conclusion::Refused => "is told: refused",
        Conclusion::Unknown => "cannot tell",
        Conclusion::NotSent => "does not send",
        Conclusion::Failed | Conclusion::EffectFailed => "takes it for failed",
    }
}

/// A length of time as one reads it off a figure: to three figures or so.
pub(super) fn approximately(duration: Duration) -> String {
    let micros = duration.micros();
    let grain = match micros {
        100_000_000.. => 1_000_000,
        1_000_000.. => 100_000,
        100_000.. => 10_000,
        1_000.. => 100,
        _ => 1,
    };
    words::span(Duration::from_micros((micros + grain / 2) / grain * grain))
}

/// A length of time in its two largest units, for those that are long: "365 d", "59 min 22 s".
pub(super) fn roughly(length: Duration) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")];
    let seconds = (length.micros() + 500_000) / 1_000_000;
    let place = UNITS.iter().position(|(size, _)| seconds >= *size).filter(|_| seconds >= 60);
    let Some(place) = place else { return approximately(length) };
    let (size, name) = UNITS[place];
    let mut text = format!("{} {name}", seconds / size);
    if let Some((smaller, name)) = UNITS.get(place + 1)
        && seconds % size / smaller > 0
    {
        let _ = write!(text, " {} {name}", seconds % size / smaller);
    }
    text
}
