//! `no-stale-overwrite`: the fault that the whole subject is named after.

use super::{Evidence, Fact, GrantId, Invariant};

pub(super) struct Rule;

impl super::Rule for Rule {
    /// The newest grant under which a write has been applied.
    type Memory = Option<GrantId>;
    const NAME: &'static str = "no-stale-overwrite";
    const HOLDS_WHEN: &'static str = "No write of an older grant is applied after one of a newer grant.";
    const SOURCE: &'static str = "https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html";

    fn observe(newest: &mut Option<GrantId>, fact: &Fact) -> Option<Evidence> {
        let Fact::Applied { claim, operation, .. } = *fact else {
            return None;
        };
        match *newest {
            Some(newer) if claim.grant < newer => Some(Evidence {
                invariant: Invariant::NoStaleOverwrite,
                by: claim.grant,
                against: Some(newer),
                operation: Some(operation),
            }),
            _ => {
                *newest = Some(claim.grant);
                None
            }
        }
    }
}
