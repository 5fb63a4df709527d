//! When leases end, by everybody's clock.

use super::Simulator;
use super::process::Asked;
use super::queue::What;
use crate::destination::Guard;
use crate::epoch::Claim;
use crate::event::Event;
use crate::fact::Fact;
use crate::id::{GrantId, Term, WorkerId};
use crate::mechanism::{Candidates, CountedFrom, LeaseBy, Mechanism, OnLoss, Renewal};
use crate::run::Limit;
use crate::scenario::Scenario;
use crate::time::{Duration, Instant, LocalInstant};

impl Simulator<'_> {
    fn lease(&self) -> Duration {
        self.scenario.duration(self.scenario.lease)
    }

    /// Sets up the end of a term that begins now.
    pub(super) fn hold_lease(&mut self, grant: GrantId, term: Term) {
        let now = self.log.now;
        let ends = self.true_end(grant, term).max(now);
        if self.config.mechanism.candidates != Candidates::Watch {
            self.queue.push(ends, What::Expire(grant, term));
        }
        if self.config.mechanism.guard == Guard::Deadline {
            let clock = self.scenario.destination_clock;
            let shows = ends.micros() as i64 - self.destination_shift;
            self.queue.push(instant_at(clock, shows), What::PassDeadline(grant, term));
        }
    }

    fn true_end(&mut self, grant: GrantId, term: Term) -> Instant {
        let (now, lease) = (self.log.now, self.lease());
        let mechanism = self.config.mechanism;
        let owner = self.state.owner(grant);
        let asked = self.asked(owner).filter(|_| term == Term::FIRST);
        let queued = self.processes[owner.index()].queued_at.filter(|_| term == Term::FIRST);
        let waited = queued.map_or(Duration::ZERO, |queued| now.since(queued));
        let begins = asked.map_or(now, |asked| Counted::by(&mechanism).since(asked, waited, now));
        if mechanism.lease_by == LeaseBy::Written {
            let wall = self.processes[owner.index()].wall(self.scenario.workers[owner.index()].clock, owner, begins);
            self.written[grant.index()] = wall + lease.micros() as i64;
            return self.written_end(grant);
        }
        ends(self.scenario, &mechanism, owner, begins, lease)
    }

    fn written_end(&self, grant: GrantId) -> Instant {
        let shift = |worker: WorkerId| self.processes[worker.index()].shift;
        first_to_read(self.scenario, self.state.owner(grant), self.written[grant.index()], shift)
    }

    /// Somebody's clock has been set: what has been written down is read otherwise from now on.
    pub(super) fn read_anew(&mut self) {
        let Some(grant) = self.state.live() else { return };
        let ends = self.written_end(grant);
        self.queue.postpone(|what| matches!(what, What::Expire(live, _) if live == grant), |_| ends);
    }

    /// The grant is answered: from now on it is known from when its owner counts its lease.
    pub(super) fn granted_from(&mut self, worker: WorkerId, grant: GrantId, from: Instant) {
        if self.counted_from[grant.index()].is_none() {
            self.counted_from[grant.index()] = Some(from);
            if self.config.mechanism.counted_from == CountedFrom::Request {
                self.plan_local_deadline(worker, grant, Term::FIRST, from);
            }
        }
    }

    /// The owner hears of its grant: it works out when its lease ends, and begins to renew it.
    pub(super) fn acquired(&mut self, worker: WorkerId, claim: Claim) {
        let now = self.log.now;
        let from = match self.config.mechanism.counted_from {
            CountedFrom::Request => self.counted_from[claim.grant.index()].expect("the grant was answered"),
            CountedFrom::Reply => {
                self.plan_local_deadline(worker, claim.grant, Term::FIRST, now);
                now
            }
        };
        let expiry = self.given_up(worker, from);
        self.tell(Fact::Reckoned { worker, claim, expiry });
        if self.config.mechanism.renewal != Renewal::Off {
            self.queue.push(now + self.renew_every(), What::Renew(worker, claim));
        }
    }

    fn local_end(&self, worker: WorkerId, from: Instant) -> LocalInstant {
        let clock = self.scenario.workers[worker.index()].clock;
        self.processes[worker.index()].monotonic(clock, worker, from) + self.lease()
    }

    /// When the owner takes a lease that it counts from this instant for lost.
    fn given_up(&self, worker: WorkerId, from: Instant) -> LocalInstant {
        let margin = self.scenario.duration(self.scenario.margin);
        let counted = self.lease().micros().saturating_sub(margin.micros());
        let clock = self.scenario.workers[worker.index()].clock;
        self.processes[worker.index()].monotonic(clock, worker, from) + Duration::from_micros(counted)
    }

    fn plan_local_deadline(&mut self, worker: WorkerId, grant: GrantId, term: Term, from: Instant) {
        let clock = self.scenario.workers[worker.index()].clock;
        let ends = self.given_up(worker, from);
        let at = self.processes[worker.index()].when(clock, ends);
        self.queue.push(at, What::PassLocalDeadline(grant, term));
    }

    pub(super) fn pass_local_deadline(&mut self, grant: GrantId, term: Term) -> Result<(), Limit> {
        while self.state.ended_locally(grant) <= term.0 && self.is_enabled(Event::PassLocalDeadline { grant }) {
            self.choose(Event::PassLocalDeadline { grant })?;
        }
        Ok(())
    }

    pub(super) fn pass_deadline(&mut self, grant: GrantId, term: Term) -> Result<(), Limit> {
        while self.state.ended_there(grant) <= term.0 && self.is_enabled(Event::PassDeadline { grant }) {
            self.choose(Event::PassDeadline { grant })?;
        }
        Ok(())
    }

    /// The lease's term is over by the lock service's clock. If something that should have come first by its own clock has
    /// not, that clock was off by more than what is allowed for.
    pub(super) fn expire(&mut self, grant: GrantId, term: Term) -> Result<(), Limit> {
        if self.state.live() != Some(grant) || self.state.term() != term {
            return Ok(());
        }
        let event = Event::Expire { grant };
        if !self.is_enabled(event) {
            self.choose_if_enabled(Event::SkewClock)?;
        }
        self.choose(event)?;
        self.call_standbys();
        Ok(())
    }

    /// A candidate that is refused sees the owner's record. It will take it for over if it sees the same one a lease later,
    /// by its own clock.
    pub(super) fn observe_record(&mut self, worker: WorkerId) {
        let Some(grant) = self.state.live().filter(|_| self.config.mechanism.candidates == Candidates::Watch) else {
            return;
        };
        let term = self.state.term();
        let until = self.local_end(worker, self.log.now);
        let process = self.process(worker);
        if process.seen.is_none_or(|(known, at, _)| (known, at) != (grant, term)) {
            process.seen = Some((grant, term, until));
        }
    }

    /// A candidate that watches the owner's record asks again, and looks at it: it takes the record for over that it has
    /// seen unchanged for a lease. Nothing wakes it in between.
    pub(super) fn judge_record(&mut self, worker: WorkerId) -> Result<(), Limit> {
        let clock = self.scenario.workers[worker.index()].clock;
        let process = &self.processes[worker.index()];
        match process.seen {
            Some((grant, term, until)) if process.when(clock, until) <= self.log.now => self.expire(grant, term),
            _ => Ok(()),
        }
    }

    // Renewals, and taking note that a lease is lost.

    fn renew_every(&self) -> Duration {
        match self.scenario.renew_every {
            Some(every) => self.scenario.duration(every),
            None => Duration::from_micros((self.lease().micros() / 3).max(1)),
        }
    }

    pub(super) fn renewal_sent(&mut self, worker: WorkerId, grant: GrantId, term: Term) {
        if self.config.mechanism.counted_from == CountedFrom::Request {
            self.plan_local_deadline(worker, grant, term, self.log.now);
        }
    }

    /// The owner hears that its lease runs on.
    pub(super) fn extended(&mut self, worker: WorkerId, claim: Claim, term: Term) {
        if self.config.mechanism.counted_from == CountedFrom::Reply {
            self.plan_local_deadline(worker, claim.grant, term, self.log.now);
        }
    }

    pub(super) fn renew(&mut self, worker: WorkerId, claim: Claim) -> Result<(), Limit> {
        let now = self.log.now;
        if self.state.worker(worker).believes() != Some(claim.grant) {
            return Ok(());
        }
        let own_thread = self.config.mechanism.renewal == Renewal::Thread;
        let process = &self.processes[worker.index()];
        let busy = match process.frozen_until {
            Some(until) => Some(until),
            None if own_thread => None,
            // Between its steps, the worker's thread has other things to do.
            None => process.stuck_until.or(process.step_at.filter(|at| process.computing && *at > now)),
        };
        if let Some(until) = busy {
            self.queue.push(until, What::Renew(worker, claim));
            return Ok(());
        }
        if self.state.has_lost(worker) {
            return Ok(());
        }
        if !self.is_enabled(Event::Renew { worker }) {
            return Err(Limit::Renewals);
        }
        self.queue.push(now + self.renew_every(), What::Renew(worker, claim));
        self.choose(Event::Renew { worker })
    }

    /// Lets a worker that can know that its lease is lost take note of it as soon as its process runs.
    pub(super) fn plan_notice(&mut self, worker: WorkerId) {
        if !self.is_enabled(Event::Notice { worker }) {
            return;
        }
        let grant = self.state.worker(worker).believes().expect("only a believer can lose its lease");
        let claim = self.state.claim(&self.config, grant);
        let now = self.log.now;
        let slow = self.config.mechanism.on_loss == OnLoss::Slow;
        let takes = if slow { self.scenario.duration(self.scenario.stop_after) } else { Duration::ZERO };
        let process = self.process(worker);
        if process.notices != Some(grant) {
            process.notices = Some(grant);
            let at = process.frozen_until.unwrap_or(now) + takes;
            self.queue.push(at, What::Notice(worker, claim));
        }
    }

    pub(super) fn notice(&mut self, worker: WorkerId, claim: Claim) -> Result<(), Limit> {
        if self.state.worker(worker).believes() != Some(claim.grant) {
            return Ok(());
        }
        if let Some(until) = self.process(worker).frozen_until {
            self.queue.push(until, What::Notice(worker, claim));
            return Ok(());
        }
        // A renewal that came through meanwhile makes it news of yesterday.
        self.process(worker).notices = None;
        self.choose_if_enabled(Event::Notice { worker })
    }
}

/// From when on the lock service counts the first term of a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// From its grant.
    Grant,
    /// From when the request was sent, for whose session it stands.
    Request,
    /// From when the request was sent and, if it had to wait for its turn, by that much later: the deadline is written anew.
    TurnOfRequest,
    /// From when its sender had come to asking, and by a wait as much later: the deadline is computed anew.
    TurnOfAsking,
}

impl Counted {
    pub(crate) fn by(mechanism: &Mechanism) -> Self {
        match mechanism.lease_by {
            _ if mechanism.candidates == Candidates::Session => Counted::Request,
            LeaseBy::BeforeCall => Counted::TurnOfAsking,
            LeaseBy::Written => Counted::TurnOfRequest,
            LeaseBy::Monotonic | LeaseBy::Wall => Counted::Grant,
        }
    }

    /// The instant, for what is asked so and granted now, after having waited for so long.
    pub(crate) fn since(self, asked: Asked, waited: Duration, now: Instant) -> Instant {
        match self {
            Counted::Grant => now,
            Counted::Request => asked.sent,
            Counted::TurnOfRequest => asked.sent + waited,
            Counted::TurnOfAsking => asked.arrived + waited,
        }
    }
}

/// When a lease that its owner has from `begins` on is over by the clock that it ends by, if none is set meanwhile.
pub(crate) fn ends(
    scenario: &Scenario,
    mechanism: &Mechanism,
    owner: WorkerId,
    begins: Instant,
    lease: Duration,
) -> Instant {
    match mechanism.lease_by {
        LeaseBy::Monotonic | LeaseBy::BeforeCall => begins + lease,
        LeaseBy::Wall => {
            let clock = scenario.lock_clock;
            clock.when(clock.read(owner, begins) + lease)
        }
        LeaseBy::Written => {
            let shows = scenario.workers[owner.index()].clock.read(owner, begins) + lease;
            first_to_read(scenario, owner, shows.micros(), |_| 0)
        }
    }
}

/// The owner has written what its own clock will show; the first of the others whose clock shows it takes over.
fn first_to_read(scenario: &Scenario, owner: WorkerId, written: i64, shift: impl Fn(WorkerId) -> i64) -> Instant {
    let reads = |worker: WorkerId| instant_at(scenario.workers[worker.index()].clock, written - shift(worker));
    let workers = (0..scenario.workers.len() as u8).map(WorkerId);
    workers.filter(|worker| *worker != owner).map(reads).min().unwrap_or_else(|| reads(owner))
}

/// When a clock shows this many microseconds; the beginning of the run if it showed them before.
fn instant_at(clock: crate::time::Clock, micros: i64) -> Instant {
    let zero = clock.read(WorkerId(0), Instant::START);
    let ahead = micros.saturating_sub(zero.micros()).max(0) as u64;
    clock.when(zero + Duration::from_micros(ahead))
}
