//! The states still to go through, as they were when they were found.

use std::collections::VecDeque;

use super::arena::Place;
use crate::system::State;

/// How many there is room for, where so many states are known: a few bytes for each of these, all in all. A state that finds
/// no room is unpacked when its turn comes, which takes longer.
fn room(known: usize) -> usize {
    256 + known / 32
}

/// A run of states that stand one after another in the arena, to save unpacking them.
#[derive(Debug)]
pub(super) struct Frontier {
    states: VecDeque<State>,
    /// Where the run begins and ends; with no state in it, nowhere in particular.
    first: Place,
    end: Place,
}

impl Frontier {
    pub(super) fn new() -> Self {
        Self { states: VecDeque::new(), first: Place::FIRST, end: Place::FIRST }
    }

    /// Adds the state that is at `place`, before `after`, if it continues the run and there is room among `known` ones.
    #[inline]
    pub(super) fn push(&mut self, state: &State, place: Place, after: Place, known: usize) {
        if self.states.is_empty() {
            self.first = place;
        } else if self.end != place || self.states.len() >= room(known) {
            return;
        }
        if self.states.len() == self.states.capacity() {
            self.states.reserve_exact(room(known) - self.states.len());
        }
        self.states.push_back(*state);
        self.end = after;
    }

    /// Takes the state at `place`, before `after`, if the run begins with it.
    #[inline]
    pub(super) fn pop(&mut self, place: Place, after: Place) -> Option<State> {
        if self.first != place {
            return None;
        }
        self.first = after;
        self.states.pop_front()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<State>()
    }
}
