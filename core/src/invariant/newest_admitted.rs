//! `newest-admitted`: a rule that keeps former owners out must let the present one in. A conflict over a version, or a
//! deadline that is over, is not such a refusal.

use super::{Evidence, Fact, Invariant, Record};

pub(super) struct Rule;

impl super::Rule for Rule {
    type Memory = ();
    const NAME: &'static str = "newest-admitted";
    const HOLDS_WHEN: &'static str = "A registration or write of the latest grant is never refused as fenced.";
    const SOURCE: &'static str = "https://www.codesprintpro.com/blog/system-design-distributed-lock-fencing-tokens/";

    fn observe((): &mut (), record: &Record, fact: &Fact) -> Option<Evidence> {
        let (claim, operation, rejection) = match *fact {
            Fact::Rejected { claim, operation, rejection, .. } => (claim, Some(operation), rejection),
            Fact::ReadRefused { claim, rejection, .. } | Fact::RegistrationRefused { claim, rejection, .. } => {
                (claim, None, rejection)
            }
            _ => return None,
        };
        let wrong = record.newest == Some(claim.grant) && rejection.is_fencing();
        wrong.then_some(Evidence { invariant: Invariant::NewestAdmitted, by: claim.grant, against: None, operation })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::fact::by_hand::{claim, granted, rejected};
    use crate::invariant::Invariant;

    const NAME: Invariant = Invariant::NewestAdmitted;

    #[test]
    fn refusing_the_latest_grant_breaks_it_and_refusing_a_former_one_does_not() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        check(NAME, &[granted(a), rejected(a, 0)], &[1]);
        check(NAME, &[granted(a), granted(b), rejected(a, 0), rejected(b, 2)], &[3]);
    }
}
