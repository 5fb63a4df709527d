//! The one row per resource by which a destination decides.

use crate::epoch::{Claim, Epoch};
use crate::id::{OperationId, OperationSet, Version};

/// What the destination keeps beside the data, and changes in the same transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ControlRow {
    version: Version,
    recognized: Option<Claim>,
    highest_seen: Option<Epoch>,
    applied: OperationSet,
}

impl ControlRow {
    /// How often the data has been changed.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The grant whose epoch was registered last: the current one. None before the first registration.
    pub fn recognized(&self) -> Option<Claim> {
        self.recognized
    }

    /// The highest epoch that an admitted write carried. None before the first such write.
    pub fn highest_seen(&self) -> Option<Epoch> {
        self.highest_seen
    }

    /// Whether `operation` is recorded as applied.
    pub fn has_applied(&self, operation: OperationId) -> bool {
        self.applied.contains(operation)
    }

    pub(super) fn recognize(&mut self, claim: Claim) {
        self.recognized = Some(claim);
    }

    pub(super) fn see(&mut self, epoch: Epoch) {
        self.highest_seen = self.highest_seen.max(Some(epoch));
    }

    pub(super) fn change(&mut self) -> Version {
        self.version.0 += 1;
        self.version
    }

    pub(super) fn record(&mut self, operation: OperationId) {
        self.applied.insert(operation);
    }
}
