//! What happened: the entries of a trace, in the past tense.

use serde::{Deserialize, Serialize};

use crate::epoch::{Claim, Token};
use crate::event::Process;
use crate::id::{Attempt, GrantId, OperationId, ReplicaId, Term, Version, WorkerId};
use crate::message::{Message, Rejection, Request};
use crate::time::{Duration, LocalInstant};

/// One thing that happened. Facts of the lock service, of workers, of the destination and of the network come from the
/// transition system; those of pauses and clocks from the driver that knows of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "kebab-case")]
pub enum Fact {
    /// A message left its sender.
    Sent {
        /// The message.
        message: Message,
    },
    /// A message reached its receiver. What the receiver made of it stands in the facts that follow.
    Delivered {
        /// The message.
        message: Message,
    },
    /// A message reached a process that is frozen: it lies there unread until the process runs again.
    Held {
        /// The message.
        message: Message,
    },
    /// A message was lost on its way.
    Lost {
        /// The message.
        message: Message,
    },

    /// The network carried a message a second time.
    Duplicated {
        /// The message.
        message: Message,
    },

    /// The issuer made a token before the lock was asked for.
    Minted {
        /// For whom.
        worker: WorkerId,
        /// The token.
        epoch: Token,
    },
    /// The issuer granted the lock.
    Granted {
        /// To whom.
        worker: WorkerId,
        /// The grant and its epoch.
        claim: Claim,
    },
    /// The issuer gave a worker that already owns the lock the same grant again.
    GrantedAgain {
        /// To whom.
        worker: WorkerId,
        /// The grant and its epoch.
        claim: Claim,
    },
    /// The lock was taken; the worker waits for it at the issuer.
    Queued {
        /// Who waits.
        worker: WorkerId,
    },
    /// The lock was taken; the worker is to ask again later.
    Denied {
        /// Who asked.
        worker: WorkerId,
    },
    /// The issuer lets the lease run on.
    Renewed {
        /// The grant.
        claim: Claim,
        /// The term that was opened.
        term: Term,
    },
    /// A renewal came for a grant that had ended before: nothing changed.
    RenewalRefused {
        /// The grant that had ended.
        claim: Claim,
    },
    /// The lease ended by the issuer's clock: from here on the grant is nobody's, whatever its worker believes.
    LeaseExpired {
        /// The grant that ended.
        claim: Claim,
    },
    /// The owner gave the lock back.
    Released {
        /// The grant that ended.
        claim: Claim,
    },
    /// A release came for a grant that had ended before: nothing changed.
    ReleaseIgnored {
        /// The grant that had ended.
        claim: Claim,
    },

    /// A release ended a grant that was not the releaser's.
    ReleasedByAnother {
        /// The grant that ended.
        claim: Claim,
        /// The grant under which the release was sent.
        by: Claim,
    },
    /// A clock that a lease depends on was set, or ran beyond the margin allowed for.
    ClockSkewed,
    /// The issuer went on with what it knew before this grant.
    IssuerRestored {
        /// The first grant that it does not know of.
        grant: GrantId,
    },
    /// The issuer's replica took over what the issuer knows.
    ReplicaCaughtUp,

    /// The worker learned that it was granted the lock, and believes from here on that it owns it.
    Acquired {
        /// The believer.
        worker: WorkerId,
        /// The grant and its epoch.
        claim: Claim,
    },
    /// The worker worked out, on its own clock, when its lease will end.
    Reckoned {
        /// The believer.
        worker: WorkerId,
        /// The grant.
        claim: Claim,
        /// The believed expiry, by the worker's clock.
        expiry: LocalInstant,
    },
    /// The worker knows that its lease runs on.
    Extended {
        /// The believer.
        worker: WorkerId,
        /// The grant.
        claim: Claim,
        /// The term that was opened.
        term: Term,
    },
    /// By the owner's own clock its lease has ended, as far as its latest renewal goes.
    LocalDeadlinePassed {
        /// The owner.
        worker: WorkerId,
        /// The grant.
        claim: Claim,
    },
    /// The worker read the row.
    Read {
        /// Who read.
        worker: WorkerId,
        /// Under which grant.
        claim: Claim,
        /// For which operation.
        operation: OperationId,
        /// The version it read.
        version: Version,
        /// From which replica.
        #[serde(default, skip_serializing_if = "ReplicaId::is_first")]
        replica: ReplicaId,
    },
    /// The destination did not let the worker read the row.
    ReadRefused {
        /// Who wanted to read.
        worker: WorkerId,
        /// Under which grant.
        claim: Claim,
        /// For which operation.
        operation: OperationId,
        /// Why.
        rejection: Rejection,
        /// The epoch the destination goes by.
        current: Option<Token>,
    },
    /// A worker whose epoch was refused declared a higher one.
    Declared {
        /// Who.
        worker: WorkerId,
        /// The grant, and what it calls its epoch from now on.
        claim: Claim,
    },
    /// The worker made sure whether it still owns the lock, by whatever way the mechanism has.
    Checked {
        /// Who asked.
        worker: WorkerId,
        /// Under which grant.
        claim: Claim,
        /// The answer.
        owns: bool,
    },
    /// The worker waited for a reply for as long as it ever does.
    TimedOut {
        /// Who waited.
        worker: WorkerId,
        /// For the answer to what.
        request: Request,
    },
    /// A reply came that the worker no longer waits for.
    ReplyIgnored {
        /// Who got it.
        worker: WorkerId,
        /// The request it answers.
        request: Request,
    },
    /// The worker has made up its mind about an operation.
    Concluded {
        /// Who.
        worker: WorkerId,
        /// Under which grant.
        claim: Claim,
        /// About which operation.
        operation: OperationId,
        /// What it takes for the truth.
        conclusion: Conclusion,
    },
    /// The worker no longer believes that it owns the lock.
    Stopped {
        /// Who.
        worker: WorkerId,
        /// The grant it believed in.
        claim: Claim,
        /// Why it stopped.
        reason: Stop,
    },
    /// The worker gave up asking for the lock.
    GaveUp {
        /// Who.
        worker: WorkerId,
    },

    /// The destination made the epoch its current one.
    Recognized {
        /// The grant and its epoch.
        claim: Claim,
        /// Which replica of it.
        #[serde(default, skip_serializing_if = "ReplicaId::is_first")]
        replica: ReplicaId,
    },
    /// The epoch was the current one already, from the same grant: the same answer again.
    RecognizedAgain {
        /// The grant and its epoch.
        claim: Claim,
        /// Which replica of it.
        #[serde(default, skip_serializing_if = "ReplicaId::is_first")]
        replica: ReplicaId,
    },
    /// The destination refused to recognize an epoch.
    RegistrationRefused {
        /// The grant and its epoch.
        claim: Claim,
        /// Why.
        rejection: Rejection,
        /// The epoch it goes by.
        current: Option<Token>,
    },
    /// The guard admitted a write that the destination carries out in several steps.
    Admitted {
        /// The grant and epoch it was made under.
        claim: Claim,
        /// The operation.
        operation: OperationId,
        /// Which try.
        attempt: Attempt,
    },
    /// A write changed the row.
    Applied {
        /// The grant and epoch it was made under.
        claim: Claim,
        /// The operation.
        operation: OperationId,
        /// Which try.
        attempt: Attempt,
        /// The version of the row it was computed from.
        snapshot: Version,
        /// The version of the row since.
        version: Version,
        /// In which replica.
        #[serde(default, skip_serializing_if = "ReplicaId::is_first")]
        replica: ReplicaId,
    },
    /// The destination recorded the operation as applied, in a step of its own.
    Recorded {
        /// The grant and epoch it was made under.
        claim: Claim,
        /// The operation.
        operation: OperationId,
        /// Which try.
        attempt: Attempt,
    },
    /// A write was refused; the row is unchanged.
    Rejected {
        /// The grant and epoch it was made under.
        claim: Claim,
        /// The operation.
        operation: OperationId,
        /// Which try.
        attempt: Attempt,
        /// Why.
        rejection: Rejection,
        /// The epoch the destination goes by.
        current: Option<Token>,
    },
    /// The operation had been applied before: the row is unchanged, and the answer is the first one again.
    Replayed {
        /// The grant and epoch it was made under.
        claim: Claim,
        /// The operation.
        operation: OperationId,
        /// Which try.
        attempt: Attempt,
    },

    /// The destination looked up whether the operation has been applied.
    LookedUp {
        /// The grant under which the operation was sent.
        claim: Claim,
        /// The operation.
        operation: OperationId,
        /// It has.
        applied: bool,
    },
    /// By the destination's clock, the deadline of what is written under this grant is over.
    DeadlinePassed {
        /// The grant and its epoch.
        claim: Claim,
    },
    /// The destination came back without its control row.
    ControlRowLost,
    /// A replica took over what the other one has.
    Merged {
        /// The replica that took over.
        into: ReplicaId,
        /// The version that it has since.
        version: Version,
        /// Under which grant that was written, if it took the other's data over.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        data_of: Option<GrantId>,
    },

    /// An effect came about outside the destination.
    Effected {
        /// The grant and epoch under which it was wanted.
        claim: Claim,
        /// The operation.
        operation: OperationId,
        /// The version of the row on which it is based.
        snapshot: Version,
    },
    /// The effect had come about before, and the provider gave the same answer again.
    EffectRepeated {
        /// The grant and epoch under which it was wanted.
        claim: Claim,
        /// The operation.
        operation: OperationId,
    },
    /// The effect was refused: one of a higher epoch stands.
    EffectRefused {
        /// The grant and epoch under which it was wanted.
        claim: Claim,
        /// The operation.
        operation: OperationId,
    },
    /// The provider looked up whether the effect of the operation has come about.
    EffectLookedUp {
        /// The grant under which it was asked.
        claim: Claim,
        /// The operation.
        operation: OperationId,
        /// It has, as far as the provider remembers.
        effected: bool,
    },
    /// The worker made sure, in a step of its own, that no effect of a higher epoch stands.
    EffectChecked {
        /// Who.
        worker: WorkerId,
        /// Under which grant.
        claim: Claim,
        /// For which operation.
        operation: OperationId,
        /// None does.
        clear: bool,
    },
    /// The relay noted that an outbox row has been carried out.
    OutboxCleared {
        /// Whose row.
        operation: OperationId,
    },
    /// The provider forgot an idempotency key.
    KeyPruned {
        /// Whose.
        operation: OperationId,
    },

    /// A process crashed and started again.
    Crashed {
        /// Which.
        #[serde(flatten)]
        process: Process,
    },
    /// The machine was suspended: the process takes no step, and its monotonic clock stands still.
    Suspended {
        /// Whose.
        worker: WorkerId,
        /// For how long.
        length: Duration,
    },
    /// The machine runs again.
    Resumed {
        /// Whose.
        worker: WorkerId,
    },
    /// The thread that does the work is stuck; the process runs on.
    Stuck {
        /// Whose.
        worker: WorkerId,
        /// For how long.
        length: Duration,
    },
    /// The thread goes on.
    Unstuck {
        /// Whose.
        worker: WorkerId,
    },
    /// The process was frozen: it takes no step, and does not know it. Its monotonic clock runs on.
    Froze {
        /// Whose process.
        worker: WorkerId,
        /// For how long.
        length: Duration,
    },
    /// The process runs again.
    Thawed {
        /// Whose process.
        worker: WorkerId,
    },
    /// The worker began to compute.
    ComputeBegan {
        /// Who.
        worker: WorkerId,
        /// For which operation.
        operation: OperationId,
    },
    /// The worker has computed what it will write.
    ComputeEnded {
        /// Who.
        worker: WorkerId,
        /// For which operation.
        operation: OperationId,
    },
}

impl Fact {
    /// Whether only a driver with a clock can tell it: the transition system knows nothing of it.
    pub fn is_the_clocks(&self) -> bool {
        matches!(
            self,
            Fact::Froze { .. }
                | Fact::Thawed { .. }
                | Fact::Suspended { .. }
                | Fact::Resumed { .. }
                | Fact::Stuck { .. }
                | Fact::Unstuck { .. }
                | Fact::Held { .. }
                | Fact::Reckoned { .. }
                | Fact::ComputeBegan { .. }
                | Fact::ComputeEnded { .. }
        )
    }
}

/// What a worker concludes about an operation. A worker that has no answer does not know; to conclude "failed" from that
/// is a mistake that a mechanism can be set to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conclusion {
    /// It was applied.
    Done,
    /// It was refused, and no earlier attempt can have been applied.
    Refused,
    /// No answer, or a refusal while an earlier attempt is unanswered: it may have been applied or not.
    Unknown,
    /// It was never sent: the worker stopped before.
    NotSent,
    /// It has failed, for all that the worker knows: no answer came.
    Failed,
    /// Its effect has failed, for all that the worker knows: no answer came, and its write was not sent.
    EffectFailed,
}

/// Why a worker stopped believing that it owns the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// Its work is done, and it gave the lock back.
    Finished,
    /// The destination refused its epoch.
    Fenced,
    /// The lock service said that the lock is another's.
    CheckFailed,
    /// It had no answer, however often it asked.
    Unanswered,
    /// It took note that its lease is lost: a renewal was refused, or its own clock says so.
    LeaseLost,
}

/// Facts as short as they can be written, for hand-made histories.
#[cfg(test)]
pub(crate) mod by_hand {
    use super::{Conclusion, Fact};
    use crate::epoch::{Claim, EpochAllocator};
    use crate::id::{Attempt, GrantId, OperationId, ReplicaId, Version, WorkerId};
    use crate::message::Rejection;

    /// The grant of this generation with this epoch.
    pub fn claim(grant: u8, epoch: u64) -> Claim {
        Claim { grant: GrantId(grant), epoch: EpochAllocator::starting_at(epoch).allocate().into() }
    }

    pub fn granted(claim: Claim) -> Fact {
        Fact::Granted { worker: WorkerId(claim.grant.0 % 2), claim }
    }

    /// A write computed from version `snapshot` makes version `version`.
    pub fn applied(claim: Claim, operation: u8, snapshot: u8, version: u8) -> Fact {
        applied_in(0, claim, operation, snapshot, version)
    }

    /// The same, in a replica of the destination.
    pub fn applied_in(replica: u8, claim: Claim, operation: u8, snapshot: u8, version: u8) -> Fact {
        Fact::Applied {
            claim,
            operation: OperationId(operation),
            attempt: Attempt::FIRST,
            snapshot: Version(snapshot),
            version: Version(version),
            replica: ReplicaId(replica),
        }
    }

    /// A replica takes over the other's data, if it is that of a grant.
    pub fn merged(into: u8, version: u8, data_of: Option<u8>) -> Fact {
        Fact::Merged { into: ReplicaId(into), version: Version(version), data_of: data_of.map(GrantId) }
    }

    pub fn effected(claim: Claim, operation: u8, snapshot: u8) -> Fact {
        Fact::Effected { claim, operation: OperationId(operation), snapshot: Version(snapshot) }
    }

    pub fn effect_looked_up(claim: Claim, operation: u8, effected: bool) -> Fact {
        Fact::EffectLookedUp { claim, operation: OperationId(operation), effected }
    }

    pub fn rejected(claim: Claim, operation: u8) -> Fact {
        Fact::Rejected {
            claim,
            operation: OperationId(operation),
            attempt: Attempt::FIRST,
            rejection: Rejection::StaleEpoch,
            current: None,
        }
    }

    pub fn concluded(claim: Claim, operation: u8, conclusion: Conclusion) -> Fact {
        Fact::Concluded { worker: WorkerId(0), claim, operation: OperationId(operation), conclusion }
    }

    pub fn recognized(claim: Claim) -> Fact {
        Fact::Recognized { claim, replica: ReplicaId::FIRST }
    }
}
