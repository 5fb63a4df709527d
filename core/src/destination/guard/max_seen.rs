//! `max-seen`: the destination remembers the highest epoch a write carried. It knows of a new owner only once it has seen
//! one of its writes: until then the former owner's writes pass.

use super::{ControlRow, Program, Rejection, Write};

pub(super) struct Rule;

impl super::Rule for Rule {
    const NAME: &'static str = "max-seen";
    const LABEL: &'static str = "no lower than the highest epoch seen";
    const SOURCE: &'static str = "https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html";
    const PROGRAM: Program = Program::PLAIN;

    fn check(row: &ControlRow, write: &Write) -> Result<(), Rejection> {
        match row.highest_seen() {
            Some(highest) if write.claim.epoch < highest => Err(Rejection::StaleEpoch),
            _ => Ok(()),
        }
    }

    fn admitted(row: &mut ControlRow, write: &Write) {
        row.see(write.claim.epoch);
    }
}
