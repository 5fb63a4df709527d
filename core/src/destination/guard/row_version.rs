//! `row-version`: the write names the version of the row that it was computed from (ETag, generation, sequence number), and
//! is admitted only on that very version. It protects the row, whoever owns the lock.

use super::{ControlRow, Mechanism, Rejection, Write};

pub(super) struct Rule;

impl super::Rule for Rule {
    const NAME: &'static str = "row-version";
    const LABEL: &'static str = "only on the version read";
    const SOURCE: &'static str = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html";

    fn check(row: &ControlRow, write: &Write, _mechanism: &Mechanism) -> Result<(), Rejection> {
        if write.snapshot == row.version() { Ok(()) } else { Err(Rejection::VersionConflict) }
    }
}
