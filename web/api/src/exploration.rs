//! What a search of one row has found, as scripts get it.

use fencepost_core::counterexample;
use fencepost_core::explore::{self, Bounds, Status};
use fencepost_core::invariant::Invariant;
use fencepost_core::observation::Situation;
use fencepost_core::scenario::{self, Row, Scenario, ScenarioError};
use fencepost_core::simulate::search_config;
use fencepost_core::system::Config;
use fencepost_core::words;
use serde::Serialize;

/// A search of one row that goes on for as long as it is asked to.
#[derive(Debug)]
pub struct Searching {
    scenario: Scenario,
    row: usize,
    config: Config,
    search: explore::Search,
}

/// How far a search has come.
#[derive(Debug, Serialize)]
pub struct Progress {
    searching: bool,
    states: usize,
    transitions: u64,
    depth: usize,
    frontier: usize,
    broken: Vec<Invariant>,
}

/// What a search of one row has found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Exploration {
    row: String,
    label: String,
    bounds: Vec<String>,
    states: usize,
    transitions: u64,
    depth: usize,
    complete: bool,
    stopped_at: Option<String>,
    bytes: usize,
    broken: Vec<Broken>,
    reached: Vec<Reached>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Broken {
    invariant: Invariant,
    holds_when: &'static str,
    steps: usize,
    told: Vec<String>,
    scenario: Option<String>,
}

#[derive(Debug, Serialize)]
struct Reached {
    situation: Situation,
    steps: usize,
}

impl Searching {
    /// Begins at the row of this index. It stops at `max_states`, or a few more.
    pub fn new(scenario: Scenario, row: usize, max_states: usize) -> Self {
        let config = search_config(&scenario, &scenario.rows[row].mechanism);
        let bounds = Bounds { states: max_states.min(Bounds::MAX.states), ..Bounds::MAX };
        Self { search: explore::Search::within(&config, bounds), scenario, row, config }
    }

    /// Goes through so many states more.
    pub fn advance(&mut self, states: usize) -> Progress {
        self.search.advance(states);
        self.progress()
    }

    /// Calls it off; what it has found stays found.
    pub fn cancel(&mut self) {
        self.search.cancel();
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        let explore::Progress { status, states, transitions, depth, frontier } = self.search.progress();
        Progress {
            searching: status == Status::Searching,
            states,
            transitions,
            depth,
            frontier,
            broken: self.search.broken().collect(),
        }
    }

    /// What it has found so far.
    pub fn report(&self) -> Exploration {
        self.exploration(&self.search.report())
    }

    /// Goes on to the end.
    pub fn run(mut self) -> Exploration {
        let report = self.search.run();
        // Its states are gone when the counterexamples are timed.
        self.search = explore::Search::within(&self.config, Bounds { states: 0, ..Bounds::MAX });
        self.exploration(&report)
    }

    fn exploration(&self, report: &explore::Report) -> Exploration {
        let (scenario, row) = (&self.scenario, &self.scenario.rows[self.row]);
        let stopped_at = report.stopped_at();
        let reached =
            report.reached.iter().map(|found| Reached { situation: found.situation, steps: found.path.len() });
        Exploration {
            row: row.name.clone(),
            label: words::mechanism(&row.mechanism),
            bounds: words::bounds(&scenario.bounds),
            states: report.progress.states,
            transitions: report.progress.transitions,
            depth: report.progress.depth,
            complete: report.progress.status == Status::Complete,
            stopped_at: (!stopped_at.is_empty()).then(|| stopped_at.join(", ")),
            bytes: report.bytes,
            broken: report.broken.iter().map(|found| self.broken(row, found)).collect(),
            reached: reached.collect(),
        }
    }

    fn broken(&self, row: &Row, found: &explore::Counterexample) -> Broken {
        let (invariant, path) = (found.evidence.invariant, &*found.path);
        let timed = counterexample::timed(&self.scenario, row, &self.config, path, invariant);
        Broken {
            invariant,
            holds_when: invariant.holds_when(),
            steps: path.len(),
            told: words::path(&self.scenario, row, path),
            scenario: timed.ok().map(|timed| timed.to_text()),
        }
    }
}

/// A scenario that is searched one step further.
#[derive(Debug, Serialize)]
pub struct Widened {
    bound: String,
    text: String,
}

impl Widened {
    /// All that `text` can be widened to.
    pub fn of(text: &str) -> Result<Vec<Self>, ScenarioError> {
        let before = words::bounds(&scenario::parse(text)?.bounds);
        let widened = scenario::widen(text)?.into_iter().map(|widened| {
            let after = words::bounds(&widened.bounds);
            let bound = after.into_iter().find(|part| !before.contains(part)).expect("one of the bounds is another");
            Self { bound, text: widened.text }
        });
        Ok(widened.collect())
    }
}

/// The scenario has no row of the name that was asked for.
#[derive(Debug, Serialize)]
pub struct UnknownRow {
    message: String,
    expected: Vec<String>,
}

impl UnknownRow {
    /// The index of the row called `name`.
    pub fn unless_in(scenario: &Scenario, name: &str) -> Result<usize, Self> {
        scenario.rows.iter().position(|row| row.name == name).ok_or_else(|| Self {
            message: format!("There is no row `{name}` in {}.", scenario.name),
            expected: scenario.rows.iter().map(|row| row.name.clone()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use fencepost_core::scenario::{find, parse};

    use super::*;

    fn report_job() -> &'static str {
        find("paused-owner").expect("it is in the corpus").text
    }

    fn begin(row: &str, max_states: usize) -> Searching {
        let scenario = parse(report_job()).expect("the corpus can be read");
        let row = UnknownRow::unless_in(&scenario, row).expect("it has this row");
        Searching::new(scenario, row, max_states)
    }

    /// Advances by slices of this size until it has ended.
    fn in_slices(mut search: Searching, states: usize) -> Exploration {
        let mut before = search.progress();
        loop {
            let now = search.advance(states);
            assert!(now.states >= before.states && now.depth >= before.depth, "it only ever goes on");
            assert!(now.broken.starts_with(&before.broken), "what was found stays, in its order");
            if !now.searching {
                return search.report();
            }
            before = now;
        }
    }

    fn json(exploration: &Exploration) -> String {
        serde_json::to_string(exploration).expect("it is plain data")
    }

    #[test]
    fn slices_find_what_one_go_finds() {
        for row in ["unfenced", "fenced"] {
            let whole = begin(row, usize::MAX).run();
            assert!(whole.complete);
            assert_eq!(whole.broken.is_empty(), row == "fenced");
            assert_eq!(json(&in_slices(begin(row, usize::MAX), 1_000)), json(&whole));
        }
    }

    #[test]
    fn a_search_that_is_called_off_says_so_and_keeps_what_it_found() {
        let mut search = begin("unfenced", usize::MAX);
        while search.advance(1_000).broken.is_empty() {}
        search.cancel();
        let found = search.progress();
        assert!(!found.searching);
        assert_eq!(search.advance(1_000).states, found.states, "it does not go on");
        let report = search.report();
        assert!(!report.complete);
        assert_eq!(report.stopped_at.as_deref(), Some("cancelled"));
        assert_eq!(report.broken.len(), found.broken.len());
        assert!(report.broken.iter().all(|broken| broken.told.len() == broken.steps && broken.scenario.is_some()));
    }

    #[test]
    fn a_search_stops_at_its_limit() {
        let report = in_slices(begin("fenced", 1_000), 100);
        assert_eq!(report.stopped_at.as_deref(), Some("states"));
        assert!(!report.complete && (1_000..2_000).contains(&report.states), "{}", report.states);
    }

    #[test]
    fn a_wider_search_is_named_by_what_it_adds() {
        let widened = Widened::of(report_job()).expect("it can be read");
        let bounds: Vec<&str> = widened.iter().map(|widened| &*widened.bound).collect();
        assert_eq!(
            bounds,
            [
                "3 grants",
                "2 operations a grant",
                "2 requests sent again",
                "2 messages lost",
                "1 message carried twice",
                "1 crash",
                "1 suspended machine",
                "1 clock that is off",
            ]
        );
        assert_eq!(widened[0].text, report_job().replace("grants 2", "grants 3"));
        assert_eq!(Widened::of("scenario").expect_err("nothing to widen").line, 1);
    }
}
