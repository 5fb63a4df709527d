//! The destination's transaction: look-up, guard, change and record in one step.
//!
//! [`Transaction::admit`] hands out an [`Admitted`] that borrows the transaction, and only an [`Admitted`] can change
//! the row: what the guard has seen is what is written to, and the two cannot come apart.

use super::control_row::ControlRow;
use super::guard::Guard;
use crate::epoch::Claim;
use crate::id::{OperationId, Version};
use crate::mechanism::{LookUp, Mechanism, OperationIds};
use crate::message::Rejection;

/// A write as it reaches the destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Write {
    /// The grant and epoch under which it is made.
    pub claim: Claim,
    /// The business operation it carries out.
    pub operation: OperationId,
    /// The version of the row from which its content was computed.
    pub snapshot: Version,
}

/// What became of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It changed the row, which has this version since.
    Applied(Version),
    /// The operation had been applied before; nothing changed, and the answer is the first one again.
    Replayed,
    /// The guard refused it; nothing changed.
    Rejected(Rejection),
}

/// How a registration was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recognition {
    /// The epoch is the current one from now on.
    New,
    /// It was already, from the same grant: the same answer again.
    Repeat,
}

/// Runs the whole transaction of `mechanism` for `write`.
pub fn transact(row: &mut ControlRow, mechanism: &Mechanism, write: &Write) -> Fate {
    let mut transaction = Transaction::begin(row, mechanism);
    if mechanism.look_up == LookUp::BeforeGuard && transaction.looks_up(write.operation) {
        return Fate::Replayed;
    }
    match transaction.admit(write) {
        Err(rejection) => Fate::Rejected(rejection),
        Ok(admitted) if admitted.has_applied() => Fate::Replayed,
        Ok(admitted) => Fate::Applied(admitted.apply()),
    }
}

/// A transaction on the control row, from its begin to its end.
#[derive(Debug)]
pub struct Transaction<'row> {
    row: &'row mut ControlRow,
    guard: Guard,
    records: bool,
}

impl<'row> Transaction<'row> {
    /// Begins one under the rules of `mechanism`.
    pub fn begin(row: &'row mut ControlRow, mechanism: &Mechanism) -> Self {
        let records = match mechanism.operation_ids {
            OperationIds::Off => false,
            OperationIds::InTransaction => true,
        };
        Self { row, guard: mechanism.guard, records }
    }

    /// Whether `operation` is recorded as applied; never where operation IDs are off.
    pub fn looks_up(&self, operation: OperationId) -> bool {
        self.records && self.row.has_applied(operation)
    }

    /// The guard's decision on `write`.
    ///
    /// # Errors
    /// The guard's reason to refuse. The row is unchanged, and stays so.
    pub fn admit<'tx>(&'tx mut self, write: &Write) -> Result<Admitted<'tx, 'row>, Rejection> {
        self.guard.check(self.row, write)?;
        Ok(Admitted { transaction: self, write: *write })
    }

    /// Makes `claim` the current one: its epoch must be greater than the current one, or be it, from the same grant.
    ///
    /// # Errors
    /// A lower epoch is stale; the current one from another grant is refused as that grant's.
    pub fn register(self, claim: Claim) -> Result<Recognition, Rejection> {
        match self.row.recognized() {
            Some(current) if claim == current => Ok(Recognition::Repeat),
            Some(current) if claim.epoch == current.epoch => Err(Rejection::OtherGrant),
            Some(current) if claim.epoch < current.epoch => Err(Rejection::StaleEpoch),
            _ => {
                self.row.recognize(claim);
                Ok(Recognition::New)
            }
        }
    }
}

/// Proof that the guard admitted a write on the very row that it now changes.
#[derive(Debug)]
pub struct Admitted<'tx, 'row> {
    transaction: &'tx mut Transaction<'row>,
    write: Write,
}

impl Admitted<'_, '_> {
    /// Whether the operation is recorded as applied already.
    pub fn has_applied(&self) -> bool {
        self.transaction.looks_up(self.write.operation)
    }

    /// Changes the row and records the operation; returns the row's new version.
    pub fn apply(self) -> Version {
        let Transaction { row, guard, records } = self.transaction;
        guard.admitted(row, &self.write);
        if *records {
            row.record(self.write.operation);
        }
        row.change()
    }
}
