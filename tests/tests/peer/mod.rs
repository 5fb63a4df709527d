//! The transition system as stateright sees it: the same states, the same choices, another search.

#![allow(dead_code, reason = "tests and benches use a part each")]

use std::collections::BTreeMap;

use fencepost_core::event::Event;
use fencepost_core::explore::{Findings, Node};
use fencepost_core::invariant::{Evidence, Invariant};
use fencepost_core::observation::Situation;
use fencepost_core::system::Config;
use stateright::{Checker, Model, Property};

/// All that may happen under a configuration.
pub struct Peer(pub Config);

impl Model for Peer {
    type State = Node;
    type Action = Event;

    fn init_states(&self) -> Vec<Node> {
        vec![Node::start(&self.0)]
    }

    fn actions(&self, node: &Node, actions: &mut Vec<Event>) {
        node.enabled(&self.0, |event| actions.push(event));
    }

    fn next_state(&self, node: &Node, event: Event) -> Option<Node> {
        step(&self.0, node, event).map(|(next, _)| next)
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

/// Where `event` leads from `node`, and what it breaks.
fn step(config: &Config, node: &Node, event: Event) -> Option<(Node, Broken)> {
    let (mut next, mut broken) = (*node, Broken::default());
    next.step(config, event, &mut broken).ok()?;
    next.forget(config);
    Some((next, broken))
}

#[derive(Default)]
struct Broken(Vec<Invariant>);

impl Findings for Broken {
    fn situation(&mut self, _situation: Situation) {}

    fn violation(&mut self, evidence: Evidence) {
        self.0.push(evidence.invariant);
    }
}

/// The same, where a path ends as soon as it breaks one invariant, and then leads to nowhere: stateright looks at states,
/// not at steps.
struct Until(Config, Invariant);

impl Model for Until {
    type State = Option<Node>;
    type Action = Event;

    fn init_states(&self) -> Vec<Option<Node>> {
        vec![Some(Node::start(&self.0))]
    }

    fn actions(&self, node: &Option<Node>, actions: &mut Vec<Event>) {
        if let Some(node) = node {
            node.enabled(&self.0, |event| actions.push(event));
        }
    }

    fn next_state(&self, node: &Option<Node>, event: Event) -> Option<Option<Node>> {
        let (next, broken) = step(&self.0, node.as_ref()?, event)?;
        Some((!broken.0.contains(&self.1)).then_some(next))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("holds", |_, node: &Option<Node>| node.is_some())]
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
