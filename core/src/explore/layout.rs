//! How a state is packed: the one place that knows the insides of what a state holds.
//!
//! Nothing is written that can be told from the rest, and of a token only its place among those of the run. First comes what
//! every configuration has, then the messages, then what only some have. A field or variant that is missing here does not
//! compile.

use super::bits::{
    DoesNotFit, Pack, Packed, Reader, Small, Writer, bits_for, low, pack_enum, pack_fields, pack_numbers, pack_struct,
};
use crate::destination::{ControlRow, Destination, Guard, Holder, Outbox, Pending, Stage};
use crate::epoch::{Claim, MAX_TOKENS, Token, TokenPlace, Tokens};
use crate::id::{
    Attempt, GrantId, Incarnation, MAX_ATTEMPTS, MAX_GRANTS, MAX_OPERATION_IDS, MAX_WORKERS, OperationId, OperationSet,
    PerReplica, Term, Version, WireIdSet, WorkerId,
};
use crate::invariant::no_lost_update::{self, Overwriters};
use crate::invariant::{History, Record, effect_once};
use crate::issuer::{Issuer, Live, Waiting};
use crate::mechanism::{Asks, Atomicity, Effect, EffectOutcome, NoReply, OperationIds, Replicas, Through};
use crate::message::{Answer, Call, Message, Rejection, Reply, Request, Sought};
use crate::network::{MAX_MESSAGES, Network};
use crate::observation::Watch;
use crate::outside::{Outside, Published};
use crate::system::{Budget, Clocks, Config, Granted, Ledger, State};
use crate::worker::{Attempts, Task, Tenure, Try, Worker};

/// How the states of a configuration are packed.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) config: Config,
    uses: u32,
}

impl Form {
    pub(crate) fn of(config: &Config) -> Self {
        Self { config: *config, uses: Use::of(config) }
    }

    /// Whether the configuration has this use.
    #[inline(always)]
    pub(crate) fn has(&self, of: Use) -> bool {
        self.uses & 1 << of as u32 != 0
    }

    /// Writes `state` into `out`.
    ///
    /// # Errors
    /// It is larger than a packed state may be.
    pub(super) fn pack(&self, state: &State, out: &mut Packed) -> Result<(), DoesNotFit> {
        let mut writer = Writer::new(self, out);
        state.write(&mut writer);
        writer.put_staged();
        state.write_more(&mut writer);
        writer.finish()
    }

    /// The state that was packed into `words`, with what can be told from the rest: the newest grant is the ledger's last
    /// one, and a believer is who works.
    pub(super) fn unpack(&self, words: &[u64]) -> State {
        let mut reader = Reader::new(self, words);
        let mut state = State::read(&mut reader);
        reader.end_stage();
        state.read_more(&mut reader);
        let config = &self.config;
        state.workers[usize::from(config.workers)..].fill(Worker::new(config.mechanism.program()));
        state.watch.newest = state.ledger.len().checked_sub(1).map(GrantId);
        state.history.record.newest = state.watch.newest;
        let believes = |worker: &WorkerId| state.workers[worker.index()].believes().is_some();
        state.watch.believers = config.worker_ids().filter(believes).map(|worker| 1 << worker.0).sum();
        state
    }
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
    LookUp { grant: GrantId, operation: OperationId, of: Sought },
    Effect { grant: GrantId, operation: OperationId, snapshot: Version },
    Release { grant: GrantId },
});
pack_enum!(Sought { Write, Effect, EffectAtLast });
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
    EffectFound { effected: bool },
    Effected,
    NotEffected,
    Released,
});
pack_struct!(Reply { request: Request, answer: Answer });
pack_enum!(Message { Request(request: Request), Reply(reply: Reply) });

/// How many there are, then each of them.
impl Network {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        out.stage(self.iter().count() as u64, COUNT_WIDTH);
        for message in self.iter() {
            out.put_staged();
            message.write(out);
        }
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        let count = low(from.unstage(COUNT_WIDTH), COUNT_WIDTH) as usize;
        let mut slots = [None; MAX_MESSAGES];
        for slot in &mut slots[..count] {
            from.end_stage();
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
    LookUpEffect(then: Try),
    LookingUpEffect(then: Try),
    Effect(then: Try),
    Effecting(then: Try),
    Publish(then: Try),
    Publishing(then: Try),
    LookUp(then: Try),
    LookingUp(then: Try),
    Release,
});

pack_struct!(Live { grant: GrantId, worker: WorkerId, incarnation: Incarnation, term: Term });
pack_struct!(Waiting { worker: WorkerId, attempt: Attempt, incarnation: Incarnation, minted: Option<TokenPlace> });
/// How many wait comes with what not every configuration has, and then each of them.
impl Pack for Issuer {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        self.next.write(out);
        self.live.write(out);
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        Issuer { next: Pack::read(from), live: Pack::read(from), ..Issuer::NEW }
    }

    #[inline(always)]
    fn write_more(&self, out: &mut Writer<'_>) {
        let Issuer { next: _, live: _, queue, replica } = self;
        out.stage(queue.iter().flatten().count() as u64, WAITING_WIDTH);
        out.put_staged();
        for waiting in queue.iter().flatten() {
            out.add(waiting);
        }
        if out.form.has(Use::LockReplica) {
            out.add(replica);
        }
    }

    #[inline(always)]
    fn read_more(&mut self, from: &mut Reader<'_>) {
        let Issuer { next: _, live: _, queue, replica } = self;
        let count = low(from.unstage(WAITING_WIDTH), WAITING_WIDTH) as usize;
        from.end_stage();
        for waiting in &mut queue[..count] {
            *waiting = Some(from.take());
        }
        if from.form.has(Use::LockReplica) {
            *replica = from.take();
        }
    }
}

const WAITING_WIDTH: u32 = bits_for(MAX_WORKERS + 1);

pack_struct!(Clocks { sent: Term, ended_locally: u8, ended_there: u8, local_lifted: bool, lifted: bool });

/// How many grants were made and each of them, then what clocks have reached.
impl Pack for Ledger {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        out.stage(self.len().into(), LEDGER_WIDTH);
        let nobody = (WorkerId(0), TokenPlace(0));
        let grants = self.grants.map(|granted| granted.map_or(nobody, |granted| (granted.worker, granted.token)));
        grants.write(out);
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        let count = low(from.unstage(LEDGER_WIDTH), LEDGER_WIDTH) as usize;
        let made = <[(WorkerId, TokenPlace); MAX_GRANTS]>::read(from);
        let mut grants = [None; MAX_GRANTS];
        for (granted, (worker, token)) in grants[..count].iter_mut().zip(made) {
            *granted = Some(Granted { worker, token, clocks: Clocks::default() });
        }
        Ledger { grants }
    }

    #[inline(always)]
    fn write_more(&self, out: &mut Writer<'_>) {
        if out.form.has(Use::Clocks) {
            for granted in self.grants.iter().flatten() {
                out.add(&granted.clocks);
            }
        }
    }

    #[inline(always)]
    fn read_more(&mut self, from: &mut Reader<'_>) {
        if from.form.has(Use::Clocks) {
            for granted in self.grants.iter_mut().flatten() {
                granted.clocks = from.take();
            }
        }
    }
}

const LEDGER_WIDTH: u32 = bits_for(MAX_GRANTS + 1);

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
    holder: (None; Use::Holder),
    applied,
    written_under: (None; Use::Replicas),
});
pack_enum!(Stage { Apply, Record });
pack_struct!(Pending { request: Request, stage: Stage });
pack_enum!(Outbox { Empty, Waiting(grant: GrantId), Relayed(grant: GrantId) });

/// The names of operations that are recorded: first those of first attempts, which are all unless every attempt has one
/// of its own.
impl Pack for WireIdSet {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        out.stage(low(self.0.into(), FIRST_IDS), FIRST_IDS);
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        WireIdSet(low(from.unstage(FIRST_IDS), FIRST_IDS) as u32)
    }

    #[inline(always)]
    fn write_more(&self, out: &mut Writer<'_>) {
        if out.form.has(Use::NewIds) {
            out.stage(u64::from(self.0) >> FIRST_IDS, OTHER_IDS);
            out.put_staged();
        }
    }

    #[inline(always)]
    fn read_more(&mut self, from: &mut Reader<'_>) {
        if from.form.has(Use::NewIds) {
            self.0 |= (low(from.unstage(OTHER_IDS), OTHER_IDS) << FIRST_IDS) as u32;
            from.end_stage();
        }
    }
}

const FIRST_IDS: u32 = MAX_OPERATION_IDS as u32;
const OTHER_IDS: u32 = MAX_OPERATION_IDS as u32 * (MAX_ATTEMPTS as u32 - 1);

/// One row, unless there are replicas.
impl Pack for Destination {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        self.rows[0].write(out);
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        Destination::of(ControlRow::read(from))
    }

    #[inline(always)]
    fn write_more(&self, out: &mut Writer<'_>) {
        let Destination { rows: [first, second], newest, pending, outbox } = self;
        first.write_more(out);
        if out.form.has(Use::Replicas) {
            out.add(second);
            out.add(newest);
        }
        if out.form.has(Use::Steps) {
            out.add(pending);
        }
        if out.form.has(Use::Outbox) {
            out.add(outbox);
        }
    }

    #[inline(always)]
    fn read_more(&mut self, from: &mut Reader<'_>) {
        let Destination { rows: [first, second], newest, pending, outbox } = self;
        first.read_more(from);
        if from.form.has(Use::Replicas) {
            *second = from.take();
            *newest = from.take();
        }
        if from.form.has(Use::Steps) {
            *pending = from.take();
        }
        if from.form.has(Use::Outbox) {
            *outbox = from.take();
        }
    }
}

pack_struct!(Published { token: Token, operation: OperationId });
pack_fields!(Outside { keys, published });
pack_fields!(Budget {
    retries,
    losses,
    duplicates: (0; Use::Duplicates),
    crashes: (0; Use::Crashes),
    failovers: (0; Use::Failovers),
    suspends: (0; Use::Suspends),
    skews: (0; Use::Skews),
    renewals: (0; Use::Renewals),
    prunes: (0; Use::Prunes),
});

// What judges remember: their history is the sum of their memories, and stands with them.

pack_numbers! {
    Overwriters = u32 < 1 << (3 * MAX_OPERATION_IDS),
}
pack_fields!(effect_once::Memory { effected, denied: (OperationSet::default(); Use::EffectsDenied) });

impl Pack for no_lost_update::Memory {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        let Self { applied_at, overwritten_by, held, acknowledged } = self;
        out.versions(applied_at);
        overwritten_by.write(out);
        held.write(out);
        acknowledged.write(out);
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        let (applied_at, overwritten_by) = (from.versions(), Pack::read(from));
        let (held, acknowledged) = (Pack::read(from), Pack::read(from));
        Self { applied_at, overwritten_by, held, acknowledged }
    }

    #[inline(always)]
    fn write_more(&self, out: &mut Writer<'_>) {
        self.held.write_more(out);
    }

    #[inline(always)]
    fn read_more(&mut self, from: &mut Reader<'_>) {
        self.held.read_more(from);
    }
}

impl Pack for Record {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        let Self { newest: _, applied, latest } = self;
        applied.write(out);
        out.versions(latest);
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        Self { newest: None, applied: Pack::read(from), latest: from.versions() }
    }
}

/// Of one replica only, where there are no others.
impl<T: Small + Default> Pack for PerReplica<T> {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        self.0[0].write(out);
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        PerReplica([Pack::read(from), T::default()])
    }

    #[inline(always)]
    fn write_more(&self, out: &mut Writer<'_>) {
        if out.form.has(Use::Replicas) {
            out.add(&self.0[1]);
        }
    }

    #[inline(always)]
    fn read_more(&mut self, from: &mut Reader<'_>) {
        if from.form.has(Use::Replicas) {
            self.0[1] = from.take();
        }
    }
}

// The whole.

impl Pack for State {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        let State { watch, issuer, ledger, workers, destination, left, history, .. } = self;
        watch.write(out);
        issuer.write(out);
        ledger.write(out);
        let [first, second, _] = workers;
        first.write(out);
        second.write(out);
        destination.write(out);
        left.write(out);
        history.write(out);
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        let watch = Watch::read(from);
        let issuer = Issuer::read(from);
        let ledger = Ledger::read(from);
        let workers = [Worker::read(from), Worker::read(from), Worker::Gone];
        let destination = Destination::read(from);
        let left = Budget::read(from);
        let history = History::read(from);
        let incarnations = [Incarnation::default(); MAX_WORKERS];
        let (outside, network) = (Outside::default(), Network::default());
        State { issuer, ledger, workers, incarnations, destination, outside, network, left, history, watch }
    }

    #[inline(always)]
    fn write_more(&self, out: &mut Writer<'_>) {
        let State { issuer, ledger, workers, incarnations, destination, outside, network, left, history, watch: _ } =
            self;
        network.write(out);
        out.put_staged();
        issuer.write_more(out);
        // Most configurations are content with that.
        if out.form.uses == 0 {
            return;
        }
        ledger.write_more(out);
        if out.form.has(Use::ThirdWorker) {
            out.add(&workers[2]);
        }
        if out.form.has(Use::Crashes) {
            out.add(incarnations);
        }
        destination.write_more(out);
        if out.form.has(Use::Outside) {
            out.add(outside);
        }
        left.write_more(out);
        history.write_more(out);
    }

    #[inline(always)]
    fn read_more(&mut self, from: &mut Reader<'_>) {
        let State { issuer, ledger, workers, incarnations, destination, outside, network, left, history, watch: _ } =
            self;
        *network = Network::read(from);
        from.end_stage();
        issuer.read_more(from);
        if from.form.uses == 0 {
            return;
        }
        ledger.read_more(from);
        if from.form.has(Use::ThirdWorker) {
            workers[2] = from.take();
        }
        if from.form.has(Use::Crashes) {
            *incarnations = from.take();
        }
        destination.read_more(from);
        if from.form.has(Use::Outside) {
            *outside = from.take();
        }
        left.read_more(from);
        history.read_more(from);
    }
}

/// Only what cannot be told from the rest, see [`Form::unpack`].
impl Small for Watch {
    const WIDTH: u32 = bool::WIDTH;

    #[inline(always)]
    fn pack(self, tokens: &Tokens, excess: &mut u64) -> u64 {
        let Watch { newest: _, expired, believers: _ } = self;
        expired.pack(tokens, excess)
    }

    #[inline(always)]
    fn unpack(bits: u64, tokens: &Tokens) -> Self {
        Watch { expired: bool::unpack(bits, tokens), ..Watch::default() }
    }
}

/// Declares what only some configurations use of a state, each with when.
macro_rules! uses {
    (|$config:ident, $mechanism:ident| $($use:ident = $when:expr,)+) => {
        /// What only some configurations use of a state.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Use { $($use,)+ }

        impl Use {
            /// A bit for each use that the configuration has.
            fn of($config: &Config) -> u32 {
                let $mechanism = &$config.mechanism;
                let mut uses = 0;
                $(uses |= u32::from($when) << Use::$use as u32;)+
                uses
            }
        }
    };
}

uses! { |config, mechanism|
    ThirdWorker = config.workers > 2,
    LockReplica = mechanism.asks == Asks::LockReplica,
    Clocks = mechanism.consults_owners_clock() || mechanism.guard == Guard::Deadline || config.budget.renewals > 0,
    Holder = mechanism.guard == Guard::Holder,
    NewIds = mechanism.no_reply == NoReply::NewId,
    Replicas = mechanism.replicas != Replicas::One,
    Steps = mechanism.transaction != Atomicity::Atomic || mechanism.operation_ids == OperationIds::AfterTransaction,
    Outbox = mechanism.through == Through::Outbox,
    Outside = mechanism.effect != Effect::None,
    EffectsDenied = mechanism.effect_outcome == EffectOutcome::Failed,
    Duplicates = config.budget.duplicates > 0,
    Crashes = config.budget.crashes > 0,
    Failovers = config.budget.failovers > 0,
    Suspends = config.budget.suspends > 0,
    Skews = config.budget.skews > 0,
    Renewals = config.budget.renewals > 0,
    Prunes = config.budget.prunes > 0,
}
