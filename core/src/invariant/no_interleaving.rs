//! `no-interleaving`: a newer owner builds on what it has read. If a former owner changes that afterwards, the newer one acts
//! on something that is no longer so, even where the row ends up as it wrote it.

use super::{Evidence, Fact, GrantId, Invariant, Record};

pub(super) struct Rule;

impl super::Rule for Rule {
    type Memory = ();
    const NAME: &'static str = "no-interleaving";
    const HOLDS_WHEN: &'static str =
        "No newer owner acts on a snapshot that an older grant has changed since it was read.";
    const SOURCE: &'static str = "https://fpj.systems/2016/02/10/note-on-fencing-and-distributed-locks/";

    fn observe((): &mut (), record: &Record, fact: &Fact) -> Option<Evidence> {
        let (Fact::Applied { claim, operation, snapshot, .. } | Fact::Effected { claim, operation, snapshot }) = *fact
        else {
            return None;
        };
        let changed = (0..claim.grant.0).rev().map(GrantId).find(|older| record.latest[older.index()] > snapshot);
        changed.map(|older| Evidence {
            invariant: Invariant::NoInterleaving,
            by: older,
            against: Some(claim.grant),
            operation: Some(operation),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::fact::by_hand::{applied, claim, effected};
    use crate::invariant::Invariant;

    const NAME: Invariant = Invariant::NoInterleaving;

    #[test]
    fn acting_on_what_a_former_owner_has_changed_since_breaks_it() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        check(NAME, &[applied(a, 0, 0, 1), applied(b, 2, 0, 2)], &[1]);
        check(NAME, &[applied(a, 0, 0, 1), effected(b, 2, 0)], &[1]);
    }

    #[test]
    fn building_on_a_former_owners_write_does_not_and_nor_does_a_stale_overwrite() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        check(NAME, &[applied(a, 0, 0, 1), applied(b, 2, 1, 2), applied(a, 1, 1, 3)], &[]);
    }
}
