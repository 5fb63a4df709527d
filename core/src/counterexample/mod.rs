//! A path that a search has found, as a scenario that people can read, change and run by the clock.
//!
//! A path knows no time. It is given one here: every step at its earliest, in the order of the path, with the scenario's own
//! durations as far as they go. What does not come about by itself at that time is brought about by faults: pauses, delays,
//! losses. Then the scenario is run, and must make the very choices of the path.

mod faults;
mod history;
mod schedule;

use std::fmt;

use self::history::History;
use self::schedule::Schedule;
use crate::event::Event;
use crate::invariant::Invariant;
use crate::mechanism::OnLoss;
use crate::scenario::{Expectation, Expected, Quantity, Row, Scenario, ScenarioError, Start, parse, print};
use crate::simulate::simulate;
use crate::system::Config;
use crate::time::Duration;

/// A path, timed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counterexample {
    /// The scenario that takes the path: one row, and no parameters.
    pub scenario: Scenario,
    /// The choices that it makes, which are those of the path. What is lost is lost at once, and a clock that is off shows
    /// it as late as it can, so their order may be another.
    pub path: Vec<Event>,
    /// What of the scenario's own durations had to be changed.
    pub changed: Vec<&'static str>,
}

impl Counterexample {
    /// The scenario as a text, which says above itself what was changed.
    pub fn to_text(&self) -> String {
        let mut scenario = self.scenario.clone();
        if !self.changed.is_empty() {
            scenario.comment.push(format!("Changed for that: {}.", self.changed.join(", ")));
        }
        print(&scenario)
    }
}

/// Why a path could not be given times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Untimed {
    /// By the clock another choice is made.
    Otherwise {
        /// The first choice, by index in the path, that the timed run does not make.
        at: usize,
        /// The choice of the path.
        wanted: Event,
        /// The choice of the run, if it makes one.
        made: Option<Event>,
    },
    /// It takes the path, and no text can say what it takes for that: more faults than a scenario may have, or durations longer than
    /// the longest.
    Unsayable(ScenarioError),
}

impl fmt::Display for Untimed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Untimed::Otherwise { at, wanted, made } => {
                write!(f, "choice {at} should be {wanted:?}, and by the clock it is {made:?}")
            }
            Untimed::Unsayable(error) => write!(f, "the timed scenario cannot be read: {error}"),
        }
    }
}

impl std::error::Error for Untimed {}

/// Gives times to `path`, which a search of `row` of `base` under `config` has found and which ends by breaking
/// `invariant`.
///
/// # Errors
/// The first choice that no times bring about, or what cannot be said of the times that do.
///
/// # Panics
/// If `path` is no path under `config`.
pub fn timed(
    base: &Scenario,
    row: &Row,
    config: &Config,
    path: &[Event],
    invariant: Invariant,
) -> Result<Counterexample, Untimed> {
    let path = history::in_order_of_time(config, path);
    let history = History::of(config, &path);
    let mut failed = None;
    for relaxed in Relaxed::ALL {
        let scenario = relaxed.scenario(base, row, config, invariant);
        let schedule = Schedule::of(&scenario, &history);
        let mut scenario = faults::with_faults(&scenario, &history, &schedule);
        let run = simulate(&scenario, &scenario.rows[0]);
        // What would keep somebody from a step that comes only after the end is named in vain.
        let mut struck = run.struck.iter();
        scenario.faults.retain(|_| struck.next() == Some(&true));
        let made: Vec<Event> = run.choices.iter().map(|choice| choice.event).take(path.len()).collect();
        let why = if made == path {
            match parse(&print(&scenario)) {
                Ok(_) => return Ok(Counterexample { changed: changed(base, &scenario), scenario, path }),
                Err(error) => Untimed::Unsayable(error),
            }
        } else {
            let at = made.iter().zip(&path).take_while(|(made, wanted)| made == wanted).count();
            Untimed::Otherwise { at, wanted: path[at], made: made.get(at).copied() }
        };
        failed = failed.or(Some(why));
    }
    Err(failed.expect("there is at least one way to try"))
}

/// What of the scenario's own durations is given up.
#[derive(Debug, Clone, Copy)]
struct Relaxed {
    /// Nobody stops waiting before the end.
    retry: bool,
    /// Computing takes no time.
    work: bool,
    /// Who loses its lease is slow to stop: a search lets it take its time.
    stop: bool,
}

impl Relaxed {
    const NOTHING: Relaxed = Relaxed { retry: false, work: false, stop: false };
    /// All that is tried, the least first.
    const ALL: [Relaxed; 5] = [
        Relaxed::NOTHING,
        Relaxed { retry: true, ..Relaxed::NOTHING },
        Relaxed { retry: true, work: true, ..Relaxed::NOTHING },
        Relaxed { stop: true, ..Relaxed::NOTHING },
        Relaxed { retry: true, work: true, stop: true },
    ];
    /// Beyond the end of any path.
    const FOR_EVER: Quantity = Quantity::Fixed(Duration::from_secs(3_600));

    fn scenario(self, base: &Scenario, row: &Row, config: &Config, invariant: Invariant) -> Scenario {
        let mut scenario = base.clone();
        let fixed = |quantity: Quantity| Quantity::Fixed(base.duration(quantity));
        scenario.name = format!("{}-broken", invariant.name());
        scenario.comment =
            vec![format!("Found by search: the row {} of {} breaks {}.", row.name, base.name, invariant.name())];
        scenario.rows = vec![row.clone()];
        if self.stop && row.mechanism.on_loss == OnLoss::Stop && config.mechanism.heeds_loss() {
            scenario.rows[0].mechanism.on_loss = OnLoss::Slow;
        }
        scenario.expectations = vec![Expectation { row: Some(0), outcome: Expected::Violated(invariant), line: 0 }];
        scenario.stop_at = Some(invariant);
        scenario.faults.clear();
        scenario.workers.truncate(usize::from(config.workers));
        for (worker, operations) in scenario.workers.iter_mut().zip(config.operations) {
            worker.operations = operations;
            worker.compute = if self.work { Quantity::Fixed(Duration::ZERO) } else { fixed(worker.compute) };
            worker.start = Start::At(Quantity::Fixed(Duration::ZERO));
        }
        scenario.lease = fixed(base.lease);
        scenario.latency = fixed(base.latency);
        scenario.retry.after = if self.retry { Relaxed::FOR_EVER } else { fixed(base.retry.after) };
        scenario.renew_every = base.renew_every.map(fixed);
        // A search lets an owner's deadline pass at any time before the true end: at the end itself will do.
        scenario.margin = Quantity::Fixed(Duration::ZERO);
        scenario.poll_every = fixed(base.poll_every);
        // A path says itself when a candidate polls.
        scenario.poll_jitter = Quantity::Fixed(Duration::ZERO);
        scenario.stop_after = if self.stop { Relaxed::FOR_EVER } else { fixed(base.stop_after) };
        scenario.replicate_after = fixed(base.replicate_after);
        scenario.relay_after = fixed(base.relay_after);
        scenario.parameters.clear();
        scenario.bounds.workers = config.workers;
        scenario
    }
}

/// Which of the scenario's durations are others than in `base`.
fn changed(base: &Scenario, timed: &Scenario) -> Vec<&'static str> {
    let same = |one: Quantity, other: Quantity| base.duration(one) == timed.duration(other);
    let renewed = match (base.renew_every, timed.renew_every) {
        (Some(one), Some(other)) => same(one, other),
        (None, None) => true,
        _ => false,
    };
    let work = base.workers.iter().zip(&timed.workers).all(|(one, other)| same(one.compute, other.compute));
    let clocks = base.workers.iter().zip(&timed.workers).all(|(one, other)| one.clock == other.clock)
        && base.destination_clock == timed.destination_clock;
    [
        (work, "work"),
        (same(base.latency, timed.latency), "latency"),
        (same(base.retry.after, timed.retry.after), "retry"),
        (renewed, "renewal"),
        (same(base.margin, timed.margin), "margin"),
        (!base.has_jitter() || !timed.rows[0].mechanism.polls(), "jitter"),
        (same(base.stop_after, timed.stop_after), "stop"),
        (same(base.lease, timed.lease), "lease"),
        (same(base.relay_after, timed.relay_after), "relay"),
        (clocks, "clocks"),
    ]
    .into_iter()
    .filter_map(|(same, what)| (!same).then_some(what))
    .collect()
}
