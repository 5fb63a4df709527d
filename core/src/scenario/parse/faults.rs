//! The entries of `faults`.

use std::fmt;

use super::line::{Line, Word};
use super::mechanism::{Lack, some_row};
use super::name::Names;
use super::outline::Statement;
use super::vocabulary::{ClockFault, Victim, Vocabulary};
use crate::destination::Stage;
use crate::id::{GrantId, MAX_GRANTS, WorkerId};
use crate::mechanism::{Atomicity, EffectOutcome, Key, Mechanism, NoReply, OnConflict, OperationIds, Renewal, Storage};
use crate::program::Point;
use crate::replication::Replica;
use crate::scenario::error::{Listed, Result};
use crate::scenario::{
    CallKind, ClockOf, DestinationWhen, Fault, Leg, MAX_FAULTS, MAX_OCCURRENCE, MessagePattern, Occasion, Partner,
    Pause, Quantity, Retry, Row, Side, When, Worker, WriteStep,
};
use crate::time::Duration;

/// The word for what the network does between replicas.
pub(in crate::scenario) const REPLICATION: &str = "replication";

/// What a fault can refer to.
pub(super) struct Subject<'a> {
    pub workers: &'a [Worker],
    pub rows: &'a [Row],
    pub retry: Retry,
}

/// Reads the entries of `faults`.
pub(super) fn read<'t>(
    statement: &mut Statement<'t>,
    names: &mut Names<'t>,
    subject: &Subject<'_>,
) -> Result<Vec<Fault>> {
    let mut faults: Vec<Fault> = Vec::new();
    let mut earlier: Vec<(Fault, u32)> = Vec::new();
    statement.read_entries(MAX_FAULTS, &mut |line| {
        let first = line.peek();
        let fault = fault(line, names, subject)?;
        if let Some(first) = first {
            let place = place(fault);
            if let Some((_, line)) = earlier.iter().find(|(known, _)| *known == place) {
                return Err(first.error(format_args!("Line {line} already has a fault in this very place.")));
            }
            earlier.push((place, first.place.line));
        }
        faults.push(fault);
        Ok(())
    })?;
    Ok(faults)
}

/// A fault that stands for all that befall the same thing at the same place: two of them would be one too many.
fn place(fault: Fault) -> Fault {
    let none = Quantity::Fixed(Duration::ZERO);
    match fault {
        Fault::Pause { worker, from, .. } | Fault::Crash { worker, from, .. } => {
            Fault::Crash { worker, down: none, from }
        }
        Fault::Lose(message) | Fault::Delay { message, .. } | Fault::Duplicate { message, .. } => Fault::Lose(message),
        Fault::HoldWrite { step, .. } => Fault::CrashDestination { from: DestinationWhen::Step(step) },
        Fault::Cut { worker, from, at, .. } => Fault::Cut { worker, from, at, length: none },
        Fault::DelayReplication { to, occurrence, .. } => Fault::DelayReplication { to, occurrence, by: none },
        Fault::SetClock { of, at, .. } => Fault::SetClock { of, by: none, back: false, at },
        Fault::Forget { at, .. } => Fault::Forget { grant: GrantId(0), at },
        Fault::CrashLockService { .. } | Fault::CrashDestination { .. } | Fault::Prune { .. } => fault,
    }
}

/// What may be said of a victim: none is a worker.
struct Form {
    of: Option<Victim>,
    verb: &'static str,
    read: fn(&mut Entry<'_, '_>) -> Result<Fault>,
}

#[allow(clippy::redundant_closure_for_method_calls, reason = "the path of a method has fixed lifetimes")]
static FORMS: [Form; 16] = {
    const fn form(of: Option<Victim>, verb: &'static str, read: fn(&mut Entry<'_, '_>) -> Result<Fault>) -> Form {
        Form { of, verb, read }
    }
    use Victim::{Destination, LockService, Network, Provider};
    [
        form(None, "freezes", |entry| entry.pause(Pause::Freeze)),
        form(None, "suspends", |entry| entry.pause(Pause::Suspend)),
        form(None, "sticks", |entry| entry.pause(Pause::Stick)),
        form(None, "crashes", |entry| entry.crash()),
        form(None, "clock", |entry| entry.set_clock(ClockOf::Worker(entry.worker))),
        form(Some(Network), "loses", |entry| entry.message().map(Fault::Lose)),
        form(Some(Network), "delays", |entry| {
            if entry.line.accept(REPLICATION) {
                return entry.delay_replication();
            }
            let message = entry.message()?;
            Ok(Fault::Delay { message, by: entry.quantity_after("by", "the length of the delay")? })
        }),
        form(Some(Network), "duplicates", |entry| {
            let message = entry.message()?;
            Ok(Fault::Duplicate { message, by: entry.quantity_after("by", "the time until the second arrival")? })
        }),
        form(Some(Network), "cuts", |entry| entry.cut()),
        form(Some(LockService), "crashes", |entry| Ok(Fault::CrashLockService { at: entry.time()? })),
        form(Some(LockService), "forgets", |entry| entry.forget()),
        form(Some(LockService), "clock", |entry| entry.set_clock(ClockOf::LockService)),
        form(Some(Destination), "crashes", |entry| entry.crash_destination()),
        form(Some(Destination), "freezes", |entry| entry.hold_write()),
        form(Some(Destination), "clock", |entry| entry.set_clock(ClockOf::Destination)),
        form(Some(Provider), "forgets", |entry| entry.prune()),
    ]
};

/// What is said of victims.
#[cfg(test)]
pub(super) fn verbs() -> Vec<&'static str> {
    FORMS.iter().map(|form| form.verb).collect()
}

fn fault<'t>(line: &mut Line<'t>, names: &mut Names<'t>, subject: &Subject<'_>) -> Result<Fault> {
    if let Some(verb) = line.peek()
        && Pause::read(verb.text).is_some()
    {
        let workers = names.worker_names();
        let message = format_args!("Who {}? A worker stands before the word: {}.", verb.text, Listed(&workers));
        return Err(verb.error(message).expecting(&workers));
    }
    let of = Victim::VALUES.iter().copied().find(|victim| line.accept(victim.word()));
    let worker = if of.is_none() { names.worker(line)? } else { WorkerId(0) };
    let forms = FORMS.iter().filter(|form| form.of == of);
    let verbs: Vec<&str> = forms.clone().map(|form| form.verb).collect();
    let what = match of {
        None => "a fault of a worker",
        Some(Victim::Network) => "a fault of the network",
        Some(Victim::LockService) => "a fault of the lock service",
        Some(Victim::Destination) => "a fault of the destination",
        Some(Victim::Provider) => "a fault of the provider",
    };
    let (_, verb) = line.one_of(what, &verbs)?;
    let mut entry = Entry { line, names, subject, worker, verb };
    for form in forms {
        if form.verb == verb.text {
            return (form.read)(&mut entry);
        }
    }
    unreachable!("one of the verbs was read")
}

/// An entry, read up to its verb.
struct Entry<'e, 't> {
    line: &'e mut Line<'t>,
    names: &'e mut Names<'t>,
    subject: &'e Subject<'e>,
    /// Whom it befalls, if that is a worker.
    worker: WorkerId,
    verb: Word<'t>,
}

/// By what the like of something are told apart, beside their occurrence.
#[derive(Clone, Copy)]
struct Marks {
    operation: bool,
    attempt: bool,
    grant: bool,
}

impl Entry<'_, '_> {
    // What befalls workers.

    fn pause(&mut self, kind: Pause) -> Result<Fault> {
        let length = self.quantity("the length of the pause")?;
        Ok(Fault::Pause { kind, worker: self.worker, length, from: self.when()? })
    }

    fn crash(&mut self) -> Result<Fault> {
        let down = self.quantity("the time until it runs again")?;
        Ok(Fault::Crash { worker: self.worker, down, from: self.when()? })
    }

    /// Reads `at 2s`, or `before publish of operation 2 attempt 2` and the like.
    fn when(&mut self) -> Result<When> {
        if self.line.accept("at") {
            return Ok(When::Time(self.quantity("the time of the fault")?));
        }
        let side: Side = self.line.choose()?;
        let (point, word) = self.line.choose_word()?;
        self.has_step(word, point)?;
        // What a worker reads and computes it repeats only where it carries an operation out anew.
        let redoes = || self.subject.rows.iter().any(|row| row.mechanism.on_conflict == OnConflict::Redo);
        let attempt = match point {
            Point::Release => false,
            Point::Read | Point::Compute => redoes(),
            _ => true,
        };
        let grant = !matches!(point, Point::Mint | Point::Acquire);
        let operation = grant && !matches!(point, Point::Register | Point::Release);
        let occasion = self.occasion(self.worker, Marks { operation, attempt, grant }, "of")?;
        Ok(When::Point { side, point, occasion })
    }

    // What the network does.

    /// Reads `reply to write of A operation 2 attempt 1` and the like.
    fn message(&mut self) -> Result<MessagePattern> {
        let mut leg = Leg::Request;
        if self.line.accept("reply") {
            self.line.expect("to")?;
            leg = Leg::Reply;
        }
        let (call, word) = self.line.choose_word()?;
        match call {
            CallKind::Renew => {
                some_row(self.subject.rows, word, Lack::Step, |mechanism| mechanism.renewal != Renewal::Off)?;
            }
            CallKind::Mint => self.has_step(word, Point::Mint)?,
            CallKind::Register => self.has_step(word, Point::Register)?,
            CallKind::EffectLookUp => self.has_step(word, Point::EffectLookUp)?,
            CallKind::Effect => self.has_step(word, Point::Effect)?,
            CallKind::LookUp => self.has_step(word, Point::LookUp)?,
            CallKind::Acquire | CallKind::Write | CallKind::Release => {}
        }
        // Renewals follow one another, and a release is sent only once.
        let attempt = !matches!(call, CallKind::Renew | CallKind::Release);
        let grant = !matches!(call, CallKind::Mint | CallKind::Acquire);
        let operation = matches!(call, CallKind::EffectLookUp | CallKind::Effect | CallKind::Write | CallKind::LookUp);
        let (worker, occasion) = self.of_worker(Marks { operation, attempt, grant })?;
        Ok(MessagePattern { worker, call, leg, occasion })
    }

    /// Reads `to replica-2 occurrence 2 by 5s`.
    fn delay_replication(&mut self) -> Result<Fault> {
        self.line.expect("to")?;
        let (to, word): (Replica, _) = self.line.choose_word()?;
        let has: fn(&Mechanism) -> bool = match to {
            Replica::First => |mechanism| Replica::First.is_part_of(mechanism),
            Replica::Second => |mechanism| Replica::Second.is_part_of(mechanism),
            Replica::Lock => |mechanism| Replica::Lock.is_part_of(mechanism),
        };
        some_row(self.subject.rows, word, Lack::Meaning, has)?;
        let occurrence = self.occurrence()?;
        Ok(Fault::DelayReplication { to, occurrence, by: self.quantity_after("by", "the length of the delay")? })
    }

    /// Reads `A from lock-service at 2s for 5s`.
    fn cut(&mut self) -> Result<Fault> {
        let worker = self.names.worker(self.line)?;
        self.line.expect("from")?;
        let from: Partner = self.line.choose()?;
        let at = self.time()?;
        Ok(Fault::Cut { worker, from, at, length: self.quantity_after("for", "the length of the cut")? })
    }

    // What befalls services.

    /// Reads `grant 2 at 5s`.
    fn forget(&mut self) -> Result<Fault> {
        some_row(self.subject.rows, self.verb, Lack::Meaning, |mechanism| mechanism.storage != Storage::Durable)?;
        self.line.expect("grant")?;
        let grant = self.grant()?;
        Ok(Fault::Forget { grant, at: self.time()? })
    }

    fn crash_destination(&mut self) -> Result<Fault> {
        let from = if self.line.accept("at") {
            DestinationWhen::Time(self.quantity("the time of the fault")?)
        } else {
            DestinationWhen::Step(self.write_step()?)
        };
        Ok(Fault::CrashDestination { from })
    }

    fn hold_write(&mut self) -> Result<Fault> {
        let length = self.quantity("the length of the pause")?;
        Ok(Fault::HoldWrite { length, step: self.write_step()? })
    }

    /// Reads `before apply of A operation 2` and the like.
    fn write_step(&mut self) -> Result<WriteStep> {
        self.line.expect("before")?;
        let (stage, word) = self.line.choose_word()?;
        some_row(
            self.subject.rows,
            word,
            Lack::Step,
            match stage {
                Stage::Apply => |mechanism| mechanism.transaction == Atomicity::Split,
                Stage::Record => |mechanism| {
                    let after = mechanism.operation_ids == OperationIds::AfterTransaction;
                    after || mechanism.transaction == Atomicity::Split
                },
            },
        )?;
        let (worker, occasion) = self.of_worker(Marks { operation: true, attempt: true, grant: true })?;
        Ok(WriteStep { stage, worker, occasion })
    }

    /// Reads `key of A operation 2 at 5s`.
    fn prune(&mut self) -> Result<Fault> {
        some_row(self.subject.rows, self.verb, Lack::Meaning, |mechanism| mechanism.key == Key::Pruned)?;
        self.line.expect("key")?;
        self.line.expect("of")?;
        let worker = self.names.worker(self.line)?;
        let operation = if self.line.accept("operation") { self.operation(worker)? } else { 1 };
        Ok(Fault::Prune { worker, operation, at: self.time()? })
    }

    /// Reads `jumps ahead 5s at 2s`.
    fn set_clock(&mut self, of: ClockOf) -> Result<Fault> {
        self.line.expect("jumps")?;
        let back = !self.line.accept(ClockFault::Ahead.word());
        if back {
            self.line.expect(ClockFault::Behind.word())?;
        }
        let by = self.quantity("the length of the jump")?;
        Ok(Fault::SetClock { of, by, back, at: self.time()? })
    }

    // Parts.

    fn quantity(&mut self, what: &str) -> Result<Quantity> {
        self.names.quantity(self.line, what)
    }

    fn quantity_after(&mut self, preposition: &'static str, what: &str) -> Result<Quantity> {
        self.line.expect(preposition)?;
        self.quantity(what)
    }

    fn time(&mut self) -> Result<Quantity> {
        self.quantity_after("at", "the time of the fault")
    }

    /// Reads `of A operation 2` and the like.
    fn of_worker(&mut self, marks: Marks) -> Result<(WorkerId, Occasion)> {
        self.line.expect("of")?;
        let worker = self.names.worker(self.line)?;
        Ok((worker, self.occasion(worker, marks, "")?))
    }

    /// Reads `operation 2 attempt 2 under grant 1 occurrence 3`, or part of it; `before` stands before the operation.
    fn occasion(&mut self, worker: WorkerId, marks: Marks, before: &'static str) -> Result<Occasion> {
        let mut occasion = Occasion::FIRST;
        if marks.operation && self.line.accept(if before.is_empty() { "operation" } else { before }) {
            if !before.is_empty() {
                self.line.expect("operation")?;
            }
            occasion.operation = self.operation(worker)?;
        }
        if marks.attempt && self.line.accept("attempt") {
            let attempts = self.subject.retry.attempts;
            occasion.attempt = ordinal(self.line, "attempt", attempts, format_args!("`retry` allows for {attempts}"))?;
        }
        if marks.grant && self.line.accept("under") {
            self.line.expect("grant")?;
            occasion.grant = Some(self.grant()?);
        }
        occasion.occurrence = self.occurrence()?;
        Ok(occasion)
    }

    /// Reads `occurrence 3`; without it, the first is meant.
    fn occurrence(&mut self) -> Result<u8> {
        if !self.line.accept("occurrence") {
            return Ok(1);
        }
        Ok(self.line.number(format_args!("the number of the occurrence"), 1, MAX_OCCURRENCE.into())? as u8)
    }

    fn operation(&mut self, worker: WorkerId) -> Result<u8> {
        let Worker { name, operations, .. } = &self.subject.workers[worker.index()];
        ordinal(self.line, "operation", *operations, format_args!("`{name}` carries out {operations}"))
    }

    /// Grants are counted from 1 in the text.
    fn grant(&mut self) -> Result<GrantId> {
        let number = self.line.number(format_args!("the number of the grant"), 1, MAX_GRANTS as u64)?;
        Ok(GrantId(number as u8 - 1))
    }

    /// Makes sure that some row's program has `point`, which `word` names.
    fn has_step(&self, word: Word<'_>, point: Point) -> Result<()> {
        let has: fn(&Mechanism) -> bool = match point {
            Point::Check => |mechanism| {
                let program = mechanism.program();
                program.checks || program.checks_effect
            },
            Point::Register => |mechanism| mechanism.program().registers,
            Point::Mint => |mechanism| mechanism.program().mints,
            Point::EffectLookUp => |mechanism| mechanism.effect_outcome == EffectOutcome::LookedUp,
            Point::Effect => |mechanism| mechanism.program().effect,
            Point::LookUp => |mechanism| mechanism.no_reply == NoReply::LookUp,
            Point::Acquire | Point::Read | Point::Compute | Point::Publish | Point::Release => return Ok(()),
        };
        some_row(self.subject.rows, word, Lack::Step, has)
    }
}

/// Reads the number of one of several, counted from 1; `count` says how many there are.
fn ordinal(line: &mut Line<'_>, what: &str, most: u8, count: fmt::Arguments<'_>) -> Result<u8> {
    let word = line.word_for(format_args!("the number of the {what}"))?;
    match word.text.parse::<u64>() {
        Ok(number) if !word.text.starts_with('+') && (1..=most.into()).contains(&number) => Ok(number as u8),
        _ => Err(word.error(format_args!("There is no {what} {}: {count}, counted from 1.", word.quoted()))),
    }
}
