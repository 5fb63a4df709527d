//! `registered`: a new owner has the destination recognize its epoch, durably, before it reads. From then on only that
//! grant writes, so a former owner is refused even if its successor has not written yet.

use std::cmp::Ordering;

use super::{ControlRow, Program, Rejection, Write};

pub(super) struct Rule;

impl super::Rule for Rule {
    const NAME: &'static str = "registered";
    const LABEL: &'static str = "only the registered epoch";
    const SOURCE: &'static str = "https://fpj.systems/2016/02/10/note-on-fencing-and-distributed-locks/";
    const PROGRAM: Program = Program { registers: true, ..Program::PLAIN };

    fn check(row: &ControlRow, write: &Write) -> Result<(), Rejection> {
        let Some(current) = row.recognized() else {
            return Err(Rejection::RowAbsent);
        };
        match write.claim.epoch.cmp(&current.epoch) {
            Ordering::Less => Err(Rejection::StaleEpoch),
            Ordering::Greater => Err(Rejection::EpochAhead),
            Ordering::Equal if write.claim.grant != current.grant => Err(Rejection::OtherGrant),
            Ordering::Equal => Ok(()),
        }
    }
}
