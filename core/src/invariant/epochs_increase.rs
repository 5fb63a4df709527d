//! `epochs-increase`: the issuer's side of the bargain.

use super::{Claim, Evidence, Fact, Invariant, Record};

pub(super) struct Rule;

impl super::Rule for Rule {
    /// The grant with the highest epoch so far.
    type Memory = Option<Claim>;
    const NAME: &'static str = "epochs-increase";
    const HOLDS_WHEN: &'static str = "Tokens of one resource's grants are unique and increase.";
    const SOURCE: &'static str = "https://github.com/etcd-io/etcd/issues/16028";

    fn observe(highest: &mut Option<Claim>, _record: &Record, fact: &Fact) -> Option<Evidence> {
        let (claim, broken) = match (*fact, *highest) {
            (Fact::Granted { claim, .. }, Some(higher)) => (claim, claim.epoch <= higher.epoch),
            // What an owner declares must fit in between its own grant's epoch and the next one's.
            (Fact::Declared { claim, .. }, Some(higher)) => {
                (claim, claim.grant < higher.grant && claim.epoch >= higher.epoch)
            }
            (Fact::Granted { claim, .. } | Fact::Declared { claim, .. }, None) => (claim, false),
            _ => return None,
        };
        let against = highest.map(|higher| higher.grant);
        if highest.is_none_or(|higher| claim.epoch > higher.epoch) {
            *highest = Some(claim);
        }
        broken.then_some(Evidence { invariant: Invariant::EpochsIncrease, by: claim.grant, against, operation: None })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::fact::Fact;
    use crate::fact::by_hand::{claim, granted};
    use crate::id::WorkerId;
    use crate::invariant::Invariant;

    const NAME: Invariant = Invariant::EpochsIncrease;

    #[test]
    fn an_epoch_that_is_repeated_or_lower_breaks_it() {
        check(NAME, &[granted(claim(0, 33)), granted(claim(1, 33)), granted(claim(2, 32))], &[1, 2]);
    }

    #[test]
    fn an_epoch_that_its_owner_declares_breaks_it_once_a_newer_grant_has_one() {
        let declared = |claim| Fact::Declared { worker: WorkerId(0), claim };
        check(NAME, &[granted(claim(0, 33)), granted(claim(1, 34)), declared(claim(0, 35))], &[2]);
        check(NAME, &[granted(claim(0, 33)), declared(claim(0, 34)), granted(claim(1, 34))], &[2]);
        check(NAME, &[granted(claim(0, 33)), declared(claim(0, 34)), granted(claim(1, 35))], &[]);
    }

    #[test]
    fn a_gap_does_not() {
        check(NAME, &[granted(claim(0, 33)), granted(claim(1, 40))], &[]);
    }

    #[test]
    fn it_compares_integers_beyond_what_a_double_can_hold() {
        check(NAME, &[granted(claim(0, 1 << 53)), granted(claim(1, (1 << 53) + 1))], &[]);
        check(NAME, &[granted(claim(0, (1 << 53) + 1)), granted(claim(1, 1 << 53))], &[1]);
    }
}
