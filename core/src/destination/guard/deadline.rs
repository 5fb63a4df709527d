//! `deadline`: the write carries the end of its lease, and the destination's own clock must not have reached it. It goes by
//! time, not by epochs: a lock given back early, or a clock that is off, lets the former owner in.

use super::{ControlRow, Mechanism, Rejection, Write};

pub(super) struct Rule;

impl super::Rule for Rule {
    const NAME: &'static str = "deadline";
    const LABEL: &'static str = "only before the lease’s end, by its own clock";
    const SOURCE: &'static str = "https://github.com/yugabyte/yugabyte-db/pull/33507";

    fn check(_row: &ControlRow, write: &Write, _mechanism: &Mechanism) -> Result<(), Rejection> {
        if write.overdue { Err(Rejection::DeadlinePassed) } else { Ok(()) }
    }
}
