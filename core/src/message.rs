//! Requests, replies, and what they carry.

use serde::{Deserialize, Serialize};

use crate::id::{Attempt, GrantId, OperationId, Version, WorkerId};

/// What a worker asks of the lock service or of the destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "kebab-case")]
pub enum Call {
    /// Asks the issuer for the lock.
    Acquire,
    /// Asks the destination to recognize the grant's epoch durably.
    Register {
        /// The grant to recognize.
        grant: GrantId,
    },
    /// Asks the destination to change the row.
    Write {
        /// The grant under which the write is made.
        grant: GrantId,
        /// The business operation it carries out.
        operation: OperationId,
        /// The version of the row from which its content was computed.
        snapshot: Version,
    },
    /// Tells the issuer that the grant is no longer needed.
    Release {
        /// The grant given back.
        grant: GrantId,
    },
}

/// A request on its way: who sends it, which try it is, and what it asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Request {
    /// The sender.
    pub worker: WorkerId,
    /// Which try.
    pub attempt: Attempt,
    /// What is asked.
    #[serde(flatten)]
    pub call: Call,
}

/// Why a destination refuses. A rejection is a value of the protocol, not an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rejection {
    /// The claim's epoch is lower than the one the destination goes by.
    StaleEpoch,
    /// The claim's epoch is higher than the current one: its owner has not registered it.
    EpochAhead,
    /// The epoch is the current one, but another grant registered it.
    OtherGrant,
    /// The control row does not exist, and the destination fails closed.
    RowAbsent,
}

/// What the asked one answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// The lock was granted.
    Granted {
        /// The new grant.
        grant: GrantId,
    },
    /// The epoch is recognized.
    Recognized,
    /// The write was applied; a repeat of it has the same answer.
    Applied,
    /// The destination refused, and why.
    Refused {
        /// The reason.
        rejection: Rejection,
    },
    /// The release has been taken note of.
    Released,
}

/// A message in the network. A reply carries the request it answers, so that an answer to an earlier attempt is never
/// taken for one to a later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "leg", rename_all = "kebab-case")]
pub enum Message {
    /// From a worker.
    Request(Request),
    /// To the worker that asked.
    Reply(Reply),
}

/// An answer on its way to the worker that asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Reply {
    /// What is answered.
    pub request: Request,
    /// The answer.
    #[serde(flatten)]
    pub answer: Answer,
}

impl Message {
    /// The request this message is, or answers.
    pub fn request(self) -> Request {
        match self {
            Message::Request(request) => request,
            Message::Reply(reply) => reply.request,
        }
    }
}
