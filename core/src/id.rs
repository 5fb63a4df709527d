//! Names of the things in a run: workers, grants, business operations, attempts.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// Most workers in one run.
pub const MAX_WORKERS: usize = 3;
/// Most grants of the lock in one run.
pub const MAX_GRANTS: usize = 4;
/// Most business operations under one grant.
pub const MAX_OPERATIONS: usize = 2;
/// Most times one request is sent: the first try and its retries.
pub const MAX_ATTEMPTS: u8 = 4;

/// A worker (lock client), by its place in the scenario's `workers` line, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WorkerId(pub u8);

impl WorkerId {
    /// Its place in an array with one field a worker.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// One handing-over of the lock, by its place in the order of grants (its *generation*), from 0.
///
/// Judges compare grants, never tokens: with equal, random or wrapped tokens a judge that trusts the number is blind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GrantId(pub u8);

impl GrantId {
    /// Its place in an array with one field a grant.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A business operation, the same across all attempts at it.
///
/// Where operations are each worker's own, every grant has its own; where they are shared, the n-th operation of every
/// grant is one and the same. [`crate::mechanism::Sharing::operation`] is the one place that says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OperationId(pub u8);

impl OperationId {
    /// Its place in an array with one field an operation.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Most business operations in one run.
pub const MAX_OPERATION_IDS: usize = MAX_GRANTS * MAX_OPERATIONS;

/// A set of business operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct OperationSet(pub(crate) u8);

const _: () = assert!(MAX_OPERATION_IDS <= 8, "an OperationSet has one bit an operation");

impl OperationSet {
    /// Adds `operation`; true if it was not in the set.
    pub fn insert(&mut self, operation: OperationId) -> bool {
        let bit = 1 << operation.0;
        let new = self.0 & bit == 0;
        self.0 |= bit;
        new
    }

    /// Takes `operation` out.
    pub fn remove(&mut self, operation: OperationId) {
        self.0 &= !(1 << operation.0);
    }

    /// Whether `operation` is in the set.
    pub fn contains(self, operation: OperationId) -> bool {
        self.0 & (1 << operation.0) != 0
    }

    /// Its members that are not in `other`.
    pub fn without(self, other: OperationSet) -> OperationSet {
        OperationSet(self.0 & !other.0)
    }

    /// Its members, in their order.
    pub fn iter(self) -> impl Iterator<Item = OperationId> {
        (0..MAX_OPERATION_IDS as u8).map(OperationId).filter(move |operation| self.contains(*operation))
    }
}

/// The name under which a request for an operation travels: the same for all attempts, unless each attempt has a new one.
///
/// It is made from the operation and from nothing else, so that within the model no ID can come with another operation's
/// parameters. A destination that takes IDs from outside has to compare parameters as well, and to answer a known ID with
/// other ones by an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WireId(u8);

impl WireId {
    /// The one name of `operation`.
    pub fn of(operation: OperationId) -> Self {
        WireId(operation.0)
    }

    /// A name that only this attempt has.
    pub fn of_attempt(operation: OperationId, attempt: Attempt) -> Self {
        WireId(operation.0 + (MAX_OPERATION_IDS * attempt.index()) as u8)
    }
}

/// A set of such names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WireIdSet(pub(crate) u32);

const _: () = assert!(MAX_OPERATION_IDS * MAX_ATTEMPTS as usize <= 32, "a WireIdSet has one bit a name");

impl WireIdSet {
    /// Adds `id`; true if it was not in the set.
    pub fn insert(&mut self, id: WireId) -> bool {
        let bit = 1 << id.0;
        let new = self.0 & bit == 0;
        self.0 |= bit;
        new
    }

    /// Takes `id` out.
    pub fn remove(&mut self, id: WireId) {
        self.0 &= !(1 << id.0);
    }

    /// Whether `id` is in the set.
    pub fn contains(self, id: WireId) -> bool {
        self.0 & (1 << id.0) != 0
    }
}

/// How often a worker has been started again after a crash: 0 until then. Who comes back is not who left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Incarnation(pub u8);

impl Incarnation {
    /// Whether this is the worker as it was first started.
    pub fn is_first(&self) -> bool {
        *self == Incarnation::default()
    }
}

/// Which stretch of a lease: 0 from the grant, one more with each renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Term(pub u8);

impl Term {
    /// From the grant on.
    pub const FIRST: Term = Term(0);

    /// Whether the lease has not been renewed yet.
    pub fn is_first(&self) -> bool {
        *self == Term::FIRST
    }

    /// The term that the next renewal opens.
    pub fn next(self) -> Term {
        Term(self.0 + 1)
    }
}

/// Most renewals of one lease in a search. A timed run forgets terms that are over, and has no such bound.
pub const MAX_RENEWALS: u8 = 3;

/// A copy of the destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReplicaId(pub u8);

impl ReplicaId {
    /// The only one, or the first of two.
    pub const FIRST: ReplicaId = ReplicaId(0);

    /// Its place in an array with one field a replica.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Whether this is the first one.
    pub fn is_first(&self) -> bool {
        *self == ReplicaId::FIRST
    }

    /// The other of two.
    pub fn other(self) -> ReplicaId {
        ReplicaId(1 - self.0)
    }
}

/// Most copies of the destination.
pub const MAX_REPLICAS: usize = 2;

/// One of each for every copy of the destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PerReplica<T>(pub(crate) [T; MAX_REPLICAS]);

impl<T> Index<ReplicaId> for PerReplica<T> {
    type Output = T;

    fn index(&self, replica: ReplicaId) -> &T {
        &self.0[replica.index()]
    }
}

impl<T> IndexMut<ReplicaId> for PerReplica<T> {
    fn index_mut(&mut self, replica: ReplicaId) -> &mut T {
        &mut self.0[replica.index()]
    }
}

/// Which try of a request this is; the first is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Attempt(pub u8);

impl Attempt {
    /// The first try.
    pub const FIRST: Attempt = Attempt(1);

    /// Its place in an array with one field an attempt.
    pub fn index(self) -> usize {
        usize::from(self.0 - 1)
    }

    /// The try after this one.
    pub fn next(self) -> Attempt {
        Attempt(self.0 + 1)
    }
}

/// How often the destination's row has been changed: 0 before the first write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Version(pub u8);
