//! The destination's transaction: look-up, guard, change and record in one step.
//!
//! [`Transaction::admit`] hands out an [`Admitted`] that borrows the transaction, and only an [`Admitted`] can change
//! the row: what the guard has seen is what is written to, and the two cannot come apart. Where they are to come apart, to
//! show what follows, it takes a [`RememberedCheck`], which outlives the transaction that made it.

use super::control_row::ControlRow;
use super::guard;
use crate::epoch::Claim;
use crate::id::{Version, WireId, WorkerId};
use crate::mechanism::{Counts, LookUp, Mechanism, OperationIds, Reads};
use crate::message::Rejection;

/// A write as it reaches the destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Write {
    /// The worker that made it.
    pub worker: WorkerId,
    /// The grant and epoch under which it is made.
    pub claim: Claim,
    /// The name of the operation that it carries out.
    pub id: WireId,
    /// The version of the row from which its content was computed.
    pub snapshot: Version,
    /// Whether its deadline is over by the destination's own clock.
    pub overdue: bool,
}

/// What became of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It changed the row.
    Applied,
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

/// Runs the whole transaction of `mechanism` for `write`, which makes version `version`. With
/// [`OperationIds::AfterTransaction`] the operation is not recorded yet.
pub fn transact(row: &mut ControlRow, mechanism: &Mechanism, write: &Write, version: Version) -> Fate {
    let mut transaction = Transaction::begin(row, mechanism);
    match transaction.decide(write) {
        Ok(admitted) => {
            admitted.apply(version);
            Fate::Applied
        }
        Err(fate) => fate,
    }
}

/// Runs only the checks of `mechanism` for `write`, and remembers that it was admitted.
///
/// # Errors
/// What became of the write, where it is not to be applied.
pub fn check(row: &ControlRow, mechanism: &Mechanism, write: &Write) -> Result<RememberedCheck, Fate> {
    let mut row = *row;
    let mut transaction = Transaction::begin(&mut row, mechanism);
    transaction.decide(write).map(|admitted| RememberedCheck { write: admitted.write })
}

/// Lets the owner of `claim` read the row, and tells how its epoch was taken, if the read registers it.
///
/// # Errors
/// The reason to refuse; the row is then unchanged.
pub fn read(row: &mut ControlRow, mechanism: &Mechanism, claim: Claim) -> Result<Option<Recognition>, Rejection> {
    match mechanism.reads {
        Reads::Plain | Reads::BeforeRegistering => {}
        Reads::Current => guard::is_current(row, claim, mechanism)?,
        Reads::Registering => return Transaction::begin(row, mechanism).register(claim).map(Some),
    }
    match mechanism.counts {
        Counts::Writes => {}
        Counts::ReadsToo => {
            guard::is_highest(row, claim.epoch, mechanism)?;
            row.see(claim.epoch, mechanism);
        }
    }
    Ok(None)
}

/// A transaction on the control row, from its begin to its end.
#[derive(Debug)]
pub struct Transaction<'row> {
    row: &'row mut ControlRow,
    mechanism: Mechanism,
}

impl<'row> Transaction<'row> {
    /// Begins one under the rules of `mechanism`.
    pub fn begin(row: &'row mut ControlRow, mechanism: &Mechanism) -> Self {
        Self { row, mechanism: *mechanism }
    }

    /// Whether the operation called `id` is recorded as applied; never where operation IDs are off.
    pub fn looks_up(&self, id: WireId) -> bool {
        self.mechanism.operation_ids != OperationIds::Off && self.row.has_applied(id)
    }

    /// The look-up and the guard's decision on `write`, in the mechanism's order.
    ///
    /// # Errors
    /// What became of the write, where it is not to be applied.
    fn decide<'tx>(&'tx mut self, write: &Write) -> Result<Admitted<'tx, 'row>, Fate> {
        if self.mechanism.look_up == LookUp::BeforeGuard && self.looks_up(write.id) {
            return Err(Fate::Replayed);
        }
        let admitted = self.admit(write).map_err(Fate::Rejected)?;
        if admitted.has_applied() { Err(Fate::Replayed) } else { Ok(admitted) }
    }

    /// The guard's decision on `write`.
    ///
    /// # Errors
    /// The guard's reason to refuse. The row is unchanged, and stays so.
    pub fn admit<'tx>(&'tx mut self, write: &Write) -> Result<Admitted<'tx, 'row>, Rejection> {
        self.mechanism.guard.check(self.row, write, &self.mechanism)?;
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
            Some(current) if self.mechanism.orders(claim.epoch, current.epoch).is_lt() => Err(Rejection::StaleEpoch),
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
        self.transaction.looks_up(self.write.id)
    }

    /// Changes the row, which has this version since, and records the operation.
    pub fn apply(self, version: Version) {
        let Transaction { row, mechanism } = self.transaction;
        change(row, mechanism, &self.write, version);
        if mechanism.operation_ids == OperationIds::InTransaction {
            row.record(self.write.id);
        }
    }
}

/// A check-then-act mistake: the guard admitted this write once. By the time it is applied, the row may be another's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RememberedCheck {
    write: Write,
}

impl RememberedCheck {
    /// What was admitted, told again by whoever kept it.
    pub fn recalled(write: Write) -> Self {
        Self { write }
    }

    /// Changes the row, whatever has become of it since the check.
    pub fn apply(self, row: &mut ControlRow, mechanism: &Mechanism, version: Version) {
        change(row, mechanism, &self.write, version);
    }

    /// Records the operation, once it has been applied.
    pub fn record(self, row: &mut ControlRow, mechanism: &Mechanism) {
        if mechanism.operation_ids != OperationIds::Off {
            row.record(self.write.id);
        }
    }
}

fn change(row: &mut ControlRow, mechanism: &Mechanism, write: &Write, version: Version) {
    mechanism.guard.admitted(row, write, mechanism);
    row.change(version, write.claim.grant, mechanism);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::destination::Guard;
    use crate::fact::by_hand::claim;
    use crate::id::OperationId;
    use crate::mechanism::{LookUp, Mechanism, OperationIds};

    fn mechanism(guard: Guard, operation_ids: OperationIds, look_up: LookUp) -> Mechanism {
        Mechanism { guard, operation_ids, look_up, ..Mechanism::UNGUARDED }
    }

    fn write(claim: Claim, operation: u8) -> Write {
        let id = WireId::of(OperationId(operation));
        Write { worker: WorkerId(0), claim, id, snapshot: Version(0), overdue: false }
    }

    /// A row on which `registered` were recognized, and then `written` written, a new operation each.
    fn row(mechanism: &Mechanism, registered: &[Claim], written: &[Claim]) -> ControlRow {
        let mut row = ControlRow::default();
        for &claim in registered {
            Transaction::begin(&mut row, mechanism).register(claim).expect("epochs are registered in their order");
        }
        for (operation, &claim) in written.iter().enumerate() {
            let version = Version(row.version().0 + 1);
            let fate = transact(&mut row, mechanism, &write(claim, operation as u8), version);
            assert_eq!(fate, Fate::Applied);
        }
        row
    }

    #[test]
    fn each_guard_by_what_the_destination_has_seen() {
        let (a, b, other) = (claim(0, 33), claim(1, 34), claim(2, 34));
        type Case<'a> = (Guard, &'a [Claim], &'a [Claim], Claim, Fate);
        // guard, registered before, written before, writer, what becomes of the write
        let table: &[Case<'_>] = &[
            (Guard::None, &[], &[b], a, Fate::Applied),
            (Guard::ClientCheck, &[], &[b], a, Fate::Applied),
            (Guard::MaxSeen, &[], &[], a, Fate::Applied),
            (Guard::MaxSeen, &[], &[a], a, Fate::Applied),
            (Guard::MaxSeen, &[], &[a], b, Fate::Applied),
            (Guard::MaxSeen, &[], &[b], a, Fate::Rejected(Rejection::StaleEpoch)),
            (Guard::MaxSeen, &[], &[b], other, Fate::Applied),
            (Guard::Registered, &[], &[], a, Fate::Rejected(Rejection::RowAbsent)),
            (Guard::Registered, &[a], &[], a, Fate::Applied),
            (Guard::Registered, &[a], &[a], a, Fate::Applied),
            (Guard::Registered, &[a], &[], b, Fate::Rejected(Rejection::EpochAhead)),
            (Guard::Registered, &[a, b], &[], a, Fate::Rejected(Rejection::StaleEpoch)),
            (Guard::Registered, &[a, b], &[], other, Fate::Rejected(Rejection::OtherGrant)),
            (Guard::GreaterThan, &[], &[], a, Fate::Applied),
            (Guard::GreaterThan, &[], &[a], a, Fate::Rejected(Rejection::StaleEpoch)),
            (Guard::GreaterThan, &[], &[a], b, Fate::Applied),
            (Guard::GreaterThan, &[], &[b], a, Fate::Rejected(Rejection::StaleEpoch)),
            (Guard::Promise, &[], &[], a, Fate::Rejected(Rejection::RowAbsent)),
            (Guard::Promise, &[a], &[], a, Fate::Applied),
            (Guard::Promise, &[a], &[], b, Fate::Applied),
            (Guard::Promise, &[a], &[b], a, Fate::Rejected(Rejection::StaleEpoch)),
            (Guard::Promise, &[a, b], &[], a, Fate::Rejected(Rejection::StaleEpoch)),
            (Guard::Promise, &[a, b], &[], other, Fate::Rejected(Rejection::OtherGrant)),
        ];
        for &(guard, registered, written, writer, expected) in table {
            let mechanism = mechanism(guard, OperationIds::Off, LookUp::BeforeGuard);
            let mut row = row(&mechanism, registered, written);
            let before = row;
            let fate = transact(&mut row, &mechanism, &write(writer, 7), Version(9));
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
            (OperationIds::Off, LookUp::BeforeGuard, false, Fate::Applied),
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
                transact(&mut row, &mechanism, &repeat, Version(9)),
                expected,
                "{operation_ids:?} {look_up:?} {handed_over}"
            );
            let changed = row.version() != version;
            assert_eq!(changed, expected == Fate::Applied, "only an application changes the row");
        }
    }
}
