//! `holder`: lock and data are in one store, and the write names who holds the lock there. Granting names the new holder in
//! the same step; the end of a lease alone clears no name.

use super::{ControlRow, Mechanism, Rejection, Write};
use crate::mechanism::HolderId;

pub(super) struct Rule;

impl super::Rule for Rule {
    const NAME: &'static str = "holder";
    const LABEL: &'static str = "only the holder named in the same store";
    const SOURCE: &'static str = "https://learn.microsoft.com/rest/api/storageservices/lease-blob";

    fn check(row: &ControlRow, write: &Write, mechanism: &Mechanism) -> Result<(), Rejection> {
        let named = match (row.holder(), mechanism.holder_id) {
            (None, _) => return mechanism.without_row(),
            (Some(holder), HolderId::Grant) => holder.grant == write.claim.grant,
            (Some(holder), HolderId::Worker) => holder.worker == write.worker,
        };
        if named { Ok(()) } else { Err(Rejection::OtherGrant) }
    }
}
