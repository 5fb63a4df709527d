//! `recognized-never-decreases`: the destination's side of the bargain.

use super::{Evidence, Fact, GrantId, Invariant};

pub(super) struct Rule;

impl super::Rule for Rule {
    /// The newest grant that the destination has recognized.
    type Memory = Option<GrantId>;
    const NAME: &'static str = "recognized-never-decreases";
    const HOLDS_WHEN: &'static str = "The destination's current epoch never goes back.";
    const SOURCE: &'static str =
        "https://hadoop.apache.org/docs/stable/hadoop-project-dist/hadoop-hdfs/HDFSHighAvailabilityWithQJM.html";

    fn observe(newest: &mut Option<GrantId>, fact: &Fact) -> Option<Evidence> {
        let (Fact::Recognized { claim } | Fact::RecognizedAgain { claim }) = *fact else {
            return None;
        };
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
