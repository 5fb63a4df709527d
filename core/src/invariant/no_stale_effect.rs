//! `no-stale-effect`: a mail is not taken back when the balance that it tells turns out to be an old one.

use super::{Evidence, Fact, GrantId, Invariant, Record};
use crate::id::MAX_GRANTS;

pub(super) struct Rule;

impl super::Rule for Rule {
    type Memory = ();
    const NAME: &'static str = "no-stale-effect";
    const HOLDS_WHEN: &'static str = "No effect is based on a read that a newer grant has since changed.";
    const SOURCE: &'static str = "https://github.com/hashicorp/consul/issues/54";

    fn observe((): &mut (), record: &Record, fact: &Fact) -> Option<Evidence> {
        let Fact::Effected { claim, operation, snapshot } = *fact else {
            return None;
        };
        let mut newer = (claim.grant.0 + 1..MAX_GRANTS as u8).map(GrantId);
        let changed = newer.find(|newer| record.latest[newer.index()] > snapshot)?;
        Some(Evidence {
            invariant: Invariant::NoStaleEffect,
            by: claim.grant,
            against: Some(changed),
            operation: Some(operation),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::fact::by_hand::{applied, claim, effected};
    use crate::invariant::Invariant;

    const NAME: Invariant = Invariant::NoStaleEffect;

    #[test]
    fn an_effect_on_what_a_newer_grant_has_changed_breaks_it() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        check(NAME, &[applied(b, 2, 0, 1), effected(a, 0, 0)], &[1]);
    }

    #[test]
    fn an_effect_on_the_newest_read_does_not_and_what_an_older_grant_changed_is_another_fault() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        check(NAME, &[applied(b, 2, 0, 1), effected(a, 0, 1)], &[]);
        check(NAME, &[applied(a, 0, 0, 1), effected(b, 2, 0)], &[]);
    }
}
