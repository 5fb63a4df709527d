//! What a search tells apart: a state, and nothing else.

use crate::command::Command;
use crate::event::Event;
use crate::fact::Fact;
use crate::invariant::Evidence;
use crate::observation::Situation;
use crate::run::Limit;
use crate::system::{Config, Driver, State};

/// A place in the graph of all choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Node {
    pub(super) state: State,
}

/// Who is told what a step brings about.
pub trait Findings {
    /// A situation was reached.
    fn situation(&mut self, situation: Situation);
    /// An invariant was broken.
    fn violation(&mut self, evidence: Evidence);
}

impl Node {
    /// Where every search begins.
    pub fn start(config: &Config) -> Self {
        Self { state: State::new(config) }
    }

    /// Calls `choice` with everything that may happen next, in the system's order.
    #[inline]
    pub fn enabled(&self, config: &Config, choice: impl FnMut(Event)) {
        self.state.enabled(config, choice);
    }

    /// Carries `event` out.
    ///
    /// # Errors
    /// A limit of the model: the path ends there, and what was told of this step does not count.
    #[inline]
    pub fn step(&mut self, config: &Config, event: Event, findings: &mut impl Findings) -> Result<(), Limit> {
        self.state.step(config, event, &mut Listener { findings })
    }

    /// Forgets what nothing can tell any more, but names everything as it was named before.
    pub fn forget_unheard(&mut self, config: &Config) {
        self.state.forget_unheard(config);
    }

    /// Forgets what nothing can tell any more, so that states that behave alike are equal.
    #[inline]
    pub fn forget(&mut self, config: &Config) {
        self.state.forget(config);
    }
}

struct Listener<'a, F> {
    findings: &'a mut F,
}

impl<F: Findings> Driver for Listener<'_, F> {
    #[inline]
    fn fact(&mut self, _fact: Fact) {}

    #[inline]
    fn situation(&mut self, situation: Situation) {
        self.findings.situation(situation);
    }

    #[inline]
    fn violation(&mut self, evidence: Evidence) {
        self.findings.violation(evidence);
    }

    #[inline]
    fn command(&mut self, _command: Command) {}
}
