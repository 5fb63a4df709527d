//! Parameters that are seen as lengths on the axis.

use super::{Lane, Length, Teller};
use crate::event::Process;
use crate::fact::Fact;
use crate::id::WorkerId;
use crate::scenario::{CallKind, Fault, Leg, MessagePattern, Pause, Quantity, Start, When};
use crate::time::Instant;

/// Each parameter where it is first seen: freezes and delays first, since those are what scenarios are about.
pub(super) fn lengths(tellers: &[Teller<'_>]) -> Vec<Length> {
    let mut lengths = Vec::new();
    for teller in tellers {
        seen_in(teller, &mut lengths);
    }
    lengths
}

/// Adds what is seen in one run and was not seen before: a message may be sent in some rows only.
fn seen_in(teller: &Teller<'_>, lengths: &mut Vec<Length>) {
    let scenario = &teller.comparison.scenario;
    let mut found = Found { teller, lengths };
    // Faults of one worker strike in the order of the facts, and take their facts with them.
    let mut taken: Vec<usize> = Vec::new();
    for fault in &scenario.faults {
        match *fault {
            Fault::Pause { kind, worker, length, from } => {
                let (lasts, name) = (scenario.duration(length), teller.name(worker));
                let (begins, label) = match kind {
                    Pause::Freeze => (Fact::Froze { worker, length: lasts }, format!("how long {name} is frozen")),
                    Pause::Suspend => {
                        (Fact::Suspended { worker, length: lasts }, format!("how long {name}’s machine is suspended"))
                    }
                    Pause::Stick => (Fact::Stuck { worker, length: lasts }, format!("how long {name}’s work is stuck")),
                };
                if let Some(fact) = began(teller, begins, from, &taken) {
                    taken.push(fact);
                    found.add(length, label, teller.run.facts[fact].at, Lane::Worker(worker));
                }
            }
            Fault::Crash { worker, down, from } => {
                let begins = Fact::Crashed { process: Process::Worker { worker } };
                if let Some(fact) = began(teller, begins, from, &taken) {
                    taken.push(fact);
                    let label = format!("how long {} is down", teller.name(worker));
                    found.add(down, label, teller.run.facts[fact].at, Lane::Worker(worker));
                }
            }
            Fault::Delay { message, by } => {
                if let Some(sent) = sent(teller, message) {
                    let usual = scenario.duration(scenario.latency);
                    let label = format!("how late {} is", pattern(teller, message));
                    let lane = match message.call {
                        CallKind::Mint | CallKind::Acquire | CallKind::Renew | CallKind::Release => Lane::Lock,
                        CallKind::Register
                        | CallKind::Write
                        | CallKind::LookUp
                        | CallKind::EffectLookUp
                        | CallKind::Effect => Lane::Row(teller.row),
                    };
                    let lane = if message.leg == Leg::Reply { Lane::Worker(message.worker) } else { lane };
                    found.add(by, label, sent + usual, lane);
                }
            }
            // Nothing of these is drawn as a length yet.
            Fault::CrashLockService { .. }
            | Fault::CrashDestination { .. }
            | Fault::HoldWrite { .. }
            | Fault::Lose(_)
            | Fault::Duplicate { .. }
            | Fault::DelayReplication { .. }
            | Fault::Cut { .. }
            | Fault::SetClock { .. }
            | Fault::Forget { .. }
            | Fault::Prune { .. } => {}
        }
    }
    let at = |wanted: &dyn Fn(&Fact) -> bool| {
        teller.run.facts.iter().find(|entry| wanted(&entry.fact)).map(|entry| entry.at)
    };
    if let Some(granted) = at(&|fact| matches!(fact, Fact::Granted { .. })) {
        found.add(scenario.lease, "how long a lease lasts".to_owned(), granted, Lane::Lock);
    }
    for (index, spec) in scenario.workers.iter().enumerate() {
        let worker = WorkerId(index as u8);
        let name = teller.name(worker);
        if let Some(began) = at(&|fact| matches!(*fact, Fact::ComputeBegan { worker: who, .. } if who == worker)) {
            found.add(spec.compute, format!("how long {name} computes"), began, Lane::Worker(worker));
        }
        if let Start::At(start) = spec.start {
            let label = format!("when {name} first asks for the lock");
            found.add(start, label, Instant::START, Lane::Worker(worker));
        }
    }
}

struct Found<'a> {
    teller: &'a Teller<'a>,
    lengths: &'a mut Vec<Length>,
}

impl Found<'_> {
    /// Adds the length if a parameter stands behind it that has not been found before.
    fn add(&mut self, quantity: Quantity, label: String, zero: Instant, lane: Lane) {
        let Quantity::Parameter(index) = quantity else { return };
        let parameter = &self.teller.comparison.scenario.parameters[index];
        if self.lengths.iter().all(|known| known.parameter != parameter.name) {
            let (parameter, value) = (parameter.name.clone(), parameter.value);
            self.lengths.push(Length { parameter, label, zero, value, lane });
        }
    }
}

/// The fact with which a worker comes to stand still: the first such that no other fault has taken.
fn began(teller: &Teller<'_>, begins: Fact, from: When, taken: &[usize]) -> Option<usize> {
    let at = match from {
        When::Time(at) => Some(Instant::START + teller.comparison.scenario.duration(at)),
        When::Point { .. } => None,
    };
    teller.run.facts.iter().enumerate().position(|(index, entry)| {
        entry.fact == begins && at.is_none_or(|at| at == entry.at) && !taken.contains(&index)
    })
}

/// When the message that a pattern names was sent.
fn sent(teller: &Teller<'_>, pattern: MessagePattern) -> Option<Instant> {
    let sharing = teller.comparison.scenario.sharing;
    let sent = teller.run.facts.iter().find(|entry| match entry.fact {
        Fact::Sent { message } => MessagePattern::of(message, sharing) == pattern,
        _ => false,
    });
    sent.map(|entry| entry.at)
}

/// A message in words.
fn pattern(teller: &Teller<'_>, message: MessagePattern) -> String {
    let name = teller.name(message.worker);
    let request = match message.call {
        CallKind::Acquire => format!("{name}’s request for the lock"),
        CallKind::Mint => format!("{name}’s request for a token"),
        CallKind::Renew => format!("{name}’s renewal"),
        CallKind::LookUp | CallKind::EffectLookUp => format!("{name}’s question"),
        CallKind::Effect => format!("{name}’s effect"),
        CallKind::Register => format!("{name}’s registration"),
        CallKind::Write => teller.result(message.worker, message.occasion.operation - 1),
        CallKind::Release => format!("{name}’s release"),
    };
    match message.leg {
        Leg::Request => request,
        Leg::Reply => format!("the answer to {request}"),
    }
}
