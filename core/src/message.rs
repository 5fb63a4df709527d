//! Requests, replies, and what they carry.

use serde::{Deserialize, Serialize};

use crate::epoch::TokenPlace;
use crate::id::{Attempt, GrantId, Incarnation, OperationId, Term, Version, WorkerId};

/// What a worker asks of the lock service, of the destination, or of what is outside of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "kebab-case")]
pub enum Call {
    /// Asks the issuer for a token, before it asks for the lock.
    Mint {
        /// Which start of the worker asks.
        #[serde(default, skip_serializing_if = "Incarnation::is_first")]
        incarnation: Incarnation,
    },
    /// Asks the issuer for the lock.
    Acquire {
        /// Which start of the worker asks.
        #[serde(default, skip_serializing_if = "Incarnation::is_first")]
        incarnation: Incarnation,
        /// The token, where it was made before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        minted: Option<TokenPlace>,
    },
    /// Asks the issuer to let the lease run on.
    Renew {
        /// The grant.
        grant: GrantId,
        /// The term that it opens.
        term: Term,
    },
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
        /// The term of the lease when it was sent.
        #[serde(default, skip_serializing_if = "Term::is_first")]
        term: Term,
    },
    /// Asks what became of the operation: the destination about its write, or the world outside about its effect.
    LookUp {
        /// The grant under which it is asked.
        grant: GrantId,
        /// The operation.
        operation: OperationId,
        /// What of it.
        #[serde(default, skip_serializing_if = "Sought::is_write")]
        of: Sought,
    },
    /// Asks the world outside for an effect.
    Effect {
        /// The grant under which the effect is wanted.
        grant: GrantId,
        /// The business operation it belongs to.
        operation: OperationId,
        /// The version of the row on which it is based.
        snapshot: Version,
    },
    /// Tells the issuer that the grant is no longer needed.
    Release {
        /// The grant given back.
        grant: GrantId,
    },
}

impl Call {
    /// The grant that it names.
    pub fn grant(self) -> Option<GrantId> {
        match self {
            Call::Mint { .. } | Call::Acquire { .. } => None,
            Call::Renew { grant, .. }
            | Call::Register { grant }
            | Call::Write { grant, .. }
            | Call::LookUp { grant, .. }
            | Call::Effect { grant, .. }
            | Call::Release { grant } => Some(grant),
        }
    }

    /// Whether this asks for the lock.
    pub fn is_acquire(self) -> bool {
        matches!(self, Call::Acquire { .. })
    }
}

/// What a look-up asks after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sought {
    /// Whether the write was applied.
    #[default]
    Write,
    /// Whether the effect has come about, before it is asked for with this attempt.
    Effect,
    /// Whether the effect has come about, after the last attempt at it: no other follows.
    EffectAtLast,
}

impl Sought {
    fn is_write(&self) -> bool {
        *self == Sought::Write
    }
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

impl Request {
    /// Which start of the worker asks for the lock; the first, for any other call.
    pub fn incarnation(self) -> Incarnation {
        match self.call {
            Call::Mint { incarnation } | Call::Acquire { incarnation, .. } => incarnation,
            _ => Incarnation::default(),
        }
    }
}

/// Why a destination refuses. A rejection is a value of the protocol, not an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rejection {
    /// The claim's epoch is lower than the one the destination goes by.
    StaleEpoch,
    /// The claim's epoch is higher than the current one: its owner has not registered it.
    EpochAhead,
    /// The epoch is the current one, but another grant registered it; or another grant is named as the holder.
    OtherGrant,
    /// No epoch has been registered: there is nothing to go by, and the destination fails closed.
    RowAbsent,
    /// The row has been changed since the version that the write was computed from.
    VersionConflict,
    /// By the destination's clock the write's deadline is over.
    DeadlinePassed,
}

impl Rejection {
    /// Whether it says that the lock is another's by now, in whatever way the destination can tell.
    pub fn is_fencing(self) -> bool {
        match self {
            Rejection::StaleEpoch | Rejection::EpochAhead | Rejection::OtherGrant | Rejection::RowAbsent => true,
            Rejection::VersionConflict | Rejection::DeadlinePassed => false,
        }
    }
}

/// What the asked one answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// The token was made.
    Minted {
        /// Which.
        token: TokenPlace,
    },
    /// The lock was granted.
    Granted {
        /// The new grant.
        grant: GrantId,
    },
    /// The lock is another's: ask again later.
    Taken,
    /// The lease runs on.
    Renewed,
    /// The lease cannot run on: the grant has ended.
    NotRenewed,
    /// The epoch is recognized.
    Recognized,
    /// The write was applied; a repeat of it has the same answer.
    Applied,
    /// The destination refused, and why.
    Refused {
        /// The reason.
        rejection: Rejection,
    },
    /// Whether the operation has been applied.
    Found {
        /// It has.
        applied: bool,
    },
    /// Whether the effect of the operation has come about, as far as the asked one remembers.
    EffectFound {
        /// It has.
        effected: bool,
    },
    /// The effect has come about; a repeat may have the same answer.
    Effected,
    /// The effect was refused: a later owner's stands.
    NotEffected,
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
    /// The grant that it names: the one that it is about, or the one that it tells of.
    pub fn grant(self) -> Option<GrantId> {
        match self {
            Message::Reply(Reply { answer: Answer::Granted { grant }, .. }) => Some(grant),
            Message::Request(Request { call, .. }) | Message::Reply(Reply { request: Request { call, .. }, .. }) => {
                call.grant()
            }
        }
    }

    /// The request this message is, or answers.
    pub fn request(self) -> Request {
        match self {
            Message::Request(request) => request,
            Message::Reply(reply) => reply.request,
        }
    }
}
