//! `max-seen`: the destination remembers the highest epoch a write carried. It knows of a new owner only once it has seen
//! one of its writes: until then the former owner's writes pass.

use super::{ControlRow, Mechanism, Rejection, Write};
use crate::epoch::Token;

pub(super) struct Rule;

impl super::Rule for Rule {
    const NAME: &'static str = "max-seen";
    const LABEL: &'static str = "no lower than the highest epoch seen";
    const SOURCE: &'static str = "https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html";

    fn check(row: &ControlRow, write: &Write, mechanism: &Mechanism) -> Result<(), Rejection> {
        is_highest(row, write.claim.epoch, mechanism)
    }

    fn admitted(row: &mut ControlRow, write: &Write, mechanism: &Mechanism) {
        row.see(write.claim.epoch, mechanism);
    }
}

/// Whether no higher epoch than `token` has been seen.
pub(in crate::destination) fn is_highest(
    row: &ControlRow,
    token: Token,
    mechanism: &Mechanism,
) -> Result<(), Rejection> {
    match row.highest_seen() {
        Some(highest) if mechanism.orders(token, highest).is_lt() => Err(Rejection::StaleEpoch),
        _ => Ok(()),
    }
}
