//! `none`: most locks as they are used.

use super::{ControlRow, Mechanism, Rejection, Write};

pub(super) struct Rule;

impl super::Rule for Rule {
    const NAME: &'static str = "none";
    const LABEL: &'static str = "nothing is checked";
    const SOURCE: &'static str = "https://github.com/lukas-krecan/ShedLock";
    const JUDGES: bool = false;

    fn check(_row: &ControlRow, _write: &Write, _mechanism: &Mechanism) -> Result<(), Rejection> {
        Ok(())
    }
}
