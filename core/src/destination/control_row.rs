//! The one row per resource by which a destination decides.

use crate::epoch::{Claim, Token};
use crate::id::{GrantId, Version, WireId, WireIdSet, WorkerId};
use crate::mechanism::{Mechanism, Replicas};

/// What the destination keeps beside the data, and changes in the same transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ControlRow {
    pub(crate) version: Version,
    pub(crate) recognized: Option<Claim>,
    pub(crate) highest_seen: Option<Token>,
    pub(crate) holder: Option<Holder>,
    pub(crate) applied: WireIdSet,
    /// Under which grant what it holds was written; only where there is another replica to compare with.
    pub(crate) written_under: Option<GrantId>,
}

/// Who is named as the holder of the lock, where lock and data are in one store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Holder {
    /// The grant.
    pub grant: GrantId,
    /// The worker it went to.
    pub worker: WorkerId,
}

impl ControlRow {
    /// Which version of the data it holds.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The grant whose epoch was registered last: the current one. None before the first registration.
    pub fn recognized(&self) -> Option<Claim> {
        self.recognized
    }

    /// The highest token that an admitted write, or a read that counts, carried. None before the first.
    pub fn highest_seen(&self) -> Option<Token> {
        self.highest_seen
    }

    /// Who is named as the holder.
    pub fn holder(&self) -> Option<Holder> {
        self.holder
    }

    /// The epoch it goes by, for telling a refused worker.
    pub fn current(&self) -> Option<Token> {
        self.recognized.map(|claim| claim.epoch).or(self.highest_seen)
    }

    /// Whether the operation called `id` is recorded as applied.
    pub fn has_applied(&self, id: WireId) -> bool {
        self.applied.contains(id)
    }

    pub(super) fn recognize(&mut self, claim: Claim) {
        self.recognized = Some(claim);
    }

    /// `token` counts as seen.
    pub(super) fn see(&mut self, token: Token, mechanism: &Mechanism) {
        if self.highest_seen.is_none_or(|highest| mechanism.orders(token, highest).is_gt()) {
            self.highest_seen = Some(token);
        }
    }

    /// The data is what was written under `grant`, and has this version.
    pub(super) fn change(&mut self, version: Version, grant: GrantId, mechanism: &Mechanism) {
        self.version = version;
        if mechanism.replicas != Replicas::One {
            self.written_under = Some(grant);
        }
    }

    pub(super) fn record(&mut self, id: WireId) {
        self.applied.insert(id);
    }

    /// Everything is lost but the data itself.
    pub(super) fn lose(&mut self) {
        *self = ControlRow { version: self.version, written_under: self.written_under, ..ControlRow::default() };
    }
}
