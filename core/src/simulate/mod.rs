//! The timed driver: the only one that knows of time.
//!
//! It keeps a queue of what is due, and at each due time makes a choice that the transition system has enabled: so every
//! run is a path of a search over the same system. Ties go by class (a lease ends before anything arrives, what
//! has arrived is read before a process goes on), and within a class by who was first in line.

mod clocks;
mod faults;
mod messages;
mod process;
mod queue;
mod workers;

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

pub(crate) use self::clocks::{Counted, ends};
pub(crate) use self::process::Asked;
use self::process::Running;
use self::queue::{Queue, What};
use crate::command::Command;
use crate::destination::Stage;
use crate::epoch::{MAX_TOKENS, Tokens};
use crate::event::Event;
use crate::fact::Fact;
use crate::id::{MAX_GRANTS, MAX_WORKERS, WorkerId};
use crate::invariant::Evidence;
use crate::mechanism::{Mechanism, TokenKind};
use crate::observation::Situation;
use crate::replication::Replica;
use crate::run::{Choice, Entry, Limit, Run, Sighting, Violation};
use crate::scenario::{Fault, Row, Scenario, Start};
use crate::system::{Budget, Config, Driver, State};
use crate::time::{Duration, Instant};

/// Most choices in one run: far more than the limits of the state allow for, so that a run that does not end is our bug
/// and not a page that stands still.
pub const MAX_CHOICES: usize = 10_000;

/// The last number of a wrapping counter where the scenario names none: one of two bits.
const DEFAULT_LAST_EPOCH: u64 = 3;

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

/// The rules and bounds under which a scenario's own schedule runs: only what the scenario says goes wrong does, however
/// often that is.
pub fn config(scenario: &Scenario, mechanism: &Mechanism) -> Config {
    let mut operations = [1; MAX_WORKERS];
    for (index, worker) in scenario.workers.iter().enumerate() {
        operations[index] = worker.operations;
    }
    Config {
        workers: scenario.workers.len() as u8,
        operations,
        grants: MAX_GRANTS as u8,
        attempts: scenario.retry.attempts,
        budget: Budget {
            retries: u8::MAX,
            losses: u8::MAX,
            duplicates: u8::MAX,
            crashes: u8::MAX,
            failovers: u8::MAX,
            suspends: u8::MAX,
            skews: u8::MAX,
            // One less than the terms that can be counted, since the last one has to end too.
            renewals: u8::MAX - 1,
            prunes: u8::MAX,
        },
        tokens: tokens(scenario, mechanism),
        sharing: scenario.sharing,
        mechanism: *mechanism,
    }
}

/// The bounds of the scenario's search, under the same rules.
pub fn search_config(scenario: &Scenario, mechanism: &Mechanism) -> Config {
    let bounds = &scenario.bounds;
    Config {
        workers: bounds.workers,
        operations: [bounds.operations; MAX_WORKERS],
        grants: bounds.grants,
        budget: bounds.budget,
        ..config(scenario, mechanism)
    }
}

/// The tokens that a run hands out. Random ones are drawn from the scenario's seed.
fn tokens(scenario: &Scenario, mechanism: &Mechanism) -> Tokens {
    let first = scenario.first_epoch;
    match mechanism.token {
        TokenKind::Epoch | TokenKind::Timestamp | TokenKind::Text | TokenKind::Declared | TokenKind::Unchecked => {
            Tokens::counted_from(first)
        }
        TokenKind::Wrapping => Tokens::wrapping(first, scenario.last_epoch.unwrap_or(DEFAULT_LAST_EPOCH)),
        TokenKind::Random => {
            let mut random = Pcg32::seed_from_u64(scenario.seed());
            Tokens::listed([(); MAX_TOKENS].map(|()| u64::from(random.next_u32() % 10_000)))
        }
    }
}

/// What has been written down so far.
#[derive(Default)]
struct Log {
    now: Instant,
    facts: Vec<Entry>,
    violations: Vec<Violation>,
    sightings: Vec<Sighting>,
    commands: Vec<Command>,
}

impl Driver for Log {
    fn fact(&mut self, fact: Fact) {
        self.facts.push(Entry { at: self.now, fact });
    }

    fn violation(&mut self, evidence: Evidence) {
        self.violations.push(Violation { fact: self.facts.len() - 1, evidence });
    }

    fn situation(&mut self, situation: Situation) {
        self.sightings.push(Sighting { fact: self.facts.len() - 1, situation });
    }

    fn command(&mut self, command: Command) {
        self.commands.push(command);
    }
}

struct Simulator<'s> {
    scenario: &'s Scenario,
    config: Config,
    state: State,
    queue: Queue,
    processes: Vec<Running>,
    /// What each worker draws its jitter from: numbers of its own, so that it polls as it did when another one joins.
    random: [Pcg32; MAX_WORKERS],
    /// From when on the worker counts the lease of each grant that has been answered.
    counted_from: [Option<Instant>; MAX_GRANTS],
    /// The end of each grant's lease, as its owner has last written it down, in microseconds of its own clock.
    written: [i64; MAX_GRANTS],
    /// How far the destination's clock has been set, in microseconds.
    destination_shift: i64,
    /// How much later than others the next message sent arrives: the second copy of one.
    extra: Duration,
    /// How often what each fault names has come, by index.
    met: Vec<u8>,
    /// Faults that have struck already, by index.
    struck: Vec<bool>,
    choices: Vec<Choice>,
    log: Log,
}

impl<'s> Simulator<'s> {
    fn new(scenario: &'s Scenario, mechanism: &Mechanism) -> Self {
        let config = config(scenario, mechanism);
        let mut seeds = Pcg32::seed_from_u64(scenario.seed());
        let mut simulator = Self {
            scenario,
            config,
            state: State::new(&config),
            queue: Queue::default(),
            processes: scenario.workers.iter().map(|_| Running::default()).collect(),
            random: [(); MAX_WORKERS].map(|()| Pcg32::from_rng(&mut seeds)),
            counted_from: [None; MAX_GRANTS],
            written: [0; MAX_GRANTS],
            destination_shift: 0,
            extra: Duration::ZERO,
            met: vec![0; scenario.faults.len()],
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
            if let Some(at) = fault.time() {
                simulator.queue.push(Instant::START + scenario.duration(at), What::Fault(index));
            }
        }
        simulator
    }

    fn run(&mut self) -> Result<(), Limit> {
        while let Some((at, what)) = self.queue.pop()
            && !self.is_over()
        {
            self.log.now = at;
            self.act(what)?;
        }
        Ok(())
    }

    fn act(&mut self, what: What) -> Result<(), Limit> {
        match what {
            What::PassLocalDeadline(grant, term) => self.pass_local_deadline(grant, term),
            What::PassDeadline(grant, term) => self.pass_deadline(grant, term),
            What::Expire(grant, term) => self.expire(grant, term),
            What::Fault(index) => self.fault(index),
            What::Thaw(worker) => self.thaw(worker),
            What::Duplicate { message, by } => {
                self.extra = by;
                let done = self.choose(Event::Duplicate { message });
                self.extra = Duration::ZERO;
                done
            }
            What::Arrive(message) => self.arrive(message),
            What::Lose(message) => self.choose(Event::Lose { message }),
            What::Notice(worker, claim) => self.notice(worker, claim),
            What::TimeOut(worker) => self.time_out(worker),
            What::Proceed(request, stage) => self.proceed(request, stage),
            What::Relay(operation) => self.choose_if_enabled(Event::Relay { operation }),
            What::Replicate(to) => self.choose_if_enabled(to.brought_up()),
            What::Renew(worker, claim) => self.renew(worker, claim),
            What::Compute(worker) => self.compute(worker),
            What::Step(worker) => self.step(worker),
        }
    }

    /// Whether what the scenario stops at has been broken.
    fn is_over(&self) -> bool {
        let stops = |violation: &Violation| Some(violation.evidence.invariant) == self.scenario.stop_at;
        self.log.violations.iter().any(stops)
    }

    fn is_enabled(&self, event: Event) -> bool {
        self.state.is_enabled(&self.config, event)
    }

    fn choose_if_enabled(&mut self, event: Event) -> Result<(), Limit> {
        if self.is_enabled(event) { self.choose(event) } else { Ok(()) }
    }

    /// Makes a choice, and sets up what follows from it.
    fn choose(&mut self, event: Event) -> Result<(), Limit> {
        if self.is_over() {
            return Ok(());
        }
        let enabled = self.is_enabled(event);
        debug_assert!(enabled, "the simulator chose what is not enabled: {event:?}");
        assert!(enabled, "the simulator chose what is not enabled");
        if self.choices.len() == MAX_CHOICES {
            return Err(Limit::Choices);
        }
        self.choices.push(Choice { at: self.log.now, event });
        let (before, facts) = (self.state, self.log.facts.len());
        self.state.step(&self.config, event, &mut self.log)?;
        for command in std::mem::take(&mut self.log.commands) {
            match command {
                Command::Send(message) => self.send(message),
                Command::AwaitReply(request) => self.await_reply(request),
                Command::HoldLease(grant, term) => self.hold_lease(grant, term),
            }
        }
        for index in facts..self.log.facts.len() {
            self.follow(self.log.facts[index].fact)?;
        }
        self.replicate(&before, event);
        for worker in self.config.worker_ids() {
            self.plan_step(worker);
            self.plan_notice(worker);
        }
        if self.state.is_out_of_grants() { Err(Limit::Grants) } else { Ok(()) }
    }

    /// Sets up what follows from a fact.
    fn follow(&mut self, fact: Fact) -> Result<(), Limit> {
        let now = self.log.now;
        match fact {
            Fact::Sent { message } => self.note_request(message),
            Fact::Queued { worker } => self.process(worker).queued_at = Some(now),
            Fact::Denied { worker } => {
                let used_up = self.state.live().is_none();
                if used_up {
                    return Err(Limit::Grants);
                }
                self.observe_record(worker);
            }
            Fact::Granted { worker, .. } => self.wait_from_now(worker),
            Fact::Acquired { worker, claim } => self.acquired(worker, claim),
            Fact::Extended { worker, claim, term } => self.extended(worker, claim, term),
            Fact::Admitted { .. } | Fact::Applied { .. } => self.plan_destination(fact),
            Fact::Effected { operation, .. } if self.state.has_outbox(operation) => {
                self.queue.push(now + self.scenario.duration(self.scenario.relay_after), What::Relay(operation));
            }
            Fact::Crashed { process: crate::event::Process::LockService } | Fact::IssuerRestored { .. } => {
                // Whoever waited in the queue waits in vain from now on.
                for worker in self.config.worker_ids() {
                    self.wait_from_now(worker);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What the destination does by itself after a write.
    fn plan_destination(&mut self, fact: Fact) {
        let now = self.log.now;
        let pending: Vec<_> = self.state.pending().collect();
        for write in &pending {
            let goes_on = What::Proceed(write.request, write.stage);
            if self.queue.count(goes_on) < pending.iter().filter(|other| *other == write).count() {
                self.queue.push(now, goes_on);
            }
        }
        if let Fact::Applied { operation, .. } = fact
            && self.state.has_outbox(operation)
        {
            self.queue.push(now + self.scenario.duration(self.scenario.relay_after), What::Relay(operation));
        }
    }

    /// The replicas hear of what has changed since `before` by the choice of `event`.
    fn replicate(&mut self, before: &State, event: Event) {
        for to in Replica::ALL {
            if !to.is_to_hear(&self.config, before, event, &self.state) {
                continue;
            }
            let struck =
                self.strike(|fault| matches!(*fault, Fault::DelayReplication { to: named, .. } if named == to));
            let late = match struck {
                Some(Fault::DelayReplication { by, .. }) => self.scenario.duration(by),
                _ => Duration::ZERO,
            };
            let at = self.log.now + self.scenario.duration(self.scenario.replicate_after) + late;
            self.queue.push(at, What::Replicate(to));
        }
    }

    /// The destination goes on with a write that takes several steps, unless something befalls it there.
    fn proceed(&mut self, request: crate::message::Request, stage: Stage) -> Result<(), Limit> {
        if let Some(place) = self.state.place_of(request, stage)
            && !self.befalls_destination(request, stage)?
        {
            return self.choose(Event::Proceed { place });
        }
        Ok(())
    }

    /// Writes down what only a driver with a clock can tell.
    fn tell(&mut self, fact: Fact) {
        self.log.fact(fact);
    }

    fn process(&mut self, worker: WorkerId) -> &mut Running {
        &mut self.processes[worker.index()]
    }
}

impl Fault {
    /// The time of the run that it names, if it is not something that has to come first.
    fn time(&self) -> Option<crate::scenario::Quantity> {
        use crate::scenario::{DestinationWhen, When};
        match *self {
            Fault::Pause { from: When::Time(at), .. }
            | Fault::Crash { from: When::Time(at), .. }
            | Fault::CrashDestination { from: DestinationWhen::Time(at) }
            | Fault::CrashLockService { at }
            | Fault::SetClock { at, .. }
            | Fault::Forget { at, .. }
            | Fault::Prune { at, .. } => Some(at),
            Fault::Pause { from: When::Point { .. }, .. }
            | Fault::Crash { from: When::Point { .. }, .. }
            | Fault::CrashDestination { from: DestinationWhen::Step(_) }
            | Fault::HoldWrite { .. }
            | Fault::Lose(_)
            | Fault::Delay { .. }
            | Fault::DelayReplication { .. }
            | Fault::Duplicate { .. }
            | Fault::Cut { .. } => None,
        }
    }
}
