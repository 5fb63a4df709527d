//! What hears of changes elsewhere only after a while: the replicas of the destination and of the lock service.

use crate::event::Event;
use crate::id::ReplicaId;
use crate::mechanism::{Asks, Mechanism, Replicas};
use crate::system::{Config, State};

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replica {
    /// The destination's first, which hears of changes in the second.
    First,
    /// The destination's second, which hears of changes in the first.
    Second,
    /// The lock service's, which hears of who owns the lock.
    Lock,
}

impl Replica {
    /// All of them.
    pub const ALL: [Replica; 3] = [Replica::First, Replica::Second, Replica::Lock];

    /// Its name in the scenario language.
    pub const fn name(self) -> &'static str {
        match self {
            Replica::First => "replica-1",
            Replica::Second => "replica-2",
            Replica::Lock => "lock-replica",
        }
    }

    /// What brings it up to date.
    pub const fn brought_up(self) -> Event {
        match self {
            Replica::First => Event::Merge { into: ReplicaId(0) },
            Replica::Second => Event::Merge { into: ReplicaId(1) },
            Replica::Lock => Event::CatchUp,
        }
    }

    /// The one that `event` brings up to date, if it does that.
    pub fn brought_up_by(event: Event) -> Option<Replica> {
        Replica::ALL.into_iter().find(|replica| replica.brought_up() == event)
    }

    /// Whether `mechanism` has it.
    pub fn is_part_of(self, mechanism: &Mechanism) -> bool {
        match self {
            Replica::First | Replica::Second => mechanism.replicas != Replicas::One,
            Replica::Lock => mechanism.asks == Asks::LockReplica,
        }
    }

    /// Whether it is to hear of what has changed from `before` to `after` by the choice of `event`: there is something to hear,
    /// and either it is new, or something is new where it comes from. What a replica has heard of is not new there, and neither
    /// is what a crash or a failover has left.
    pub fn is_to_hear(self, config: &Config, before: &State, event: Event, after: &State) -> bool {
        if !self.is_part_of(&config.mechanism) || !after.is_enabled(config, self.brought_up()) {
            return false;
        }
        let differs = |other: ReplicaId| before.destination.row(other) != after.destination.row(other);
        let has_changed = match self {
            Replica::First => differs(ReplicaId(1)),
            Replica::Second => differs(ReplicaId(0)),
            Replica::Lock => before.live() != after.live(),
        };
        let is_news = !matches!(event, Event::Merge { .. } | Event::Crash { .. } | Event::Restore { .. });
        has_changed && is_news || !before.is_enabled(config, self.brought_up())
    }
}
