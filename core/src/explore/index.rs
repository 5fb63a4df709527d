//! From a packed state to its place.

use super::arena::{Arena, Origin, Place};

/// An open-addressing table over the states of an arena.
///
/// The hash decides where an entry stands and so how fast it is found. It decides nothing that a search finds: whether two
/// states are equal is only ever said by the states themselves, and places are given out in the order in which states
/// are found. So a hash that differs from one target to another, as a fast one does, is none the worse for it.
#[derive(Debug)]
pub(super) struct Index {
    slots: Vec<Entry>,
    /// How far a hash is shifted to be a slot: the slots are a power of two, and its high bits choose.
    shift: u32,
    used: usize,
}

/// Half of a state's hash, so that most other states are told apart without a look at them, and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry(u64);

impl Entry {
    /// No entry: no place has this number, since the arena ends before.
    pub(super) const NONE: Entry = Entry(u64::MAX);

    fn new(hash: u64, place: Place) -> Self {
        Self(hash >> 32 << 32 | u64::from(place.number()))
    }

    /// Whether it is the entry of the state `words`, whose hash is `hash`.
    #[inline]
    pub(super) fn is_of(self, hash: u64, words: &[u64], arena: &Arena) -> bool {
        (self.0 ^ hash) >> 32 == 0 && self != Self::NONE && arena.words(Place::from_number(self.0 as u32)) == words
    }
}

impl Index {
    pub(super) fn new() -> Self {
        const BITS: u32 = 12;
        Self { slots: vec![Entry::NONE; 1 << BITS], shift: u64::BITS - BITS, used: 0 }
    }

    /// How many states it knows.
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// The entry at which a look-up of `hash` begins.
    #[inline]
    pub(super) fn first_entry(&self, hash: u64) -> Entry {
        self.slots[(hash >> self.shift) as usize]
    }

    /// Adds the state `words`, whose hash is `hash`, to the arena, unless it is there. True if it was not.
    pub(super) fn insert(&mut self, hash: u64, origin: Option<Origin>, words: &[u64], arena: &mut Arena) -> bool {
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> self.shift) as usize;
        while self.slots[slot] != Entry::NONE {
            if self.slots[slot].is_of(hash, words, arena) {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = Entry::new(hash, arena.end());
        arena.push(origin, words);
        self.used += 1;
        // At most two thirds full: beyond that, steps to a free slot become many.
        if self.used * 3 > self.slots.len() * 2 {
            self.grow();
        }
        true
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Entry>()
    }

    /// Doubles the table. The entries say themselves where they belong, so the states are not looked at.
    fn grow(&mut self) {
        self.shift -= 1;
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![Entry::NONE; mask + 1];
        for &entry in self.slots.iter().filter(|&&entry| entry != Entry::NONE) {
            let mut slot = (entry.0 >> self.shift) as usize;
            while slots[slot] != Entry::NONE {
                slot = (slot + 1) & mask;
            }
            slots[slot] = entry;
        }
        self.slots = slots;
    }
}
