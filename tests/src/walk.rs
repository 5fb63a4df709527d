//! Every choice: a plain breadth-first walk over the transition system. It is simple on purpose, so that it can be read as
//! the definition of what a search must find.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::told::Told;
use fencepost_core::epoch::{MAX_TOKENS, Tokens};
use fencepost_core::event::Event;
use fencepost_core::fact::Fact;
use fencepost_core::invariant::Invariant;
use fencepost_core::mechanism::{Mechanism, Sharing, TokenKind};
use fencepost_core::observation::Situation;
use fencepost_core::run::Limit;
use fencepost_core::system::{Budget, Config, State};

/// Two workers, two grants, one operation each, one request sent again, one message lost.
pub fn config(mechanism: Mechanism) -> Config {
    Config {
        workers: 2,
        operations: [1; 3],
        grants: 2,
        attempts: 2,
        budget: Budget { retries: 1, losses: 1, ..Budget::default() },
        tokens: Tokens::counted_from(33),
        sharing: Sharing::Own,
        mechanism,
    }
}

/// The same, and nothing goes wrong but delays.
pub fn without_faults(mechanism: Mechanism) -> Config {
    Config { attempts: 1, budget: Budget::default(), ..config(mechanism) }
}

/// The least telling numbers for tokens of this kind, where it needs numbers of its own.
pub fn tokens(kind: TokenKind) -> Option<Tokens> {
    match kind {
        TokenKind::Random => {
            let mut numbers = [0; MAX_TOKENS];
            (numbers[0], numbers[1]) = (88, 17);
            Some(Tokens::listed(numbers))
        }
        TokenKind::Wrapping => Some(Tokens::wrapping(3, 3)),
        TokenKind::Text => Some(Tokens::counted_from(9)),
        TokenKind::Epoch | TokenKind::Timestamp | TokenKind::Declared | TokenKind::Unchecked => None,
    }
}

/// One step of the walk.
#[derive(Debug)]
pub struct Moment<'a> {
    /// The state before it.
    pub before: &'a State,
    /// The choice that was made.
    pub event: Event,
    /// What happened in it, in order.
    pub facts: &'a [Fact],
    /// What that broke.
    pub broken: &'a [Invariant],
    /// What it brought about.
    pub reached: &'a [Situation],
    /// How many steps it took to get here, with this one.
    pub depth: u32,
}

/// How far a walk went.
#[derive(Debug)]
pub struct Extent {
    /// How many states it found.
    pub states: usize,
    /// How many choices it took.
    pub transitions: u64,
    /// The limits of the model that it ran into; those paths end there.
    pub limits: Vec<Limit>,
    /// The choices that led to where it was broken off, if it was.
    pub path: Option<Vec<Event>>,
}

impl Extent {
    /// Whether the walk has seen every state.
    pub fn is_complete(&self) -> bool {
        self.limits.is_empty() && self.path.is_none()
    }
}

/// Takes every choice in every state from `start` on, nearest first, until there are no more or `visit` breaks the walk
/// off. `forgetting` takes states for one that differ only in what nothing can tell any more.
pub fn every_choice(
    config: &Config,
    start: State,
    forgetting: bool,
    mut visit: impl FnMut(&Moment<'_>) -> ControlFlow<()>,
) -> Extent {
    let mut known = HashSet::with_hasher(BuildHasherDefault::<Mix>::default());
    known.insert(start);
    // How each state was first reached: from which other, by which choice.
    let mut parents: Vec<(usize, Event)> = Vec::new();
    let mut extent = Extent { states: 0, transitions: 0, limits: Vec::new(), path: None };
    let (mut here, mut next) = (vec![(0, start)], Vec::new());
    let (mut choices, mut told) = (Vec::new(), Told::default());
    let mut depth = 0;
    while !here.is_empty() && extent.path.is_none() {
        depth += 1;
        'states: for (number, before) in here.drain(..) {
            choices.clear();
            before.enabled(config, |event| choices.push(event));
            for &event in &choices {
                extent.transitions += 1;
                let mut state = before;
                told.facts.clear();
                told.broken.clear();
                told.reached.clear();
                if let Err(limit) = state.step(config, event, &mut told) {
                    if !extent.limits.contains(&limit) {
                        extent.limits.push(limit);
                    }
                    continue;
                }
                let Told { facts, broken, reached } = &told;
                if visit(&Moment { before: &before, event, facts, broken, reached, depth }).is_break() {
                    extent.path = Some(path(&parents, number, event));
                    break 'states;
                }
                if forgetting {
                    state.forget(config);
                }
                if known.insert(state) {
                    parents.push((number, event));
                    next.push((parents.len(), state));
                }
            }
        }
        std::mem::swap(&mut here, &mut next);
    }
    extent.states = known.len();
    extent
}

/// The choices on the way to the state of this number, and then `last`.
fn path(parents: &[(usize, Event)], mut number: usize, last: Event) -> Vec<Event> {
    let mut events = vec![last];
    while number > 0 {
        let (parent, event) = parents[number - 1];
        events.push(event);
        number = parent;
    }
    events.reverse();
    events
}

/// What a walk found.
#[derive(Debug)]
pub struct Found {
    /// How far it went.
    pub extent: Extent,
    /// The fewest steps to each violation.
    pub broken: BTreeMap<Invariant, u32>,
    /// The fewest steps to each situation.
    pub reached: BTreeMap<Situation, u32>,
}

/// Walks everywhere.
pub fn walk(config: &Config, forgetting: bool) -> Found {
    let (mut broken, mut reached) = (BTreeMap::new(), BTreeMap::new());
    let extent = every_choice(config, State::new(config), forgetting, |moment| {
        for &invariant in moment.broken {
            broken.entry(invariant).or_insert(moment.depth);
        }
        for &situation in moment.reached {
            reached.entry(situation).or_insert(moment.depth);
        }
        ControlFlow::Continue(())
    });
    Found { extent, broken, reached }
}

/// The shortest way from `start` to a moment of this kind, if there is one.
///
/// # Panics
/// If there is none within the limits of the model, and the walk ran into them.
pub fn find(config: &Config, start: State, wanted: impl Fn(&Moment<'_>) -> bool) -> Option<Vec<Event>> {
    let visit = |moment: &Moment<'_>| if wanted(moment) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let extent = every_choice(config, start, true, visit);
    assert!(extent.path.is_some() || extent.is_complete(), "the walk is not complete: {:?}", extent.limits);
    extent.path
}

/// The state to which `events` lead from `start`.
///
/// # Panics
/// If they lead into a limit of the model.
pub fn after(config: &Config, start: State, events: &[Event]) -> State {
    let mut state = start;
    for &event in events {
        state.step(config, event, &mut Told::default()).expect("the way is within the limits");
        state.forget(config);
    }
    state
}

/// Does `work` for each of `items` on all processors, and returns the results in the order of the items.
///
/// # Panics
/// If `work` does.
pub fn for_each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let next = AtomicUsize::new(0);
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let take = || {
            let indexes = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            let taken = indexes.map_while(|index| Some((index, work(items.get(index)?))));
            taken.collect::<Vec<_>>()
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(take)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("the work does not panic")).collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// What happens on the way of `events`, a line a choice: for reading a path.
pub fn tell(config: &Config, events: &[Event]) -> String {
    let mut state = State::new(config);
    let mut text = String::new();
    for (number, &event) in events.iter().enumerate() {
        let mut told = Told::default();
        let end = state.step(config, event, &mut told);
        state.forget(config);
        writeln!(text, "{:2} {event:?}", number + 1).expect("a string takes any text");
        for fact in &told.facts {
            if !matches!(fact, Fact::Sent { .. } | Fact::Delivered { .. }) {
                writeln!(text, "     {fact:?}").expect("a string takes any text");
            }
        }
        if !told.broken.is_empty() || end.is_err() {
            writeln!(text, "     broken {:?}, limit {:?}", told.broken, end.err()).expect("a string takes any text");
        }
    }
    text
}

/// A hash of small integers. The one of the standard library withstands ill will, and takes most of a walk's time for it.
#[derive(Default)]
struct Mix(u64);

impl Mix {
    fn add(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x517c_c1b7_2722_0a95);
        self.0 = mixed ^ (mixed >> 32);
    }
}

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut value = [0; 8];
            value[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(value));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.add(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.add(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.add(value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.add(value as u64);
    }
}
