//! The transition system: one state, its enabled choices, and what each does.
//!
//! Every driver works on this: the simulator, which picks one choice at a time by its clock, and a search, which takes them
//! all. Components never see an instant: time is in the state only as flags, and [`State::enabled`] orders those that
//! components go by.

mod choices;
mod forget;
mod step;

use crate::command::Command;
use crate::destination::{Destination, Pending, Stage};
use crate::epoch::{Claim, TokenPlace, Tokens};
use crate::fact::Fact;
use crate::id::{Attempt, GrantId, Incarnation, MAX_GRANTS, MAX_WORKERS, OperationId, Term, WorkerId};
use crate::invariant::{Evidence, History};
use crate::issuer::Issuer;
use crate::mechanism::{Mechanism, Sharing};
use crate::message::{Call, Request, Sought};
use crate::network::Network;
use crate::observation::{Situation, Watch};
use crate::outside::Outside;
use crate::worker::{Job, Task, Tenure, Worker};

/// What does not change during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// How many workers take part.
    pub workers: u8,
    /// How many operations each carries out under one grant.
    pub operations: [u8; MAX_WORKERS],
    /// How many grants the issuer may make.
    pub grants: u8,
    /// How often a request is sent at most.
    pub attempts: u8,
    /// What may go wrong, and how often.
    pub budget: Budget,
    /// The tokens that the issuer hands out.
    pub tokens: Tokens,
    /// Whose the operations are.
    pub sharing: Sharing,
    /// The rules in force.
    pub mechanism: Mechanism,
}

/// How often each thing may go wrong in a run, all in all. Delay and reordering are free and without bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Budget {
    /// Requests sent again.
    pub retries: u8,
    /// Messages lost.
    pub losses: u8,
    /// Messages carried twice.
    pub duplicates: u8,
    /// Processes that crash and start again.
    pub crashes: u8,
    /// Times that the issuer goes on with what a backup or a replica knew.
    pub failovers: u8,
    /// Machines suspended.
    pub suspends: u8,
    /// Clocks set, or beyond the margin.
    pub skews: u8,
    /// Renewals of each lease.
    pub renewals: u8,
    /// Idempotency keys forgotten.
    pub prunes: u8,
}

/// Everything that changes during a run: a small value that can be copied, compared and hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) issuer: Issuer,
    pub(crate) ledger: Ledger,
    pub(crate) workers: [Worker; MAX_WORKERS],
    pub(crate) incarnations: [Incarnation; MAX_WORKERS],
    pub(crate) destination: Destination,
    pub(crate) outside: Outside,
    pub(crate) network: Network,
    pub(crate) left: Budget,
    pub(crate) history: History,
    pub(crate) watch: Watch,
}

/// The grants in their order: the truth that judges go by, whatever becomes of the issuer's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Ledger {
    pub(crate) grants: [Option<Granted>; MAX_GRANTS],
}

/// One grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Granted {
    pub(crate) worker: WorkerId,
    pub(crate) token: TokenPlace,
    pub(crate) clocks: Clocks,
}

/// What the clocks that a grant depends on have reached, in terms of its lease: only ever looked at where something goes
/// by a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Clocks {
    /// The latest renewal that was sent.
    pub(crate) sent: Term,
    /// How many terms have ended by the owner's clock.
    pub(crate) ended_locally: u8,
    /// How many terms have ended by the destination's clock.
    pub(crate) ended_there: u8,
    /// The owner's clock stood still: its end of the lease no longer comes before the true one.
    pub(crate) local_lifted: bool,
    /// A clock was set: nothing waits for anything any more.
    pub(crate) lifted: bool,
}

impl Ledger {
    pub(crate) fn len(&self) -> u8 {
        self.grants.iter().flatten().count() as u8
    }

    fn push(&mut self, worker: WorkerId, token: TokenPlace) {
        self.grants[usize::from(self.len())] = Some(Granted { worker, token, clocks: Clocks::default() });
    }

    fn get(&self, grant: GrantId) -> &Granted {
        self.grants[grant.index()].as_ref().expect("only grants that were made are named")
    }

    fn get_mut(&mut self, grant: GrantId) -> &mut Granted {
        self.grants[grant.index()].as_mut().expect("only grants that were made are named")
    }
}

/// What a driver is told while a choice is carried out. Each listens to what concerns it.
pub trait Driver {
    /// Something happened.
    #[inline]
    fn fact(&mut self, _fact: Fact) {}
    /// The last fact broke an invariant.
    #[inline]
    fn violation(&mut self, _evidence: Evidence) {}
    /// The last fact brought a situation about.
    #[inline]
    fn situation(&mut self, _situation: Situation) {}
    /// A component asked for something. Messages are in the network by then; timers are the driver's.
    #[inline]
    fn command(&mut self, _command: Command) {}
}

impl State {
    /// The state in which a run begins.
    pub fn new(config: &Config) -> Self {
        Self {
            issuer: Issuer::NEW,
            ledger: Ledger::default(),
            workers: [Worker::new(config.mechanism.program()); MAX_WORKERS],
            incarnations: [Incarnation::default(); MAX_WORKERS],
            destination: Destination::default(),
            outside: Outside::default(),
            network: Network::default(),
            left: config.budget,
            history: History::default(),
            watch: Watch::default(),
        }
    }

    /// The state of `worker`.
    pub fn worker(&self, worker: WorkerId) -> &Worker {
        &self.workers[worker.index()]
    }

    /// The claim that goes with `grant`.
    pub fn claim(&self, config: &Config, grant: GrantId) -> Claim {
        Claim { grant, epoch: config.tokens.at(self.ledger.get(grant).token) }
    }

    /// How many grants have been made.
    pub fn grants(&self) -> u8 {
        self.ledger.len()
    }

    /// The grant whose lease runs, if any.
    pub fn live(&self) -> Option<GrantId> {
        self.issuer.live()
    }

    /// The term that the running lease is in.
    pub fn term(&self) -> Term {
        self.issuer.term()
    }

    /// The worker that `grant` went to.
    pub fn owner(&self, grant: GrantId) -> WorkerId {
        self.ledger.get(grant).worker
    }

    /// How many terms of the lease have ended by its owner's clock.
    pub fn ended_locally(&self, grant: GrantId) -> u8 {
        self.ledger.get(grant).clocks.ended_locally
    }

    /// How many terms of the lease have ended by the destination's clock.
    pub fn ended_there(&self, grant: GrantId) -> u8 {
        self.ledger.get(grant).clocks.ended_there
    }

    /// Whether the worker has heard that its lease cannot run on.
    pub fn has_lost(&self, worker: WorkerId) -> bool {
        matches!(self.worker(worker), Worker::Owner(Tenure { lost: true, .. }))
    }

    /// The writes under way in the destination, in the order in which they came.
    pub fn pending(&self) -> impl Iterator<Item = Pending> + '_ {
        self.destination.pending()
    }

    /// The place among them of the write that came with `request` and is at `stage`.
    pub fn place_of(&self, request: Request, stage: Stage) -> Option<u8> {
        self.pending().position(|pending| pending == Pending { request, stage }).map(|place| place as u8)
    }

    /// Whether the relay has something to do for `operation`.
    pub fn has_outbox(&self, operation: OperationId) -> bool {
        self.destination.outbox().any(|busy| busy == operation)
    }

    /// Whether this very request, or an earlier attempt at it, waits in the issuer's queue.
    pub fn is_queued(&self, request: Request) -> bool {
        self.issuer.has_queued(request)
    }

    /// Whether somebody waits for a lock that is free: the run's grants are used up.
    pub fn is_out_of_grants(&self) -> bool {
        self.issuer.live().is_none() && self.issuer.has_queue()
    }

    /// The request whose reply `id` waits for, if it waits.
    pub fn awaited(&self, config: &Config, id: WorkerId) -> Option<Request> {
        let incarnation = self.incarnations[id.index()];
        let (attempt, call) = match *self.worker(id) {
            Worker::Minting { attempt } => (attempt, Call::Mint { incarnation }),
            Worker::Acquiring { attempt, minted } => (attempt, Call::Acquire { incarnation, minted }),
            Worker::Releasing { grant } => (Attempt::FIRST, Call::Release { grant }),
            Worker::Owner(Tenure { grant, term, index, open, task, .. }) => {
                let operation = config.sharing.operation(grant, index);
                match task {
                    Task::Registering { attempt, .. } => (attempt, Call::Register { grant }),
                    Task::Publishing(then) => {
                        (then.attempt, Call::Write { grant, operation, snapshot: then.snapshot, term })
                    }
                    Task::Effecting(then) => (then.attempt, Call::Effect { grant, operation, snapshot: then.snapshot }),
                    Task::LookingUp(then) => (then.attempt, Call::LookUp { grant, operation, of: Sought::Write }),
                    Task::LookingUpEffect(then) => {
                        (then.attempt, Call::LookUp { grant, operation, of: open.sought(then.attempt) })
                    }
                    Task::Register { .. }
                    | Task::Read { .. }
                    | Task::ReleaseEarly(_)
                    | Task::Check { .. }
                    | Task::CheckEffect(_)
                    | Task::LookUpEffect(_)
                    | Task::Effect(_)
                    | Task::Publish(_)
                    | Task::LookUp(_)
                    | Task::Release => return None,
                }
            }
            Worker::Unminted { .. } | Worker::Outside { .. } | Worker::Gone => return None,
        };
        Some(Request { worker: id, attempt, call })
    }
}

impl Config {
    /// The workers that take part.
    pub fn worker_ids(&self) -> impl Iterator<Item = WorkerId> + use<> {
        (0..self.workers).map(WorkerId)
    }

    fn job(&self, worker: WorkerId, left: &Budget) -> Job<'_> {
        Job {
            mechanism: &self.mechanism,
            operations: self.operations[worker.index()],
            attempts: if left.retries > 0 { self.attempts } else { 1 },
        }
    }
}
