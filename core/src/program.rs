//! The points of a worker's program, in the order in which it passes them.

use serde::{Deserialize, Serialize};

/// A step of a worker's program, or of the destination's. Requests (acquire, register, publish, effect, release) are sent
/// in one step and answered later; reading the row and asking the lock service are atomic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Point {
    /// Has the token made before it asks for the lock.
    Mint,
    /// Asks for the lock.
    Acquire,
    /// Registers its epoch at the destination.
    Register,
    /// Reads the row on which its work is based.
    Read,
    /// Computes. Takes time and nothing else, so it is no step of the transition system: a driver lets it pass.
    Compute,
    /// Makes sure that it is still the owner.
    Check,
    /// Asks whether its effect has come about outside the destination.
    EffectLookUp,
    /// Brings an effect about outside the destination.
    Effect,
    /// Sends the write.
    Publish,
    /// Asks what became of the write.
    LookUp,
    /// Gives the lock back.
    Release,
}

impl Point {
    /// All of them, in program order.
    pub const ALL: [Point; 11] = [
        Point::Mint,
        Point::Acquire,
        Point::Register,
        Point::Read,
        Point::Compute,
        Point::Check,
        Point::EffectLookUp,
        Point::Effect,
        Point::Publish,
        Point::LookUp,
        Point::Release,
    ];

    /// Its name in the scenario language.
    pub const fn name(self) -> &'static str {
        match self {
            Point::Mint => "mint",
            Point::Acquire => "acquire",
            Point::Register => "register",
            Point::Read => "read",
            Point::Compute => "compute",
            Point::Check => "check",
            Point::EffectLookUp => "effect-look-up",
            Point::Effect => "effect",
            Point::Publish => "publish",
            Point::LookUp => "look-up",
            Point::Release => "release",
        }
    }
}

/// Which of the optional points a worker's program has, and in what order; the mechanism decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Program {
    /// It has its token made before it asks for the lock.
    pub mints: bool,
    /// It registers its epoch, and has the reply, before it writes.
    pub registers: bool,
    /// It reads before it registers, and not after.
    pub reads_first: bool,
    /// It makes sure that it is the owner before it acts.
    pub checks: bool,
    /// It brings an effect about before it writes.
    pub effect: bool,
    /// It asks whether the effect has come about, before each time that it asks for it.
    pub looks_up_effect: bool,
    /// It makes sure that the effect is not overtaken, in a step before it.
    pub checks_effect: bool,
    /// It gives the lock back before its last act.
    pub releases_early: bool,
}
