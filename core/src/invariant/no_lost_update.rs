//! `no-lost-update`: what a worker was told has been done stays done.
//!
//! A write replaces the row with what was computed from a snapshot. Writes applied since that snapshot are gone, unless
//! they were the same operation. Where there are replicas, a write replaces only what its own replica holds, and what
//! a replica takes over from the other replaces the rest. It is a fault once the lost one is acknowledged, before or after: a worker that was never
//! told "done" has been promised nothing.

use super::{Evidence, Fact, GrantId, Invariant, OperationId, Record};
use crate::fact::Conclusion;
use crate::id::{MAX_GRANTS, MAX_OPERATION_IDS, OperationSet, PerReplica, Version};

pub(super) struct Rule;

/// Where each operation stands in the row's history (version 0: nowhere), and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Memory {
    pub(crate) applied_at: [Version; MAX_OPERATION_IDS],
    pub(crate) overwritten_by: Overwriters,
    /// What each replica's data has in it.
    pub(crate) held: PerReplica<OperationSet>,
    pub(crate) acknowledged: OperationSet,
}

/// By which grant each operation was overwritten: three bits an operation, 0 where by none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Overwriters(pub(crate) u32);

const _: () = assert!(MAX_GRANTS < 8 && MAX_OPERATION_IDS * 3 <= 32, "three bits an operation");

impl Overwriters {
    fn get(self, operation: OperationId) -> Option<GrantId> {
        ((self.0 >> (3 * operation.0) & 7) as u8).checked_sub(1).map(GrantId)
    }

    fn set(&mut self, operation: OperationId, by: Option<GrantId>) {
        let bits = by.map_or(0, |grant| u32::from(grant.0) + 1);
        self.0 = self.0 & !(7 << (3 * operation.0)) | bits << (3 * operation.0);
    }
}

impl Memory {
    /// These operations are gone from the data, by an act of `by`.
    fn lose(&mut self, lost: OperationSet, by: GrantId) -> Option<Evidence> {
        let mut broken = None;
        for operation in lost.iter() {
            self.overwritten_by.set(operation, Some(by));
            broken = broken.or(self.evidence(operation));
        }
        broken
    }

    fn evidence(&self, lost: OperationId) -> Option<Evidence> {
        let by = self.overwritten_by.get(lost).filter(|_| self.acknowledged.contains(lost))?;
        Some(Evidence { invariant: Invariant::NoLostUpdate, by, against: None, operation: Some(lost) })
    }
}

impl super::Rule for Rule {
    type Memory = Memory;
    const NAME: &'static str = "no-lost-update";
    const HOLDS_WHEN: &'static str = "No acknowledged write is overwritten by one computed from an older snapshot.";
    const SOURCE: &'static str = "https://jepsen.io/analyses/etcd-3.4.3";

    fn observe(memory: &mut Memory, _record: &Record, fact: &Fact) -> Option<Evidence> {
        match *fact {
            Fact::Applied { claim, operation, snapshot, version, replica, .. } => {
                let held = memory.held[replica];
                let mut lost = OperationSet::default();
                for other in held.iter() {
                    if other != operation && memory.applied_at[other.index()] > snapshot {
                        lost.insert(other);
                    }
                }
                let held = &mut memory.held[replica];
                *held = held.without(lost);
                held.insert(operation);
                memory.applied_at[operation.index()] = version;
                memory.overwritten_by.set(operation, None);
                memory.lose(lost, claim.grant)
            }
            Fact::Merged { into, data_of: Some(grant), .. } => {
                let (mine, other) = (memory.held[into], memory.held[into.other()]);
                memory.held[into] = other;
                memory.lose(mine.without(other), grant)
            }
            Fact::Concluded { operation, conclusion: Conclusion::Done, .. } => {
                memory.acknowledged.insert(operation);
                memory.evidence(operation)
            }
            _ => None,
        }
    }

    fn versions(memory: &mut Memory, each: impl FnMut(&mut Version)) {
        memory.applied_at.iter_mut().for_each(each);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::fact::Conclusion;
    use crate::fact::by_hand::{applied, applied_in, claim, concluded, merged};
    use crate::invariant::Invariant;

    const NAME: Invariant = Invariant::NoLostUpdate;

    const DONE: Conclusion = Conclusion::Done;

    #[test]
    fn a_write_over_an_acknowledged_one_that_it_has_not_seen_breaks_it() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        check(NAME, &[applied(a, 0, 0, 1), concluded(a, 0, DONE), applied(b, 2, 0, 2)], &[2]);
    }

    #[test]
    fn so_does_an_acknowledgement_that_comes_after_the_loss() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        check(NAME, &[applied(a, 0, 0, 1), applied(b, 2, 0, 2), concluded(a, 0, DONE)], &[2]);
    }

    #[test]
    fn a_loss_that_nobody_was_promised_does_not() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        check(NAME, &[applied(a, 0, 0, 1), applied(b, 2, 0, 2), concluded(a, 0, Conclusion::Unknown)], &[]);
    }

    #[test]
    fn a_write_that_builds_on_what_it_replaces_does_not() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        check(NAME, &[applied(a, 0, 0, 1), concluded(a, 0, DONE), applied(b, 2, 1, 2), concluded(b, 2, DONE)], &[]);
    }

    #[test]
    fn a_repeat_of_the_same_operation_does_not_and_brings_a_lost_one_back() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        check(NAME, &[applied(a, 0, 0, 1), applied(a, 0, 0, 2), concluded(a, 0, DONE)], &[]);
        check(NAME, &[applied(a, 0, 0, 1), applied(b, 2, 0, 2), applied(a, 0, 0, 3), concluded(a, 0, DONE)], &[]);
    }

    #[test]
    fn a_write_that_only_the_other_replica_holds_is_lost_when_they_are_brought_together() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        let written = [applied_in(0, a, 0, 0, 1), concluded(a, 0, DONE), applied_in(1, b, 2, 0, 2)];
        let [first, second, third] = written;
        check(NAME, &written, &[]);
        check(NAME, &[first, second, third, merged(0, 2, Some(1))], &[3]);
        check(NAME, &[first, third, merged(0, 2, Some(1)), second], &[3]);
        check(NAME, &[first, second, merged(1, 1, Some(0)), applied_in(1, b, 2, 1, 2), merged(0, 2, Some(1))], &[]);
    }

    #[test]
    fn a_late_copy_over_its_own_owners_next_write_breaks_it() {
        let a = claim(0, 33);
        check(NAME, &[applied(a, 0, 0, 1), applied(a, 1, 1, 2), concluded(a, 1, DONE), applied(a, 0, 0, 3)], &[3]);
    }
}
