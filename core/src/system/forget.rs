//! Forgetting what no part of the system can tell any more, so that situations that are alike are equal states.

use super::step::hears;
use super::{Clocks, Config, State};
use crate::id::{GrantId, Version};
use crate::mechanism::{Durability, TokenKind};
use crate::message::{Call, Message};
use crate::network::Network;
use crate::worker::{Heard, Task, Try, Worker};

impl State {
    /// Forgets what cannot matter any more: replies that their receiver would ignore, clocks of leases that are over, and
    /// how often the row was changed before the oldest version that anybody can still name.
    ///
    /// Versions are numbered anew, so that choices are named otherwise than before; they keep their order in
    /// [`State::enabled`]. Whoever tells a run by version uses [`State::forget_unheard`].
    pub fn forget(&mut self, config: &Config) {
        self.forget_unheard(config);
        self.renumber();
    }

    /// Forgets replies that their receiver would ignore, and clocks of leases that are over.
    pub fn forget_unheard(&mut self, config: &Config) {
        // A worker that may come to wait for the same answer once more would take a late one for it.
        let registers_again =
            config.mechanism.control_row == Durability::ReRegistered || config.mechanism.token == TokenKind::Declared;
        let network = self.network;
        for message in network.iter() {
            let unheard = match message {
                Message::Request(_) => false,
                Message::Reply(reply) if registers_again && matches!(reply.request.call, Call::Register { .. }) => {
                    false
                }
                Message::Reply(reply) => {
                    let mut worker = *self.worker(reply.request.worker);
                    hears(&mut worker, self, config, reply) == Heard::Ignored
                }
            };
            if unheard {
                self.network.take(message);
            }
        }
        for index in 0..self.ledger.len() {
            let grant = GrantId(index);
            if self.ledger.get(grant).clocks != Clocks::default()
                && self.issuer.live() != Some(grant)
                && !self.is_named(config, grant)
            {
                self.ledger.get_mut(grant).clocks = Clocks::default();
            }
        }
    }

    /// Numbers the versions that can still be named from 0 on, in their order. Version 0 stays: it means "never".
    ///
    /// A search that forgets after each step never comes near the last number that fits; a longer run keeps its numbers.
    fn renumber(&mut self) {
        // The newest one can always be named, and so can 0: with no more than these there is nothing to number.
        let newest = u32::from(self.destination.newest.0);
        if newest <= 1 || newest >= u64::BITS {
            return;
        }
        let mut named = 1_u64;
        self.for_each_version(|version| named |= 1 << version.0);
        if named.count_ones() == u32::from(self.destination.newest.0) + 1 {
            return;
        }
        self.for_each_version(|version| version.0 = (named & ((1 << version.0) - 1)).count_ones() as u8);
    }

    /// Shows every version in the state, each to be changed by a rule that keeps their order.
    fn for_each_version(&mut self, mut each: impl FnMut(&mut Version)) {
        for row in &mut self.destination.rows {
            each(&mut row.version);
        }
        each(&mut self.destination.newest);
        for pending in self.destination.pending.iter_mut().flatten() {
            if let Some(version) = version_in(&mut pending.request.call) {
                each(version);
            }
        }
        for worker in &mut self.workers {
            if let Worker::Owner(tenure) = worker
                && let Some(version) = version_of(&mut tenure.task)
            {
                each(version);
            }
        }
        // In their order in the network nothing changes: the order of versions is kept.
        self.network.for_each(|message| {
            let request = match message {
                Message::Request(request) => request,
                Message::Reply(reply) => &mut reply.request,
            };
            if let Some(version) = version_in(&mut request.call) {
                each(version);
            }
        });
        self.history.for_each_version(each);
    }
}

fn version_in(call: &mut Call) -> Option<&mut Version> {
    match call {
        Call::Write { snapshot, .. } | Call::Effect { snapshot, .. } => Some(snapshot),
        Call::Mint { .. }
        | Call::Acquire { .. }
        | Call::Renew { .. }
        | Call::Register { .. }
        | Call::LookUp { .. }
        | Call::Release { .. } => None,
    }
}

fn version_of(task: &mut Task) -> Option<&mut Version> {
    match task {
        Task::Register { then: Some(Try { snapshot, .. }), .. }
        | Task::Registering { then: Some(Try { snapshot, .. }), .. }
        | Task::ReleaseEarly(Try { snapshot, .. })
        | Task::Check { then: Try { snapshot, .. }, .. }
        | Task::CheckEffect(Try { snapshot, .. })
        | Task::LookUpEffect(Try { snapshot, .. })
        | Task::LookingUpEffect(Try { snapshot, .. })
        | Task::Effect(Try { snapshot, .. })
        | Task::Effecting(Try { snapshot, .. })
        | Task::Publish(Try { snapshot, .. })
        | Task::Publishing(Try { snapshot, .. })
        | Task::LookUp(Try { snapshot, .. })
        | Task::LookingUp(Try { snapshot, .. }) => Some(snapshot),
        Task::Register { then: None, .. }
        | Task::Registering { then: None, .. }
        | Task::Read { .. }
        | Task::Release => None,
    }
}

impl Network {
    fn for_each(&mut self, mut each: impl FnMut(&mut Message)) {
        self.slots.iter_mut().flatten().for_each(&mut each);
    }
}
