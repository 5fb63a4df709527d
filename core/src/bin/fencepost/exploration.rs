//! What a search of every schedule has found, for people and for programs.

use std::fmt::Write as _;

use fencepost_core::counterexample;
use fencepost_core::event::Event;
use fencepost_core::expect::{self, Unmet};
use fencepost_core::explore::{Counterexample, Example, Progress, Report};
use fencepost_core::invariant::{Evidence, Invariant};
use fencepost_core::mechanism::Mechanism;
use fencepost_core::observation::Situation;
use fencepost_core::scenario::{Expected, Scenario};
use fencepost_core::simulate::search_config;
use fencepost_core::system::Budget;
use fencepost_core::trace::MODEL;
use fencepost_core::words;
use serde::Serialize;

use crate::simulation::listed;

/// The searches of some rows of a scenario, or of all.
pub struct Exploration<'s> {
    scenario: &'s Scenario,
    /// Each row by its index, with what was found.
    rows: Vec<(usize, Report)>,
}

/// The whole as JSON has it.
#[derive(Serialize)]
struct Told<'a> {
    scenario: &'a str,
    model: u32,
    bounds: Bounds,
    rows: Vec<Row<'a>>,
    unmet: Vec<Missed<'a>>,
}

#[derive(Serialize)]
struct Bounds {
    workers: u8,
    grants: u8,
    operations: u8,
    retries: u8,
    losses: u8,
    duplicates: u8,
    crashes: u8,
    failovers: u8,
    suspends: u8,
    skews: u8,
    renewals: u8,
    prunes: u8,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Row<'a> {
    row: &'a str,
    mechanism: Mechanism,
    states: usize,
    transitions: u64,
    depth: usize,
    complete: bool,
    stopped_at: Vec<&'static str>,
    broken: Vec<Broken<'a>>,
    reached: Vec<Reached>,
}

#[derive(Serialize)]
struct Broken<'a> {
    #[serde(flatten)]
    evidence: Evidence,
    steps: usize,
    path: &'a [Event],
    told: Vec<String>,
    scenario: Option<String>,
}

#[derive(Serialize)]
struct Reached {
    situation: Situation,
    steps: usize,
}

#[derive(Serialize)]
struct Missed<'a> {
    line: u32,
    row: &'a str,
    text: String,
}

impl<'s> Exploration<'s> {
    /// What the searches of these rows of `scenario` have found.
    pub fn new(scenario: &'s Scenario, rows: Vec<(usize, Report)>) -> Self {
        Self { scenario, rows }
    }

    /// Whether the searches have found what the scenario expects of these rows.
    pub fn is_met(&self) -> bool {
        self.unmet().is_empty()
    }

    fn unmet(&self) -> Vec<Unmet> {
        expect::unmet(self.scenario, &self.rows)
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let mut text = match self.scenario.description().first() {
            Some(title) => format!("{}: {title}\n", self.scenario.name),
            None => format!("{}\n", self.scenario.name),
        };
        let _ = writeln!(text, "Every schedule of {}.", words::bounds(&self.scenario.bounds).join(", "));
        for (index, found) in &self.rows {
            let row = &self.scenario.rows[*index];
            let _ = writeln!(text, "\n{} ({})", row.name, words::mechanism(&row.mechanism));
            let stopped_at = found.stopped_at();
            let extent = if stopped_at.is_empty() {
                "complete".to_owned()
            } else {
                format!("NOT complete: stopped at {}", stopped_at.join(", "))
            };
            let Progress { states, depth, .. } = found.progress;
            let _ = writeln!(text, "  {states} states, {depth} steps deep, {extent}");
            let mut held = Vec::new();
            for invariant in Invariant::ALL {
                match found.counterexample(*invariant) {
                    Some(Counterexample { path, .. }) => {
                        let _ = writeln!(text, "  broken in {} steps: {}", path.len(), invariant.name());
                    }
                    None => held.push(invariant.name()),
                }
            }
            let so_far =
                if stopped_at.is_empty() { "no violation within these bounds" } else { "not found broken so far" };
            let _ = writeln!(text, "  {so_far}: {}", listed(&held));
            let told = |example: &Example| format!("{} in {}", example.situation.name(), example.path.len());
            let reached: Vec<String> = found.reached.iter().map(told).collect();
            let reached: Vec<&str> = reached.iter().map(String::as_str).collect();
            let _ = writeln!(text, "  reached: {}", listed(&reached));
            if let Some(Counterexample { evidence, path }) = found.broken.iter().min_by_key(|found| rank(found)) {
                let _ = writeln!(text, "\n  {} is broken like this:", evidence.invariant.name());
                for (step, told) in self.told(*index, path).into_iter().enumerate() {
                    let _ = writeln!(text, "  {:>4}  {told}", step + 1);
                }
            }
        }
        let unmet = self.unmet();
        text.push('\n');
        if unmet.is_empty() {
            let speaks_of = |expected: &Expected| !matches!(expected, Expected::Sometimes(_) | Expected::Never(_));
            text += match self.scenario.expectations.iter().any(|expectation| speaks_of(&expectation.outcome)) {
                false => "The scenario expects nothing of any invariant.\n",
                true if self.rows.len() < self.scenario.rows.len() => "As expected in this row.\n",
                true => "As expected.\n",
            };
        } else {
            text += "Not as expected:\n";
            for unmet in unmet {
                let _ = writeln!(text, "  {unmet}");
            }
        }
        text
    }

    /// For programs: an object on one line.
    pub fn to_json(&self) -> String {
        let Budget { retries, losses, duplicates, crashes, failovers, suspends, skews, renewals, prunes } =
            self.scenario.bounds.budget;
        let fencepost_core::scenario::Bounds { workers, grants, operations, .. } = self.scenario.bounds;
        let bounds = Bounds {
            workers,
            grants,
            operations,
            retries,
            losses,
            duplicates,
            crashes,
            failovers,
            suspends,
            skews,
            renewals,
            prunes,
        };
        let rows = self.rows.iter().map(|(index, found)| self.row(*index, found)).collect();
        let missed = |Unmet { line, row, text }| Missed { line, row: &self.scenario.rows[row].name, text };
        let unmet = self.unmet().into_iter().map(missed).collect();
        let told = Told { scenario: &self.scenario.name, model: MODEL, bounds, rows, unmet };
        serde_json::to_string(&told).expect("a report has string keys only") + "\n"
    }

    /// The shortest counterexample of all rows that can be given times, as a scenario's text; a comment where there is none.
    pub fn shortest(&self) -> String {
        let mut found: Vec<_> =
            self.rows.iter().flat_map(|(row, found)| found.broken.iter().map(move |broken| (*row, broken))).collect();
        found.sort_by_key(|(_, found)| rank(found));
        let timed = found.iter().find_map(|(row, found)| self.timed(*row, found.evidence.invariant, &found.path));
        timed.unwrap_or_else(|| match found.len() {
            0 => "# No counterexample was found within the bounds.\n".to_owned(),
            _ => "# What was found broken could not be given times: see the list of its steps.\n".to_owned(),
        })
    }

    /// A scenario that takes `path` in this row by the clock.
    fn timed(&self, row: usize, invariant: Invariant, path: &[Event]) -> Option<String> {
        let row = &self.scenario.rows[row];
        let config = search_config(self.scenario, &row.mechanism);
        let timed = counterexample::timed(self.scenario, row, &config, path, invariant);
        Some(timed.ok()?.to_text())
    }

    fn row<'a>(&'a self, index: usize, found: &'a Report) -> Row<'a> {
        let row = &self.scenario.rows[index];
        let broken = found.broken.iter().map(|Counterexample { evidence, path }| Broken {
            evidence: *evidence,
            steps: path.len(),
            path,
            told: self.told(index, path),
            scenario: self.timed(index, evidence.invariant, path),
        });
        let reached = |Example { situation, path }: &Example| Reached { situation: *situation, steps: path.len() };
        let Progress { states, transitions, depth, .. } = found.progress;
        let stopped_at = found.stopped_at();
        Row {
            row: &row.name,
            mechanism: row.mechanism,
            states,
            transitions,
            depth,
            complete: stopped_at.is_empty(),
            stopped_at,
            broken: broken.collect(),
            reached: found.reached.iter().map(reached).collect(),
        }
    }

    /// What each choice of `path` brings about in this row, in sentences.
    fn told(&self, row: usize, path: &[Event]) -> Vec<String> {
        words::path(self.scenario, &self.scenario.rows[row], path)
    }
}

/// The least is the shortest counterexample; where several are as short, the one to the gravest invariant.
fn rank(found: &Counterexample) -> (usize, Invariant) {
    (found.path.len(), found.evidence.invariant)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use fencepost_core::compare::compare;
    use fencepost_core::explore::{Cause, Search, Status};
    use fencepost_core::observation::Situation;
    use fencepost_core::scenario::{find, parse};
    use fencepost_core::system::{Driver, State};

    use super::*;

    /// The first violation.
    struct First(Option<Evidence>);

    impl Driver for First {
        fn violation(&mut self, evidence: Evidence) {
            self.0.get_or_insert(evidence);
        }
    }

    /// The paused owner, and for each of its rows what a search would say that knew its own schedule only: those of its
    /// choices that come before the first violation, and that one.
    fn known() -> (Scenario, Vec<(usize, Report)>) {
        let scenario = parse(find("paused-owner").expect("it is in the corpus").text).expect("the corpus can be read");
        let mut rows = Vec::new();
        for (index, run) in compare(&scenario).runs.iter().enumerate() {
            let config = search_config(&scenario, &run.mechanism);
            let mut found = Search::new(&config).report();
            let progress = Progress { status: Status::Complete, transitions: 20, depth: 9, ..found.progress };
            found.progress = Progress { states: 10 + index, ..progress };
            let (mut state, mut path, mut first) = (State::new(&config), Vec::new(), First(None));
            for choice in &run.choices {
                state.step(&config, choice.event, &mut first).expect("the run came that far, too");
                path.push(choice.event);
                if let First(Some(evidence)) = first {
                    found.broken.push(Counterexample { evidence, path: path.clone() });
                    break;
                }
            }
            found.reached.push(Example { situation: Situation::TwoBelievers, path: path[..7].to_vec() });
            rows.push((index, found));
        }
        (scenario, rows)
    }

    #[test]
    fn a_counterexample_is_told_choice_by_choice() {
        let (scenario, rows) = known();
        let told = Exploration::new(&scenario, rows[..1].to_vec()).to_text();
        expect![[r#"
            paused-owner: A paused owner resumes after its lease has expired.
            Every schedule of 2 workers, 2 grants, 1 operation a grant, 1 request sent again, 1 message lost.

            unfenced (nothing is checked)
              10 states, 9 steps deep, complete
              broken in 17 steps: no-stale-overwrite
              no violation within these bounds: no-lost-update, applied-once, same-answer, epochs-increase, recognized-never-decreases, no-interleaving, newest-admitted, effect-once, no-stale-effect, release-own, no-stale-read
              reached: two-believers in 7

              no-stale-overwrite is broken like this:
                 1  A asks for the lock.
                 2  The lock service grants the lock to A for 10 s: epoch 33.
                 3  A learns that it owns the lock under epoch 33.
                 4  A reads the row: nothing has been written yet.
                 5  The lease under epoch 33 ends by the lock service’s clock. A is not told.
                 6  B asks for the lock.
                 7  The lock service grants the lock to B for 10 s: epoch 34.
                 8  B learns that it owns the lock under epoch 34.
                 9  B reads the row: nothing has been written yet.
                10  B sends its report, under epoch 34.
                11  The destination applies B’s report under epoch 34: version 1.
                12  B concludes that its report was applied.
                13  B has done its work and gives up ownership. B tells the lock service that it gives the lock back.
                14  The lock under epoch 34 is free again.
                15  The answer to B’s release reaches B.
                16  A sends its report, under epoch 33.
                17  The destination applies A’s report under epoch 33. A’s report replaces B’s, which A has not read.

            Not as expected:
              line 27: no-lost-update is not broken in unfenced within the bounds
        "#]].assert_eq(&told);
    }

    /// The scenario with these rows, and what is unmet.
    #[track_caller]
    fn check(change: impl Fn(&mut Vec<(usize, Report)>), expected: &Expect) {
        let (scenario, mut rows) = known();
        // Each row's own schedule breaks one invariant only.
        let lines = |scenario: &Scenario| {
            let mut scenario = scenario.clone();
            scenario.expectations.retain(|expectation| {
                matches!(expectation.outcome, Expected::Holds(_) | Expected::Violated(Invariant::NoStaleOverwrite))
            });
            scenario
        };
        let scenario = lines(&scenario);
        change(&mut rows);
        let exploration = Exploration::new(&scenario, rows);
        let unmet: Vec<String> = exploration.unmet().into_iter().map(|unmet| unmet.text).collect();
        assert_eq!(exploration.is_met(), unmet.is_empty());
        expected.assert_eq(&unmet.join("\n"));
    }

    #[test]
    fn what_is_to_hold_must_hold_to_the_end_and_what_is_to_be_broken_must_be_found() {
        let stopped = Status::Stopped(Cause::States);
        check(|_| {}, &expect![""]);
        check(
            |rows| rows[2].1.progress.status = stopped,
            &expect![[r#"
            no-stale-overwrite is not decided in fenced: the search stopped
            no-lost-update is not decided in fenced: the search stopped
            same-answer is not decided in fenced: the search stopped"#]],
        );
        check(
            |rows| rows[2].1.broken = rows[0].1.broken.clone(),
            &expect!["no-stale-overwrite is broken in fenced, in 17 steps"],
        );
        check(
            |rows| rows[0].1.broken.clear(),
            &expect!["no-stale-overwrite is not broken in unfenced within the bounds"],
        );
        // A counterexample is one, however far the search went.
        check(|rows| rows[0].1.progress.status = stopped, &expect![""]);
        check(|rows| rows.truncate(0), &expect![""]);
    }

    #[test]
    fn json_has_the_path_its_sentences_and_a_scenario_that_takes_it() {
        let (scenario, rows) = known();
        let report: serde_json::Value =
            serde_json::from_str(&Exploration::new(&scenario, rows.clone()).to_json()).expect("it is JSON");
        assert_eq!(report["bounds"]["losses"], 1);
        let broken = &report["rows"][0]["broken"][0];
        let steps = rows[0].1.broken[0].path.len();
        assert_eq!(broken["invariant"], "no-stale-overwrite");
        assert_eq!(broken["steps"], steps);
        assert_eq!(broken["path"].as_array().map(Vec::len), Some(steps));
        assert_eq!(broken["told"].as_array().map(Vec::len), Some(steps));
        assert_eq!(report["rows"][2]["broken"].as_array().map(Vec::len), Some(0));
        assert_eq!(broken["scenario"].as_str(), Some(Exploration::new(&scenario, rows).shortest().as_str()));
        let timed = parse(broken["scenario"].as_str().expect("there are times for it")).expect("it can be read again");
        assert_eq!(fencepost_core::expect::failures(&compare(&timed)), []);
    }
}
