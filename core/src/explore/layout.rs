//! How a state is packed: the one place that knows the insides of what a state holds.
//!
//! Nothing is written that can be told from the rest: no places of workers, grants and operations that the configuration
//! has not, and of an epoch only how far it is from the first one. A field or variant that is missing here does not
//! compile.

use super::bits::{
    DoesNotFit, Pack, Packed, Reader, Small, Writer, bits_for, low, pack_enum, pack_fields, pack_numbers, pack_struct,
};
use super::node::Node;
use crate::destination::{ControlRow, Destination, Holder, Outbox, Pending, Stage};
use crate::epoch::{Claim, MAX_TOKENS, Token, TokenPlace, Tokens};
use crate::id::{
    Attempt, GrantId, Incarnation, MAX_ATTEMPTS, MAX_GRANTS, MAX_OPERATION_IDS, MAX_WORKERS, OperationId, OperationSet,
    Term, Version, WireIdSet, WorkerId,
};
use crate::invariant::{no_lost_update, same_answer};
use crate::issuer::{Issuer, Live};
use crate::message::{Answer, Call, Message, Rejection, Reply, Request};
use crate::network::{MAX_MESSAGES, Network};
use crate::observation::Watch;
use crate::outside::{Outside, Published};
use crate::system::{Budget, Clocks, Config, Granted, Ledger, State};
use crate::worker::{Attempts, Task, Tenure, Try, Worker};

/// Writes `node` into `out`.
///
/// # Errors
/// It is larger than a packed state may be.
pub(super) fn pack(node: &Node, config: &Config, out: &mut Packed) -> Result<(), DoesNotFit> {
    let mut writer = Writer::new(config, out);
    node.state.write(&mut writer);
    writer.finish()
}

/// The node that was packed into `words`.
pub(super) fn unpack(words: &[u64], config: &Config) -> Node {
    Node { state: State::read(&mut Reader::new(config, words)) }
}

pack_numbers! {
    WorkerId = u8 < MAX_WORKERS,
    GrantId = u8 < MAX_GRANTS,
    OperationId = u8 < MAX_OPERATION_IDS,
    OperationSet = u8 < 1 << MAX_OPERATION_IDS,
    Attempt = u8 < MAX_ATTEMPTS as usize + 2,
    Attempts = u8 < 1 << MAX_ATTEMPTS,
    TokenPlace = u8 < 2 * MAX_TOKENS,
    Version = u8: 4,
    Incarnation = u8: 2,
    Term = u8: 2,
}

/// Its place among those that the run hands out: equal tokens are one.
impl Small for Token {
    const WIDTH: u32 = bits_for(MAX_TOKENS);

    #[inline(always)]
    fn pack(self, tokens: &Tokens, excess: &mut u64) -> u64 {
        match tokens.place_of(self) {
            Some(place) => u64::from(place.0),
            None => {
                *excess = 1;
                0
            }
        }
    }

    #[inline(always)]
    fn unpack(bits: u64, tokens: &Tokens) -> Self {
        tokens.at(TokenPlace(low(bits, Self::WIDTH) as u8))
    }
}

pack_struct!(Claim { grant: GrantId, epoch: Token });

// Messages.

pack_enum!(Call {
    Mint { incarnation: Incarnation },
    Acquire { incarnation: Incarnation, minted: Option<TokenPlace> },
    Renew { grant: GrantId, term: Term },
    Register { grant: GrantId },
    Write { grant: GrantId, operation: OperationId, snapshot: Version, term: Term },
    LookUp { grant: GrantId, operation: OperationId },
    Effect { grant: GrantId, operation: OperationId, snapshot: Version },
    Release { grant: GrantId },
});
pack_struct!(Request { worker: WorkerId, attempt: Attempt, call: Call });
pack_enum!(Rejection { StaleEpoch, EpochAhead, OtherGrant, RowAbsent, VersionConflict, DeadlinePassed });
pack_enum!(Answer {
    Minted { token: TokenPlace },
    Granted { grant: GrantId },
    Taken,
    Renewed,
    NotRenewed,
    Recognized,
    Applied,
    Refused { rejection: Rejection },
    Found { applied: bool },
    Effected,
    NotEffected,
    Released,
});
pack_struct!(Reply { request: Request, answer: Answer });
pack_enum!(Message { Request(request: Request), Reply(reply: Reply) });

/// How many there are, then each of them.
impl Pack for Network {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        out.push(self.iter().count() as u64, COUNT_WIDTH);
        for message in self.iter() {
            message.write(out);
        }
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        let count = low(from.pull(COUNT_WIDTH), COUNT_WIDTH) as usize;
        let mut slots = [None; MAX_MESSAGES];
        for slot in &mut slots[..count] {
            *slot = Some(Message::read(from));
        }
        Network { slots }
    }
}

/// None up to all of them.
const COUNT_WIDTH: u32 = bits_for(MAX_MESSAGES + 1);

// The components.

pack_enum!(Worker {
    Unminted { attempt: Attempt },
    Minting { attempt: Attempt },
    Outside { attempt: Attempt, minted: Option<TokenPlace> },
    Acquiring { attempt: Attempt, minted: Option<TokenPlace> },
    Owner(tenure: Tenure),
    Releasing { grant: GrantId },
    Gone,
});
pack_struct!(Tenure { grant: GrantId, term: Term, lost: bool, released: bool, index: u8, open: Attempts, task: Task });
pack_struct!(Try { snapshot: Version, attempt: Attempt });
pack_enum!(Task {
    Register { attempt: Attempt, then: Option<Try> },
    Registering { attempt: Attempt, then: Option<Try> },
    Read { attempt: Attempt },
    ReleaseEarly(then: Try),
    Check { then: Try, effect: bool },
    CheckEffect(then: Try),
    Effect(then: Try),
    Effecting(then: Try),
    Publish(then: Try),
    Publishing(then: Try),
    LookUp(then: Try),
    LookingUp(then: Try),
    Release,
});

pack_struct!(Live { grant: GrantId, worker: WorkerId, incarnation: Incarnation, term: Term });
pack_fields!(Issuer { next, live, queue: [None; used::workers], replica: (None; used::lock_replica) });
pack_struct!(Clocks { sent: Term, ended_locally: u8, ended_there: u8, local_lifted: bool, lifted: bool });

/// The grants that were made, each with what clocks have reached where anything goes by one.
impl Pack for Ledger {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        let [claims, clocks] = [used::grants(out.config), if used::clocks(out.config) { self.len() } else { 0 }];
        out.each(&self.grants.map(|granted| granted.map(|granted| (granted.worker, granted.token))), claims);
        out.each(&self.grants.map(|granted| granted.map(|granted| granted.clocks).unwrap_or_default()), clocks);
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        let claims: [Option<(WorkerId, TokenPlace)>; MAX_GRANTS] = from.each(used::grants(from.config), None);
        let made = claims.iter().flatten().count() as u8;
        let timed = if used::clocks(from.config) { made } else { 0 };
        let clocks: [Clocks; MAX_GRANTS] = from.each(timed, Clocks::default());
        let mut grants = [None; MAX_GRANTS];
        for ((granted, claim), clocks) in grants.iter_mut().zip(claims).zip(clocks) {
            *granted = claim.map(|(worker, token)| Granted { worker, token, clocks });
        }
        Ledger { grants }
    }
}

impl Small for (WorkerId, TokenPlace) {
    const WIDTH: u32 = WorkerId::WIDTH + TokenPlace::WIDTH;

    #[inline(always)]
    fn pack(self, tokens: &Tokens, excess: &mut u64) -> u64 {
        let (worker, token) = self;
        worker.pack(tokens, excess) << TokenPlace::WIDTH | token.pack(tokens, excess)
    }

    #[inline(always)]
    fn unpack(bits: u64, tokens: &Tokens) -> Self {
        (WorkerId::unpack(bits >> TokenPlace::WIDTH, tokens), TokenPlace::unpack(bits, tokens))
    }
}

pack_struct!(Holder { grant: GrantId, worker: WorkerId });
pack_fields!(ControlRow {
    version,
    recognized,
    highest_seen,
    holder: (None; used::holder),
    applied,
    written_under: (None; used::replicas),
});
pack_enum!(Stage { Apply, Record });
pack_struct!(Pending { request: Request, stage: Stage });
pack_enum!(Outbox { Empty, Waiting(grant: GrantId), Relayed(grant: GrantId) });

/// The names of operations that are recorded: few, unless every attempt has one of its own.
impl Pack for WireIdSet {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        out.push(self.0.into(), used::wire_ids(out.config));
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        let width = used::wire_ids(from.config);
        WireIdSet(low(from.pull(width), width) as u32)
    }
}

/// One row, unless there are replicas.
impl Pack for Destination {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        let Destination { rows: [first, second], newest, pending, outbox } = self;
        first.write(out);
        if used::replicas(out.config) {
            second.write(out);
            newest.write(out);
        }
        if used::steps(out.config) {
            pending.write(out);
        }
        if used::outbox(out.config) {
            outbox.write(out);
        }
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        let first = ControlRow::read(from);
        let mut destination = Destination::of(first);
        if used::replicas(from.config) {
            destination.rows[1] = ControlRow::read(from);
            destination.newest = Version::read(from);
        }
        if used::steps(from.config) {
            destination.pending = Pack::read(from);
        }
        if used::outbox(from.config) {
            destination.outbox = Pack::read(from);
        }
        destination
    }
}

pack_struct!(Published { token: Token, operation: OperationId });
pack_fields!(Outside { keys, published });
pack_fields!(Budget {
    retries,
    losses,
    duplicates: (0; used::duplicates),
    crashes: (0; used::crashes),
    failovers: (0; used::failovers),
    suspends: (0; used::suspends),
    skews: (0; used::skews),
    renewals: (0; used::renewals),
    prunes: (0; used::prunes),
});

// What judges remember: their history is the sum of their memories, and stands with them.

pack_fields!(no_lost_update::Memory {
    applied_at: [Version(0); used::operations],
    overwritten_by: [None; used::operations],
    held,
    acknowledged,
});
pack_fields!(same_answer::Memory { applied, denied });

// The whole.

pack_fields!(Rest {
    issuer,
    ledger,
    workers: [Worker::Gone; used::workers],
    incarnations: [Incarnation(0); used::workers],
    destination,
    outside: (Outside::default(); used::outside),
    network,
    left,
    history,
});

/// All of a state but what the watch remembers: the newest grant is the ledger's last one, and a believer is who works.
struct Rest {
    issuer: Issuer,
    ledger: Ledger,
    workers: [Worker; MAX_WORKERS],
    incarnations: [Incarnation; MAX_WORKERS],
    destination: Destination,
    outside: Outside,
    network: Network,
    left: Budget,
    history: crate::invariant::History,
}

impl Pack for State {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        let State { issuer, ledger, workers, incarnations, destination, outside, network, left, history, watch } =
            *self;
        watch.expired.write(out);
        Rest { issuer, ledger, workers, incarnations, destination, outside, network, left, history }.write(out);
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        let expired = bool::read(from);
        let rest = Rest::read(from);
        let Rest { issuer, ledger, mut workers, incarnations, destination, outside, network, left, history } = rest;
        workers[usize::from(from.config.workers)..].fill(Worker::new(from.config.mechanism.program()));
        let newest = ledger.len().checked_sub(1).map(GrantId);
        let believes = |worker: &WorkerId| workers[worker.index()].believes().is_some();
        let believers = from.config.worker_ids().filter(believes).map(|worker| 1 << worker.0).sum();
        let watch = Watch { newest, expired, believers };
        State { issuer, ledger, workers, incarnations, destination, outside, network, left, history, watch }
    }
}

/// What of a state a configuration uses.
mod used {
    use crate::destination::Guard;
    use crate::id::{MAX_ATTEMPTS, MAX_OPERATION_IDS, MAX_OPERATIONS};
    use crate::mechanism::{Asks, Atomicity, Effect, NoReply, OperationIds, Replicas, Through};
    use crate::system::Config;

    pub(super) fn workers(config: &Config) -> u8 {
        config.workers
    }

    pub(super) fn grants(config: &Config) -> u8 {
        config.grants
    }

    pub(super) fn operations(config: &Config) -> u8 {
        config.grants * MAX_OPERATIONS as u8
    }

    /// Bits of the names that operations are recorded under.
    pub(super) fn wire_ids(config: &Config) -> u32 {
        let new_each = config.mechanism.no_reply == NoReply::NewId;
        MAX_OPERATION_IDS as u32 * if new_each { u32::from(MAX_ATTEMPTS) } else { 1 }
    }

    pub(super) fn clocks(config: &Config) -> bool {
        let mechanism = &config.mechanism;
        mechanism.consults_owners_clock() || mechanism.guard == Guard::Deadline || config.budget.renewals > 0
    }

    pub(super) fn holder(config: &Config) -> bool {
        config.mechanism.guard == Guard::Holder
    }

    pub(super) fn lock_replica(config: &Config) -> bool {
        config.mechanism.asks == Asks::LockReplica
    }

    pub(super) fn replicas(config: &Config) -> bool {
        config.mechanism.replicas != Replicas::One
    }

    pub(super) fn steps(config: &Config) -> bool {
        let mechanism = &config.mechanism;
        mechanism.transaction != Atomicity::Atomic || mechanism.operation_ids == OperationIds::AfterTransaction
    }

    pub(super) fn outbox(config: &Config) -> bool {
        config.mechanism.through == Through::Outbox
    }

    pub(super) fn outside(config: &Config) -> bool {
        config.mechanism.effect != Effect::None
    }

    pub(super) fn duplicates(config: &Config) -> bool {
        config.budget.duplicates > 0
    }

    pub(super) fn crashes(config: &Config) -> bool {
        config.budget.crashes > 0
    }

    pub(super) fn failovers(config: &Config) -> bool {
        config.budget.failovers > 0
    }

    pub(super) fn suspends(config: &Config) -> bool {
        config.budget.suspends > 0
    }

    pub(super) fn skews(config: &Config) -> bool {
        config.budget.skews > 0
    }

    pub(super) fn renewals(config: &Config) -> bool {
        config.budget.renewals > 0
    }

    pub(super) fn prunes(config: &Config) -> bool {
        config.budget.prunes > 0
    }
}
