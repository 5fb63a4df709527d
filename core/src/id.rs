//! Names of the things in a run: workers, grants, business operations, attempts.

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
pub struct OperationSet(u8);

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
}

/// Which try of a request this is; the first is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Attempt(pub u8);

impl Attempt {
    /// The first try.
    pub const FIRST: Attempt = Attempt(1);

    /// The try after this one.
    pub fn next(self) -> Attempt {
        Attempt(self.0 + 1)
    }
}

/// How often the destination's row has been changed: 0 before the first write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Version(pub u8);
