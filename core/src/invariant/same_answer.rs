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
