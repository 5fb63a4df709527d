//! Every choice: a breadth-first search through all that may happen within the bounds of a [`Config`].
//!
//! It finds for each invariant a shortest way to break it, and for each situation a shortest way to reach it, and goes on
//! past both. Whoever drives it asks for one slice of work after another, so it can be shown and called off at any time.
//! What it reports never depends on how it was sliced, nor on the machine.
//!
//! States lie packed in an arena in the order in which they are found, so that the states still to go through are simply
//! the rest of it. States are compared with each other, never by a hash alone.

mod arena;
pub(crate) mod bits;
mod frontier;
mod index;
mod layout;
mod report;
#[cfg(test)]
mod tests;

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;

use self::arena::{Arena, Origin, Place};
use self::bits::{DoesNotFit, Packed};
use self::frontier::Frontier;
use self::index::{Entry, Index};
use self::layout::Form;
pub use self::report::{Bounds, Cause, Counterexample, Cut, Edge, Example, Progress, Report, Status};
use crate::event::Event;
use crate::invariant::{Evidence, Invariant};
use crate::observation::Situation;
use crate::system::{Config, Driver, State};

/// Most states of a search.
pub const MAX_STATES: usize = 16_000_000;
/// Most bytes in which a search keeps its states.
pub const MAX_BYTES: usize = 1 << 30;
/// Most bytes of one packed state.
pub const MAX_STATE_BYTES: usize = 64;

const _: () = assert!(MAX_BYTES as u64 <= Arena::MAX_BYTES, "every place has a number");

/// A breadth-first search.
#[derive(Debug)]
pub struct Search {
    form: Form,
    bounds: Bounds,
    /// Whether states are compared without what nothing can tell any more.
    forgets: bool,
    status: Status,
    arena: Arena,
    index: Index,
    frontier: Frontier,
    /// The state to go through next, and how many choices lead to it.
    next: Place,
    depth: usize,
    /// Where the states begin to which one choice more leads.
    deeper: Place,
    states_by_depth: Vec<usize>,
    /// How many states have been gone through.
    done: usize,
    transitions: u64,
    batch: Batch,
    found: Found,
}

impl Search {
    /// A search through everything that may happen under `config`, as far as any search goes.
    pub fn new(config: &Config) -> Self {
        Self::within(config, Bounds::MAX)
    }

    /// A search that stops at `bounds`, or a batch beyond them.
    pub fn within(config: &Config, bounds: Bounds) -> Self {
        Self::start(config, bounds, true)
    }

    /// A search that takes states for different even if nothing can tell them apart any more. It has more to do and finds
    /// the same: that is what it is for.
    pub fn without_forgetting(config: &Config) -> Self {
        Self::start(config, Bounds::MAX, false)
    }

    fn start(config: &Config, bounds: Bounds, forgets: bool) -> Self {
        let mut search = Self {
            form: Form::of(config),
            bounds,
            forgets,
            status: Status::Searching,
            arena: Arena::new(),
            index: Index::new(),
            frontier: Frontier::new(),
            next: Place::FIRST,
            depth: 0,
            deeper: Place::FIRST,
            states_by_depth: vec![1],
            done: 0,
            transitions: 0,
            batch: Batch::default(),
            found: Found::default(),
        };
        let mut packed = Packed::EMPTY;
        match search.form.pack(&State::new(config), &mut packed) {
            Ok(()) => {
                search.index.insert(hash(packed.words()), None, packed.words(), &mut search.arena);
            }
            Err(DoesNotFit) => search.found.cut(Edge::StateSize, Origin { parent: Place::FIRST, choice: 0 }),
        }
        search.deeper = search.arena.end();
        search.status = search.judge();
        search
    }

    /// Goes through `budget` states, or a few more, and says how far the search has come.
    pub fn advance(&mut self, budget: usize) -> Progress {
        let goal = self.done.saturating_add(budget);
        while self.done < goal && self.status == Status::Searching {
            self.go_on();
        }
        self.progress()
    }

    /// Goes on to the end.
    pub fn run(&mut self) -> Report {
        while self.advance(usize::MAX).status == Status::Searching {}
        self.report()
    }

    /// Calls the search off. What it has found so far stays found.
    pub fn cancel(&mut self) {
        if self.status == Status::Searching {
            self.status = Status::Stopped(Cause::Cancelled);
        }
    }

    /// How far the search has come.
    pub fn progress(&self) -> Progress {
        Progress {
            status: self.status,
            states: self.index.len(),
            transitions: self.transitions,
            depth: self.depth,
            frontier: self.index.len() - self.done,
        }
    }

    /// The invariants that it has found broken so far, those with the shortest counterexamples first.
    pub fn broken(&self) -> impl Iterator<Item = Invariant> {
        self.found.broken.iter().map(|(evidence, _)| evidence.invariant)
    }

    /// What the search has found so far.
    pub fn report(&self) -> Report {
        let found = &self.found;
        let mut report = Report {
            progress: self.progress(),
            states_by_depth: self.states_by_depth.clone(),
            broken: Vec::new(),
            reached: Vec::new(),
            cut: Vec::new(),
            bytes: self.bytes(),
        };
        for &(evidence, origin) in &found.broken {
            report.broken.push(Counterexample { evidence, path: self.path(origin) });
        }
        for &(situation, origin) in &found.reached {
            report.reached.push(Example { situation, path: self.path(origin) });
        }
        for &(edge, origin, transitions) in &found.cut {
            report.cut.push(Cut { edge, transitions, path: self.path(origin) });
        }
        report.broken.sort_by_key(|found| found.evidence.invariant);
        report.reached.sort_by_key(|found| found.situation);
        report.cut.sort_by_key(|cut| cut.edge);
        report
    }

    /// Bytes in which the states are kept.
    fn bytes(&self) -> usize {
        self.arena.bytes() + self.index.bytes() + self.frontier.bytes()
    }

    /// Goes through some states, as many as make a batch of choices. What makes a batch depends on nothing but the states,
    /// so that it is all the same how the search is sliced.
    fn go_on(&mut self) {
        while self.next != self.deeper && self.batch.filled < BATCH {
            let after = self.arena.after(self.next);
            self.go_through(self.next, after);
            self.next = after;
        }
        self.settle();
        if self.next == self.deeper && self.next != self.arena.end() {
            self.depth += 1;
            self.deeper = self.arena.end();
        }
        self.status = self.judge();
    }

    /// Makes every choice that there is in the state at `parent`, before `after`.
    fn go_through(&mut self, parent: Place, after: Place) {
        let config = self.form.config;
        let kept = self.frontier.pop(parent, after);
        let state = kept.unwrap_or_else(|| self.form.unpack(self.arena.words(parent)));
        let mut choice = 0;
        state.enabled(&config, |event| {
            self.take(&state, event, Origin { parent, choice });
            choice += 1;
        });
        self.done += 1;
    }

    /// Makes a choice, and puts the state to which it leads into the batch.
    fn take(&mut self, from: &State, event: Event, origin: Origin) {
        let Self { form, batch, found, .. } = self;
        self.transitions += 1;
        let candidate = batch.begin(from);
        let mut news = News { found, broken: Vec::new(), reached: Vec::new() };
        let step = candidate.state.step(&form.config, event, &mut news);
        let News { broken, reached, .. } = news;
        if let Err(limit) = step {
            return found.cut(Edge::Model(limit), origin);
        }
        if !broken.is_empty() || !reached.is_empty() {
            found.note(broken, reached, origin);
        }
        if self.forgets {
            candidate.state.forget(&form.config);
        }
        match form.pack(&candidate.state, &mut candidate.packed) {
            Ok(()) => {
                candidate.hash = hash(candidate.packed.words());
                candidate.origin = origin;
                batch.filled += 1;
            }
            Err(DoesNotFit) => found.cut(Edge::StateSize, origin),
        }
    }

    /// Keeps what is new in the batch, in order.
    ///
    /// Much of the time goes into waiting for memory. So whatever does not depend on what came before it in the batch is
    /// looked at first, for all at once: then the processor waits for many at a time.
    fn settle(&mut self) {
        let before = self.index.len();
        let batch = &mut self.batch.candidates[..std::mem::take(&mut self.batch.filled)];
        for candidate in &mut *batch {
            candidate.entry = self.index.first_entry(candidate.hash);
        }
        for candidate in &mut *batch {
            let words = candidate.packed.words();
            candidate.known = candidate.entry.is_of(candidate.hash, words, &self.arena);
        }
        for candidate in batch.iter().filter(|candidate| !candidate.known) {
            let (words, place) = (candidate.packed.words(), self.arena.end());
            if self.index.insert(candidate.hash, Some(candidate.origin), words, &mut self.arena) {
                self.frontier.push(&candidate.state, place, self.arena.end(), self.index.len());
            }
        }
        let depth = self.depth + 1;
        let new = self.index.len() - before;
        match self.states_by_depth.get_mut(depth) {
            Some(states) => *states += new,
            None if new > 0 => self.states_by_depth.push(new),
            None => {}
        }
    }

    fn judge(&self) -> Status {
        if self.next == self.arena.end() {
            return if self.found.cut.is_empty() { Status::Complete } else { Status::Stopped(Cause::Paths) };
        }
        if self.index.len() >= self.bounds.states {
            return Status::Stopped(Cause::States);
        }
        if self.bytes() >= self.bounds.bytes {
            return Status::Stopped(Cause::Memory);
        }
        Status::Searching
    }

    /// The choices that lead to where `last` was made, and it.
    fn path(&self, last: Origin) -> Vec<Event> {
        if self.index.len() == 0 {
            return Vec::new();
        }
        let mut choices = vec![last.choice];
        let mut place = last.parent;
        while let Some(origin) = self.arena.origin(place) {
            choices.push(origin.choice);
            place = origin.parent;
        }
        choices.reverse();
        replay(&self.form.config, self.forgets, &choices)
    }
}

/// The events that `choices` are, each counted among what is enabled where it is made.
fn replay(config: &Config, forgets: bool, choices: &[u16]) -> Vec<Event> {
    let mut state = State::new(config);
    let mut path = Vec::with_capacity(choices.len());
    for &choice in choices {
        let mut enabled = Vec::new();
        state.enabled(config, |event| enabled.push(event));
        let event = enabled[usize::from(choice)];
        path.push(event);
        // Only the last choice of a path can run into a limit, and nothing follows it.
        let _ = state.step(config, event, &mut Ignored);
        if forgets {
            // Numbering versions anew changes how choices are named, and not their order.
            state.forget_unheard(config);
        }
    }
    path
}

/// The states that the last choices led to, not yet held against those that are known.
#[derive(Debug, Default)]
struct Batch {
    /// Only the first so many mean anything: the others wait to be used again.
    filled: usize,
    candidates: Vec<Candidate>,
}

/// How many choices make a batch, or a few more: those of one state stay together.
const BATCH: usize = 32;

/// A state that may be new.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    state: State,
    packed: Packed,
    hash: u64,
    origin: Origin,
    /// Where the look-up of its hash begins.
    entry: Entry,
    known: bool,
}

impl Batch {
    /// The candidate after those that are filled; its state is `from`, its rest means nothing.
    #[inline]
    fn begin(&mut self, from: &State) -> &mut Candidate {
        if self.filled == self.candidates.len() {
            self.candidates.push(Candidate {
                state: *from,
                packed: Packed::EMPTY,
                hash: 0,
                origin: Origin { parent: Place::FIRST, choice: 0 },
                entry: Entry::NONE,
                known: false,
            });
        } else {
            self.candidates[self.filled].state = *from;
        }
        &mut self.candidates[self.filled]
    }
}

/// What has been found for the first time, and by which choice.
#[derive(Debug, Default)]
struct Found {
    broken: Vec<(Evidence, Origin)>,
    reached: Vec<(Situation, Origin)>,
    /// With how many transitions ran into it.
    cut: Vec<(Edge, Origin, u64)>,
    /// A bit for each invariant and situation among them.
    broken_bits: u64,
    reached_bits: u64,
}

impl Found {
    fn note(&mut self, broken: Vec<Evidence>, reached: Vec<Situation>, origin: Origin) {
        for evidence in broken {
            if self.broken_bits & bit(evidence.invariant as u8) == 0 {
                self.broken_bits |= bit(evidence.invariant as u8);
                self.broken.push((evidence, origin));
            }
        }
        for situation in reached {
            if self.reached_bits & bit(situation as u8) == 0 {
                self.reached_bits |= bit(situation as u8);
                self.reached.push((situation, origin));
            }
        }
    }

    fn cut(&mut self, edge: Edge, origin: Origin) {
        match self.cut.iter_mut().find(|cut| cut.0 == edge) {
            Some((_, _, transitions)) => *transitions += 1,
            None => self.cut.push((edge, origin, 1)),
        }
    }
}

fn bit(number: u8) -> u64 {
    1 << number
}

/// What one step tells that has not been found before.
struct News<'a> {
    found: &'a Found,
    broken: Vec<Evidence>,
    reached: Vec<Situation>,
}

impl Driver for News<'_> {
    #[inline]
    fn situation(&mut self, situation: Situation) {
        if self.found.reached_bits & bit(situation as u8) == 0 {
            self.reached.push(situation);
        }
    }

    #[inline]
    fn violation(&mut self, evidence: Evidence) {
        if self.found.broken_bits & bit(evidence.invariant as u8) == 0 {
            self.broken.push(evidence);
        }
    }
}

/// Whoever replays a path knows what it brings about.
struct Ignored;

impl Driver for Ignored {}

fn hash(words: &[u64]) -> u64 {
    let mut hasher = FixedState::with_seed(0).build_hasher();
    for &word in words {
        hasher.write_u64(word);
    }
    hasher.finish()
}
