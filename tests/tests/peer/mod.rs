//! The transition system as stateright sees it: the same states, the same choices, another search.

#![allow(dead_code, reason = "tests and benches use a part each")]

use std::collections::BTreeMap;

use fencepost_core::event::Event;
use fencepost_core::invariant::{Evidence, Invariant};
use fencepost_core::system::{Config, Driver, State};
use stateright::{Checker, Model, Property};

/// All that may happen under a configuration.
pub struct Peer(pub Config);

impl Model for Peer {
    type State = State;
    type Action = Event;

    fn init_states(&self) -> Vec<State> {
        vec![State::new(&self.0)]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Event>) {
        state.enabled(&self.0, |event| actions.push(event));
    }

    fn next_state(&self, state: &State, event: Event) -> Option<State> {
        step(&self.0, state, event).map(|(next, _)| next)
    }

    /// One that is never found: stateright stops once there is nothing left to find.
    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::sometimes("never", |_, _| false)]
    }
}

/// Searches everything, breadth first, on one thread.
pub fn search(config: &Config) -> impl Checker<Peer> + use<> {
    Peer(*config).checker().threads(1).spawn_bfs().join()
}

/// Where `event` leads from `state`, and what it breaks.
fn step(config: &Config, state: &State, event: Event) -> Option<(State, Broken)> {
    let (mut next, mut broken) = (*state, Broken::default());
    next.step(config, event, &mut broken).ok()?;
    next.forget(config);
    Some((next, broken))
}

#[derive(Default)]
struct Broken(Vec<Invariant>);

impl Driver for Broken {
    fn violation(&mut self, evidence: Evidence) {
        self.0.push(evidence.invariant);
    }
}

/// The same, where a path ends as soon as it breaks one invariant, and then leads to nowhere: stateright looks at states,
/// not at steps.
struct Until(Config, Invariant);

impl Model for Until {
    type State = Option<State>;
    type Action = Event;

    fn init_states(&self) -> Vec<Option<State>> {
        vec![Some(State::new(&self.0))]
    }

    fn actions(&self, state: &Option<State>, actions: &mut Vec<Event>) {
        if let Some(state) = state {
            state.enabled(&self.0, |event| actions.push(event));
        }
    }

    fn next_state(&self, state: &Option<State>, event: Event) -> Option<Option<State>> {
        let (next, broken) = step(&self.0, state.as_ref()?, event)?;
        Some((!broken.0.contains(&self.1)).then_some(next))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("holds", |_, state: &Option<State>| state.is_some())]
    }
}

/// The fewest steps to each violation, an invariant at a time. With one property on one thread, stateright stops at
/// the first violation it comes to, which then is one of the shallowest.
pub fn shallowest_violations(config: &Config) -> BTreeMap<Invariant, u32> {
    let shallowest = |invariant: &Invariant| {
        let checker = Until(*config, *invariant).checker().threads(1).spawn_bfs().join();
        let path = checker.discovery("holds")?;
        Some((*invariant, path.into_actions().len() as u32))
    };
    Invariant::ALL.iter().filter_map(shallowest).collect()
}
