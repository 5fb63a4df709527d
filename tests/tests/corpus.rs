//! Every scenario of the corpus, from its own file: its `expect` lines, for its own schedule and for every
//! one; its expected trace; and what must be true of any run.
//!
//! `UPDATE_EXPECT=1` rewrites the traces, the hashes and the table of questions in `core/docs/corpus.md`; read the difference before you commit it. `FENCEPOST_SCENARIO=name`
//! runs one scenario.

use std::path::{Path, PathBuf};

use expect_test::expect_file;
use fencepost_core::compare::{Comparison, compare};
use fencepost_core::expect;
use fencepost_core::explore::{Bounds, Search, Status};
use fencepost_core::fact::Fact;
use fencepost_core::run::Run;
use fencepost_core::scenario::{CORPUS, Entry, Row, Scenario, parse_bytes};
use fencepost_core::simulate::{self, search_config};
use fencepost_core::system::{Config, Driver, State};
use fencepost_core::trace::{MODEL, Trace};
use fencepost_tests::walk::for_each;

fn scenarios() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/scenarios")
}

/// The scenarios to run, each read from its file.
fn corpus() -> Vec<(&'static Entry, Scenario)> {
    let only = std::env::var("FENCEPOST_SCENARIO").ok();
    let entries = CORPUS.iter().filter(|entry| only.as_deref().is_none_or(|name| entry.name() == name));
    let read = |entry: &'static Entry| {
        let path = scenarios().join(entry.path).with_extension("fence");
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let scenario = parse_bytes(&bytes).unwrap_or_else(|error| panic!("{}:{error}", path.display()));
        (entry, scenario)
    };
    let found: Vec<_> = entries.map(read).collect();
    assert!(!found.is_empty(), "there is no such scenario");
    found
}

fn traces(comparison: &Comparison) -> Vec<Trace> {
    comparison.runs.iter().map(|run| Trace::of(&comparison.scenario, run)).collect()
}

#[test]
fn every_scenario_comes_out_as_it_says() {
    let mut failed = Vec::new();
    for (entry, scenario) in corpus() {
        assert_eq!(expect::unspoken(&scenario), [""; 0], "{}: every row has an expectation", entry.path);
        let failures = expect::failures(&compare(&scenario));
        failed.extend(failures.iter().map(|failure| format!("core/scenarios/{}.fence: {failure}", entry.path)));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The most states of a row's search: few enough that the page has gone through them while one waits.
const MOST_STATES: usize = 100_000;

/// Its own schedule may be lucky. What the scenario says must be true of every schedule within its bounds, and each row has
/// been searched to the end.
#[test]
fn every_scenario_comes_out_as_it_says_on_every_schedule() {
    let corpus = corpus();
    let config = |scenario: &Scenario, row: usize| search_config(scenario, &scenario.rows[row].mechanism);
    // Many scenarios tell the same rules apart: what is the same to a search is searched once.
    let mut configs: Vec<Config> = Vec::new();
    for (_, scenario) in &corpus {
        for config in (0..scenario.rows.len()).map(|row| config(scenario, row)) {
            if !configs.contains(&config) {
                configs.push(config);
            }
        }
    }
    let bounds = Bounds { states: MOST_STATES, ..Bounds::MAX };
    let reports = for_each(&configs, |config| Search::within(config, bounds).run());
    let mut failed = Vec::new();
    for (Entry { path, .. }, scenario) in &corpus {
        let mut searches = Vec::new();
        for (row, Row { name, .. }) in scenario.rows.iter().enumerate() {
            let config = config(scenario, row);
            let known = configs.iter().position(|known| *known == config).expect("all of them were searched");
            let report = reports[known].clone();
            if report.progress.status != Status::Complete {
                failed.push(format!("core/scenarios/{path}.fence: {name} stops at {:?}", report.stopped_at()));
            }
            searches.push((row, report));
        }
        failed.extend(
            expect::unmet(scenario, &searches).iter().map(|unmet| format!("core/scenarios/{path}.fence: {unmet}")),
        );
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn every_trace_is_the_expected_one() {
    for (entry, scenario) in corpus() {
        let text: String = traces(&compare(&scenario)).iter().map(Trace::to_text).collect();
        expect_file![scenarios().join(entry.path).with_extension("trace")].assert_eq(&text);
    }
}

/// One line a trace, so that a change of the model is seen at a glance, and the same list can be made by another target.
#[test]
fn every_hash_is_the_pinned_one() {
    let mut list = format!("model {MODEL}\n");
    for (entry, scenario) in CORPUS.iter().zip(CORPUS.iter().map(|entry| parse_bytes(entry.text.as_bytes()))) {
        let scenario = scenario.expect("the corpus can be read");
        for (run, trace) in scenario.rows.iter().zip(traces(&compare(&scenario))) {
            list += &format!("{:016x} {} {}\n", trace.hash(), entry.path, run.name);
        }
    }
    expect_file![scenarios().join("hashes")].assert_eq(&list);
}

/// The table of questions in the corpus' own document.
#[test]
fn the_document_lists_every_scenario_under_its_question() {
    let path = scenarios().join("../docs/corpus.md");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let heading = "## Questions\n";
    let (before, rest) = text.split_once(heading).expect("the document has a section for it");
    let after = &rest[rest.find("\n## ").expect("another section follows")..];
    let mut table = "\n| question | scenarios |\n|---|---|\n".to_owned();
    for part in CORPUS.chunk_by(|one, next| one.question() == next.question()) {
        let link = |entry: &Entry| format!("[{}](../scenarios/{}.fence)", entry.name(), entry.path);
        let links: Vec<String> = part.iter().map(link).collect();
        table += &format!("| {} | {} |\n", part[0].question(), links.join(", "));
    }
    expect_file![path].assert_eq(&format!("{before}{heading}{table}{after}"));
}

/// A fault that names what never happens would pass for a schedule that does no harm.
#[test]
fn every_fault_strikes_in_some_row() {
    for (entry, scenario) in corpus() {
        let runs = compare(&scenario).runs;
        for fault in 0..scenario.faults.len() {
            assert!(runs.iter().any(|run| run.struck[fault]), "{}: fault {} never strikes", entry.path, fault + 1);
        }
    }
}

#[test]
fn no_run_stops_at_a_limit() {
    for (entry, scenario) in corpus() {
        for run in compare(&scenario).runs {
            assert_eq!(run.stopped_at, None, "{} {}", entry.path, run.name);
        }
    }
}

#[test]
fn a_trace_read_and_written_again_is_the_same() {
    for (entry, scenario) in corpus() {
        for trace in traces(&compare(&scenario)) {
            let text = trace.to_text();
            let read = Trace::from_text(&text).unwrap_or_else(|error| panic!("{}: {error}", entry.path));
            assert_eq!(read, trace, "{}", entry.path);
            assert_eq!(read.to_text(), text, "{}", entry.path);
        }
    }
}

/// The list of choices is the run: carried out again without any clock, they give the same facts, but for those that only a
/// driver with a clock can tell.
#[test]
fn a_runs_choices_replay_it() {
    #[derive(Default)]
    struct Facts(Vec<Fact>);
    impl Driver for Facts {
        fn fact(&mut self, fact: Fact) {
            self.0.push(fact);
        }
    }
    for (entry, scenario) in corpus() {
        for Run { name, mechanism, facts, choices, .. } in compare(&scenario).runs {
            let config = simulate::config(&scenario, &mechanism);
            let mut state = State::new(&config);
            let mut replayed = Facts::default();
            for choice in choices {
                assert!(state.is_enabled(&config, choice.event), "{} {name}: {:?}", entry.path, choice.event);
                state.step(&config, choice.event, &mut replayed).expect("the run did not stop");
            }
            let told: Vec<Fact> = facts.iter().map(|entry| entry.fact).filter(|fact| !fact.is_the_clocks()).collect();
            assert_eq!(replayed.0, told, "{} {name}", entry.path);
        }
    }
}

#[test]
fn the_same_scenario_gives_the_same_runs() {
    for (_, scenario) in corpus() {
        assert_eq!(compare(&scenario), compare(&scenario));
    }
}

/// Every invariant is broken by a mechanism of the corpus, and kept by another.
#[test]
fn the_corpus_breaks_and_keeps_every_invariant() {
    use fencepost_core::invariant::Invariant;
    let runs: Vec<Run> = corpus().iter().flat_map(|(_, scenario)| compare(scenario).runs).collect();
    for &invariant in Invariant::ALL {
        assert!(runs.iter().any(|run| !run.holds(invariant)), "nothing breaks {}", invariant.name());
        assert!(runs.iter().any(|run| run.holds(invariant)), "nothing keeps {}", invariant.name());
    }
}

/// The report job by the length of A's pause, with a lease of 10 s, 3 s of work before the pause and 4 s of B's: back in
/// time; back after the lease but before B has written; back after B has written.
#[test]
fn the_pause_has_three_regimes() {
    use fencepost_core::scenario::{find, parse, set_parameter};
    use fencepost_core::time::Duration;
    use fencepost_core::words::Narrator;

    let text = find("paused-owner").expect("the first figure is in the corpus").text;
    let mut regimes: Vec<(Duration, Vec<String>)> = Vec::new();
    for pause in (0..=300).map(|tenths| Duration::from_millis(tenths * 100)) {
        let text = set_parameter(text, "pause", pause).expect("the pause may be 0 to 30 s");
        let scenario = parse(&text).expect("only the pause has changed");
        let labels: Vec<String> =
            compare(&scenario).runs.iter().map(|run| Narrator::new(&scenario, run).verdict().label).collect();
        if regimes.last().is_none_or(|(_, last)| *last != labels) {
            regimes.push((pause, labels));
        }
    }
    let told: String = regimes.iter().map(|(from, labels)| format!("{from}: {}\n", labels.join(" | "))).collect();
    expect_test::expect![[r#"
        0s: in time | in time | in time
        7s: late, and harmless | late, and harmless | refused: 33 < 34
        7.1s: a write is lost | a write is lost | refused: 33 < 34
        11.1s: applied though stale | applied though stale | refused: 33 < 34
    "#]]
    .assert_eq(&told);
}
