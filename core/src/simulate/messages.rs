//! Messages on their way, and those who wait for them.

use rand_core::Rng;

use super::Simulator;
use super::process::Asked;
use super::queue::What;
use crate::event::Event;
use crate::fact::Fact;
use crate::id::WorkerId;
use crate::mechanism::Sharing;
use crate::message::{Answer, Call, Message, Reply, Request, Sought};
use crate::run::Limit;
use crate::scenario::{CallKind, Fault, Leg, MessagePattern, Occasion, Partner};
use crate::time::Duration;

impl Simulator<'_> {
    pub(super) fn send(&mut self, message: Message) {
        let arrives = self.log.now + self.scenario.duration(self.scenario.latency) + self.extra;
        if self.is_cut(message) {
            return self.queue.push(arrives, What::Lose(message));
        }
        let sharing = self.scenario.sharing;
        let struck = self.strike(|fault| match fault {
            Fault::Lose(pattern)
            | Fault::Delay { message: pattern, .. }
            | Fault::Duplicate { message: pattern, .. } => pattern.means(message, sharing),
            _ => false,
        });
        match struck {
            Some(Fault::Lose(_)) => self.queue.push(arrives, What::Lose(message)),
            Some(Fault::Delay { by, .. }) => {
                self.queue.push(arrives + self.scenario.duration(by), What::Arrive(message));
            }
            Some(Fault::Duplicate { by, .. }) => {
                let by = self.scenario.duration(by);
                self.queue.push(self.log.now, What::Duplicate { message, by });
                self.queue.push(arrives, What::Arrive(message));
            }
            _ => self.queue.push(arrives, What::Arrive(message)),
        }
    }

    /// Whether the network between the two is cut now; the fault has struck, then.
    fn is_cut(&mut self, message: Message) -> bool {
        let Some(partner) = partner(message.request().call) else { return false };
        let now = self.log.now;
        for (index, fault) in self.scenario.faults.iter().enumerate() {
            if let Fault::Cut { worker, from, at, length } = *fault {
                let begins = crate::time::Instant::START + self.scenario.duration(at);
                let cut = begins <= now && now < begins + self.scenario.duration(length);
                if cut && (worker, from) == (message.request().worker, partner) {
                    self.struck[index] = true;
                    return true;
                }
            }
        }
        false
    }

    pub(super) fn arrive(&mut self, message: Message) -> Result<(), Limit> {
        if let Message::Reply(reply) = message {
            let process = self.process(reply.request.worker);
            if !process.runs() {
                process.unread.push(message);
                self.tell(Fact::Held { message });
                return Ok(());
            }
        }
        self.deliver(message)
    }

    pub(super) fn deliver(&mut self, message: Message) -> Result<(), Limit> {
        if let Message::Reply(Reply { request, answer: Answer::Taken }) = message {
            let jitter = self.draw_up_to(request.worker, self.scenario.duration(self.scenario.poll_jitter));
            let poll = self.scenario.duration(self.scenario.poll_every) + jitter;
            self.process(request.worker).asks_from = self.log.now + poll;
        }
        if let Message::Request(Request { worker, call: Call::Acquire { .. }, .. }) = message {
            self.judge_record(worker)?;
        }
        self.choose(Event::Deliver { message })
    }

    /// A time from nothing to `most`, all as likely, from the numbers of `worker`.
    fn draw_up_to(&mut self, worker: WorkerId, most: Duration) -> Duration {
        // The upper half of a product of a whole word: no remainder that would favour some, and no floating point.
        let drawn = u128::from(self.random[worker.index()].next_u64()) * (u128::from(most.micros()) + 1);
        Duration::from_micros((drawn >> u64::BITS) as u64)
    }

    /// A worker's patience runs on its own clock.
    pub(super) fn await_reply(&mut self, request: Request) {
        let worker = request.worker;
        let clock = self.scenario.workers[worker.index()].clock;
        let patience = self.scenario.duration(self.scenario.retry.after);
        let process = &self.processes[worker.index()];
        let at = process.when(clock, process.monotonic(clock, worker, self.log.now) + patience);
        self.set_timer(worker, at);
    }

    /// Its patience with the issuer's queue has no end. Once it is out of there, its patience with a reply begins.
    pub(super) fn wait_from_now(&mut self, worker: WorkerId) {
        let waits = self.state.awaited(&self.config, worker).filter(|request| request.call.is_acquire());
        if let Some(request) = waits {
            self.await_reply(request);
        }
    }

    /// Sets the one timer that a worker has, in place of an earlier one.
    pub(super) fn set_timer(&mut self, worker: WorkerId, at: crate::time::Instant) {
        self.process(worker).timer_at = Some(at);
        self.queue.push(at, What::TimeOut(worker));
    }

    pub(super) fn time_out(&mut self, worker: WorkerId) -> Result<(), Limit> {
        let now = self.log.now;
        if self.process(worker).timer_at != Some(now) {
            return Ok(());
        }
        if let Some(until) = self.process(worker).frozen_until {
            self.set_timer(worker, until);
            return Ok(());
        }
        // Not enabled if the reply has come, or while the worker waits in the issuer's queue.
        self.choose_if_enabled(Event::TimeOut { worker })
    }

    /// Notes when a request was sent from which a lease will be counted.
    pub(super) fn note_request(&mut self, message: Message) {
        let now = self.log.now;
        match message {
            Message::Request(Request { worker, attempt, call: Call::Acquire { .. } }) => {
                let process = self.process(worker);
                let asked = Asked { arrived: process.arrived_at, sent: now };
                process.asked.truncate(attempt.index());
                process.asked.push(asked);
            }
            Message::Request(Request { worker, call: Call::Renew { grant, term }, .. }) => {
                self.renewal_sent(worker, grant, term);
            }
            // The answer says for how long the request stood in the queue: with that, the worker can count from its own
            // request and never takes the lease for longer than it is. A repeated answer is about the first grant.
            Message::Reply(Reply { request, answer: Answer::Granted { grant } }) => {
                let process = self.process(request.worker);
                let waited = process.queued_at.take().map_or(crate::time::Duration::ZERO, |queued| now.since(queued));
                // A worker that has crashed since no longer knows when it asked, and will not hear of this.
                if let Some(asked) = process.asked.get(request.attempt.index()) {
                    let from = asked.sent + waited;
                    self.granted_from(request.worker, grant, from);
                }
            }
            Message::Request(_) | Message::Reply(_) => {}
        }
    }

    /// When the worker asked for the lock that it is granted now, and when it had come to that.
    pub(super) fn asked(&self, worker: WorkerId) -> Option<Asked> {
        self.processes[worker.index()].asked.last().copied()
    }
}

/// To whom a request goes, where the way there can be cut.
fn partner(call: Call) -> Option<Partner> {
    match call {
        Call::Mint { .. } | Call::Acquire { .. } | Call::Renew { .. } | Call::Release { .. } => {
            Some(Partner::LockService)
        }
        Call::Register { .. } | Call::Write { .. } | Call::LookUp { of: Sought::Write, .. } => {
            Some(Partner::Destination)
        }
        Call::LookUp { of: Sought::Effect | Sought::EffectAtLast, .. } | Call::Effect { .. } => None,
    }
}

impl MessagePattern {
    /// What names `message`, but for which of several it is.
    pub(crate) fn of(message: Message, sharing: Sharing) -> Self {
        let Request { worker, attempt, call } = message.request();
        let leg = match message {
            Message::Request(_) => Leg::Request,
            Message::Reply(_) => Leg::Reply,
        };
        let number = |operation| sharing.index(operation) + 1;
        let (call, operation) = match call {
            Call::Mint { .. } => (CallKind::Mint, 1),
            Call::Acquire { .. } => (CallKind::Acquire, 1),
            Call::Renew { .. } => (CallKind::Renew, 1),
            Call::Register { .. } => (CallKind::Register, 1),
            Call::Write { operation, .. } => (CallKind::Write, number(operation)),
            Call::LookUp { operation, of: Sought::Write, .. } => (CallKind::LookUp, number(operation)),
            Call::LookUp { operation, of: Sought::Effect | Sought::EffectAtLast, .. } => {
                (CallKind::EffectLookUp, number(operation))
            }
            Call::Effect { operation, .. } => (CallKind::Effect, number(operation)),
            Call::Release { .. } => (CallKind::Release, 1),
        };
        Self { worker, call, leg, occasion: Occasion { operation, attempt: attempt.0, ..Occasion::FIRST } }
    }

    /// Whether `message` is one of those that it names.
    pub(crate) fn means(&self, message: Message, sharing: Sharing) -> bool {
        let grant = message.request().call.grant();
        let named = Self::of(message, sharing);
        let Occasion { operation, attempt, grant: under, .. } = self.occasion;
        (self.worker, self.call, self.leg) == (named.worker, named.call, named.leg)
            && (operation, attempt) == (named.occasion.operation, named.occasion.attempt)
            && (under.is_none() || under == grant)
    }
}
