//! `effect-once`: what happens outside cannot be undone by a transaction that knows better.

use super::{Evidence, Fact, Invariant};
use crate::id::OperationSet;

pub(super) struct Rule;

impl super::Rule for Rule {
    /// The operations whose effect has come about.
    type Memory = OperationSet;
    const NAME: &'static str = "effect-once";
    const HOLDS_WHEN: &'static str = "Each effect outside comes about at most once.";
    const SOURCE: &'static str = "https://docs.stripe.com/api/idempotent_requests";

    fn observe(effected: &mut OperationSet, fact: &Fact) -> Option<Evidence> {
        let Fact::Effected { claim, operation, .. } = *fact else {
            return None;
        };
        let again = !effected.insert(operation);
        again.then_some(Evidence {
            invariant: Invariant::EffectOnce,
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
    use crate::fact::by_hand::{claim, effected};
    use crate::id::OperationId;
    use crate::invariant::Invariant;

    const NAME: Invariant = Invariant::EffectOnce;

    #[test]
    fn a_second_mail_for_the_same_operation_breaks_it_whoever_sends_it() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        check(NAME, &[effected(a, 0, 0), effected(a, 0, 0)], &[1]);
        check(NAME, &[effected(a, 0, 0), effected(b, 0, 1)], &[1]);
    }

    #[test]
    fn the_same_answer_again_does_not() {
        let a = claim(0, 33);
        check(NAME, &[effected(a, 0, 0), Fact::EffectRepeated { claim: a, operation: OperationId(0) }], &[]);
        check(NAME, &[effected(a, 0, 0), effected(a, 1, 1)], &[]);
    }
}
