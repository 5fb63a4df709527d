//! `release-own`: giving back what is no longer one's own takes it from whoever has it now.

use super::{Evidence, Fact, Invariant, Record};

pub(super) struct Rule;

impl super::Rule for Rule {
    /// Nothing: the fact says it all.
    type Memory = ();
    const NAME: &'static str = "release-own";
    const HOLDS_WHEN: &'static str = "A release ends only the releaser's own grant.";
    const SOURCE: &'static str = "https://github.com/redis/redis-py/issues/415";

    fn observe((): &mut (), _record: &Record, fact: &Fact) -> Option<Evidence> {
        let Fact::ReleasedByAnother { claim, by } = *fact else {
            return None;
        };
        Some(Evidence { invariant: Invariant::ReleaseOwn, by: by.grant, against: Some(claim.grant), operation: None })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::fact::Fact;
    use crate::fact::by_hand::claim;
    use crate::invariant::Invariant;

    #[test]
    fn ending_another_grant_breaks_it_and_ending_ones_own_does_not() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        let facts = [Fact::Released { claim: a }, Fact::ReleasedByAnother { claim: b, by: a }];
        check(Invariant::ReleaseOwn, &facts, &[1]);
    }
}
