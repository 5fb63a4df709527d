//! The destination as a whole: its copies, and the writes that it carries out in several steps.

use super::control_row::{ControlRow, Holder};
use super::guard::Guard;
use crate::epoch::{Claim, Token};
use crate::id::{GrantId, MAX_OPERATION_IDS, MAX_REPLICAS, OperationId, ReplicaId, Version, WireIdSet, WorkerId};
use crate::mechanism::{Mechanism, Replicas};
use crate::message::Request;

/// Most writes that are under way in a destination that takes several steps for each.
pub const MAX_PENDING: usize = 2;

/// The destination's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Destination {
    pub(crate) rows: [ControlRow; MAX_REPLICAS],
    /// The newest version that any replica has made.
    pub(crate) newest: Version,
    pub(crate) pending: [Option<Pending>; MAX_PENDING],
    /// Each operation's outbox row.
    pub(crate) outbox: [Outbox; MAX_OPERATION_IDS],
}

/// What the transaction that applied an operation left for the relay to do outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Outbox {
    /// Nothing, or nothing more.
    #[default]
    Empty,
    /// The effect wanted under this grant.
    Waiting(GrantId),
    /// The relay has carried it out, and not noted that yet.
    Relayed(GrantId),
}

/// A write that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pending {
    /// The request that it came with.
    pub request: Request,
    /// What comes next.
    pub stage: Stage,
}

/// What a destination does next with a write that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The guard has admitted it: the row is changed.
    Apply,
    /// The row has been changed: the operation is recorded, and answered.
    Record,
}

/// What a merge has brought a replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Merged {
    /// Whether it has changed at all.
    pub changed: bool,
    /// The grant whose write stands there now, if the other replica's data was taken over.
    pub data_of: Option<GrantId>,
    /// Its current epoch, if that is another than before.
    pub recognized: Option<Claim>,
}

/// More writes would be under way than [`MAX_PENDING`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy;

impl Destination {
    /// A destination of one replica that has this row, with nothing under way.
    pub(crate) fn of(row: ControlRow) -> Self {
        Destination { rows: [row, ControlRow::default()], newest: row.version, ..Destination::default() }
    }

    /// The replica that `worker` works on.
    pub fn replica_of(mechanism: &Mechanism, worker: WorkerId) -> ReplicaId {
        match mechanism.replicas {
            Replicas::One => ReplicaId::FIRST,
            Replicas::LastWrite | Replicas::HighestEpoch => ReplicaId(worker.0 % MAX_REPLICAS as u8),
        }
    }

    /// A replica's row.
    pub fn row(&self, replica: ReplicaId) -> &ControlRow {
        &self.rows[replica.index()]
    }

    /// A replica's row, to be changed.
    pub fn row_mut(&mut self, replica: ReplicaId) -> &mut ControlRow {
        &mut self.rows[replica.index()]
    }

    /// The version that the next change makes, wherever it is made.
    pub fn next_version(&self) -> Version {
        Version(self.newest.0 + 1)
    }

    /// The next change has been made.
    pub fn count_change(&mut self) {
        self.newest = self.next_version();
    }

    /// Names the holder of the lock, where lock and data are in one store.
    pub fn name_holder(&mut self, mechanism: &Mechanism, holder: Holder) {
        if mechanism.guard == Guard::Holder {
            let replicas = if mechanism.replicas == Replicas::One { 1 } else { MAX_REPLICAS };
            for row in &mut self.rows[..replicas] {
                row.holder = Some(holder);
            }
        }
    }

    /// The writes under way, in the order in which they came.
    pub fn pending(&self) -> impl Iterator<Item = Pending> + '_ {
        self.pending.iter().map_while(|pending| *pending)
    }

    /// The operations that the relay has something to do for.
    pub fn outbox(&self) -> impl Iterator<Item = OperationId> + '_ {
        let busy = |operation: &OperationId| self.outbox[operation.index()] != Outbox::Empty;
        (0..MAX_OPERATION_IDS as u8).map(OperationId).filter(busy)
    }

    /// Whether a restart would undo anything but the control row.
    pub fn has_unfinished(&self) -> bool {
        self.pending[0].is_some() || self.outbox.iter().any(|row| matches!(row, Outbox::Relayed(_)))
    }

    /// Takes a write on whose check has been passed.
    ///
    /// # Errors
    /// `Busy` when too many are under way.
    pub fn take_on(&mut self, pending: Pending) -> Result<(), Busy> {
        let free = self.pending.iter_mut().find(|place| place.is_none()).ok_or(Busy)?;
        *free = Some(pending);
        Ok(())
    }

    /// Takes the write at `place` out, for its next step.
    ///
    /// # Panics
    /// If there is none.
    pub fn take_out(&mut self, place: u8) -> Pending {
        let place = usize::from(place);
        let pending = self.pending[place].expect("only a write that is under way can proceed");
        self.pending.copy_within(place + 1.., place);
        self.pending[MAX_PENDING - 1] = None;
        pending
    }

    /// Puts a write back where it was taken out.
    pub fn put_back(&mut self, place: u8, pending: Pending) {
        let place = usize::from(place);
        self.pending.copy_within(place..MAX_PENDING - 1, place + 1);
        self.pending[place] = Some(pending);
    }

    /// It has crashed and come back: what was under way is gone, and so is the control row if it is not `durable`. What
    /// the relay has not noted is carried out again.
    pub fn restart(&mut self, durable: bool) {
        self.pending = [None; MAX_PENDING];
        for row in &mut self.outbox {
            if let Outbox::Relayed(grant) = *row {
                *row = Outbox::Waiting(grant);
            }
        }
        if !durable {
            for row in &mut self.rows {
                row.lose();
            }
        }
    }

    /// Brings a replica up to what the other has, by the rule of `mechanism`; `token` tells the token of a grant.
    pub fn merge(&mut self, into: ReplicaId, mechanism: &Mechanism, token: impl Fn(GrantId) -> Token) -> Merged {
        let (mine, other) = (*self.row(into), *self.row(into.other()));
        let higher = |one: Option<Token>, than: Option<Token>| match (one, than) {
            (Some(one), Some(than)) => mechanism.orders(one, than).is_gt(),
            (Some(_), None) => true,
            (None, _) => false,
        };
        let newer = other.version > mine.version;
        let takes_data = match mechanism.replicas {
            Replicas::One => false,
            Replicas::LastWrite => newer,
            Replicas::HighestEpoch => {
                let (mine, other) = (mine.written_under.map(&token), other.written_under.map(&token));
                higher(other, mine) || newer && !higher(mine, other)
            }
        };
        let data = if takes_data { &other } else { &mine };
        let merged = ControlRow {
            version: data.version,
            written_under: data.written_under,
            recognized: match (mine.recognized, other.recognized) {
                (mine, Some(other)) if higher(Some(other.epoch), mine.map(|mine| mine.epoch)) => Some(other),
                (mine, _) => mine,
            },
            highest_seen: if higher(other.highest_seen, mine.highest_seen) {
                other.highest_seen
            } else {
                mine.highest_seen
            },
            holder: mine.holder,
            applied: WireIdSet(mine.applied.0 | other.applied.0),
        };
        *self.row_mut(into) = merged;
        Merged {
            changed: merged != mine,
            data_of: other.written_under.filter(|_| takes_data),
            recognized: merged.recognized.filter(|_| merged.recognized != mine.recognized),
        }
    }
}
