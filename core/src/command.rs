//! What a component asks of its surroundings. The system carries sends out at once; the timers are the driver's: a timed
//! driver sets them, a search lets them end whenever they may.

use crate::id::{GrantId, Term};
use crate::message::{Message, Request};

/// One thing asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Put a message on its way.
    Send(Message),
    /// Wake the sender if this request has no reply in time.
    AwaitReply(Request),
    /// End this grant when this term of its lease is over.
    HoldLease(GrantId, Term),
}
