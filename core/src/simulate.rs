//! The timed driver: the only one that knows of time.
//!
//! It keeps a queue of what is due, and at each due time makes a choice that the transition system has enabled: so every
//! run is a path of a search over the same system. Ties go by class (a lease ends before anything arrives, what
//! has arrived is read before a process goes on), and within a class by who was first in line.

use crate::command::Command;
use crate::event::Event;
use crate::fact::Fact;
use crate::id::{GrantId, MAX_ATTEMPTS, MAX_GRANTS, MAX_WORKERS, OperationId, WorkerId};
use crate::invariant::Evidence;
use crate::mechanism::{Mechanism, Sharing};
use crate::message::{Answer, Call, Message, Reply, Request};
use crate::observation::Watch;
use crate::program::Point;
use crate::run::{Choice, Entry, Limit, Run, Sighting, Violation};
use crate::scenario::{CallKind, Fault, FreezeAt, Leg, MessagePattern, Row, Scenario, Side, Start};
use crate::system::{Config, Driver, State};
use crate::time::{Duration, Instant};

/// Most choices in one run: far more than the limits of the state allow for, so that a run that does not end is our bug
/// and not a page that stands still.
pub const MAX_CHOICES: usize = 10_000;

/// Runs `row` of `scenario`.
pub fn simulate(scenario: &Scenario, row: &Row) -> Run {
    let mut simulator = Simulator::new(scenario, &row.mechanism);
    let stopped_at = simulator.run().err();
    let Simulator { log, choices, struck, .. } = simulator;
    Run {
        name: row.name.clone(),
        mechanism: row.mechanism,
        facts: log.facts,
        choices,
        violations: log.violations,
        sightings: log.sightings,
        struck,
        stopped_at,
    }
}

/// The rules and bounds under which a scenario's own schedule runs.
pub fn config(scenario: &Scenario, mechanism: &Mechanism) -> Config {
    let mut operations = [1; MAX_WORKERS];
    for (index, worker) in scenario.workers.iter().enumerate() {
        operations[index] = worker.operations;
    }
    Config {
        workers: scenario.workers.len() as u8,
        operations,
        grants: MAX_GRANTS as u8,
        losses: scenario.faults.iter().filter(|fault| matches!(fault, Fault::Lose(_))).count() as u8,
        attempts: scenario.retry.attempts,
        retries: u8::MAX,
        first_epoch: scenario.first_epoch,
        sharing: scenario.sharing,
        mechanism: *mechanism,
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

impl Due {
    /// The least of all is what comes next.
    fn turn(&self) -> (Instant, Class, u32) {
        (self.at, self.class, self.number)
    }
}

/// What goes first among things due at the same instant. A deadline is over at its very instant, so that "admitted" means
/// "before it"; a process reads what has arrived before it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Expiry,
    Freeze,
    Thaw,
    Arrival,
    TimeOut,
    Step,
}

#[derive(Debug, Clone, Copy)]
enum What {
    Expire(GrantId),
    Freeze { worker: WorkerId, length: Duration },
    Thaw(WorkerId),
    Arrive(Message),
    Lose(Message),
    TimeOut(WorkerId),
    Compute(WorkerId),
    Step(WorkerId),
}

/// What has been written down so far.
#[derive(Default)]
struct Log {
    now: Instant,
    facts: Vec<Entry>,
    violations: Vec<Violation>,
    sightings: Vec<Sighting>,
    watch: Watch,
    commands: Vec<Command>,
}

impl Driver for Log {
    fn fact(&mut self, fact: Fact) {
        if let Some(situation) = self.watch.observe(&fact) {
            self.sightings.push(Sighting { fact: self.facts.len(), situation });
        }
        self.facts.push(Entry { at: self.now, fact });
    }

    fn violation(&mut self, evidence: Evidence) {
        self.violations.push(Violation { fact: self.facts.len() - 1, evidence });
    }

    fn command(&mut self, command: Command) {
        self.commands.push(command);
    }
}

/// What the simulator knows of a worker's process beyond the worker's own state.
#[derive(Default)]
struct Process {
    /// Until when it is frozen.
    frozen_until: Option<Instant>,
    /// When it takes its next step; none while it waits, is gone, or has not been started.
    step_at: Option<Instant>,
    /// Whether it has begun to ask for the lock.
    started: bool,
    /// Whether it has read, and is about to compute.
    computes_next: bool,
    /// Whether it computes until its next step.
    computing: bool,
    /// When its wait for a reply is over.
    timer_at: Option<Instant>,
    /// What arrived while it was frozen.
    unread: Vec<Message>,
    /// When it sent each attempt at a request for the lock.
    asked_at: [Instant; MAX_ATTEMPTS as usize],
    /// Since when its request stands in the issuer's queue.
    queued_at: Option<Instant>,
    /// From when on it counts the lease of each of its grants.
    leases: [Option<Instant>; MAX_GRANTS],
}

struct Simulator<'s> {
    scenario: &'s Scenario,
    config: Config,
    state: State,
    /// What is due, in no order: there are never more than a few.
    queue: Vec<Due>,
    next_number: u32,
    processes: Vec<Process>,
    /// Faults that have struck already, by index.
    struck: Vec<bool>,
    choices: Vec<Choice>,
    log: Log,
}

impl<'s> Simulator<'s> {
    fn new(scenario: &'s Scenario, mechanism: &Mechanism) -> Self {
        let config = config(scenario, mechanism);
        let mut simulator = Self {
            scenario,
            config,
            state: State::new(&config),
            queue: Vec::new(),
            next_number: 0,
            processes: scenario.workers.iter().map(|_| Process::default()).collect(),
            struck: vec![false; scenario.faults.len()],
            choices: Vec::new(),
            log: Log::default(),
        };
        for (worker, spec) in config.worker_ids().zip(&scenario.workers) {
            if let Start::At(start) = spec.start {
                simulator.start(worker, Instant::START + scenario.duration(start));
            }
        }
        for (index, fault) in scenario.faults.iter().enumerate() {
            if let Fault::Freeze { worker, length, from: FreezeAt::Time(at) } = *fault {
                simulator.struck[index] = true;
                let length = scenario.duration(length);
                let at = Instant::START + scenario.duration(at);
                simulator.due(at, Class::Freeze, What::Freeze { worker, length });
            }
        }
        simulator
    }

    fn run(&mut self) -> Result<(), Limit> {
        while let Some(next) = (0..self.queue.len()).min_by_key(|&index| self.queue[index].turn()) {
            let due = self.queue.swap_remove(next);
            self.log.now = due.at;
            self.act(due.what)?;
        }
        Ok(())
    }

    fn act(&mut self, what: What) -> Result<(), Limit> {
        match what {
            What::Expire(grant) => {
                let event = Event::Expire { grant };
                if self.state.is_enabled(&self.config, event) {
                    self.choose(event)?;
                    self.call_standbys();
                }
            }
            What::Freeze { worker, length } => self.freeze(worker, length),
            What::Thaw(worker) => self.thaw(worker)?,
            What::Arrive(message) => self.arrive(message)?,
            What::Lose(message) => self.choose(Event::Lose { message })?,
            What::TimeOut(worker) => self.time_out(worker)?,
            What::Compute(worker) => self.compute(worker),
            What::Step(worker) => self.step(worker)?,
        }
        Ok(())
    }

    /// Makes a choice, and sets up what follows from it.
    fn choose(&mut self, event: Event) -> Result<(), Limit> {
        let enabled = self.state.is_enabled(&self.config, event);
        debug_assert!(enabled, "the simulator chose what is not enabled: {event:?}");
        assert!(enabled, "the simulator chose what is not enabled");
        if self.choices.len() == MAX_CHOICES {
            return Err(Limit::Choices);
        }
        self.choices.push(Choice { at: self.log.now, event });
        let before = self.log.facts.len();
        self.state.step(&self.config, event, &mut self.log)?;
        for command in std::mem::take(&mut self.log.commands) {
            self.carry_out(command);
        }
        for index in before..self.log.facts.len() {
            self.follow(self.log.facts[index].fact);
        }
        for worker in self.config.worker_ids() {
            self.plan_step(worker);
        }
        if self.state.is_out_of_grants(&self.config) { Err(Limit::Grants) } else { Ok(()) }
    }

    fn carry_out(&mut self, command: Command) {
        match command {
            Command::Send(message) => self.send(message),
            Command::AwaitReply(request) => self.await_reply(request),
            Command::HoldLease(grant) => {
                self.due(
                    self.log.now + self.scenario.duration(self.scenario.lease),
                    Class::Expiry,
                    What::Expire(grant),
                );
            }
        }
    }

    /// Notes what the simulator has to know of a fact.
    fn follow(&mut self, fact: Fact) {
        let now = self.log.now;
        match fact {
            Fact::Sent { message: Message::Request(Request { worker, attempt, call: Call::Acquire }) } => {
                self.process(worker).asked_at[usize::from(attempt.0 - 1)] = now;
            }
            Fact::Queued { worker } => self.process(worker).queued_at = Some(now),
            // Its patience with the issuer's queue has no end; with a lost reply it begins at the grant.
            Fact::Granted { worker, .. } => {
                let waits = self.state.awaited(&self.config, worker).filter(|request| request.call == Call::Acquire);
                if let Some(request) = waits {
                    self.await_reply(request);
                }
            }
            // The answer says for how long the request stood in the queue: with that, the worker can count from its own
            // request and never takes the lease for longer than it is. A repeated answer is about the first grant.
            Fact::Sent { message: Message::Reply(Reply { request, answer: Answer::Granted { grant } }) } => {
                let process = self.process(request.worker);
                let waited = process.queued_at.take().map_or(Duration::ZERO, |queued| now.since(queued));
                let asked = process.asked_at[usize::from(request.attempt.0 - 1)];
                process.leases[grant.index()].get_or_insert(asked + waited);
            }
            Fact::Acquired { worker, claim } => {
                let clock = self.scenario.workers[worker.index()].clock;
                let from = self.process(worker).leases[claim.grant.index()].expect("the grant was answered");
                let expiry = clock.read(worker, from) + self.scenario.duration(self.scenario.lease);
                self.log.fact(Fact::Reckoned { worker, claim, expiry });
            }
            _ => {}
        }
    }

    // Messages.

    fn send(&mut self, message: Message) {
        let latency = self.scenario.duration(self.scenario.latency);
        let sharing = self.scenario.sharing;
        let struck = self.strike(|fault| match fault {
            Fault::Lose(pattern) | Fault::Delay { message: pattern, .. } => {
                *pattern == MessagePattern::of(message, sharing)
            }
            Fault::Freeze { .. } => false,
        });
        match struck {
            Some(Fault::Lose(_)) => self.due(self.log.now + latency, Class::Arrival, What::Lose(message)),
            Some(Fault::Delay { by, .. }) => {
                self.due(self.log.now + latency + self.scenario.duration(by), Class::Arrival, What::Arrive(message));
            }
            _ => self.due(self.log.now + latency, Class::Arrival, What::Arrive(message)),
        }
    }

    fn arrive(&mut self, message: Message) -> Result<(), Limit> {
        if let Message::Reply(reply) = message {
            let process = self.process(reply.request.worker);
            if process.frozen_until.is_some() {
                process.unread.push(message);
                self.log.fact(Fact::Held { message });
                return Ok(());
            }
        }
        self.choose(Event::Deliver { message })
    }

    /// A worker's patience runs on its own clock.
    fn await_reply(&mut self, request: Request) {
        let worker = request.worker;
        let clock = self.scenario.workers[worker.index()].clock;
        let patience = self.scenario.duration(self.scenario.retry.after);
        self.set_timer(worker, clock.when(clock.read(worker, self.log.now) + patience));
    }

    /// Sets the one timer that a worker has, in place of an earlier one.
    fn set_timer(&mut self, worker: WorkerId, at: Instant) {
        self.process(worker).timer_at = Some(at);
        self.due(at, Class::TimeOut, What::TimeOut(worker));
    }

    fn time_out(&mut self, worker: WorkerId) -> Result<(), Limit> {
        let now = self.log.now;
        if self.process(worker).timer_at != Some(now) {
            return Ok(());
        }
        if let Some(until) = self.process(worker).frozen_until {
            self.set_timer(worker, until);
            return Ok(());
        }
        // Not enabled if the reply has come, or while the worker waits in the issuer's queue.
        let event = Event::TimeOut { worker };
        if self.state.is_enabled(&self.config, event) { self.choose(event) } else { Ok(()) }
    }

    // Processes.

    fn process(&mut self, worker: WorkerId) -> &mut Process {
        &mut self.processes[worker.index()]
    }

    fn start(&mut self, worker: WorkerId, at: Instant) {
        let process = self.process(worker);
        process.started = true;
        let at = process.frozen_until.map_or(at, |until| at.max(until));
        self.set_step(worker, at);
    }

    fn call_standbys(&mut self) {
        for (worker, spec) in self.config.worker_ids().zip(&self.scenario.workers) {
            if spec.start == Start::OnExpiry && !self.process(worker).started {
                self.start(worker, self.log.now);
            }
        }
    }

    fn set_step(&mut self, worker: WorkerId, at: Instant) {
        self.process(worker).step_at = Some(at);
        self.due(at, Class::Step, What::Step(worker));
    }

    /// Lets a worker that has a step to take, and none planned, take it as soon as its process runs.
    fn plan_step(&mut self, worker: WorkerId) {
        let now = self.log.now;
        let ready = self.state.worker(worker).next().is_some();
        let process = self.process(worker);
        if ready && process.started && process.step_at.is_none() && !process.computes_next {
            let at = process.frozen_until.unwrap_or(now);
            self.set_step(worker, at);
        }
    }

    fn step(&mut self, worker: WorkerId) -> Result<(), Limit> {
        let now = self.log.now;
        if self.process(worker).step_at != Some(now) {
            return Ok(());
        }
        assert!(self.process(worker).frozen_until.is_none(), "a frozen process takes no step");
        let Some(point) = self.state.worker(worker).next() else {
            // What it was to do has been overtaken by a reply.
            self.process(worker).step_at = None;
            return Ok(());
        };
        let place = self.place(worker);
        if self.process(worker).computing {
            self.process(worker).computing = false;
            self.log.fact(Fact::ComputeEnded { worker, operation: self.operation(worker) });
            if self.freeze_at(Side::After, Point::Compute, worker, place) {
                return Ok(());
            }
        }
        if self.freeze_at(Side::Before, point, worker, place) {
            return Ok(());
        }
        self.process(worker).step_at = None;
        self.process(worker).computes_next = point == Point::Read;
        self.choose(Event::Step { worker })?;
        self.freeze_at(Side::After, point, worker, place);
        if point == Point::Read {
            self.freeze_at(Side::Before, Point::Compute, worker, place);
            let at = self.process(worker).frozen_until.unwrap_or(self.log.now);
            self.due(at, Class::Step, What::Compute(worker));
        }
        Ok(())
    }

    /// The worker begins to compute what it will write.
    fn compute(&mut self, worker: WorkerId) {
        if let Some(until) = self.process(worker).frozen_until {
            return self.due(until, Class::Step, What::Compute(worker));
        }
        let length = self.scenario.duration(self.scenario.workers[worker.index()].compute);
        let process = self.process(worker);
        process.computes_next = false;
        process.computing = true;
        self.log.fact(Fact::ComputeBegan { worker, operation: self.operation(worker) });
        self.set_step(worker, self.log.now + length);
    }

    /// The operation that a believer is at.
    fn operation(&self, worker: WorkerId) -> OperationId {
        let grant = self.state.worker(worker).believes().expect("only a believer has an operation");
        let (index, _) = self.state.worker(worker).progress();
        self.config.sharing.operation(grant, index)
    }

    /// Where a worker is, as faults name it: which operation and which try, both from 1.
    fn place(&self, worker: WorkerId) -> (u8, u8) {
        let (index, attempt) = self.state.worker(worker).progress();
        (index + 1, attempt.0)
    }

    // Faults.

    /// Freezes `worker` if the scenario has it frozen at this point; true if so.
    fn freeze_at(&mut self, on: Side, at: Point, worker: WorkerId, place: (u8, u8)) -> bool {
        let struck = self.strike(|fault| match *fault {
            Fault::Freeze { worker: whose, from: FreezeAt::Point { side, point, operation, attempt }, .. } => {
                whose == worker && (side, point) == (on, at) && (operation, attempt) == place
            }
            Fault::Freeze { from: FreezeAt::Time(_), .. } | Fault::Lose(_) | Fault::Delay { .. } => false,
        });
        let Some(Fault::Freeze { length, .. }) = struck else {
            return false;
        };
        self.freeze(worker, self.scenario.duration(length));
        true
    }

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
        self.log.fact(Fact::Froze { worker, length });
        self.due(until, Class::Thaw, What::Thaw(worker));
    }

    fn thaw(&mut self, worker: WorkerId) -> Result<(), Limit> {
        let now = self.log.now;
        if self.process(worker).frozen_until != Some(now) {
            return Ok(());
        }
        self.process(worker).frozen_until = None;
        self.log.fact(Fact::Thawed { worker });
        for message in std::mem::take(&mut self.process(worker).unread) {
            self.choose(Event::Deliver { message })?;
        }
        Ok(())
    }

    /// The first fault that answers to `matches` and has not struck yet; from now on it has.
    fn strike(&mut self, matches: impl Fn(&Fault) -> bool) -> Option<Fault> {
        let faults = &self.scenario.faults;
        let index = (0..faults.len()).find(|&index| !self.struck[index] && matches(&faults[index]))?;
        self.struck[index] = true;
        Some(faults[index])
    }

    fn due(&mut self, at: Instant, class: Class, what: What) {
        self.queue.push(Due { at, class, number: self.next_number, what });
        self.next_number += 1;
    }
}

impl MessagePattern {
    /// What names `message`.
    pub(crate) fn of(message: Message, sharing: Sharing) -> Self {
        let Request { worker, attempt, call } = message.request();
        let leg = match message {
            Message::Request(_) => Leg::Request,
            Message::Reply(_) => Leg::Reply,
        };
        let (call, operation) = match call {
            Call::Acquire => (CallKind::Acquire, 1),
            Call::Register { .. } => (CallKind::Register, 1),
            Call::Write { operation, .. } => (CallKind::Write, sharing.index(operation) + 1),
            Call::Release { .. } => (CallKind::Release, 1),
        };
        Self { worker, call, leg, operation, attempt: attempt.0 }
    }
}
