//! What may happen next.

use super::{Clocks, Config, State};
use crate::destination::Guard;
use crate::event::{Event, Process};
use crate::id::{GrantId, ReplicaId, WorkerId};
use crate::mechanism::{Asks, CountedFrom, Durability, Mechanism, Renewal, Replicas, Storage, TokenKind};
use crate::worker::{Tenure, Worker};

/// What of a mechanism goes by a clock, and by whose.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timing {
    /// The owner's own, for a check or for taking note that its lease is over.
    local: bool,
    /// The destination's.
    there: bool,
}

impl Timing {
    pub(super) fn of(mechanism: &Mechanism) -> Self {
        Timing { local: mechanism.consults_owners_clock(), there: mechanism.guard == Guard::Deadline }
    }
}

impl State {
    /// Calls `choice` with every event that may happen next, in this order: the end of the lease; each message delivered,
    /// in the network's order; each message lost, and each carried twice, in the same order; each worker's next step; each
    /// worker's wait for a reply given up; each worker's renewal; then what clocks reach (the owner's, in the order of
    /// grants, then the destination's); each worker's taking note that its lease is lost; the destination's next step in
    /// each write under way; replicas, the relay, and the lock service's replica; and then what goes wrong: suspends,
    /// skews, crashes, failovers, keys forgotten.
    pub fn enabled(&self, config: &Config, mut choice: impl FnMut(Event)) {
        let mechanism = &config.mechanism;
        let timing = Timing::of(mechanism);
        if let Some(grant) = self.issuer.live()
            && self.may_expire(mechanism, timing, grant)
        {
            choice(Event::Expire { grant });
        }
        for message in self.network.distinct() {
            choice(Event::Deliver { message });
        }
        if self.left.losses > 0 {
            for message in self.network.distinct() {
                choice(Event::Lose { message });
            }
        }
        if self.left.duplicates > 0 {
            for message in self.network.distinct() {
                choice(Event::Duplicate { message });
            }
        }
        for worker in config.worker_ids() {
            if self.worker(worker).next().is_some() {
                choice(Event::Step { worker });
            }
        }
        for worker in config.worker_ids() {
            // A worker that waits in the issuer's queue keeps its session open: no lost reply ends that wait.
            if self.awaited(config, worker).is_some_and(|request| !self.issuer.has_queued(request)) {
                choice(Event::TimeOut { worker });
            }
        }
        if mechanism.renewal != Renewal::Off {
            for worker in config.worker_ids() {
                if self.may_renew(worker) {
                    choice(Event::Renew { worker });
                }
            }
        }
        if timing.local || timing.there {
            self.deadlines(config, timing, &mut choice);
        }
        if mechanism.heeds_loss() {
            for worker in config.worker_ids() {
                if self.knows_of_loss(worker) {
                    choice(Event::Notice { worker });
                }
            }
        }
        for place in 0..self.destination.pending().count() as u8 {
            choice(Event::Proceed { place });
        }
        if mechanism.replicas != Replicas::One {
            for into in [ReplicaId(0), ReplicaId(1)] {
                if { self.destination }.merge(into, mechanism, |grant| self.claim(config, grant).epoch).changed {
                    choice(Event::Merge { into });
                }
            }
        }
        for operation in self.destination.outbox() {
            choice(Event::Relay { operation });
        }
        if mechanism.asks == Asks::LockReplica && self.issuer.live_in_replica() != self.issuer.live() {
            choice(Event::CatchUp);
        }
        self.faults(config, timing, &mut choice);
    }

    fn faults(&self, config: &Config, timing: Timing, choice: &mut impl FnMut(Event)) {
        let (mechanism, left) = (&config.mechanism, &self.left);
        if left.suspends > 0 && timing.local {
            for worker in config.worker_ids() {
                if self.grants_of(worker).any(|grant| !self.ledger.get(grant).clocks.local_lifted) {
                    choice(Event::Suspend { worker });
                }
            }
        }
        if left.skews > 0 && self.skew_matters(mechanism, timing) {
            choice(Event::SkewClock);
        }
        if left.crashes > 0 {
            for worker in config.worker_ids() {
                if !matches!(self.worker(worker), Worker::Gone) {
                    choice(Event::Crash { process: Process::Worker { worker } });
                }
            }
            if self.issuer.has_queue() {
                choice(Event::Crash { process: Process::LockService });
            }
            let loses = mechanism.control_row != Durability::Durable;
            if loses || self.destination.has_unfinished() {
                choice(Event::Crash { process: Process::Destination });
            }
        }
        if left.failovers > 0 {
            let made = self.ledger.len();
            let unknown = match mechanism.storage {
                Storage::Durable => made..made,
                Storage::FailsOver => made.saturating_sub(1)..made,
                Storage::Restored => 0..made,
                // Its counter goes on from where it was, so that it is all one which backup this is.
                Storage::RestoredWithBump => 0..made.min(1),
            };
            for grant in unknown.map(GrantId) {
                choice(Event::Restore { grant });
            }
        }
        if left.prunes > 0 {
            for operation in self.outside.keys(mechanism) {
                choice(Event::Prune { operation });
            }
        }
    }

    /// Whether `event` may happen next.
    pub fn is_enabled(&self, config: &Config, event: Event) -> bool {
        let mut found = false;
        self.enabled(config, |choice| found |= choice == event);
        found
    }

    /// The lease may end whenever it runs, unless something goes by a clock: then what that clock shows comes first. The
    /// order of ties is: by the owner's clock, by the destination's, truly.
    fn may_expire(&self, mechanism: &Mechanism, timing: Timing, grant: GrantId) -> bool {
        let clocks = &self.ledger.get(grant).clocks;
        let term = self.issuer.term().0;
        clocks.lifted
            || (clocks.allows_locally(mechanism, timing, term) && (!timing.there || clocks.ended_there > term))
    }

    /// The next renewal does not wait for the answer to the last, which may be lost.
    fn may_renew(&self, worker: WorkerId) -> bool {
        match *self.worker(worker) {
            Worker::Owner(Tenure { grant, lost, .. }) => {
                !lost && self.ledger.get(grant).clocks.sent.0 < self.left.renewals
            }
            Worker::Unminted { .. }
            | Worker::Minting { .. }
            | Worker::Outside { .. }
            | Worker::Acquiring { .. }
            | Worker::Releasing { .. }
            | Worker::Gone => false,
        }
    }

    /// The grants of `worker` that its own clock matters for: the one that it believes in, and the one whose lease runs,
    /// even if it has not heard of that yet.
    pub(super) fn grants_of(&self, worker: WorkerId) -> impl Iterator<Item = GrantId> + use<> {
        let live = self.issuer.live().filter(|live| self.ledger.get(*live).worker == worker);
        let believed = self.worker(worker).believes().filter(|believed| live != Some(*believed));
        live.into_iter().chain(believed)
    }

    /// What the clocks of owners and of the destination may reach next.
    fn deadlines(&self, config: &Config, timing: Timing, choice: &mut impl FnMut(Event)) {
        for (index, granted) in self.ledger.grants.iter().flatten().enumerate() {
            let grant = GrantId(index as u8);
            let clocks = &granted.clocks;
            let alive = self.issuer.live() == Some(grant) || self.worker(granted.worker).believes() == Some(grant);
            if timing.local && alive && clocks.ended_locally <= clocks.sent.0 {
                choice(Event::PassLocalDeadline { grant });
            }
        }
        if timing.there {
            for (index, granted) in self.ledger.grants.iter().flatten().enumerate() {
                let grant = GrantId(index as u8);
                let clocks = &granted.clocks;
                let named = self.issuer.live() == Some(grant) || self.is_named(config, grant);
                let local_first = clocks.lifted || clocks.allows_locally(&config.mechanism, timing, clocks.ended_there);
                if named && clocks.ended_there <= clocks.sent.0 && local_first {
                    choice(Event::PassDeadline { grant });
                }
            }
        }
    }

    /// Whether a worker, a message or a write under way can still name `grant`.
    pub(super) fn is_named(&self, config: &Config, grant: GrantId) -> bool {
        config.worker_ids().any(|worker| self.worker(worker).believes() == Some(grant))
            || self.network.iter().any(|message| message.grant() == Some(grant))
            || self.destination.pending().any(|pending| pending.request.call.grant() == Some(grant))
    }

    /// Whether the worker could know that its lease is lost: a renewal was refused, or its own clock says so.
    fn knows_of_loss(&self, worker: WorkerId) -> bool {
        let Worker::Owner(Tenure { grant, term, lost, .. }) = *self.worker(worker) else {
            return false;
        };
        lost || self.ledger.get(grant).clocks.ended_locally > term.0
    }

    /// Whether a clock that is off could change what happens: something goes by one, or tokens are times.
    fn skew_matters(&self, mechanism: &Mechanism, timing: Timing) -> bool {
        let waits = self.issuer.live().is_some_and(|grant| !self.ledger.get(grant).clocks.lifted);
        mechanism.token == TokenKind::Timestamp || waits && (timing.local || timing.there)
    }
}

impl Clocks {
    /// Whether the owner's clock has reached what the end of `term` has to wait for.
    fn allows_locally(&self, mechanism: &Mechanism, timing: Timing, term: u8) -> bool {
        !timing.local
            || mechanism.counted_from == CountedFrom::Reply
            || self.local_lifted
            || self.lifted
            || self.ended_locally > term
    }
}
