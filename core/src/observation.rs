//! Situations that a run can reach: not faults, but what makes a verdict mean something. A lock cannot prevent two
//! believers; a check that nobody ever ran into proves nothing.

use serde::Serialize;

use crate::epoch::Claim;
use crate::fact::{Conclusion, Fact, Stop};
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
}

impl Situation {
    /// All of them.
    pub const ALL: [Situation; 9] = [
        Situation::TwoBelievers,
        Situation::Handover,
        Situation::StaleWriteRejected,
        Situation::LateWriteApplied,
        Situation::WriteReplayed,
        Situation::ReplyLost,
        Situation::UnknownOutcome,
        Situation::CheckPassed,
        Situation::CheckFailed,
    ];

    /// Its name in the scenario language.
    pub const fn name(self) -> &'static str {
        match self {
            Situation::TwoBelievers => "two-believers",
            Situation::Handover => "handover",
            Situation::StaleWriteRejected => "stale-write-rejected",
            Situation::LateWriteApplied => "late-write-applied",
            Situation::WriteReplayed => "write-replayed",
            Situation::ReplyLost => "reply-lost",
            Situation::UnknownOutcome => "unknown-outcome",
            Situation::CheckPassed => "check-passed",
            Situation::CheckFailed => "check-failed",
        }
    }
}

/// Watches a run's facts for situations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Watch {
    newest: Option<Claim>,
    expired: bool,
    believers: u8,
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
                self.newest = Some(claim);
                std::mem::take(&mut self.expired).then_some(Situation::Handover)
            }
            Fact::Acquired { worker, .. } => {
                self.believers |= 1 << worker.0;
                (self.believers.count_ones() > 1).then_some(Situation::TwoBelievers)
            }
            Fact::Stopped { worker, reason, .. } => {
                self.believers &= !(1 << worker.0);
                (reason == Stop::CheckFailed).then_some(Situation::CheckFailed)
            }
            Fact::Applied { claim, .. } => {
                self.newest.is_some_and(|newest| claim.grant < newest.grant).then_some(Situation::LateWriteApplied)
            }
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
