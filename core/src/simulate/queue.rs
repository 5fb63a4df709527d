//! What is due, and in which order.

use crate::destination::Stage;
use crate::epoch::Claim;
use crate::id::{GrantId, OperationId, Term, WorkerId};
use crate::message::{Message, Request};
use crate::replication::Replica;
use crate::time::{Duration, Instant};

/// What goes first among things due at the same instant. A deadline is over at its very instant, so that "admitted" means
/// "before it": first by the owner's clock, then by the destination's, then truly. What goes wrong comes before what
/// happens, and a process reads what has arrived before it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    LocalDeadline,
    Deadline,
    Expiry,
    Fault,
    Thaw,
    Duplicate,
    Arrival,
    Notice,
    TimeOut,
    Inside,
    Renewal,
    Step,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum What {
    PassLocalDeadline(GrantId, Term),
    PassDeadline(GrantId, Term),
    Expire(GrantId, Term),
    /// A fault of the scenario, by index, that names a time.
    Fault(usize),
    Thaw(WorkerId),
    Duplicate {
        message: Message,
        by: Duration,
    },
    Arrive(Message),
    Lose(Message),
    Notice(WorkerId, Claim),
    TimeOut(WorkerId),
    Proceed(Request, Stage),
    Relay(OperationId),
    Replicate(Replica),
    Renew(WorkerId, Claim),
    Compute(WorkerId),
    Step(WorkerId),
}

impl What {
    pub(super) fn class(self) -> Class {
        match self {
            What::PassLocalDeadline(..) => Class::LocalDeadline,
            What::PassDeadline(..) => Class::Deadline,
            What::Expire(..) => Class::Expiry,
            What::Fault(_) => Class::Fault,
            What::Thaw(_) => Class::Thaw,
            What::Duplicate { .. } => Class::Duplicate,
            What::Arrive(_) | What::Lose(_) => Class::Arrival,
            What::Notice(..) => Class::Notice,
            What::TimeOut(_) => Class::TimeOut,
            What::Proceed(..) | What::Relay(_) | What::Replicate(_) => Class::Inside,
            What::Renew(..) => Class::Renewal,
            What::Compute(_) | What::Step(_) => Class::Step,
        }
    }
}

/// Something that will be done at its time.
#[derive(Debug, Clone, Copy)]
struct Due {
    at: Instant,
    class: Class,
    /// First in line first.
    number: u32,
    what: What,
}

/// What is due, in no order: there are never more than a few.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// When what was taken out last was due. Nothing is due before it: a clock that showed its time long ago brings it about
    /// now, and time does not go back.
    now: Instant,
    due: Vec<Due>,
    next_number: u32,
}

impl Queue {
    pub(super) fn push(&mut self, at: Instant, what: What) {
        let at = at.max(self.now);
        self.due.push(Due { at, class: what.class(), number: self.next_number, what });
        self.next_number += 1;
    }

    /// Takes out what comes next.
    pub(super) fn pop(&mut self) -> Option<(Instant, What)> {
        let turn = |due: &Due| (due.at, due.class, due.number);
        let next = (0..self.due.len()).min_by_key(|&index| turn(&self.due[index]))?;
        let Due { at, what, .. } = self.due.swap_remove(next);
        self.now = at;
        Some((at, what))
    }

    /// How many times `what` is due.
    pub(super) fn count(&self, what: What) -> usize {
        self.due.iter().filter(|due| due.what == what).count()
    }

    /// Moves what `wanted` picks by a time that depends on when it is due.
    pub(super) fn postpone(&mut self, wanted: impl Fn(What) -> bool, to: impl Fn(Instant) -> Instant) {
        for due in self.due.iter_mut().filter(|due| wanted(due.what)) {
            due.at = to(due.at).max(self.now);
        }
    }
}
