//! Ownership generations as numbers, and the one thing that makes them.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

/// The number a sound issuer hands out with a grant (fencing token): it increases with each grant.
///
/// There is no conversion from a time or a random number, and no default: an [`EpochAllocator`] makes epochs, and a
/// recorded trace brings them back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(transparent)]
pub struct Epoch(u64);

impl Epoch {
    /// The number, for showing it.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// As a 128-bit integer: the same digits in JSON, and a `BigInt` in JavaScript whatever the size, so that no epoch is
/// ever rounded to a double.
impl Serialize for Epoch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u128(self.0.into())
    }
}

/// A grant as it is claimed in a message: its identity and its epoch, which only ever travel together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Claim {
    /// Which grant.
    pub grant: crate::id::GrantId,
    /// The epoch handed out with it.
    pub epoch: Epoch,
}

/// The issuer's counter: the only maker of epochs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EpochAllocator {
    next: u64,
}

impl EpochAllocator {
    /// A counter whose first epoch is `first`.
    pub fn starting_at(first: u64) -> Self {
        Self { next: first }
    }

    /// The next epoch; none is handed out twice.
    pub fn allocate(&mut self) -> Epoch {
        let epoch = Epoch(self.next);
        self.next = self.next.checked_add(1).expect("a scenario's first epoch leaves room for its grants");
        epoch
    }
}
