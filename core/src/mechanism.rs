//! What a destination, its issuer and its workers can be set to. One row of a comparison is one [`Mechanism`].
//!
//! A switch is one entry of the list below: from it come its type, its words in the scenario language, and its place in a
//! [`Mechanism`]. What switches need of one another stands in [`Mechanism::unmet`].

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeMap};

use crate::destination::Guard;
use crate::epoch::Token;
use crate::id::{GrantId, MAX_OPERATIONS, OperationId};
use crate::message::Rejection;
use crate::program::Program;

/// Declares the switches beside the guard: field, type, word in the language, and values with theirs, the default first.
macro_rules! switches {
    ($($(#[$doc:meta])* $field:ident: $type:ident = $word:literal {
        $(#[$default_doc:meta])* $default:ident = $default_word:literal,
        $($(#[$value_doc:meta])* $value:ident = $value_word:literal,)+
    })+) => {
        /// The switches of one row.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct Mechanism {
            /// The rule by which the destination admits a write.
            pub guard: Guard,
            $($(#[$doc])* pub $field: $type,)+
        }

        impl Mechanism {
            /// The mechanism of a scenario that says nothing: no guard, no operation IDs, and everything else sound.
            pub const UNGUARDED: Mechanism = Mechanism { guard: Guard::None, $($field: $type::$default,)+ };
        }

        $($(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $type {
            $(#[$default_doc])* $default,
            $($(#[$value_doc])* $value,)+
        }

        impl $type {
            /// All values, the default first.
            pub const ALL: &'static [$type] = &[$type::$default, $($type::$value,)+];

            /// Its word in the scenario language.
            pub const fn name(self) -> &'static str {
                match self {
                    $type::$default => $default_word,
                    $($type::$value => $value_word,)+
                }
            }
        })+

        /// A switch of a mechanism, by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each is described at its field of `Mechanism`")]
        pub enum Switch {
            Guard,
            $($type,)+
        }

        impl Switch {
            /// All of them.
            pub const ALL: &'static [Switch] = &[Switch::Guard, $(Switch::$type,)+];

            /// Its word in the scenario language.
            pub const fn name(self) -> &'static str {
                match self {
                    Switch::Guard => "guard",
                    $(Switch::$type => $word,)+
                }
            }

            /// The words of its values, the default first.
            pub const fn words(self) -> &'static [&'static str] {
                match self {
                    Switch::Guard => &GUARD_WORDS,
                    $(Switch::$type => &[$default_word, $($value_word,)+],)+
                }
            }
        }

        impl Mechanism {
            /// Which of [`Switch::words`] a switch is set to, by index.
            pub fn get(&self, switch: Switch) -> usize {
                match switch {
                    Switch::Guard => self.guard as usize,
                    $(Switch::$type => self.$field as usize,)+
                }
            }

            /// Sets a switch to the value of this index among its words.
            ///
            /// # Panics
            /// If the switch has no such value.
            pub fn set(&mut self, switch: Switch, value: usize) {
                match switch {
                    Switch::Guard => self.guard = Guard::ALL[value],
                    $(Switch::$type => self.$field = $type::ALL[value],)+
                }
            }
        }
    };
}

const GUARD_WORDS: [&str; Guard::ALL.len()] = {
    let mut words = [""; Guard::ALL.len()];
    let mut index = 0;
    while index < words.len() {
        words[index] = Guard::ALL[index].name();
        index += 1;
    }
    words
};

switches! {
    /// What the destination does with operation IDs.
    operation_ids: OperationIds = "operation-ids" {
        /// Nothing: a repeat is a new write.
        Off = "off",
        /// Records them in the transaction that applies the write, and answers a repeat with the recorded result.
        InTransaction = "in-transaction",
        /// Records them in a step of its own after the write: what happens in between is not known to have happened.
        AfterTransaction = "after-transaction",
    }
    /// When the destination looks an operation up among those it has applied.
    look_up: LookUp = "look-up" {
        /// First of all: a repeat has its answer whoever owns the lock by then.
        BeforeGuard = "before-guard",
        /// Only for what the guard has admitted: after a handover, a repeat of an applied operation is refused.
        AfterGuard = "after-guard",
    }
    /// Whom `client-check` asks.
    asks: Asks = "asks" {
        /// The lock service itself.
        Lock = "lock",
        /// A replica of the lock service, which may be behind.
        LockReplica = "lock-replica",
        /// The destination: whether it goes by a higher epoch than the worker's.
        Destination = "destination",
    }
    /// What `max-seen` goes by.
    counts: Counts = "counts" {
        /// The epochs of writes.
        Writes = "writes",
        /// The epochs of reads too: a new owner is seen as soon as it reads.
        ReadsToo = "reads-too",
    }
    /// What a worker does whose version of the row is no longer the current one.
    on_conflict: OnConflict = "on-conflict" {
        /// It gives the operation up.
        GiveUp = "give-up",
        /// It reads again and carries the same operation out once more, as one of its attempts.
        Redo = "redo",
    }
    /// Whose name the `holder` guard compares.
    holder_id: HolderId = "holder-id" {
        /// The grant's: unique.
        Grant = "grant",
        /// The worker's: the same for its former grant and its newer one.
        Worker = "worker",
    }
    /// What a worker does about a write whose reply does not come.
    no_reply: NoReply = "no-reply" {
        /// It sends the same operation ID again.
        SameId = "same-id",
        /// It sends the write again under a new ID: nothing tells the two apart from two operations.
        NewId = "new-id",
        /// It takes the operation for failed.
        Failed = "failed",
        /// It asks what became of the operation, and sends it again if it has not been applied.
        LookUp = "look-up",
    }
    /// How the destination carries a write out.
    transaction: Atomicity = "transaction" {
        /// Check, change and record are one step.
        Atomic = "atomic",
        /// Check, change and record are a step each: others come in between.
        Split = "split",
    }
    /// What becomes of the control row when the destination restarts.
    control_row: Durability = "control-row" {
        /// It is as it was.
        Durable = "durable",
        /// It is lost. Writes are refused until a new owner registers.
        FailsClosed = "fails-closed",
        /// It is lost. Writes are admitted as if nobody had ever registered.
        FailsOpen = "fails-open",
        /// It is lost, and whoever is refused for that registers again: perhaps a former owner.
        ReRegistered = "re-registered",
    }
    /// How a worker reads the row.
    reads: Reads = "reads" {
        /// It reads, whatever its epoch.
        Plain = "plain",
        /// The destination answers only the owner of its current epoch.
        Current = "current",
        /// The read registers the worker's epoch in the same step.
        Registering = "registering",
        /// It reads first and registers afterwards.
        BeforeRegistering = "before-registering",
    }
    /// How many copies of the destination take writes, and how they are brought together.
    replicas: Replicas = "replicas" {
        /// One authoritative order.
        One = "one",
        /// Two; what was written last stays.
        LastWrite = "last-write",
        /// Two; what was written under the higher epoch stays.
        HighestEpoch = "highest-epoch",
    }
    /// What number the issuer hands out with a grant.
    token: TokenKind = "token" {
        /// A counter that only goes up.
        Epoch = "epoch",
        /// The issuer's wall clock.
        Timestamp = "timestamp",
        /// A random number: an identity without an order.
        Random = "random",
        /// A counter of few bits, which begins again at 0.
        Wrapping = "wrapping",
        /// A sound counter that the destination compares as text: "10" before "9".
        Text = "text",
        /// What the client says: refused for a stale epoch, it declares a higher one.
        Declared = "declared",
        /// One more than the last, read and written without compare-and-set: two may read the same last.
        Unchecked = "unchecked",
    }
    /// When the token is made.
    mint: Mint = "mint" {
        /// In the step that grants the lock.
        WithGrant = "with-grant",
        /// Before the lock is asked for: tokens need not follow the order of grants.
        BeforeGrant = "before-grant",
    }
    /// What the issuer remembers when it comes back.
    storage: Storage = "issuer" {
        /// Everything.
        Durable = "durable",
        /// What a backup knew: the numbers since then are handed out again.
        Restored = "restored",
        /// What a backup knew, with its counter set beyond any number ever handed out.
        RestoredWithBump = "restored-with-bump",
        /// What a replica knew that lacks the latest grant.
        FailsOver = "fails-over",
    }
    /// How those that want the lock learn that it is free.
    candidates: Candidates = "candidates" {
        /// They wait in the issuer's queue.
        Notified = "notified",
        /// They are refused, and ask again every so often.
        Poll = "poll",
        /// They ask again every so often too, and take over when they find the owner's record unchanged for a lease.
        Watch = "watch",
        /// They wait in a queue with a session of their own, whose lease runs while they wait: what they are granted may be
        /// over before they would think so.
        Session = "session",
    }
    /// Who renews the lease while the worker works.
    renewal: Renewal = "renewal" {
        /// Nobody.
        Off = "off",
        /// The worker itself, between its steps.
        Worker = "worker",
        /// A thread of its own: it goes on while the worker is stuck.
        Thread = "thread",
    }
    /// From when on the worker counts its lease.
    counted_from: CountedFrom = "lease-from" {
        /// From when it sent the request: never too long.
        Request = "request",
        /// From when it had the reply: too long by the time the reply took.
        Reply = "reply",
    }
    /// By which clock the lease ends.
    lease_by: LeaseBy = "lease-by" {
        /// The issuer's monotonic clock.
        Monotonic = "monotonic",
        /// The issuer's wall clock, which can be set.
        Wall = "wall",
        /// The owner writes the deadline by its clock, the candidate reads it by its own.
        Written = "written",
        /// The owner computes the deadline before it calls the store.
        BeforeCall = "before-call",
    }
    /// What a worker does that learns that its lease is lost.
    on_loss: OnLoss = "on-loss" {
        /// It stops at once.
        Stop = "stop",
        /// It stops after a while.
        Slow = "slow",
        /// It goes on.
        Ignore = "ignore",
    }
    /// What a release ends.
    release: Release = "release" {
        /// The releaser's own grant, if it still runs.
        Own = "own",
        /// Whichever grant runs.
        Unconditional = "unconditional",
        /// Its own grant, but it is sent before the work has ended.
        Early = "early",
    }
    /// What an operation does outside the destination.
    effect: Effect = "effect" {
        /// Nothing.
        None = "none",
        /// It sends a mail: no check, no key.
        Mail = "mail",
        /// It pays through a provider.
        Payment = "payment",
        /// It publishes a file by switching a reference.
        File = "file",
    }
    /// By which way the effect comes about.
    through: Through = "through" {
        /// The worker brings it about before it writes.
        Direct = "direct",
        /// The write leaves a row in the destination's transaction, and a relay carries it out.
        Outbox = "outbox",
    }
    /// What a payment's idempotency key does.
    key: Key = "key" {
        /// There is none.
        Off = "off",
        /// The provider keeps it, and answers a repeat with the first result.
        Kept = "kept",
        /// The provider forgets it after a time, and with it that it has paid.
        Pruned = "pruned",
    }
    /// What a worker makes of an effect that it has no answer about.
    effect_outcome: EffectOutcome = "effect-outcome" {
        /// It asks for the effect again, and in the end does not know.
        Unknown = "unknown",
        /// It takes the effect for failed.
        Failed = "failed",
        /// It asks the provider what became of it, before each time that it asks for the effect, and after the last: so
        /// does an owner that has not asked for the effect yet, since another may have.
        LookedUp = "looked-up",
    }
    /// How a file's reference is switched.
    switched: Switched = "switched" {
        /// Whatever it points to.
        Unconditionally = "unconditionally",
        /// Only for an epoch no lower than the published one, in one step.
        Conditionally = "conditionally",
        /// The same, but it is checked in one step and switched in the next.
        InTwoSteps = "in-two-steps",
    }
}

impl Mechanism {
    /// The first switch that is set to something that the others leave without meaning, and what it needs.
    ///
    /// When operations are looked up may be set for a guard that refuses nothing, though it makes no difference there: it is
    /// a rule of the destination that a comparison sets for all of its rows.
    pub fn unmet(&self) -> Option<(Switch, &'static str)> {
        let (guard, ids) = (self.guard, self.operation_ids != OperationIds::Off);
        let (registers, judges) = (guard.registers(), guard.judges());
        let switched = self.effect == Effect::File && self.switched != Switched::Unconditionally;
        let compares = self.keeps_epochs() || switched || self.replicas == Replicas::HighestEpoch;
        let needs = [
            (
                Switch::OperationIds,
                self.operation_ids != OperationIds::AfterTransaction || self.transaction == Atomicity::Atomic,
                "`transaction atomic`: a split one records them in a step of its own anyway",
            ),
            (Switch::LookUp, ids, "`operation-ids`: none are recorded"),
            (Switch::Asks, guard == Guard::ClientCheck, "`guard client-check`: nobody else asks"),
            (Switch::Counts, guard == Guard::MaxSeen, "`guard max-seen`: no other counts"),
            (Switch::OnConflict, guard == Guard::RowVersion, "`guard row-version`: no other has conflicts"),
            (Switch::HolderId, guard == Guard::Holder, "`guard holder`: no other compares names"),
            (
                Switch::NoReply,
                self.no_reply != NoReply::NewId || ids,
                "`operation-ids`: without them a write has no ID",
            ),
            (
                Switch::NoReply,
                self.no_reply != NoReply::LookUp || ids,
                "`operation-ids`: without them there is nothing to look up",
            ),
            (
                Switch::Atomicity,
                judges || ids,
                "something beside the change: a guard by which the destination refuses, or `operation-ids`",
            ),
            (
                Switch::Durability,
                self.control_row != Durability::FailsClosed || registers || guard == Guard::Holder,
                "a guard that can miss its row (`holder`, `promise`, `registered`)",
            ),
            (
                Switch::Durability,
                self.control_row != Durability::FailsOpen || self.keeps_epochs() || guard == Guard::Holder || ids,
                "something in the row: a guard that keeps epochs or names there, or `operation-ids`",
            ),
            (
                Switch::Durability,
                self.control_row != Durability::ReRegistered || registers,
                "a guard that registers (`promise`, `registered`)",
            ),
            (Switch::Reads, registers, "a guard that registers (`promise`, `registered`)"),
            (
                Switch::Replicas,
                self.transaction == Atomicity::Atomic && self.effect == Effect::None,
                "`transaction atomic` and no `effect`",
            ),
            (Switch::Replicas, guard != Guard::Holder, "a guard other than `holder`, which needs one store"),
            (
                Switch::TokenKind,
                self.token != TokenKind::Text || compares,
                "something that compares tokens: a guard that keeps epochs, `switched conditionally` or `in-two-steps`, or `replicas highest-epoch`",
            ),
            (
                Switch::TokenKind,
                self.token != TokenKind::Declared || self.keeps_epochs() && judges,
                "a guard that refuses a stale epoch (`max-seen`, `greater-than`, `promise`, `registered`)",
            ),
            (
                Switch::Mint,
                !matches!(self.token, TokenKind::Timestamp | TokenKind::Declared),
                "a token that the lock service counts",
            ),
            (
                Switch::Mint,
                self.token != TokenKind::Unchecked,
                "another token: `token unchecked` is made before the grant anyway",
            ),
            (
                Switch::CountedFrom,
                self.consults_owners_clock(),
                "something that goes by the worker's own clock: `guard self-check`, or `renewal` that it heeds the loss of",
            ),
            (Switch::OnLoss, self.renewal != Renewal::Off, "`renewal`: without it nobody tells the worker"),
            (Switch::Through, self.effect != Effect::None, "an `effect`"),
            (
                Switch::Through,
                self.through != Through::Outbox || self.effect != Effect::File,
                "`effect mail` or `effect payment`: a file is switched by the worker",
            ),
            (Switch::Key, self.effect == Effect::Payment, "`effect payment`"),
            (
                Switch::EffectOutcome,
                self.effect_outcome != EffectOutcome::LookedUp || self.effect == Effect::Payment,
                "`effect payment`: of no other is there somebody to ask",
            ),
            (
                Switch::EffectOutcome,
                self.effect != Effect::None && self.through == Through::Direct,
                "an `effect` and `through direct`: a relay has its answer in the step in which it asks",
            ),
            (Switch::Switched, self.effect == Effect::File, "`effect file`"),
        ];
        let set = |switch: Switch| self.get(switch) != 0;
        needs.into_iter().find(|&(switch, met, _)| set(switch) && !met).map(|(switch, _, what)| (switch, what))
    }

    /// Whether the owner goes by its own clock, so that the end of a lease has to wait for what that clock still allows.
    pub fn consults_owners_clock(&self) -> bool {
        self.guard == Guard::SelfCheck || self.heeds_loss()
    }

    /// Whether a worker stops when it learns that its lease is lost.
    pub fn heeds_loss(&self) -> bool {
        self.renewal != Renewal::Off && self.on_loss != OnLoss::Ignore
    }

    /// Whether who is refused the lock asks again every so often.
    pub fn polls(&self) -> bool {
        match self.candidates {
            Candidates::Poll | Candidates::Watch => true,
            Candidates::Notified | Candidates::Session => false,
        }
    }

    /// Whether the destination keeps an epoch to go by.
    pub fn keeps_epochs(&self) -> bool {
        match self.guard {
            Guard::MaxSeen | Guard::GreaterThan | Guard::Promise | Guard::Registered => true,
            Guard::ClientCheck => self.asks == Asks::Destination,
            Guard::None | Guard::SelfCheck | Guard::RowVersion | Guard::Deadline | Guard::Holder => false,
        }
    }

    /// How the destination compares two tokens.
    pub fn orders(&self, one: Token, other: Token) -> Ordering {
        if self.token == TokenKind::Text { one.cmp_as_text(other) } else { one.cmp(&other) }
    }

    /// What a guard that goes by the control row says where nothing stands in it.
    ///
    /// # Errors
    /// It refuses, unless it is set to fail open.
    pub fn without_row(&self) -> Result<(), Rejection> {
        if self.control_row == Durability::FailsOpen { Ok(()) } else { Err(Rejection::RowAbsent) }
    }

    /// Whether tokens are made in a request of their own, before the lock is asked for.
    pub fn mints_first(&self) -> bool {
        self.mint == Mint::BeforeGrant || self.token == TokenKind::Unchecked
    }

    /// What these rules ask of a worker's program.
    #[inline]
    pub fn program(&self) -> Program {
        Program {
            mints: self.mints_first(),
            registers: self.guard.registers() && self.reads != Reads::Registering,
            reads_first: self.reads == Reads::BeforeRegistering,
            checks: self.guard.checks(),
            effect: self.effect != Effect::None && self.through == Through::Direct,
            looks_up_effect: self.effect_outcome == EffectOutcome::LookedUp,
            checks_effect: self.effect == Effect::File && self.switched == Switched::InTwoSteps,
            releases_early: self.release == Release::Early,
        }
    }

    /// The switches that tell this mechanism apart: the guard always, the others where they are not the default.
    pub fn settings(&self) -> impl Iterator<Item = (Switch, &'static str)> + '_ {
        let told = |switch: &Switch| *switch == Switch::Guard || self.get(*switch) != 0;
        Switch::ALL.iter().copied().filter(told).map(|switch| (switch, switch.words()[self.get(switch)]))
    }
}

/// What tells it apart, as the scenario language has it.
impl fmt::Debug for Mechanism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.settings().map(|(switch, value)| format!("{} {value}", switch.name()))).finish()
    }
}

impl Default for Mechanism {
    fn default() -> Self {
        Mechanism::UNGUARDED
    }
}

/// As a map from switch to value. The guard and the switches of operation IDs are always told, others where they are not
/// the default.
impl Serialize for Mechanism {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let always = [Switch::Guard, Switch::OperationIds, Switch::LookUp];
        let told = |switch: &&Switch| always.contains(switch) || self.get(**switch) != 0;
        let mut map = serializer.serialize_map(None)?;
        for switch in Switch::ALL.iter().filter(told) {
            map.serialize_entry(switch.name(), switch.words()[self.get(*switch)])?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Mechanism {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let settings = std::collections::BTreeMap::<String, String>::deserialize(deserializer)?;
        let mut mechanism = Mechanism::UNGUARDED;
        for (name, word) in settings {
            let switch = Switch::ALL.iter().copied().find(|switch| switch.name() == name);
            let switch = switch.ok_or_else(|| D::Error::custom(format!("there is no switch `{name}`")))?;
            let value = switch.words().iter().position(|known| *known == word);
            let value = value.ok_or_else(|| D::Error::custom(format!("`{name}` cannot be set to `{word}`")))?;
            mechanism.set(switch, value);
        }
        Ok(mechanism)
    }
}

/// Whose the business operations are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    /// Each grant carries out operations of its own.
    Own,
    /// The n-th operation of every grant is the same one.
    Shared,
}

impl Sharing {
    /// The `index`-th operation (from 0) that `grant` carries out.
    pub fn operation(self, grant: GrantId, index: u8) -> OperationId {
        match self {
            Sharing::Own => OperationId(grant.0 * MAX_OPERATIONS as u8 + index),
            Sharing::Shared => OperationId(index),
        }
    }

    /// Which of its grant's operations (from 0) `operation` is: the other way round.
    pub fn index(self, operation: OperationId) -> u8 {
        match self {
            Sharing::Own => operation.0 % MAX_OPERATIONS as u8,
            Sharing::Shared => operation.0,
        }
    }
}
