//! `effect-once`: what happens outside cannot be undone by a transaction that knows better, so it must not happen twice, and
//! whoever has to decide about it must be able to learn that it has happened.
//!
//! A look-up that finds nothing of an effect that has come about breaks it: the provider has forgotten. One that was
//! answered while the effect was still on its way does not: nothing had happened yet. Nor does a worker that does not know
//! and says so. One that takes the effect for failed does, be it that it has come about before or comes about later.

use super::{Claim, Evidence, Fact, Invariant, Record};
use crate::fact::Conclusion;
use crate::id::{MAX_OPERATIONS, OperationId, OperationSet};
use crate::mechanism::Sharing;

pub(super) struct Rule;

/// What became of effects, and what was made of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Memory {
    /// The operations whose effect has come about.
    pub(crate) effected: OperationSet,
    /// Those whose effect an owner has taken for failed; another owner may still bring the same about.
    pub(crate) denied: OperationSet,
}

impl super::Rule for Rule {
    type Memory = Memory;
    const NAME: &'static str = "effect-once";
    const HOLDS_WHEN: &'static str = "Each effect outside comes about at most once; after that, a look-up finds it, and no owner \
                                      takes it for failed.";
    const SOURCE: &'static str = "https://docs.stripe.com/api/idempotent_requests";

    fn observe(memory: &mut Memory, _record: &Record, fact: &Fact) -> Option<Evidence> {
        // Even of a shared operation, each owner's own.
        let own = |claim: Claim, operation: OperationId| {
            Sharing::Own.operation(claim.grant, operation.0 % MAX_OPERATIONS as u8)
        };
        let (claim, operation, broken) = match *fact {
            Fact::Effected { claim, operation, .. } => {
                let again = !memory.effected.insert(operation);
                (claim, operation, again || memory.denied.contains(own(claim, operation)))
            }
            Fact::EffectLookedUp { claim, operation, effected: false } => {
                (claim, operation, memory.effected.contains(operation))
            }
            Fact::Concluded { claim, operation, conclusion: Conclusion::EffectFailed, .. } => {
                memory.denied.insert(own(claim, operation));
                (claim, operation, memory.effected.contains(operation))
            }
            _ => return None,
        };
        broken.then_some(Evidence {
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
    use crate::fact::by_hand::{claim, concluded, effect_looked_up, effected};
    use crate::fact::{Conclusion, Fact};
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

    #[test]
    fn a_look_up_that_finds_nothing_of_what_has_come_about_breaks_it_whoever_asks() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        for asks in [a, b] {
            check(NAME, &[effected(a, 0, 0), effect_looked_up(asks, 0, false)], &[1]);
            check(NAME, &[effected(a, 0, 0), effect_looked_up(asks, 0, true)], &[]);
            // What is still on its way has not come about, and neither has another's.
            check(NAME, &[effect_looked_up(asks, 0, false), effected(a, 0, 0)], &[]);
            check(NAME, &[effected(a, 0, 0), effect_looked_up(asks, 1, false)], &[]);
        }
    }

    #[test]
    fn taking_it_for_failed_breaks_it_before_and_after() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        check(NAME, &[effected(a, 0, 0), concluded(a, 0, Conclusion::EffectFailed)], &[1]);
        check(NAME, &[concluded(a, 0, Conclusion::EffectFailed), effected(a, 0, 0)], &[1]);
        // The next owner brings the same about: that is no answer to the former one.
        check(NAME, &[concluded(a, 0, Conclusion::EffectFailed), effected(b, 0, 0)], &[]);
        // Nor does it say anything of a write that failed.
        check(NAME, &[effected(a, 0, 0), concluded(a, 0, Conclusion::Failed)], &[]);
    }

    #[test]
    fn not_knowing_does_not() {
        check(NAME, &[effected(claim(0, 33), 0, 0), concluded(claim(0, 33), 0, Conclusion::Unknown)], &[]);
    }
}
