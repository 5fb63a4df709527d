//! What goes wrong.

use super::Simulator;
use super::process::Place;
use super::queue::What;
use crate::destination::Stage;
use crate::event::{Event, Process};
use crate::fact::Fact;
use crate::id::{GrantId, WorkerId};
use crate::mechanism::{LeaseBy, Storage};
use crate::message::{Call, Request};
use crate::program::Point;
use crate::run::Limit;
use crate::scenario::{ClockOf, DestinationWhen, Fault, Occasion, Pause, Side, When, WriteStep};
use crate::time::{Duration, Instant};

impl Simulator<'_> {
    /// A fault that names a time strikes, if there is anything for it to strike.
    pub(super) fn fault(&mut self, index: usize) -> Result<(), Limit> {
        let scenario = self.scenario;
        let struck = match scenario.faults[index] {
            Fault::Pause { kind, worker, length, .. } => {
                self.pause(kind, worker, scenario.duration(length))?;
                true
            }
            Fault::Crash { worker, down, .. } => self.crash_worker(worker, scenario.duration(down))?,
            Fault::CrashLockService { .. } => self.strikes(Event::Crash { process: Process::LockService })?,
            Fault::CrashDestination { .. } => self.strikes(Event::Crash { process: Process::Destination })?,
            Fault::SetClock { of, by, back, .. } => self.set_clock(of, scenario.duration(by), back)?,
            Fault::Forget { grant, .. } => {
                // With its counter set beyond all numbers, it is all one which backup this is.
                let bump = self.config.mechanism.storage == Storage::RestoredWithBump;
                self.strikes(Event::Restore { grant: if bump { GrantId(0) } else { grant } })?
            }
            Fault::Prune { worker, operation, .. } => {
                // Whichever of the worker's grants had the operation carried out.
                let operations = (0..self.state.grants())
                    .map(GrantId)
                    .filter(|grant| self.state.owner(*grant) == worker)
                    .map(|grant| scenario.sharing.operation(grant, operation - 1));
                let prunes = operations.map(|operation| Event::Prune { operation });
                match prunes.collect::<Vec<_>>().into_iter().find(|event| self.is_enabled(*event)) {
                    Some(event) => self.strikes(event)?,
                    None => false,
                }
            }
            Fault::HoldWrite { .. }
            | Fault::Lose(_)
            | Fault::Delay { .. }
            | Fault::DelayReplication { .. }
            | Fault::Duplicate { .. }
            | Fault::Cut { .. } => unreachable!("only faults that name a time are due at one"),
        };
        self.struck[index] = struck;
        Ok(())
    }

    fn strikes(&mut self, event: Event) -> Result<bool, Limit> {
        let enabled = self.is_enabled(event);
        self.choose_if_enabled(event)?;
        Ok(enabled)
    }

    /// Lets befall `worker` what the scenario has befall it at this point; true if it cannot go on now.
    pub(super) fn befalls(&mut self, on: Side, at: Point, worker: WorkerId, place: Place) -> Result<bool, Limit> {
        let struck = self.strike(|fault| match *fault {
            Fault::Pause { worker: whose, from: When::Point { side, point, occasion }, .. }
            | Fault::Crash { worker: whose, from: When::Point { side, point, occasion }, .. } => {
                whose == worker && (side, point) == (on, at) && occasion.is(place)
            }
            _ => false,
        });
        match struck {
            Some(Fault::Pause { kind, length, .. }) => {
                self.pause(kind, worker, self.scenario.duration(length))?;
                Ok(true)
            }
            Some(Fault::Crash { down, .. }) => self.crash_worker(worker, self.scenario.duration(down)),
            _ => Ok(false),
        }
    }

    /// Lets befall the destination what the scenario has befall it before this step; true if it cannot go on now.
    pub(super) fn befalls_destination(&mut self, request: Request, stage: Stage) -> Result<bool, Limit> {
        let Call::Write { grant, operation, .. } = request.call else { return Ok(false) };
        let operation = self.scenario.sharing.index(operation) + 1;
        let place = Place { operation, attempt: request.attempt.0, grant: Some(grant) };
        let means = |step: &WriteStep| (step.stage, step.worker) == (stage, request.worker) && step.occasion.is(place);
        let struck = self.strike(|fault| match fault {
            Fault::HoldWrite { step, .. } | Fault::CrashDestination { from: DestinationWhen::Step(step) } => {
                means(step)
            }
            _ => false,
        });
        match struck {
            Some(Fault::HoldWrite { length, .. }) => {
                let until = self.log.now + self.scenario.duration(length);
                self.queue.push(until, What::Proceed(request, stage));
                Ok(true)
            }
            Some(Fault::CrashDestination { .. }) => self.strikes(Event::Crash { process: Process::Destination }),
            _ => Ok(false),
        }
    }

    fn crash_worker(&mut self, worker: WorkerId, down: Duration) -> Result<bool, Limit> {
        let event = Event::Crash { process: Process::Worker { worker } };
        if !self.is_enabled(event) {
            return Ok(false);
        }
        // Planned for a later time on purpose: what it was about to do is gone.
        let unread = std::mem::take(&mut self.process(worker).unread);
        self.process(worker).restart();
        let again = self.log.now + down;
        self.set_step(worker, again);
        self.choose(event)?;
        for message in unread {
            self.choose(Event::Deliver { message })?;
        }
        Ok(true)
    }

    /// A wall clock is set. Only what goes by it can tell.
    fn set_clock(&mut self, of: ClockOf, by: Duration, back: bool) -> Result<bool, Limit> {
        let shift = if back { -(by.micros() as i64) } else { by.micros() as i64 };
        let by_wall = self.config.mechanism.lease_by;
        match of {
            ClockOf::Worker(worker) => {
                self.process(worker).shift += shift;
                if by_wall == LeaseBy::Written {
                    self.read_anew();
                }
            }
            ClockOf::LockService => {
                if by_wall == LeaseBy::Wall {
                    self.queue.postpone(|what| matches!(what, What::Expire(..)), |at| moved(at, -shift));
                }
            }
            ClockOf::Destination => {
                self.destination_shift += shift;
                self.queue.postpone(|what| matches!(what, What::PassDeadline(..)), |at| moved(at, -shift));
            }
        }
        // The transition system is told at once only where tokens are times; otherwise when something comes out of order.
        if of == ClockOf::LockService && back && self.config.mechanism.token == crate::mechanism::TokenKind::Timestamp {
            self.choose_if_enabled(Event::SkewClock)?;
        }
        Ok(true)
    }

    // Pauses.

    fn pause(&mut self, kind: Pause, worker: WorkerId, length: Duration) -> Result<(), Limit> {
        match kind {
            Pause::Freeze => self.freeze(worker, length),
            Pause::Suspend => {
                self.process(worker).suspended = true;
                self.freeze(worker, length);
                self.sleep(worker, length);
                self.choose_if_enabled(Event::Suspend { worker })?;
            }
            Pause::Stick => self.stick(worker, length),
        }
        Ok(())
    }

    /// The process takes no step, whichever way it is kept from it.
    fn freeze(&mut self, worker: WorkerId, length: Duration) {
        let now = self.log.now;
        let process = self.process(worker);
        let runs_again = process.frozen_until.unwrap_or(now);
        let until = runs_again.max(now + length);
        process.frozen_until = Some(until);
        let computing = process.computing;
        if let Some(at) = process.step_at {
            // Computing is work that is still to be done; anything else waits only for the process to run.
            let at = if computing { at + until.since(runs_again) } else { at.max(until) };
            self.set_step(worker, at);
        }
        self.queue.push(until, What::Thaw(worker));
        let suspended = self.process(worker).suspended;
        self.tell(if suspended { Fact::Suspended { worker, length } } else { Fact::Froze { worker, length } });
    }

    /// The machine is suspended: what goes by its monotonic clock comes later by that time.
    fn sleep(&mut self, worker: WorkerId, length: Duration) {
        let process = self.process(worker);
        process.slept = process.slept + length;
        let timer = process.timer_at;
        if let Some(at) = timer {
            self.set_timer(worker, at + length);
        }
        let whose = |grant| self.state.owner(grant) == worker;
        self.queue.postpone(|what| matches!(what, What::PassLocalDeadline(grant, _) if whose(grant)), |at| at + length);
    }

    /// The thread that does the work is stuck.
    fn stick(&mut self, worker: WorkerId, length: Duration) {
        let now = self.log.now;
        let process = self.process(worker);
        let goes_on = process.stuck_until.unwrap_or(now);
        let until = goes_on.max(now + length);
        process.stuck_until = Some(until);
        let computing = process.computing;
        if let Some(at) = process.step_at {
            let at = if computing { at + until.since(goes_on) } else { at.max(until) };
            self.set_step(worker, at);
        }
        self.tell(Fact::Stuck { worker, length });
        self.queue.push(until, What::Thaw(worker));
    }

    pub(super) fn thaw(&mut self, worker: WorkerId) -> Result<(), Limit> {
        let now = self.log.now;
        if self.process(worker).stuck_until == Some(now) {
            self.process(worker).stuck_until = None;
            self.tell(Fact::Unstuck { worker });
        }
        if self.process(worker).frozen_until != Some(now) {
            return Ok(());
        }
        let process = self.process(worker);
        process.frozen_until = None;
        let slept = std::mem::take(&mut process.suspended);
        self.tell(if slept { Fact::Resumed { worker } } else { Fact::Thawed { worker } });
        for message in std::mem::take(&mut self.process(worker).unread) {
            self.deliver(message)?;
        }
        Ok(())
    }

    /// The first fault that answers to `matches` for the time it names, and has not struck yet; from now on it has.
    pub(super) fn strike(&mut self, matches: impl Fn(&Fault) -> bool) -> Option<Fault> {
        let mut struck = None;
        for (index, fault) in self.scenario.faults.iter().enumerate() {
            if self.struck[index] || !matches(fault) {
                continue;
            }
            self.met[index] = self.met[index].saturating_add(1);
            if struck.is_none() && self.met[index] >= fault.occurrence() {
                self.struck[index] = true;
                struck = Some(*fault);
            }
        }
        struck
    }
}

/// `at`, later or earlier by this many microseconds.
fn moved(at: Instant, micros: i64) -> Instant {
    Instant::from_micros(at.micros().saturating_add_signed(micros))
}

impl Occasion {
    fn is(&self, place: Place) -> bool {
        (self.operation, self.attempt) == (place.operation, place.attempt)
            && (self.grant.is_none() || self.grant == place.grant)
    }
}

impl Fault {
    /// Which time that what it names comes it strikes.
    fn occurrence(&self) -> u8 {
        match self {
            Fault::Pause { from: When::Point { occasion, .. }, .. }
            | Fault::Crash { from: When::Point { occasion, .. }, .. }
            | Fault::CrashDestination { from: DestinationWhen::Step(WriteStep { occasion, .. }) }
            | Fault::HoldWrite { step: WriteStep { occasion, .. }, .. } => occasion.occurrence,
            Fault::Lose(message) | Fault::Delay { message, .. } | Fault::Duplicate { message, .. } => {
                message.occasion.occurrence
            }
            Fault::DelayReplication { occurrence, .. } => *occurrence,
            Fault::Pause { from: When::Time(_), .. }
            | Fault::Crash { from: When::Time(_), .. }
            | Fault::CrashDestination { from: DestinationWhen::Time(_) }
            | Fault::CrashLockService { .. }
            | Fault::Cut { .. }
            | Fault::SetClock { .. }
            | Fault::Forget { .. }
            | Fault::Prune { .. } => 1,
        }
    }
}
