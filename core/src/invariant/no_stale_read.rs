//! `no-stale-read`: whoever reads must see what was written last.

use super::{Evidence, Fact, Invariant, Record};

pub(super) struct Rule;

impl super::Rule for Rule {
    type Memory = ();
    const NAME: &'static str = "no-stale-read";
    const HOLDS_WHEN: &'static str = "A read returns what was written last.";
    const SOURCE: &'static str = "https://github.com/hashicorp/raft/issues/108";

    fn observe((): &mut (), record: &Record, fact: &Fact) -> Option<Evidence> {
        let Fact::Read { claim, operation, version, .. } = *fact else {
            return None;
        };
        (version < record.newest_version()).then_some(Evidence {
            invariant: Invariant::NoStaleRead,
            by: claim.grant,
            against: None,
            operation: Some(operation),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::fact::Fact;
    use crate::fact::by_hand::{applied, claim};
    use crate::id::{OperationId, ReplicaId, Version, WorkerId};
    use crate::invariant::Invariant;

    const NAME: Invariant = Invariant::NoStaleRead;

    fn read(version: u8) -> Fact {
        let (worker, claim, operation) = (WorkerId(1), claim(1, 34), OperationId(2));
        Fact::Read { worker, claim, operation, version: Version(version), replica: ReplicaId(1) }
    }

    #[test]
    fn reading_from_a_replica_that_is_behind_breaks_it() {
        check(NAME, &[applied(claim(0, 33), 0, 0, 1), read(0), read(1)], &[1]);
    }
}
