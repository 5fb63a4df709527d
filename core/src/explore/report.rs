//! What a search has found, as plain data.

use serde::Serialize;

use crate::event::Event;
use crate::invariant::{Evidence, Invariant};
use crate::observation::Situation;
use crate::run::Limit;

/// How far a search may go before it stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The most states.
    pub states: usize,
    /// The most bytes in which it keeps them.
    pub bytes: usize,
}

impl Bounds {
    /// As far as any search goes.
    pub const MAX: Bounds = Bounds { states: super::MAX_STATES, bytes: super::MAX_BYTES };
}

/// How a search stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// There are states whose choices have not been made yet.
    Searching,
    /// Every choice has been made in every state that can be reached.
    Complete,
    /// It ended before that.
    Stopped(Cause),
}

/// Why a search ended before it was complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// As many states as it may have.
    States,
    /// As many bytes as it may hold.
    Memory,
    /// Whoever drives it has called it off.
    Cancelled,
    /// Some paths ended at a limit of the model; all the others were followed to their ends. [`Report::cut`] counts them.
    Paths,
}

/// A limit at which a path ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Edge {
    /// One of the model.
    Model(Limit),
    /// A state is larger than [`super::MAX_STATE_BYTES`] when packed, or counts further than its place there has room for.
    StateSize,
}

impl Edge {
    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Edge::Model(limit) => limit.name(),
            Edge::StateSize => "state-size",
        }
    }
}

/// The paths that ended at a limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cut {
    /// The limit.
    pub edge: Edge,
    /// How many transitions ran into it.
    pub transitions: u64,
    /// A shortest path to it, the choice that ran into it included.
    pub path: Vec<Event>,
}

/// A broken invariant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Counterexample {
    /// What shows it.
    pub evidence: Evidence,
    /// The choices from the beginning up to and with the one that breaks it. No shorter list does.
    pub path: Vec<Event>,
}

/// A situation that was reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Example {
    /// Which.
    pub situation: Situation,
    /// The choices from the beginning up to and with the one that brings it about. No shorter list does.
    pub path: Vec<Event>,
}

/// How far a search has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// How it stands.
    pub status: Status,
    /// The states found.
    pub states: usize,
    /// The transitions made: each choice in each state gone through.
    pub transitions: u64,
    /// How many choices lead to the states that are being gone through.
    pub depth: usize,
    /// How many of the states found have not been gone through yet.
    pub frontier: usize,
}

/// What a search has found so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// How far it has come.
    pub progress: Progress,
    /// How many states each number of choices leads to at the least.
    pub states_by_depth: Vec<usize>,
    /// The broken invariants, in their own order. About the others: no violation was found within the bounds.
    pub broken: Vec<Counterexample>,
    /// The situations reached, in their own order.
    pub reached: Vec<Example>,
    /// The limits at which paths ended, in their own order.
    pub cut: Vec<Cut>,
    /// The bytes in which the states are kept.
    pub bytes: usize,
}

impl Report {
    /// The counterexample of `invariant`, if it is broken.
    pub fn counterexample(&self, invariant: Invariant) -> Option<&Counterexample> {
        self.broken.iter().find(|found| found.evidence.invariant == invariant)
    }

    /// The example of `situation`, if it was reached.
    pub fn example(&self, situation: Situation) -> Option<&Example> {
        self.reached.iter().find(|found| found.situation == situation)
    }

    /// The names of what kept it from seeing everything: of what ended it, and of the limits at which paths ended. A search
    /// that stopped has perhaps cut paths short before.
    pub fn stopped_at(&self) -> Vec<&'static str> {
        let ended = match self.progress.status {
            Status::Searching | Status::Complete | Status::Stopped(Cause::Paths) => None,
            Status::Stopped(Cause::States) => Some("states"),
            Status::Stopped(Cause::Memory) => Some("memory"),
            Status::Stopped(Cause::Cancelled) => Some("cancelled"),
        };
        ended.into_iter().chain(self.cut.iter().map(|cut| cut.edge.name())).collect()
    }
}
