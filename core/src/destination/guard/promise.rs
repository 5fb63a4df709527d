//! `promise`: a new owner has the destination promise to take no lower epoch, and a write of a higher one raises the promise.
//! Unlike under `registered`, a newer owner may write before it has registered.

use std::cmp::Ordering;

use super::{ControlRow, Mechanism, Rejection, Write};

pub(super) struct Rule;

impl super::Rule for Rule {
    const NAME: &'static str = "promise";
    const LABEL: &'static str = "no lower than the promised epoch";
    const SOURCE: &'static str = "https://github.com/apache/hadoop/blob/trunk/hadoop-hdfs-project/hadoop-hdfs/src/main/java/org/apache/hadoop/hdfs/qjournal/server/Journal.java";
    const REGISTERS: bool = true;

    fn check(row: &ControlRow, write: &Write, mechanism: &Mechanism) -> Result<(), Rejection> {
        let Some(promised) = row.recognized() else {
            return mechanism.without_row();
        };
        match mechanism.orders(write.claim.epoch, promised.epoch) {
            Ordering::Less => Err(Rejection::StaleEpoch),
            Ordering::Equal if write.claim.grant != promised.grant => Err(Rejection::OtherGrant),
            Ordering::Equal | Ordering::Greater => Ok(()),
        }
    }

    fn admitted(row: &mut ControlRow, write: &Write, mechanism: &Mechanism) {
        if row.recognized().is_none_or(|promised| mechanism.orders(write.claim.epoch, promised.epoch).is_gt()) {
            row.recognize(write.claim);
        }
    }
}
