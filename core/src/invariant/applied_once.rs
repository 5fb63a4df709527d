//! `applied-once`: an epoch tells owners apart, not the attempts of one owner.

use super::{Evidence, Fact, Invariant, Record};

pub(super) struct Rule;

impl super::Rule for Rule {
    type Memory = ();
    const NAME: &'static str = "applied-once";
    const HOLDS_WHEN: &'static str = "Each business operation changes the destination at most once.";
    const SOURCE: &'static str = "https://github.com/bedrock-kv/bedrock/issues/297";

    fn observe((): &mut (), record: &Record, fact: &Fact) -> Option<Evidence> {
        let Fact::Applied { claim, operation, .. } = *fact else {
            return None;
        };
        record.applied.contains(operation).then_some(Evidence {
            invariant: Invariant::AppliedOnce,
            by: claim.grant,
            against: None,
            operation: Some(operation),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::fact::by_hand::{applied, claim};

    use crate::invariant::Invariant;

    const NAME: Invariant = Invariant::AppliedOnce;

    #[test]
    fn a_second_application_breaks_it_whoever_makes_it() {
        check(NAME, &[applied(claim(0, 33), 0, 0, 1), applied(claim(0, 33), 0, 0, 2)], &[1]);
        check(NAME, &[applied(claim(0, 33), 0, 0, 1), applied(claim(1, 34), 0, 1, 2)], &[1]);
    }

    #[test]
    fn two_operations_do_not() {
        check(NAME, &[applied(claim(0, 33), 0, 0, 1), applied(claim(0, 33), 1, 1, 2)], &[]);
    }
}
