//! The choices of the environment.

use serde::{Deserialize, Serialize};

use crate::id::{GrantId, WorkerId};
use crate::message::Message;

/// One choice. What does not happen (a pause, a delay) needs no event: it is a step that is not taken.
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
}
