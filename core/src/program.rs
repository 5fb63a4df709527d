//! The points of a worker's program, in the order in which it passes them.

use serde::{Deserialize, Serialize};

/// A step of a worker's program. Requests (acquire, register, publish, release) are sent in one step and answered later;
/// reading the row and asking the lock service are atomic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Point {
    /// Asks for the lock.
    Acquire,
    /// Registers its epoch at the destination.
    Register,
    /// Reads the row on which its work is based.
    Read,
    /// Computes. Takes time and nothing else, so it is no step of the transition system: a driver lets it pass.
    Compute,
    /// Asks the lock service whether it is still the owner.
    Check,
    /// Sends the write.
    Publish,
    /// Gives the lock back.
    Release,
}

impl Point {
    /// All of them, in program order.
    pub const ALL: [Point; 7] =
        [Point::Acquire, Point::Register, Point::Read, Point::Compute, Point::Check, Point::Publish, Point::Release];

    /// Its name in the scenario language.
    pub const fn name(self) -> &'static str {
        match self {
            Point::Acquire => "acquire",
            Point::Register => "register",
            Point::Read => "read",
            Point::Compute => "compute",
            Point::Check => "check",
            Point::Publish => "publish",
            Point::Release => "release",
        }
    }
}

/// Which of the optional points a worker's program has; the guard decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Program {
    /// It registers its epoch, and has the reply, before it reads.
    pub registers: bool,
    /// It asks the lock service just before it publishes.
    pub checks: bool,
}

impl Program {
    /// Acquire, read, compute, publish, release.
    pub const PLAIN: Program = Program { registers: false, checks: false };
}
