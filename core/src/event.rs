//! The choices of the environment.

use serde::{Deserialize, Serialize};

use crate::id::{GrantId, OperationId, ReplicaId, WorkerId};
use crate::message::Message;

/// One choice. What does not happen (a freeze, a stuck thread, a delay) needs no event: it is a step that is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The worker takes the next step of its program.
    Step {
        /// Which.
        worker: WorkerId,
    },
    /// A message reaches its receiver.
    Deliver {
        /// Which.
        message: Message,
    },
    /// A message is lost.
    Lose {
        /// Which.
        message: Message,
    },
    /// The network carries a message a second time.
    Duplicate {
        /// Which.
        message: Message,
    },
    /// The worker has waited for its reply as long as it ever does.
    TimeOut {
        /// Which.
        worker: WorkerId,
    },
    /// The lease of the live grant ends by the issuer's clock.
    Expire {
        /// Which.
        grant: GrantId,
    },
    /// Whoever renews the worker's lease sends a renewal.
    Renew {
        /// Whose lease.
        worker: WorkerId,
    },
    /// The owner's own clock reaches the end of its lease, as far as its latest renewal goes.
    PassLocalDeadline {
        /// The grant whose owner's clock it is.
        grant: GrantId,
    },
    /// The destination's clock reaches the deadline of what is written under the grant.
    PassDeadline {
        /// Which.
        grant: GrantId,
    },
    /// The worker takes note that its lease is lost, and stops.
    Notice {
        /// Which.
        worker: WorkerId,
    },
    /// The machine of the worker is suspended for a while: its monotonic clock stands still meanwhile.
    Suspend {
        /// Whose.
        worker: WorkerId,
    },
    /// A clock that a lease depends on is set, or runs beyond the margin allowed for.
    SkewClock,
    /// A process crashes and starts again at once, with what it keeps durably.
    Crash {
        /// Which.
        process: Process,
    },
    /// The issuer goes on with what it knew before the grants from this one on.
    Restore {
        /// The first grant that it does not know of.
        grant: GrantId,
    },
    /// The issuer's replica takes over what the issuer knows.
    CatchUp,
    /// The destination goes on with a write that it carries out in several steps.
    Proceed {
        /// Which of those under way, from 0, in the order in which they came.
        place: u8,
    },
    /// A replica of the destination takes over what the other one has.
    Merge {
        /// The one that takes over.
        into: ReplicaId,
    },
    /// The relay goes on with an outbox row.
    Relay {
        /// Whose.
        operation: OperationId,
    },
    /// The provider forgets an idempotency key.
    Prune {
        /// Whose.
        operation: OperationId,
    },
}

/// What can crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "process", rename_all = "kebab-case")]
pub enum Process {
    /// A worker: all that it knew is gone.
    Worker {
        /// Which.
        worker: WorkerId,
    },
    /// The lock service: who waits for the lock is gone.
    LockService,
    /// The destination: what had not been committed is gone, and the control row where it is not durable.
    Destination,
}
