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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::by_hand::claim;
    use crate::mechanism::{LookUp, Mechanism, OperationIds};

    fn mechanism(guard: Guard, operation_ids: OperationIds, look_up: LookUp) -> Mechanism {
        Mechanism { guard, operation_ids, look_up }
    }

    fn write(claim: Claim, operation: u8) -> Write {
        Write { claim, operation: OperationId(operation), snapshot: Version(0) }
    }

    /// A row on which `registered` were recognized, and then `written` written, a new operation each.
    fn row(mechanism: &Mechanism, registered: &[Claim], written: &[Claim]) -> ControlRow {
        let mut row = ControlRow::default();
        for &claim in registered {
            Transaction::begin(&mut row, mechanism).register(claim).expect("epochs are registered in their order");
        }
        for (operation, &claim) in written.iter().enumerate() {
            let fate = transact(&mut row, mechanism, &write(claim, operation as u8));
            assert!(matches!(fate, Fate::Applied(_)), "{fate:?}");
        }
        row
    }

    #[test]
    fn each_guard_by_what_the_destination_has_seen() {
        let (a, b, other) = (claim(0, 33), claim(1, 34), claim(2, 34));
        let applied = |version| Fate::Applied(Version(version));
        type Case<'a> = (Guard, &'a [Claim], &'a [Claim], Claim, Fate);
        // guard, registered before, written before, writer, what becomes of the write
        let table: &[Case<'_>] = &[
            (Guard::None, &[], &[b], a, applied(2)),
            (Guard::ClientCheck, &[], &[b], a, applied(2)),
            (Guard::MaxSeen, &[], &[], a, applied(1)),
            (Guard::MaxSeen, &[], &[a], a, applied(2)),
            (Guard::MaxSeen, &[], &[a], b, applied(2)),
            (Guard::MaxSeen, &[], &[b], a, Fate::Rejected(Rejection::StaleEpoch)),
            (Guard::MaxSeen, &[], &[b], other, applied(2)),
            (Guard::Registered, &[], &[], a, Fate::Rejected(Rejection::RowAbsent)),
            (Guard::Registered, &[a], &[], a, applied(1)),
            (Guard::Registered, &[a], &[a], a, applied(2)),
            (Guard::Registered, &[a], &[], b, Fate::Rejected(Rejection::EpochAhead)),
            (Guard::Registered, &[a, b], &[], a, Fate::Rejected(Rejection::StaleEpoch)),
            (Guard::Registered, &[a, b], &[], other, Fate::Rejected(Rejection::OtherGrant)),
        ];
        for &(guard, registered, written, writer, expected) in table {
            let mechanism = mechanism(guard, OperationIds::Off, LookUp::BeforeGuard);
            let mut row = row(&mechanism, registered, written);
            let before = row;
            let fate = transact(&mut row, &mechanism, &write(writer, 7));
            assert_eq!(fate, expected, "{} after {registered:?} and {written:?}", guard.name());
            if matches!(fate, Fate::Rejected(_)) {
                assert_eq!(row, before, "a refusal changes nothing");
            }
        }
    }

    #[test]
    fn a_registration_is_taken_once_repeated_for_its_grant_and_never_goes_back() {
        let (a, b, other) = (claim(0, 33), claim(1, 34), claim(2, 34));
        let mechanism = mechanism(Guard::Registered, OperationIds::Off, LookUp::BeforeGuard);
        let mut row = ControlRow::default();
        for (claim, expected, current) in [
            (a, Ok(Recognition::New), a),
            (a, Ok(Recognition::Repeat), a),
            (b, Ok(Recognition::New), b),
            (other, Err(Rejection::OtherGrant), b),
            (a, Err(Rejection::StaleEpoch), b),
            (b, Ok(Recognition::Repeat), b),
        ] {
            assert_eq!(Transaction::begin(&mut row, &mechanism).register(claim), expected);
            assert_eq!(row.recognized(), Some(current));
        }
    }

    #[test]
    fn a_repeat_is_answered_by_what_is_recorded_and_when_it_is_looked_up() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        let repeat = write(a, 0);
        // operation IDs, look-up, whether B has registered meanwhile, what becomes of A's repeat
        let table = [
            (OperationIds::Off, LookUp::BeforeGuard, false, Fate::Applied(Version(2))),
            (OperationIds::InTransaction, LookUp::BeforeGuard, false, Fate::Replayed),
            (OperationIds::InTransaction, LookUp::AfterGuard, false, Fate::Replayed),
            (OperationIds::Off, LookUp::BeforeGuard, true, Fate::Rejected(Rejection::StaleEpoch)),
            (OperationIds::InTransaction, LookUp::BeforeGuard, true, Fate::Replayed),
            (OperationIds::InTransaction, LookUp::AfterGuard, true, Fate::Rejected(Rejection::StaleEpoch)),
        ];
        for (operation_ids, look_up, handed_over, expected) in table {
            let mechanism = mechanism(Guard::Registered, operation_ids, look_up);
            let mut row = row(&mechanism, &[a], &[a]);
            if handed_over {
                Transaction::begin(&mut row, &mechanism).register(b).expect("34 is newer than 33");
            }
            let version = row.version();
            assert_eq!(
                transact(&mut row, &mechanism, &repeat),
                expected,
                "{operation_ids:?} {look_up:?} {handed_over}"
            );
            let changed = row.version() != version;
            assert_eq!(changed, matches!(expected, Fate::Applied(_)), "only an application changes the row");
        }
    }
}
