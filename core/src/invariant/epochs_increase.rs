//! `epochs-increase`: the issuer's side of the bargain.

use super::{Claim, Evidence, Fact, Invariant};

pub(super) struct Rule;

impl super::Rule for Rule {
    /// The grant with the highest epoch so far.
    type Memory = Option<Claim>;
    const NAME: &'static str = "epochs-increase";
    const HOLDS_WHEN: &'static str = "Tokens of one resource's grants are unique and increase.";
    const SOURCE: &'static str = "https://github.com/etcd-io/etcd/issues/16028";

    fn observe(highest: &mut Option<Claim>, fact: &Fact) -> Option<Evidence> {
        let Fact::Granted { claim, .. } = *fact else {
            return None;
        };
        match *highest {
            Some(higher) if claim.epoch <= higher.epoch => Some(Evidence {
                invariant: Invariant::EpochsIncrease,
                by: claim.grant,
                against: Some(higher.grant),
                operation: None,
            }),
            _ => {
                *highest = Some(claim);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::fact::by_hand::{claim, granted};

    use crate::invariant::Invariant;

    const NAME: Invariant = Invariant::EpochsIncrease;

    #[test]
    fn an_epoch_that_is_repeated_or_lower_breaks_it() {
        check(NAME, &[granted(claim(0, 33)), granted(claim(1, 33)), granted(claim(2, 32))], &[1, 2]);
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
