//! `no-lost-update`: what a worker was told has been done stays done.
//!
//! A write replaces the row with what was computed from a snapshot. Writes applied since that snapshot are gone, unless
//! they were the same operation. It is a fault once the lost one is acknowledged, before or after: a worker that was never
//! told "done" has been promised nothing.

use super::{Evidence, Fact, GrantId, Invariant, OperationId};
use crate::fact::Conclusion;
use crate::id::{MAX_OPERATION_IDS, OperationSet, Version};

pub(super) struct Rule;

/// Where each operation stands in the row's history (version 0: nowhere), and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Memory {
    applied_at: [Version; MAX_OPERATION_IDS],
    overwritten: OperationSet,
    acknowledged: OperationSet,
}

impl Memory {
    fn evidence(&self, by: GrantId, lost: OperationId) -> Option<Evidence> {
        (self.overwritten.contains(lost) && self.acknowledged.contains(lost)).then_some(Evidence {
            invariant: Invariant::NoLostUpdate,
            by,
            against: None,
            operation: Some(lost),
        })
    }
}

impl super::Rule for Rule {
    type Memory = Memory;
    const NAME: &'static str = "no-lost-update";
    const HOLDS_WHEN: &'static str = "No acknowledged write is overwritten by one computed from an older snapshot.";
    const SOURCE: &'static str = "https://jepsen.io/analyses/etcd-3.4.3";

    fn observe(memory: &mut Memory, fact: &Fact) -> Option<Evidence> {
        match *fact {
            Fact::Applied { claim, operation, snapshot, version, .. } => {
                let mut broken = None;
                for other in (0..MAX_OPERATION_IDS as u8).map(OperationId) {
                    if other != operation && memory.applied_at[other.index()] > snapshot {
                        memory.overwritten.insert(other);
                        broken = broken.or(memory.evidence(claim.grant, other));
                    }
                }
                memory.applied_at[operation.index()] = version;
                memory.overwritten.remove(operation);
                broken
            }
            Fact::Concluded { claim, operation, conclusion: Conclusion::Done, .. } => {
                memory.acknowledged.insert(operation);
                memory.evidence(claim.grant, operation)
            }
            _ => None,
        }
    }
}
