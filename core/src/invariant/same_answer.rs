//! `same-answer`: what has been applied is never called refused.
//!
//! Judged where the answer is given, and again where a worker concludes: a worker that keeps quiet about a wrong answer
//! ("unknown") has still been given one. What is applied only after a worker has given it up for failed or refused is taken
//! for what it is not just the same.

use super::{Claim, Evidence, Fact, Invariant, Record};
use crate::fact::Conclusion;
use crate::id::{MAX_OPERATIONS, OperationId, OperationSet};
use crate::mechanism::Sharing;

pub(super) struct Rule;

impl super::Rule for Rule {
    /// The operations that an owner has given up for refused or failed; another owner may still carry the same out.
    type Memory = OperationSet;
    const NAME: &'static str = "same-answer";
    const HOLDS_WHEN: &'static str = "An applied operation is never answered, or taken for, anything but applied.";
    const SOURCE: &'static str = "https://docs.stripe.com/api/idempotent_requests";

    fn observe(denied: &mut OperationSet, record: &Record, fact: &Fact) -> Option<Evidence> {
        // Even of a shared operation, each owner's own.
        let own = |claim: Claim, operation: OperationId| {
            Sharing::Own.operation(claim.grant, operation.0 % MAX_OPERATIONS as u8)
        };
        let (claim, operation, broken) = match *fact {
            Fact::Applied { claim, operation, .. } => (claim, operation, denied.contains(own(claim, operation))),
            Fact::Rejected { claim, operation, .. } => (claim, operation, record.applied.contains(operation)),
            Fact::Concluded {
                claim,
                operation,
                conclusion: Conclusion::Refused | Conclusion::Failed | Conclusion::EffectFailed,
                ..
            } => {
                denied.insert(own(claim, operation));
                (claim, operation, record.applied.contains(operation))
            }
            _ => return None,
        };
        broken.then_some(Evidence {
            invariant: Invariant::SameAnswer,
            by: claim.grant,
            against: None,
            operation: Some(operation),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::fact::Conclusion;
    use crate::fact::by_hand::{applied, claim, concluded, rejected};
    use crate::invariant::Invariant;

    const NAME: Invariant = Invariant::SameAnswer;

    #[test]
    fn a_refusal_of_what_has_been_applied_breaks_it_and_so_does_believing_it() {
        let a = claim(0, 33);
        check(NAME, &[applied(a, 0, 0, 1), rejected(a, 0), concluded(a, 0, Conclusion::Refused)], &[1, 2]);
    }

    #[test]
    fn so_does_an_application_after_its_owner_has_given_up() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        for conclusion in [Conclusion::Refused, Conclusion::Failed, Conclusion::EffectFailed] {
            check(NAME, &[concluded(a, 0, conclusion), applied(a, 0, 0, 1)], &[1]);
            // The next owner carries the same operation out: that is no answer to the former one.
            check(NAME, &[concluded(a, 0, conclusion), applied(b, 0, 0, 1)], &[]);
        }
    }

    #[test]
    fn not_knowing_does_not_break_it_and_refusing_before_the_application_does_not_either() {
        let a = claim(0, 33);
        check(NAME, &[rejected(a, 0), applied(a, 0, 0, 1), concluded(a, 0, Conclusion::Unknown)], &[]);
    }

    #[test]
    fn a_refusal_of_another_operation_does_not() {
        check(NAME, &[applied(claim(0, 33), 0, 0, 1), rejected(claim(0, 33), 1)], &[]);
    }
}
