//! `greater-than`: like `max-seen`, but an epoch that has been seen is not admitted again. The owner's own second write is
//! refused.

use super::{ControlRow, Mechanism, Rejection, Write};

pub(super) struct Rule;

impl super::Rule for Rule {
    const NAME: &'static str = "greater-than";
    const LABEL: &'static str = "higher than the highest epoch seen";
    const SOURCE: &'static str = "https://www.abyiber.com/blog/distributed-systems-fencing-tokens";

    fn check(row: &ControlRow, write: &Write, mechanism: &Mechanism) -> Result<(), Rejection> {
        match row.highest_seen() {
            Some(highest) if !mechanism.orders(write.claim.epoch, highest).is_gt() => Err(Rejection::StaleEpoch),
            _ => Ok(()),
        }
    }

    fn admitted(row: &mut ControlRow, write: &Write, mechanism: &Mechanism) {
        row.see(write.claim.epoch, mechanism);
    }
}
