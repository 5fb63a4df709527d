//! `recognized-never-decreases`: the destination's side of the bargain.

use super::{Evidence, Fact, GrantId, Invariant, Record};
use crate::id::PerReplica;

pub(super) struct Rule;

impl super::Rule for Rule {
    /// The newest grant that each replica of the destination has recognized.
    type Memory = PerReplica<Option<GrantId>>;
    const NAME: &'static str = "recognized-never-decreases";
    const HOLDS_WHEN: &'static str = "The destination's current epoch never goes back.";
    const SOURCE: &'static str =
        "https://hadoop.apache.org/docs/stable/hadoop-project-dist/hadoop-hdfs/HDFSHighAvailabilityWithQJM.html";

    fn observe(newest: &mut PerReplica<Option<GrantId>>, _record: &Record, fact: &Fact) -> Option<Evidence> {
        let (Fact::Recognized { claim, replica } | Fact::RecognizedAgain { claim, replica }) = *fact else {
            return None;
        };
        let newest = &mut newest[replica];
        match *newest {
            Some(newer) if claim.grant < newer => Some(Evidence {
                invariant: Invariant::RecognizedNeverDecreases,
                by: claim.grant,
                against: Some(newer),
                operation: None,
            }),
            _ => {
                *newest = Some(claim.grant);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;
    use crate::fact::by_hand::{claim, recognized};

    use crate::invariant::Invariant;

    const NAME: Invariant = Invariant::RecognizedNeverDecreases;

    #[test]
    fn recognizing_an_older_grant_again_breaks_it() {
        check(NAME, &[recognized(claim(0, 33)), recognized(claim(1, 34)), recognized(claim(0, 33))], &[2]);
    }

    #[test]
    fn a_repeat_does_not() {
        check(NAME, &[recognized(claim(0, 33)), recognized(claim(0, 33)), recognized(claim(1, 34))], &[]);
    }
}
