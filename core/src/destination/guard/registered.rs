//! `registered`: a new owner has the destination recognize its epoch, durably, before it reads. From then on only that
//! grant writes, so a former owner is refused even if its successor has not written yet.

use std::cmp::Ordering;

use super::{ControlRow, Mechanism, Rejection, Write};
use crate::epoch::Claim;

pub(super) struct Rule;

impl super::Rule for Rule {
    const NAME: &'static str = "registered";
    const LABEL: &'static str = "only the registered epoch";
    const SOURCE: &'static str = "https://fpj.systems/2016/02/10/note-on-fencing-and-distributed-locks/";
    const REGISTERS: bool = true;

    fn check(row: &ControlRow, write: &Write, mechanism: &Mechanism) -> Result<(), Rejection> {
        is_current(row, write.claim, mechanism)
    }
}

/// Whether `claim` is the registered one.
pub(in crate::destination) fn is_current(
    row: &ControlRow,
    claim: Claim,
    mechanism: &Mechanism,
) -> Result<(), Rejection> {
    let Some(current) = row.recognized() else {
        return mechanism.without_row();
    };
    match mechanism.orders(claim.epoch, current.epoch) {
        Ordering::Less => Err(Rejection::StaleEpoch),
        Ordering::Greater => Err(Rejection::EpochAhead),
        Ordering::Equal if claim.grant != current.grant => Err(Rejection::OtherGrant),
        Ordering::Equal => Ok(()),
    }
}
