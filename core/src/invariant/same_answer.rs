//! `same-answer`: what has been applied is never called refused.
//!
//! Judged where the answer is given, and again where a worker concludes: a worker that keeps quiet about a wrong answer
//! ("unknown") has still been given one.

use super::{Evidence, Fact, Invariant};
use crate::fact::Conclusion;
use crate::id::OperationSet;

pub(super) struct Rule;

impl super::Rule for Rule {
    /// The operations that have been applied.
    type Memory = OperationSet;
    const NAME: &'static str = "same-answer";
    const HOLDS_WHEN: &'static str = "An applied operation is never answered, or taken for, anything but applied.";
    const SOURCE: &'static str = "https://docs.stripe.com/api/idempotent_requests";

    fn observe(applied: &mut OperationSet, fact: &Fact) -> Option<Evidence> {
        let (claim, operation) = match *fact {
            Fact::Applied { operation, .. } => {
                applied.insert(operation);
                return None;
            }
            Fact::Rejected { claim, operation, .. }
            | Fact::Concluded { claim, operation, conclusion: Conclusion::Refused, .. } => (claim, operation),
            _ => return None,
        };
        applied.contains(operation).then_some(Evidence {
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
    fn not_knowing_does_not_break_it_and_refusing_before_the_application_does_not_either() {
        let a = claim(0, 33);
        check(NAME, &[rejected(a, 0), applied(a, 0, 0, 1), concluded(a, 0, Conclusion::Unknown)], &[]);
    }

    #[test]
    fn a_refusal_of_another_operation_does_not() {
        check(NAME, &[applied(claim(0, 33), 0, 0, 1), rejected(claim(0, 33), 1)], &[]);
    }
}
