//! The entries of `faults`.

use std::fmt;

use super::line::{Line, Word};
use super::name::Names;
use super::outline::Statement;
use super::vocabulary::{NetworkFault, Vocabulary};
use crate::destination::Guard;
use crate::id::WorkerId;
use crate::program::{Point, Program};
use crate::scenario::error::{Listed, Result};
use crate::scenario::{CallKind, Fault, FreezeAt, Leg, MAX_FAULTS, MessagePattern, Retry, Row, Side, Worker};

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
    let mut earlier: Vec<(Target, u32)> = Vec::new();
    statement.read_entries(MAX_FAULTS, &mut |line| {
        let first = line.peek();
        let fault = subject.fault(line, names)?;
        if let Some(first) = first {
            let target = Target::of(fault);
            if let Some((_, line)) = earlier.iter().find(|(known, _)| *known == target) {
                return Err(first.error(format_args!("Line {line} already has a fault in this very place.")));
            }
            earlier.push((target, first.place.line));
        }
        faults.push(fault);
        Ok(())
    })?;
    Ok(faults)
}

/// What a fault befalls: two faults there would be one too many.
#[derive(PartialEq)]
enum Target {
    Process(WorkerId, FreezeAt),
    Message(MessagePattern),
}

impl Target {
    fn of(fault: Fault) -> Self {
        match fault {
            Fault::Freeze { worker, from, .. } => Target::Process(worker, from),
            Fault::Lose(message) | Fault::Delay { message, .. } => Target::Message(message),
        }
    }
}

impl Subject<'_> {
    fn fault<'t>(&self, line: &mut Line<'t>, names: &mut Names<'t>) -> Result<Fault> {
        if let Some(verb) = line.peek().filter(|word| word.text == "freezes") {
            let workers = names.worker_names();
            let message = format_args!("Who freezes? A worker stands before the word: {}.", Listed(&workers));
            return Err(verb.error(message).expecting(&workers));
        }
        if line.accept("network") {
            return self.network_fault(line, names);
        }
        let worker = names.worker(line)?;
        line.expect("freezes")?;
        let length = names.quantity(line, "the length of the freeze")?;
        if line.accept("at") {
            let from = FreezeAt::Time(names.quantity(line, "the time of the freeze")?);
            return Ok(Fault::Freeze { worker, length, from });
        }
        let from = self.point(line, worker)?;
        Ok(Fault::Freeze { worker, length, from })
    }

    /// Reads `before publish of operation 2 attempt 2` and the like.
    fn point(&self, line: &mut Line<'_>, worker: WorkerId) -> Result<FreezeAt> {
        let side: Side = line.choose()?;
        let (point, word) = line.choose_word()?;
        match point {
            Point::Check => self.some_row(word, |program| program.checks)?,
            Point::Register => self.some_row(word, |program| program.registers)?,
            Point::Acquire | Point::Read | Point::Compute | Point::Publish | Point::Release => {}
        }
        let in_operation = matches!(point, Point::Read | Point::Compute | Point::Check | Point::Publish);
        let is_repeated = !matches!(point, Point::Read | Point::Compute | Point::Release);
        let mut operation = 1;
        if in_operation && line.accept("of") {
            line.expect("operation")?;
            operation = self.operation(line, worker)?;
        }
        let attempt = if is_repeated { self.attempt(line)? } else { 1 };
        Ok(FreezeAt::Point { side, point, operation, attempt })
    }

    fn network_fault<'t>(&self, line: &mut Line<'t>, names: &mut Names<'t>) -> Result<Fault> {
        match line.choose()? {
            NetworkFault::Loses => Ok(Fault::Lose(self.message(line, names)?)),
            NetworkFault::Delays => {
                let message = self.message(line, names)?;
                line.expect("by")?;
                Ok(Fault::Delay { message, by: names.quantity(line, "the length of the delay")? })
            }
        }
    }

    /// Reads `reply to write of A operation 2 attempt 1` and the like.
    fn message<'t>(&self, line: &mut Line<'t>, names: &Names<'t>) -> Result<MessagePattern> {
        let mut leg = Leg::Request;
        if line.accept("reply") {
            line.expect("to")?;
            leg = Leg::Reply;
        }
        let (call, word) = line.choose_word()?;
        if call == CallKind::Register {
            self.some_row(word, |program| program.registers)?;
        }
        line.expect("of")?;
        let worker = names.worker(line)?;
        let mut operation = 1;
        if call == CallKind::Write && line.accept("operation") {
            operation = self.operation(line, worker)?;
        }
        // A release is sent only once.
        let attempt = if call == CallKind::Release { 1 } else { self.attempt(line)? };
        Ok(MessagePattern { worker, call, leg, operation, attempt })
    }

    fn operation(&self, line: &mut Line<'_>, worker: WorkerId) -> Result<u8> {
        let Worker { name, operations, .. } = &self.workers[worker.index()];
        ordinal(line, "operation", *operations, format_args!("`{name}` carries out {operations}"))
    }

    fn attempt(&self, line: &mut Line<'_>) -> Result<u8> {
        if !line.accept("attempt") {
            return Ok(1);
        }
        let attempts = self.retry.attempts;
        ordinal(line, "attempt", attempts, format_args!("`retry` allows for {attempts}"))
    }

    /// Makes sure that some row's program has the step that `word` names.
    fn some_row(&self, word: Word<'_>, has_step: fn(Program) -> bool) -> Result<()> {
        if self.rows.iter().any(|row| has_step(row.mechanism.guard.program())) {
            return Ok(());
        }
        let guards = Guard::VALUES.iter().filter(|guard| has_step(guard.program()));
        let guards: Vec<&str> = guards.map(|guard| guard.word()).collect();
        let step = word.quoted();
        Err(word.error(format_args!("No row has the step {step}: it comes with the guard {}.", Listed(&guards))))
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
