//! What a destination, its issuer and its workers can be set to. One row of a comparison is one [`Mechanism`].

use serde::{Deserialize, Serialize};

use crate::destination::Guard;
use crate::id::{GrantId, MAX_OPERATIONS, OperationId};

/// The switches of one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mechanism {
    /// The rule by which the destination admits a write.
    pub guard: Guard,
    /// What the destination does with operation IDs.
    #[serde(rename = "operation-ids")]
    pub operation_ids: OperationIds,
    /// When a recorded operation is looked up.
    #[serde(rename = "look-up")]
    pub look_up: LookUp,
}

impl Mechanism {
    /// The mechanism of a scenario that says nothing: no guard, no operation IDs.
    pub const UNGUARDED: Mechanism =
        Mechanism { guard: Guard::None, operation_ids: OperationIds::Off, look_up: LookUp::BeforeGuard };
}

/// What the destination does with operation IDs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OperationIds {
    /// Nothing: a repeat is a new write.
    Off,
    /// Records them in the transaction that applies the write, and answers a repeat with the recorded result.
    InTransaction,
}

/// When the destination looks an operation up among those it has applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LookUp {
    /// First of all: a repeat has its answer whoever owns the lock by then.
    BeforeGuard,
    /// Only for what the guard has admitted: after a handover, a repeat of an applied operation is refused.
    AfterGuard,
}

/// Whose the business operations are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    /// Each grant carries out operations of its own.
    Own,
    /// The n-th operation of every grant is the same one.
    Shared,
}

impl Sharing {
    /// The `index`-th operation (from 0) that `grant` carries out.
    pub fn operation(self, grant: GrantId, index: u8) -> OperationId {
        match self {
            Sharing::Own => OperationId(grant.0 * MAX_OPERATIONS as u8 + index),
            Sharing::Shared => OperationId(index),
        }
    }

    /// Which of its grant's operations (from 0) `operation` is: the other way round.
    pub fn index(self, operation: OperationId) -> u8 {
        match self {
            Sharing::Own => operation.0 % MAX_OPERATIONS as u8,
            Sharing::Shared => operation.0,
        }
    }
}
