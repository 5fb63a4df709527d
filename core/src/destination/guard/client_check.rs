//! `client-check`: the worker makes sure that it still owns the lock, and then writes. Any pause fits in between.

use super::{ControlRow, Program, Rejection, Write};

pub(super) struct Rule;

impl super::Rule for Rule {
    const NAME: &'static str = "client-check";
    const LABEL: &'static str = "asks the lock, then writes";
    const SOURCE: &'static str = "https://github.com/etcd-io/etcd/issues/11456";
    const PROGRAM: Program = Program { checks: true, ..Program::PLAIN };

    fn check(_row: &ControlRow, _write: &Write) -> Result<(), Rejection> {
        Ok(())
    }
}
