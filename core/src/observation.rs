//! Situations that a run can reach: not faults, but what makes a verdict mean something. A lock cannot prevent two
//! believers; a check that nobody ever ran into proves nothing.

use serde::Serialize;

use crate::event::Process;
use crate::fact::{Conclusion, Fact, Stop};
use crate::id::GrantId;
use crate::message::{Call, Message, Rejection};

/// A situation that a run can reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Situation {
    /// Two workers believe at once that they own the lock.
    TwoBelievers,
    /// The lock was granted after the lease before had expired.
    Handover,
    /// A write was refused because its epoch is stale.
    StaleWriteRejected,
    /// A write was applied after its grant had ended and another had been made.
    LateWriteApplied,
    /// A write was applied after its lease had ended, and before another was granted.
    ExpiredWriteApplied,
    /// A repeated operation was answered with its first result.
    WriteReplayed,
    /// A reply to a write was lost.
    ReplyLost,
    /// A worker ended without knowing what became of its operation.
    UnknownOutcome,
    /// A check of the lock just before the write said that all was well.
    CheckPassed,
    /// A check of the lock just before the write kept a worker from writing.
    CheckFailed,
    /// A worker took note that its lease was lost, and stopped.
    LeaseLost,
    /// A lease was renewed.
    LeaseRenewed,
    /// A write was refused because the row had been changed since it was read.
    ConflictFound,
    /// A write was refused because its deadline was over.
    DeadlineMissed,
    /// An effect came about outside the destination.
    EffectSeen,
    /// A provider answered a repeated effect with its first result.
    EffectRepeated,
    /// A provider that was asked about an effect found that it had come about.
    EffectFound,
    /// A process crashed and started again.
    CrashSeen,
    /// The lock service went on with what a backup or a replica knew.
    LockServiceRestored,
    /// A release came for a grant that had ended before, or was not the releaser's.
    LateRelease,
}

impl Situation {
    /// All of them.
    pub const ALL: [Situation; 20] = [
        Situation::TwoBelievers,
        Situation::Handover,
        Situation::StaleWriteRejected,
        Situation::LateWriteApplied,
        Situation::ExpiredWriteApplied,
        Situation::WriteReplayed,
        Situation::ReplyLost,
        Situation::UnknownOutcome,
        Situation::CheckPassed,
        Situation::CheckFailed,
        Situation::LeaseLost,
        Situation::LeaseRenewed,
        Situation::ConflictFound,
        Situation::DeadlineMissed,
        Situation::EffectSeen,
        Situation::EffectRepeated,
        Situation::EffectFound,
        Situation::CrashSeen,
        Situation::LockServiceRestored,
        Situation::LateRelease,
    ];

    /// Its name in the scenario language.
    pub const fn name(self) -> &'static str {
        match self {
            Situation::TwoBelievers => "two-believers",
            Situation::Handover => "handover",
            Situation::StaleWriteRejected => "stale-write-rejected",
            Situation::LateWriteApplied => "late-write-applied",
            Situation::ExpiredWriteApplied => "expired-write-applied",
            Situation::WriteReplayed => "write-replayed",
            Situation::ReplyLost => "reply-lost",
            Situation::UnknownOutcome => "unknown-outcome",
            Situation::CheckPassed => "check-passed",
            Situation::CheckFailed => "check-failed",
            Situation::LeaseLost => "lease-lost",
            Situation::LeaseRenewed => "lease-renewed",
            Situation::ConflictFound => "conflict-found",
            Situation::DeadlineMissed => "deadline-missed",
            Situation::EffectSeen => "effect-seen",
            Situation::EffectRepeated => "effect-repeated",
            Situation::EffectFound => "effect-found",
            Situation::CrashSeen => "crash-seen",
            Situation::LockServiceRestored => "lock-service-restored",
            Situation::LateRelease => "late-release",
        }
    }
}

/// Watches a run's facts for situations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Watch {
    pub(crate) newest: Option<GrantId>,
    pub(crate) expired: bool,
    pub(crate) believers: u8,
}

impl Watch {
    /// Looks at a fact, and returns the situation it brings about, if any.
    pub fn observe(&mut self, fact: &Fact) -> Option<Situation> {
        match *fact {
            Fact::LeaseExpired { .. } => {
                self.expired = true;
                None
            }
            Fact::Granted { claim, .. } => {
                self.newest = Some(claim.grant);
                std::mem::take(&mut self.expired).then_some(Situation::Handover)
            }
            Fact::Acquired { worker, .. } => {
                self.believers |= 1 << worker.0;
                (self.believers.count_ones() > 1).then_some(Situation::TwoBelievers)
            }
            Fact::Stopped { worker, reason, .. } => {
                self.believers &= !(1 << worker.0);
                match reason {
                    Stop::CheckFailed => Some(Situation::CheckFailed),
                    Stop::LeaseLost => Some(Situation::LeaseLost),
                    Stop::Finished | Stop::Fenced | Stop::Unanswered => None,
                }
            }
            Fact::Crashed { process: Process::Worker { worker } } => {
                self.believers &= !(1 << worker.0);
                Some(Situation::CrashSeen)
            }
            Fact::Crashed { .. } => Some(Situation::CrashSeen),
            Fact::IssuerRestored { .. } => Some(Situation::LockServiceRestored),
            Fact::Renewed { .. } => Some(Situation::LeaseRenewed),
            Fact::ReleaseIgnored { .. } | Fact::ReleasedByAnother { .. } => Some(Situation::LateRelease),
            Fact::Effected { .. } => Some(Situation::EffectSeen),
            Fact::EffectRepeated { .. } => Some(Situation::EffectRepeated),
            Fact::EffectLookedUp { effected, .. } => effected.then_some(Situation::EffectFound),
            Fact::Rejected { rejection: Rejection::VersionConflict, .. } => Some(Situation::ConflictFound),
            Fact::Rejected { rejection: Rejection::DeadlinePassed, .. } => Some(Situation::DeadlineMissed),
            Fact::Applied { claim, .. } => match self.newest {
                Some(newest) if claim.grant < newest => Some(Situation::LateWriteApplied),
                _ => self.expired.then_some(Situation::ExpiredWriteApplied),
            },
            Fact::Rejected { rejection: Rejection::StaleEpoch, .. } => Some(Situation::StaleWriteRejected),
            Fact::Replayed { .. } => Some(Situation::WriteReplayed),
            Fact::Lost { message: Message::Reply(reply) } => {
                matches!(reply.request.call, Call::Write { .. }).then_some(Situation::ReplyLost)
            }
            Fact::Concluded { conclusion: Conclusion::Unknown, .. } => Some(Situation::UnknownOutcome),
            Fact::Checked { owns, .. } => owns.then_some(Situation::CheckPassed),
            _ => None,
        }
    }
}
