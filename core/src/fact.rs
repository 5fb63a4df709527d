//! What happened: the entries of a trace, in the past tense.

use serde::{Deserialize, Serialize};

use crate::epoch::{Claim, Epoch};
use crate::id::{Attempt, OperationId, Version, WorkerId};
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
    },
    /// The worker asked the lock service whether it still owns the lock.
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
    },
    /// The epoch was the current one already, from the same grant: the same answer again.
    RecognizedAgain {
        /// The grant and its epoch.
        claim: Claim,
    },
    /// The destination refused to recognize an epoch.
    RegistrationRefused {
        /// The grant and its epoch.
        claim: Claim,
        /// Why.
        rejection: Rejection,
        /// The epoch it goes by.
        current: Option<Epoch>,
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
        current: Option<Epoch>,
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

/// What a worker concludes about an operation. There is no "failed": a worker that has no answer does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conclusion {
    /// It was applied.
    Done,
    /// It was refused, and no earlier attempt can have been applied.
    Refused,
    /// No answer, or a refusal while an earlier attempt is unanswered: it may have been applied or not.
    Unknown,
    /// It was never sent: the check just before said that the lock is another's.
    NotSent,
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
}

/// Facts as short as they can be written, for hand-made histories.
#[cfg(test)]
pub(crate) mod by_hand {
    use super::{Conclusion, Fact};
    use crate::epoch::{Claim, EpochAllocator};
    use crate::id::{Attempt, GrantId, OperationId, Version, WorkerId};
    use crate::message::Rejection;

    /// The grant of this generation with this epoch.
    pub fn claim(grant: u8, epoch: u64) -> Claim {
        Claim { grant: GrantId(grant), epoch: EpochAllocator::starting_at(epoch).allocate() }
    }

    pub fn granted(claim: Claim) -> Fact {
        Fact::Granted { worker: WorkerId(claim.grant.0 % 2), claim }
    }

    /// A write computed from version `snapshot` makes version `version`.
    pub fn applied(claim: Claim, operation: u8, snapshot: u8, version: u8) -> Fact {
        Fact::Applied {
            claim,
            operation: OperationId(operation),
            attempt: Attempt::FIRST,
            snapshot: Version(snapshot),
            version: Version(version),
        }
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
        Fact::Recognized { claim }
    }
}
