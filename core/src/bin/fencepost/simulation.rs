//! What came out of a scenario's own schedule, for people and for programs.

use std::fmt::Write as _;

use fencepost_core::compare::Comparison;
use fencepost_core::expect::{Failure, failures};
use fencepost_core::invariant::{Evidence, Invariant};
use fencepost_core::mechanism::Mechanism;
use fencepost_core::observation::Situation;
use fencepost_core::run::{Limit, Run};
use fencepost_core::scenario::print_fault;
use fencepost_core::story::story;
use fencepost_core::tally::Tally;
use fencepost_core::time::{Duration, Instant};
use fencepost_core::trace::{MODEL, Trace};
use fencepost_core::words::{self, Narrator, Verdict};
use serde::Serialize;

/// What came out of some rows, or of all.
pub struct Simulation {
    comparison: Comparison,
    /// How many rows the scenario has, those not looked at included.
    rows: usize,
    unmet: Vec<Failure>,
}

/// The report as JSON has it.
#[derive(Serialize)]
struct Report<'a> {
    scenario: &'a str,
    model: u32,
    rows: Vec<Row<'a>>,
    story: Vec<Line<'a>>,
    unmet: Vec<Unmet<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Row<'a> {
    row: &'a str,
    mechanism: Mechanism,
    verdict: Verdict,
    violated: Vec<Violated>,
    reached: Vec<Reached>,
    counted: Tally,
    not_struck: Vec<String>,
    stopped_at: Option<Limit>,
    trace_hash: String,
}

#[derive(Serialize)]
struct Violated {
    at: Instant,
    fact: usize,
    #[serde(flatten)]
    evidence: Evidence,
}

#[derive(Serialize)]
struct Reached {
    at: Instant,
    fact: usize,
    situation: Situation,
}

#[derive(Serialize)]
struct Line<'a> {
    at: Instant,
    rows: Vec<&'a str>,
    text: String,
}

#[derive(Serialize)]
struct Unmet<'a> {
    line: u32,
    row: &'a str,
    text: String,
}

impl Simulation {
    /// The outcome of `comparison`, or only of its row `only`.
    pub fn of(comparison: &Comparison, only: Option<usize>) -> Self {
        let Comparison { scenario, runs, difference } = comparison;
        let mut unmet = failures(comparison);
        let (runs, difference) = match only {
            None => (runs.clone(), difference.clone()),
            Some(row) => (vec![runs[row].clone()], None),
        };
        unmet.retain(|failure| runs.iter().any(|run| run.name == failure.row));
        let rows = scenario.rows.len();
        Self { comparison: Comparison { scenario: scenario.clone(), runs, difference }, rows, unmet }
    }

    /// The runs looked at.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        self.comparison.runs.iter()
    }

    /// Whether everything that the scenario expects of them has come out.
    pub fn is_met(&self) -> bool {
        self.unmet.is_empty()
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let Comparison { scenario, runs, .. } = &self.comparison;
        let mut text = match scenario.description().first() {
            Some(title) => format!("{}: {title}\n", scenario.name),
            None => format!("{}\n", scenario.name),
        };
        for run in runs {
            let verdict = Narrator::new(scenario, run).verdict();
            let _ = writeln!(text, "\n{} ({})", run.name, words::mechanism(&run.mechanism));
            let _ = writeln!(text, "  {}: {}", verdict.label, verdict.sentence);
            let violated = Invariant::ALL.iter().filter(|invariant| !run.holds(**invariant));
            let violated: Vec<&str> = violated.map(|invariant| invariant.name()).collect();
            let _ = writeln!(text, "  violated: {}", listed(&violated));
            let reached = Situation::ALL.iter().filter(|situation| run.reached(**situation));
            let reached: Vec<&str> = reached.map(|situation| situation.name()).collect();
            let _ = writeln!(text, "  reached: {}", listed(&reached));
            let _ = writeln!(text, "  counted: {}", counted(&Tally::of(run)));
            for fault in self.not_struck(run) {
                let _ = writeln!(text, "  did not strike: {fault}");
            }
        }
        text.push('\n');
        let story = self.story();
        // What happens in every row needs no name before it.
        let names = |rows: &[&str]| if rows.len() == runs.len() { String::new() } else { rows.join(", ") + "  " };
        let column = story.iter().map(|line| names(&line.rows).len()).max().unwrap_or_default();
        for Line { at, rows, text: told } in story {
            let _ = writeln!(text, "{:>10} s  {:<column$}{told}", seconds(at), names(&rows));
        }
        text.push('\n');
        if self.unmet.is_empty() {
            text += match scenario.expectations.len() {
                0 => "The scenario expects nothing.\n",
                _ if runs.len() < self.rows => "As expected in this row.\n",
                _ => "As expected.\n",
            };
        } else {
            text += "Not as expected:\n";
            for failure in &self.unmet {
                let _ = writeln!(text, "  {failure}");
            }
        }
        text
    }

    /// For programs: an object on one line.
    pub fn to_json(&self) -> String {
        let Comparison { scenario, runs, .. } = &self.comparison;
        let report = Report {
            scenario: &scenario.name,
            model: MODEL,
            rows: runs.iter().map(|run| self.row(run)).collect(),
            story: self.story(),
            unmet: self
                .unmet
                .iter()
                .map(|failure| Unmet { line: failure.line, row: &failure.row, text: failure.to_string() })
                .collect(),
        };
        serde_json::to_string(&report).expect("a report has string keys only") + "\n"
    }

    /// The faults that did not strike in this run, as they are written.
    fn not_struck(&self, run: &Run) -> Vec<String> {
        let scenario = &self.comparison.scenario;
        run.not_struck(scenario).map(|fault| print_fault(scenario, fault)).collect()
    }

    fn row<'a>(&'a self, run: &'a Run) -> Row<'a> {
        let scenario = &self.comparison.scenario;
        let at = |fact: usize| run.facts[fact].at;
        Row {
            row: &run.name,
            mechanism: run.mechanism,
            verdict: Narrator::new(scenario, run).verdict(),
            violated: run
                .violations
                .iter()
                .map(|violation| Violated {
                    at: at(violation.fact),
                    fact: violation.fact,
                    evidence: violation.evidence,
                })
                .collect(),
            reached: run
                .sightings
                .iter()
                .map(|sighting| Reached { at: at(sighting.fact), fact: sighting.fact, situation: sighting.situation })
                .collect(),
            counted: Tally::of(run),
            not_struck: self.not_struck(run),
            stopped_at: run.stopped_at,
            trace_hash: format!("{:016x}", Trace::of(scenario, run).hash()),
        }
    }

    fn story(&self) -> Vec<Line<'_>> {
        let runs = &self.comparison.runs;
        let name = |run: usize| runs[run].name.as_str();
        let told = story(&self.comparison).into_iter().map(|line| Line {
            at: line.at,
            rows: line.facts.iter().map(|fact| name(fact.run)).collect(),
            text: line.text,
        });
        told.collect()
    }
}

/// Names with commas between them, or that there are none.
pub fn listed(names: &[&str]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// What there is to count, without what is 0.
fn counted(tally: &Tally) -> String {
    let Tally {
        handovers,
        false_handovers,
        longest_handover,
        without_owner,
        two_believers,
        computed_again,
        stale_writes_refused,
        unknown_outcomes,
    } = *tally;
    let number = |what: &str, count: u32| (count > 0).then(|| format!("{what} {count}"));
    let time = |what: &str, length: Duration| (length > Duration::ZERO).then(|| format!("{what} {length}"));
    let parts = [
        number("handovers", handovers),
        number("of them with the former owner alive", false_handovers),
        time("the longest", longest_handover),
        time("without an owner", without_owner),
        time("two believers for", two_believers),
        number("computed again", computed_again),
        number("stale writes refused", stale_writes_refused),
        number("unknown outcomes", unknown_outcomes),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    listed(&parts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// An instant in seconds, to the millisecond.
fn seconds(at: Instant) -> String {
    let millis = at.micros() / 1_000;
    format!("{}.{:03}", millis / 1_000, millis % 1_000)
}
