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
