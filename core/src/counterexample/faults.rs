//! What has to go wrong for a path to come about at its times.

use super::history::{Flight, History, Replication, Turn, Waiting};
use super::schedule::Schedule;
use crate::event::{Event, Process};
use crate::id::WorkerId;
use crate::message::Message;
use crate::scenario::{
    ClockOf, DestinationWhen, Fault, MessagePattern, Occasion, Pause, Quantity, Scenario, Side, Start, When, WriteStep,
};
use crate::time::{Clock, Duration, Instant};

/// Added to what has to last beyond the end of the path.
const BEYOND: Duration = Duration::from_secs(60);
/// How slow a clock is that is off beyond all margins, in parts per million.
const TOO_SLOW: i32 = -500_000;

/// `scenario`, with what has to go wrong.
pub(super) fn with_faults(scenario: &Scenario, history: &History, schedule: &Schedule<'_>) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.lease = Quantity::Fixed(schedule.lease);
    if let Some(every) = schedule.renew_every {
        scenario.renew_every = Some(Quantity::Fixed(every));
    }
    scenario.relay_after = Quantity::Fixed(schedule.relay_after);
    let mut maker = Maker { history, schedule, scenario };
    maker.clocks();
    for (index, &event) in history.path.iter().enumerate() {
        maker.event(index, event);
    }
    for turn in &history.turns {
        maker.turn(turn);
    }
    for wait in &history.waits {
        maker.wait(wait);
    }
    for flight in &history.flights {
        maker.flight(flight);
    }
    for change in &history.replications {
        maker.replication(change);
    }
    maker.writes();
    maker.scenario
}

struct Maker<'a> {
    history: &'a History,
    schedule: &'a Schedule<'a>,
    scenario: Scenario,
}

impl Maker<'_> {
    fn at(&self, index: usize) -> Instant {
        self.schedule.at[index]
    }

    fn end(&self) -> Instant {
        self.schedule.at.last().copied().unwrap_or_default() + BEYOND
    }

    fn until(&self, index: Option<usize>) -> Instant {
        index.map_or(self.end(), |index| self.at(index))
    }

    fn fixed(&self, at: Instant) -> Quantity {
        Quantity::Fixed(at.since(Instant::START))
    }

    fn fault(&mut self, fault: Fault) {
        self.scenario.faults.push(fault);
    }

    /// Clocks that are off, where the path needs them.
    fn clocks(&mut self) {
        if self.schedule.destination_ahead > Duration::ZERO {
            let offset = self.schedule.destination_ahead.micros() as i64;
            self.scenario.destination_clock = Clock { offset, ..Clock::TRUE };
        }
        for (index, _) in self.history.path.iter().enumerate().filter(|(_, event)| **event == Event::SkewClock) {
            if let Some(grant) = self.history.states[index].live() {
                let owner = self.history.states[index].owner(grant);
                self.scenario.workers[owner.index()].clock.rate_ppm = TOO_SLOW;
                let beyond = self.end().since(Instant::START).micros() as i64;
                self.scenario.destination_clock = Clock { offset: -beyond, ..Clock::TRUE };
            }
            if self.history.config.mechanism.token == crate::mechanism::TokenKind::Timestamp {
                let at = self.fixed(self.at(index));
                let by = Quantity::Fixed(Duration::from_secs(3_600));
                self.fault(Fault::SetClock { of: ClockOf::LockService, by, back: true, at });
            }
        }
    }

    /// What strikes at a time.
    fn event(&mut self, index: usize, event: Event) {
        let at = self.fixed(self.at(index));
        match event {
            Event::Crash { process: Process::Worker { worker } } => {
                let again = self.history.turns.iter().find(|turn| turn.worker == worker && turn.from == Some(index));
                let until = self.until(again.and_then(|turn| turn.to));
                let down = Quantity::Fixed(until.since(self.at(index)));
                self.fault(Fault::Crash { worker, down, from: When::Time(at) });
            }
            Event::Crash { process: Process::LockService } => self.fault(Fault::CrashLockService { at }),
            Event::Crash { process: Process::Destination } => {
                self.fault(Fault::CrashDestination { from: DestinationWhen::Time(at) });
            }
            Event::Restore { grant } => self.fault(Fault::Forget { grant, at }),
            Event::Suspend { worker } => {
                let next = self.next_of(worker, index);
                let length = Quantity::Fixed(self.until(next).since(self.at(index)));
                self.fault(Fault::Pause { kind: Pause::Suspend, worker, length, from: When::Time(at) });
            }
            Event::Prune { operation } => {
                let grants = (0..self.history.states[index].grants()).map(crate::id::GrantId);
                let sharing = self.history.config.sharing;
                for grant in grants {
                    let number = sharing.index(operation);
                    if sharing.operation(grant, number) == operation {
                        let worker = self.history.states[index].owner(grant);
                        return self.fault(Fault::Prune { worker, operation: number + 1, at });
                    }
                }
            }
            Event::Merge { .. }
            | Event::Step { .. }
            | Event::Deliver { .. }
            | Event::Lose { .. }
            | Event::Duplicate { .. }
            | Event::TimeOut { .. }
            | Event::Expire { .. }
            | Event::Renew { .. }
            | Event::PassLocalDeadline { .. }
            | Event::PassDeadline { .. }
            | Event::Notice { .. }
            | Event::SkewClock
            | Event::CatchUp
            | Event::Proceed { .. }
            | Event::Relay { .. } => {}
        }
    }

    /// The next choice after `index` that is for `worker` to make, or that reaches it.
    fn next_of(&self, worker: WorkerId, index: usize) -> Option<usize> {
        let after = &self.history.path[index + 1..];
        after.iter().position(|event| concerns(*event, worker)).map(|place| index + 1 + place)
    }

    fn is_suspended(&self, worker: WorkerId, at: Instant) -> bool {
        self.history.path.iter().enumerate().any(|(index, event)| {
            *event == (Event::Suspend { worker })
                && self.at(index) <= at
                && at < self.until(self.next_of(worker, index))
        })
    }

    /// A step that is taken later than it could be.
    fn turn(&mut self, turn: &Turn) {
        let worker = turn.worker;
        let Some(from) = turn.from else {
            let at = self.fixed(self.until(turn.to));
            self.scenario.workers[worker.index()].start = Start::At(at);
            return;
        };
        if matches!(self.history.path[from], Event::Crash { process: Process::Worker { worker: crashed } } if crashed == worker)
        {
            return;
        }
        let ready = self.at(from) + self.schedule.before(turn);
        let until = self.until(turn.to);
        if until <= ready || self.is_suspended(worker, ready) {
            return;
        }
        let kind = if turn.hears || self.is_woken(worker, turn) { Pause::Stick } else { Pause::Freeze };
        let from = When::Point { side: Side::Before, point: turn.point, occasion: turn.place };
        let length = Quantity::Fixed(until.since(ready));
        self.fault(Fault::Pause { kind, worker, length, from });
    }

    /// Whether something else of the worker's process goes on during a turn.
    fn is_woken(&self, worker: WorkerId, turn: &Turn) -> bool {
        let first = turn.from.map_or(0, |from| from + 1);
        let last = turn.to.unwrap_or(self.history.path.len());
        self.history.path[first..last]
            .iter()
            .any(|event| *event == (Event::Renew { worker }) || *event == (Event::Notice { worker }))
    }

    /// A wait that lasts longer than the worker's patience.
    fn wait(&mut self, wait: &Waiting) {
        let worker = wait.request.worker;
        let sent = self.at(wait.from);
        let until = self.until(wait.to);
        let patience = self.scenario.duration(self.scenario.retry.after);
        let clock = self.scenario.workers[worker.index()].clock;
        let patience = clock.when(clock.read(worker, sent) + patience).since(sent);
        let outlasts = if wait.timed_out { until > sent + patience } else { until >= sent + patience };
        let outlasts = outlasts || self.is_unaware(wait);
        if wait.patient || !outlasts || self.is_suspended(worker, sent + patience) {
            return;
        }
        let from = When::Point { side: Side::After, point: wait.point, occasion: wait.place };
        let length = Quantity::Fixed(until.since(sent));
        self.fault(Fault::Pause { kind: Pause::Freeze, worker, length, from });
    }

    /// Whether the worker could know meanwhile that its lease is lost, and takes no note of it at once.
    fn is_unaware(&self, wait: &Waiting) -> bool {
        let event = Event::Notice { worker: wait.request.worker };
        let last = wait.to.map_or(self.history.path.len(), |to| to);
        (wait.from + 1..=last).any(|index| {
            self.history.states[index].is_enabled(&self.history.config, event)
                && self.history.path.get(index) != Some(&event)
        })
    }

    /// A message that is lost, late, or carried twice.
    fn flight(&mut self, flight: &Flight) {
        let latency = self.scenario.duration(self.scenario.latency);
        let arrives = self.at(flight.sent) + latency;
        let message = self.pattern(flight);
        if flight.copy {
            return;
        }
        let copy = self.history.flights.iter().find(|other| other.copy && other.message == flight.message);
        if flight.lost {
            return self.fault(Fault::Lose(message));
        }
        let until = self.until(flight.ended);
        let late = until.since(arrives);
        if let Some(copy) = copy {
            let by = Quantity::Fixed(self.until(copy.ended).since(arrives));
            return self.fault(Fault::Duplicate { message, by });
        }
        let read_late = match flight.message {
            Message::Reply(reply) => self.is_held(reply.request.worker, arrives, until),
            Message::Request(_) => false,
        };
        if late > Duration::ZERO && !read_late {
            self.fault(Fault::Delay { message, by: Quantity::Fixed(late) });
        }
    }

    /// Whether a worker's process stands still from `arrives` to `until` by itself.
    fn is_held(&self, worker: WorkerId, arrives: Instant, until: Instant) -> bool {
        let frozen = self.history.waits.iter().any(|wait| {
            let patience = self.scenario.duration(self.scenario.retry.after);
            let sent = self.at(wait.from);
            wait.request.worker == worker
                && !wait.patient
                && !wait.timed_out
                && sent <= arrives
                && self.until(wait.to) == until
                && until >= sent + patience
        });
        frozen || self.is_suspended(worker, arrives) && self.is_woken_at(worker, until)
    }

    /// A change that a replica hears of later than by itself.
    fn replication(&mut self, change: &Replication) {
        let due = self.at(change.from) + self.scenario.duration(self.scenario.replicate_after);
        let heard = self.heard(change, due);
        if heard > due {
            let Replication { to, occurrence, .. } = *change;
            self.fault(Fault::DelayReplication { to, occurrence, by: Quantity::Fixed(heard.since(due)) });
        }
    }

    /// When a replica has to hear of `change`, which would be `due`: not in a moment when the path has it stay behind.
    fn heard(&self, change: &Replication, due: Instant) -> Instant {
        let history = self.history;
        let event = change.to.brought_up();
        let catches_up = |from: usize| (from..history.path.len()).find(|&index| history.path[index] == event);
        // The first change that it has not heard of is what it is brought up to date by.
        if let Some(index) = catches_up(change.from)
            && history.news(index).is_some_and(|first| first.from == change.from)
        {
            return self.at(index);
        }
        let made = (0..history.path.len()).filter(|&index| self.at(index) <= due).count();
        let last = made - 1;
        let is_over = made == history.path.len() && self.at(last) < due;
        let changes_nothing = self.at(last) < due && !history.states[made].is_enabled(&history.config, event);
        let comes_with_it = self.at(last) == due && history.path[last] == event;
        if is_over || changes_nothing || comes_with_it {
            return due;
        }
        catches_up(made).map_or(self.end(), |index| self.at(index))
    }

    fn is_woken_at(&self, worker: WorkerId, at: Instant) -> bool {
        self.history.path.iter().enumerate().any(|(index, event)| {
            *event == (Event::Suspend { worker }) && self.until(self.next_of(worker, index)) == at
        })
    }

    fn pattern(&self, flight: &Flight) -> MessagePattern {
        let mut pattern = MessagePattern::of(flight.message, self.history.config.sharing);
        pattern.occasion.grant = flight.message.request().call.grant();
        pattern.occasion.occurrence = flight.occurrence;
        pattern
    }

    /// Steps of writes that the destination takes later than it could.
    fn writes(&mut self) {
        let history = self.history;
        let mut proceeded: Vec<(crate::destination::Pending, usize, Option<usize>)> = Vec::new();
        for (index, event) in history.path.iter().enumerate() {
            if let Event::Proceed { place } = *event {
                let pending = history.states[index].pending().nth(usize::from(place));
                let pending = pending.expect("only a write under way proceeds");
                proceeded.push((pending, history.came_to(pending, index), Some(index)));
            }
        }
        let last = history.path.len();
        for pending in history.states[last].pending() {
            proceeded.push((pending, history.came_to(pending, last), None));
        }
        for (number, &(pending, from, to)) in proceeded.iter().enumerate() {
            let before = proceeded[..number].iter().filter(|(earlier, ..)| *earlier == pending).count() as u8;
            let length = self.until(to).since(self.at(from));
            if length > Duration::ZERO {
                let crate::message::Call::Write { grant, operation, .. } = pending.request.call else { continue };
                let occasion = Occasion {
                    operation: history.config.sharing.index(operation) + 1,
                    attempt: pending.request.attempt.0,
                    grant: Some(grant),
                    occurrence: before + 1,
                };
                let step = WriteStep { stage: pending.stage, worker: pending.request.worker, occasion };
                self.fault(Fault::HoldWrite { length: Quantity::Fixed(length), step });
            }
        }
    }
}

/// Whether a choice is for `worker` to make, or reaches it.
fn concerns(event: Event, worker: WorkerId) -> bool {
    match event {
        Event::Step { worker: who }
        | Event::TimeOut { worker: who }
        | Event::Renew { worker: who }
        | Event::Notice { worker: who } => who == worker,
        Event::Deliver { message: Message::Reply(reply) } => reply.request.worker == worker,
        _ => false,
    }
}
