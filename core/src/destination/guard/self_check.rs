//! `self-check`: the worker looks at its own clock, and writes if its lease still runs by it. Any pause fits in between, and
//! a clock that stood still says that there is time left.

use super::{ControlRow, Mechanism, Rejection, Write};

pub(super) struct Rule;

impl super::Rule for Rule {
    const NAME: &'static str = "self-check";
    const LABEL: &'static str = "looks at its own clock, then writes";
    const SOURCE: &'static str = "https://github.com/cert-manager/cert-manager/pull/8464";
    const CHECKS: bool = true;
    const JUDGES: bool = false;

    fn check(_row: &ControlRow, _write: &Write, _mechanism: &Mechanism) -> Result<(), Rejection> {
        Ok(())
    }
}
