//! What the simulator knows of a worker's process beyond the worker's own state.

use crate::id::{GrantId, Term, WorkerId};
use crate::message::Message;
use crate::program::Point;
use crate::time::{Clock, Duration, Instant, LocalInstant};

/// Where a worker is, as faults name it: which operation and which try, both from 1, and under which grant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) operation: u8,
    pub(super) attempt: u8,
    pub(super) grant: Option<GrantId>,
}

/// A worker's process.
#[derive(Debug, Default)]
pub(super) struct Running {
    /// Until when its process stands still: frozen, or its machine suspended.
    pub(super) frozen_until: Option<Instant>,
    /// Whether that is because its machine is suspended.
    pub(super) suspended: bool,
    /// Until when the thread that does the work is stuck.
    pub(super) stuck_until: Option<Instant>,
    /// When it takes its next step; none while it waits, is gone, or has not been started.
    pub(super) step_at: Option<Instant>,
    /// Whether it has begun to ask for the lock.
    pub(super) started: bool,
    /// Where it came to before its next step: what befalls it there has befallen it.
    pub(super) arrived: Option<(Point, Place)>,
    /// When it came there.
    pub(super) arrived_at: Instant,
    /// Before when it does not ask for the lock again.
    pub(super) asks_from: Instant,
    /// Whether it has read, and is about to compute.
    pub(super) computes_next: bool,
    /// Whether it computes until its next step.
    pub(super) computing: bool,
    /// When its wait for a reply is over.
    pub(super) timer_at: Option<Instant>,
    /// What arrived while its process stood still.
    pub(super) unread: Vec<Message>,
    /// How long its machine has been suspended, all in all: its monotonic clock is behind by that.
    pub(super) slept: Duration,
    /// How far its wall clock has been set, in microseconds.
    pub(super) shift: i64,
    /// When it sent each attempt at a request for the lock, by attempt from 1 on, and when it had come to that step.
    pub(super) asked: Vec<Asked>,
    /// Since when its request stands in the issuer's queue.
    pub(super) queued_at: Option<Instant>,
    /// The owner's record as a candidate has seen it: which grant in which term, and when it takes that for over.
    pub(super) seen: Option<(GrantId, Term, LocalInstant)>,
    /// The grant whose loss it is about to take note of.
    pub(super) notices: Option<GrantId>,
}

impl Running {
    /// From when on it can take a step that is due `at`.
    pub(super) fn ready(&self, at: Instant) -> Instant {
        [self.frozen_until, self.stuck_until].into_iter().flatten().fold(at, Instant::max)
    }

    /// Whether its process runs.
    pub(super) fn runs(&self) -> bool {
        self.frozen_until.is_none()
    }

    /// What its monotonic clock shows.
    pub(super) fn monotonic(&self, clock: Clock, worker: WorkerId, at: Instant) -> LocalInstant {
        clock.read(worker, Instant::from_micros(at.micros().saturating_sub(self.slept.micros())))
    }

    /// When its monotonic clock shows `local`, if it sleeps no more until then.
    pub(super) fn when(&self, clock: Clock, local: LocalInstant) -> Instant {
        clock.when(local) + self.slept
    }

    /// What its wall clock shows, in microseconds.
    pub(super) fn wall(&self, clock: Clock, worker: WorkerId, at: Instant) -> i64 {
        clock.read(worker, at).micros() + self.shift
    }

    /// Starts again after a crash: only its clocks go on as they were.
    pub(super) fn restart(&mut self) {
        let Running { slept, shift, .. } = *self;
        *self = Running { slept, shift, started: true, ..Running::default() };
    }
}

/// A request for the lock: when it was sent, and when its sender had come to that.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) arrived: Instant,
    pub(crate) sent: Instant,
}
