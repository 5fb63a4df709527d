//! The transition system: one state, its enabled choices, and what each does.
//!
//! Every driver works on this: the simulator, which picks one choice at a time by its clock, and a search, which takes them
//! all. Components never see an instant.

use crate::command::Command;
use crate::destination::{self, ControlRow, Fate, Recognition, Transaction, Write};
use crate::epoch::{Claim, Epoch, EpochAllocator};
use crate::event::Event;
use crate::fact::{Conclusion, Fact, Stop};
use crate::id::{Attempt, GrantId, MAX_GRANTS, MAX_WORKERS, WorkerId};
use crate::invariant::{Evidence, History};
use crate::issuer::{Acquisition, Issuer};
use crate::mechanism::{Mechanism, Sharing};
use crate::message::{Answer, Call, Message, Reply, Request};
use crate::network::Network;
use crate::program::Program;
use crate::run::Limit;
use crate::worker::{Heard, Task, Tenure, Worker};

/// What does not change during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// How many workers take part.
    pub workers: u8,
    /// How many operations each carries out under one grant.
    pub operations: [u8; MAX_WORKERS],
    /// How many grants the issuer may make.
    pub grants: u8,
    /// How many messages may be lost.
    pub losses: u8,
    /// How often a request is sent at most.
    pub attempts: u8,
    /// How many requests may be sent again, all in all.
    pub retries: u8,
    /// The first epoch.
    pub first_epoch: u64,
    /// Whose the operations are.
    pub sharing: Sharing,
    /// The rules in force.
    pub mechanism: Mechanism,
}

/// Everything that changes during a run: a small value that can be copied, compared and hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    issuer: Issuer,
    ledger: Ledger,
    workers: [Worker; MAX_WORKERS],
    row: ControlRow,
    network: Network,
    losses_left: u8,
    retries_left: u8,
    history: History,
}

/// The grants in their order: the truth that judges go by, whatever becomes of the issuer's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Ledger {
    grants: [Option<(WorkerId, Epoch)>; MAX_GRANTS],
}

impl Ledger {
    fn len(&self) -> u8 {
        self.grants.iter().flatten().count() as u8
    }

    fn push(&mut self, worker: WorkerId, epoch: Epoch) {
        self.grants[usize::from(self.len())] = Some((worker, epoch));
    }

    fn claim(&self, grant: GrantId) -> Claim {
        let (_, epoch) = self.grants[grant.index()].expect("only grants that were made are named");
        Claim { grant, epoch }
    }
}

/// What a driver is told while a choice is carried out.
pub trait Driver {
    /// Something happened.
    fn fact(&mut self, fact: Fact);
    /// The last fact broke an invariant.
    fn violation(&mut self, evidence: Evidence);
    /// A component asked for something. Messages are in the network by then; timers are the driver's.
    fn command(&mut self, command: Command);
}

impl State {
    /// The state in which a run begins.
    pub fn new(config: &Config) -> Self {
        Self {
            issuer: Issuer::new(EpochAllocator::starting_at(config.first_epoch)),
            ledger: Ledger::default(),
            workers: [Worker::NEW; MAX_WORKERS],
            row: ControlRow::default(),
            network: Network::default(),
            losses_left: config.losses,
            retries_left: config.retries,
            history: History::default(),
        }
    }

    /// The state of `worker`.
    pub fn worker(&self, worker: WorkerId) -> &Worker {
        &self.workers[worker.index()]
    }

    /// The claim that goes with `grant`.
    pub fn claim(&self, grant: GrantId) -> Claim {
        self.ledger.claim(grant)
    }

    /// Whether somebody waits for a lock that is free: the run's grants are used up.
    pub fn is_out_of_grants(&self, config: &Config) -> bool {
        self.issuer.live().is_none() && config.worker_ids().any(|worker| self.issuer.has_queued(worker))
    }

    /// The request whose reply `id` waits for, if it waits.
    pub fn awaited(&self, config: &Config, id: WorkerId) -> Option<Request> {
        let (attempt, call) = match *self.worker(id) {
            Worker::Acquiring { attempt } => (attempt, Call::Acquire),
            Worker::Releasing { grant } => (Attempt::FIRST, Call::Release { grant }),
            Worker::Owner(Tenure { grant, index, task }) => match task {
                Task::Registering { attempt } => (attempt, Call::Register { grant }),
                Task::Publishing { snapshot, attempt } => {
                    let operation = config.sharing.operation(grant, index);
                    (attempt, Call::Write { grant, operation, snapshot })
                }
                Task::Register { .. } | Task::Read | Task::Check { .. } | Task::Publish { .. } | Task::Release => {
                    return None;
                }
            },
            Worker::Outside { .. } | Worker::Gone => return None,
        };
        Some(Request { worker: id, attempt, call })
    }

    /// Calls `choice` with every event that may happen next, in this order: the end of the lease; each message delivered,
    /// in the network's order; each message lost, in the same order; each worker's next step; each worker's wait for a
    /// reply given up.
    pub fn enabled(&self, config: &Config, mut choice: impl FnMut(Event)) {
        if let Some(grant) = self.issuer.live() {
            choice(Event::Expire { grant });
        }
        for message in self.network.iter() {
            choice(Event::Deliver { message });
        }
        if self.losses_left > 0 {
            for message in self.network.iter() {
                choice(Event::Lose { message });
            }
        }
        for worker in config.worker_ids() {
            if self.worker(worker).next().is_some() {
                choice(Event::Step { worker });
            }
        }
        for worker in config.worker_ids() {
            // A worker that waits in the issuer's queue keeps its session open: no lost reply ends that wait.
            let queued = |request: Request| request.call == Call::Acquire && self.issuer.has_queued(worker);
            if self.awaited(config, worker).is_some_and(|request| !queued(request)) {
                choice(Event::TimeOut { worker });
            }
        }
    }

    /// Whether `event` may happen next.
    pub fn is_enabled(&self, config: &Config, event: Event) -> bool {
        let mut found = false;
        self.enabled(config, |choice| found |= choice == event);
        found
    }

    /// Forgets what no part of the system can tell any more: replies that their receiver would ignore.
    pub fn forget(&mut self, config: &Config) {
        let state = *self;
        let unread = state.network.iter().filter(|message| match *message {
            Message::Request(_) => false,
            Message::Reply(reply) => {
                let mut worker = *state.worker(reply.request.worker);
                hears(&mut worker, config, reply) == Heard::Ignored
            }
        });
        for message in unread {
            self.network.take(message);
        }
    }

    /// Carries `event` out, telling `driver` what happened.
    ///
    /// # Errors
    /// A limit of the model: the state is then between two states, and the run ends there.
    ///
    /// # Panics
    /// If `event` is not enabled.
    pub fn step(&mut self, config: &Config, event: Event, driver: &mut impl Driver) -> Result<(), Limit> {
        Step { config, state: self, driver }.carry_out(event)
    }
}

impl Config {
    /// The workers that take part.
    pub fn worker_ids(&self) -> impl Iterator<Item = WorkerId> + use<> {
        (0..self.workers).map(WorkerId)
    }

    fn program(&self) -> Program {
        self.mechanism.guard.program()
    }
}

/// One choice being carried out.
struct Step<'a, D> {
    config: &'a Config,
    state: &'a mut State,
    driver: &'a mut D,
}

impl<D: Driver> Step<'_, D> {
    fn carry_out(&mut self, event: Event) -> Result<(), Limit> {
        match event {
            Event::Expire { grant } => self.expire(grant),
            Event::Deliver { message } => self.deliver(message),
            Event::Lose { message } => {
                self.state.network.take(message);
                self.state.losses_left -= 1;
                self.fact(Fact::Lost { message });
                Ok(())
            }
            Event::Step { worker } => self.step(worker),
            Event::TimeOut { worker } => {
                self.time_out(worker);
                Ok(())
            }
        }
    }

    // The lock service.

    fn expire(&mut self, grant: GrantId) -> Result<(), Limit> {
        assert!(self.state.issuer.end(grant), "only a lease that runs can end");
        self.fact(Fact::LeaseExpired { claim: self.state.claim(grant) });
        self.grant_to_waiting()
    }

    fn grant_to_waiting(&mut self) -> Result<(), Limit> {
        match self.state.issuer.grant_to_waiting(self.next_grant()) {
            Some((request, epoch)) => self.granted(request, epoch),
            None => Ok(()),
        }
    }

    /// The grant that would be made now, while the run has grants left.
    fn next_grant(&self) -> Option<GrantId> {
        let made = self.state.ledger.len();
        (made < self.config.grants).then_some(GrantId(made))
    }

    fn granted(&mut self, request: Request, epoch: Epoch) -> Result<(), Limit> {
        let grant = GrantId(self.state.ledger.len());
        self.state.ledger.push(request.worker, epoch);
        self.fact(Fact::Granted { worker: request.worker, claim: Claim { grant, epoch } });
        self.driver.command(Command::HoldLease(grant));
        self.reply(request, Answer::Granted { grant })
    }

    // The network.

    fn deliver(&mut self, message: Message) -> Result<(), Limit> {
        self.state.network.take(message);
        self.fact(Fact::Delivered { message });
        match message {
            Message::Request(request) => self.receive(request),
            Message::Reply(reply) => {
                self.hear(reply);
                Ok(())
            }
        }
    }

    fn receive(&mut self, request: Request) -> Result<(), Limit> {
        match request.call {
            Call::Acquire => match self.state.issuer.acquire(request, self.next_grant()) {
                Acquisition::Granted(epoch) => self.granted(request, epoch),
                Acquisition::Again(grant) => {
                    self.fact(Fact::GrantedAgain { worker: request.worker, claim: self.state.claim(grant) });
                    self.reply(request, Answer::Granted { grant })
                }
                Acquisition::Queued => {
                    self.fact(Fact::Queued { worker: request.worker });
                    Ok(())
                }
            },
            Call::Release { grant } => {
                let claim = self.state.claim(grant);
                let ended = self.state.issuer.end(grant);
                self.fact(if ended { Fact::Released { claim } } else { Fact::ReleaseIgnored { claim } });
                self.reply(request, Answer::Released)?;
                self.grant_to_waiting()
            }
            Call::Register { grant } => {
                let claim = self.state.claim(grant);
                let current = self.current_epoch();
                let transaction = Transaction::begin(&mut self.state.row, &self.config.mechanism);
                let (fact, answer) = match transaction.register(claim) {
                    Ok(Recognition::New) => (Fact::Recognized { claim }, Answer::Recognized),
                    Ok(Recognition::Repeat) => (Fact::RecognizedAgain { claim }, Answer::Recognized),
                    Err(rejection) => {
                        (Fact::RegistrationRefused { claim, rejection, current }, Answer::Refused { rejection })
                    }
                };
                self.fact(fact);
                self.reply(request, answer)
            }
            Call::Write { grant, operation, snapshot } => {
                let claim = self.state.claim(grant);
                let attempt = request.attempt;
                let current = self.current_epoch();
                let write = Write { claim, operation, snapshot };
                let (fact, answer) = match destination::transact(&mut self.state.row, &self.config.mechanism, &write) {
                    Fate::Applied(version) => {
                        (Fact::Applied { claim, operation, attempt, snapshot, version }, Answer::Applied)
                    }
                    Fate::Replayed => (Fact::Replayed { claim, operation, attempt }, Answer::Applied),
                    Fate::Rejected(rejection) => (
                        Fact::Rejected { claim, operation, attempt, rejection, current },
                        Answer::Refused { rejection },
                    ),
                };
                self.fact(fact);
                self.reply(request, answer)
            }
        }
    }

    /// The epoch the destination goes by, for telling a refused worker.
    fn current_epoch(&self) -> Option<Epoch> {
        let row = &self.state.row;
        row.recognized().map(|claim| claim.epoch).or(row.highest_seen())
    }

    fn reply(&mut self, request: Request, answer: Answer) -> Result<(), Limit> {
        self.send(Message::Reply(Reply { request, answer }))
    }

    fn send(&mut self, message: Message) -> Result<(), Limit> {
        self.state.network.send(message).map_err(|_full| Limit::Messages)?;
        self.fact(Fact::Sent { message });
        self.driver.command(Command::Send(message));
        Ok(())
    }

    // The workers.

    fn step(&mut self, id: WorkerId) -> Result<(), Limit> {
        match self.state.workers[id.index()] {
            Worker::Outside { attempt } => {
                self.state.workers[id.index()] = Worker::Acquiring { attempt };
                self.request(Request { worker: id, attempt, call: Call::Acquire })
            }
            Worker::Owner(tenure) => self.work(id, tenure),
            Worker::Acquiring { .. } | Worker::Releasing { .. } | Worker::Gone => {
                panic!("a worker that waits or is gone takes no step")
            }
        }
    }

    fn work(&mut self, worker: WorkerId, tenure: Tenure) -> Result<(), Limit> {
        let Tenure { grant, index, task } = tenure;
        let claim = self.state.claim(grant);
        let operation = self.config.sharing.operation(grant, index);
        match task {
            Task::Register { attempt } => {
                self.worker(worker).set_task(Task::Registering { attempt });
                self.request(Request { worker, attempt, call: Call::Register { grant } })
            }
            Task::Read => {
                let version = self.state.row.version();
                let program = self.config.program();
                self.worker(worker).has_read(version, program);
                self.fact(Fact::Read { worker, claim, operation, version });
                Ok(())
            }
            Task::Check { snapshot, attempt } => {
                let owns = self.state.issuer.live() == Some(grant);
                self.fact(Fact::Checked { worker, claim, owns });
                if owns {
                    self.worker(worker).set_task(Task::Publish { snapshot, attempt });
                } else {
                    *self.worker(worker) = Worker::Gone;
                    let sent_before = attempt > Attempt::FIRST;
                    let conclusion = if sent_before { Conclusion::Unknown } else { Conclusion::NotSent };
                    self.fact(Fact::Concluded { worker, claim, operation, conclusion });
                    self.fact(Fact::Stopped { worker, claim, reason: Stop::CheckFailed });
                }
                Ok(())
            }
            Task::Publish { snapshot, attempt } => {
                self.worker(worker).set_task(Task::Publishing { snapshot, attempt });
                self.request(Request { worker, attempt, call: Call::Write { grant, operation, snapshot } })
            }
            Task::Release => {
                self.fact(Fact::Stopped { worker, claim, reason: Stop::Finished });
                *self.worker(worker) = Worker::Releasing { grant };
                self.request(Request { worker, attempt: Attempt::FIRST, call: Call::Release { grant } })
            }
            Task::Registering { .. } | Task::Publishing { .. } => panic!("a worker that waits takes no step"),
        }
    }

    fn request(&mut self, request: Request) -> Result<(), Limit> {
        self.send(Message::Request(request))?;
        self.driver.command(Command::AwaitReply(request));
        Ok(())
    }

    fn hear(&mut self, reply: Reply) {
        let config = self.config;
        let heard = hears(self.worker(reply.request.worker), config, reply);
        if let (Answer::Granted { grant }, Heard::GoesOn) = (reply.answer, heard) {
            self.fact(Fact::Acquired { worker: reply.request.worker, claim: self.state.claim(grant) });
        }
        self.take_in(reply.request, heard);
    }

    fn time_out(&mut self, worker: WorkerId) {
        let request = self.state.awaited(self.config, worker).expect("only a worker that waits can time out");
        self.fact(Fact::TimedOut { worker, request });
        let attempts = if self.state.retries_left > 0 { self.config.attempts } else { 1 };
        let program = self.config.program();
        let heard = self.worker(worker).timed_out(attempts, program);
        if self.worker(worker).next().is_some() {
            self.state.retries_left -= 1;
        }
        self.take_in(request, heard);
    }

    /// Tells what a worker made of a reply to `request`, or of having none.
    fn take_in(&mut self, request: Request, heard: Heard) {
        let worker = request.worker;
        let stopped = match heard {
            Heard::GoesOn => return,
            Heard::Ignored => return self.fact(Fact::ReplyIgnored { worker, request }),
            Heard::GaveUp => return self.fact(Fact::GaveUp { worker }),
            Heard::Stopped(reason) => Some(reason),
            Heard::Concluded(conclusion, stopped) => {
                let Call::Write { grant, operation, .. } = request.call else {
                    unreachable!("only writes carry operations")
                };
                self.fact(Fact::Concluded { worker, claim: self.state.claim(grant), operation, conclusion });
                stopped
            }
        };
        if let (Some(reason), Call::Register { grant } | Call::Write { grant, .. }) = (stopped, request.call) {
            self.fact(Fact::Stopped { worker, claim: self.state.claim(grant), reason });
        }
    }

    fn worker(&mut self, worker: WorkerId) -> &mut Worker {
        &mut self.state.workers[worker.index()]
    }

    fn fact(&mut self, fact: Fact) {
        self.driver.fact(fact);
        self.state.history.observe(&fact, |evidence| self.driver.violation(evidence));
    }
}

/// Gives `reply` to the worker that it is for.
fn hears(worker: &mut Worker, config: &Config, Reply { request, answer }: Reply) -> Heard {
    match request.call {
        Call::Acquire => match answer {
            Answer::Granted { grant } => worker.acquired(grant, config.program()),
            _ => unreachable!("an issuer grants, or keeps quiet"),
        },
        Call::Register { grant } => worker.heard_of_registration(grant, answer),
        Call::Write { grant, operation, .. } => {
            let index = config.sharing.index(operation);
            let operations = config.operations[request.worker.index()];
            worker.heard_of_write(grant, index, answer, operations)
        }
        Call::Release { grant } => worker.heard_of_release(grant),
    }
}
