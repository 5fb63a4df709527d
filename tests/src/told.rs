//! What the transition system tells while choices are made, written down.

use fencepost_core::fact::Fact;
use fencepost_core::invariant::{Evidence, Invariant};
use fencepost_core::observation::Situation;
use fencepost_core::system::Driver;

/// Everything that was told, in its order.
#[derive(Debug, Default)]
pub struct Told {
    /// What happened.
    pub facts: Vec<Fact>,
    /// Which invariants were broken.
    pub broken: Vec<Invariant>,
    /// Which situations were reached.
    pub reached: Vec<Situation>,
}

impl Driver for Told {
    fn fact(&mut self, fact: Fact) {
        self.facts.push(fact);
    }

    fn violation(&mut self, evidence: Evidence) {
        self.broken.push(evidence.invariant);
    }

    fn situation(&mut self, situation: Situation) {
        self.reached.push(situation);
    }
}
