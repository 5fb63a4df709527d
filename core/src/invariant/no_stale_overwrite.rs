//! `no-stale-overwrite`: the fault that the whole subject is named after.

use super::{Evidence, Fact, GrantId, Invariant, Record};
use crate::id::PerReplica;

pub(super) struct Rule;

impl super::Rule for Rule {
    /// The newest grant under which a write has been applied, in each replica.
    type Memory = PerReplica<Option<GrantId>>;
    const NAME: &'static str = "no-stale-overwrite";
    const HOLDS_WHEN: &'static str = "No write of an older grant is applied after one of a newer grant.";
    const SOURCE: &'static str = "https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html";

    fn observe(newest: &mut PerReplica<Option<GrantId>>, _record: &Record, fact: &Fact) -> Option<Evidence> {
        let (grant, operation, replica) = match *fact {
            Fact::Applied { claim, operation, replica, .. } => (claim.grant, Some(operation), replica),
            // What a replica takes over from the other counts as written to it then.
            Fact::Merged { into, data_of: Some(grant), .. } => (grant, None, into),
            _ => return None,
        };
        let newest = &mut newest[replica];
        match *newest {
            Some(newer) if grant < newer => {
                Some(Evidence { invariant: Invariant::NoStaleOverwrite, by: grant, against: Some(newer), operation })
            }
            _ => {
                *newest = Some(grant);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::fact::by_hand::{applied, applied_in, claim, merged};

    use crate::invariant::Invariant;

    const NAME: Invariant = Invariant::NoStaleOverwrite;

    #[test]
    fn a_write_of_an_older_grant_after_one_of_a_newer_breaks_it_each_time() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        check(NAME, &[applied(a, 0, 0, 1), applied(b, 2, 1, 2), applied(a, 1, 1, 3), applied(a, 1, 3, 4)], &[2, 3]);
    }

    #[test]
    fn so_does_a_merge_that_brings_an_older_grants_write_over_a_newer_ones() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        let facts = [applied_in(1, b, 2, 0, 1), applied_in(0, a, 0, 0, 2), merged(1, 2, Some(0)), merged(0, 2, None)];
        check(NAME, &facts, &[2]);
    }

    #[test]
    fn equal_or_wrapped_epochs_do_not_blind_it() {
        check(NAME, &[applied(claim(1, 34), 2, 0, 1), applied(claim(0, 34), 0, 0, 2)], &[1]);
        check(NAME, &[applied(claim(0, 15), 0, 0, 1), applied(claim(1, 0), 2, 1, 2)], &[]);
    }
}
