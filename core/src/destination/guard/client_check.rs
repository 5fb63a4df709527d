//! `client-check`: the worker makes sure that it still owns the lock, and then writes. Any pause fits in between, whomever it
//! asks: the lock service, a replica of it, or the destination.

use super::{ControlRow, Mechanism, Rejection, Write};
use crate::mechanism::Asks;

pub(super) struct Rule;

impl super::Rule for Rule {
    const NAME: &'static str = "client-check";
    const LABEL: &'static str = "asks the lock, then writes";
    const SOURCE: &'static str = "https://github.com/etcd-io/etcd/issues/11456";
    const CHECKS: bool = true;
    const JUDGES: bool = false;

    fn check(_row: &ControlRow, _write: &Write, _mechanism: &Mechanism) -> Result<(), Rejection> {
        Ok(())
    }

    /// A destination that can be asked for its epoch goes by the highest that a write has carried; it only does not compare.
    fn admitted(row: &mut ControlRow, write: &Write, mechanism: &Mechanism) {
        if mechanism.asks == Asks::Destination {
            row.see(write.claim.epoch, mechanism);
        }
    }
}
