//! What must hold of every scenario and of every trace.

use fencepost_core::compare::compare;
use fencepost_core::counterexample::timed;
use fencepost_core::event::Event;
use fencepost_core::expect;
use fencepost_core::explore::{Bounds, Search};
use fencepost_core::fact::Fact;
use fencepost_core::invariant::Invariant;
use fencepost_core::observation::Situation;
use fencepost_core::plot::{Options, Style, layout, svg, timeline};
use fencepost_core::rust_test::rust_test;
use fencepost_core::scenario::{MAX_BYTES, Row, Scenario, parse, print, set_parameter, snap};
use fencepost_core::simulate::{MAX_CHOICES, config, search_config, simulate};
use fencepost_core::story::story;
use fencepost_core::system::{Config, State};
use fencepost_core::time::Duration;
use fencepost_core::trace::Trace;
use fencepost_core::words::{Narrator, headline, path as told_path};

use super::Draw;
use crate::told::Told;

/// How far a search goes here: far enough to break something in most mechanisms that can be broken.
const BOUNDS: Bounds = Bounds { states: 400, bytes: 1 << 20 };
/// The most facts that are put into words and figures here.
const MAX_TOLD: usize = 150;

/// A mistake in `text` is told at a place that the text has, in a sentence.
pub fn error_points_into(text: &str) {
    let Err(error) = parse(text) else { return };
    let lines: Vec<&str> = text.split('\n').collect();
    let line = lines.get(error.line as usize - 1).unwrap_or_else(|| panic!("{error} is outside of\n{text}"));
    assert!(error.column > 0 && error.column as usize <= line.chars().count() + 1, "{error} is outside of\n{text}");
    assert!(error.message.ends_with(['.', '?']), "{error} is no sentence");
}

/// The scenario without the lines of the text in which its expectations stand.
fn without_lines(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.expectations.iter_mut().for_each(|expectation| expectation.line = 0);
    scenario
}

/// Printed and read again, a scenario is itself, and its text too. Returns both.
pub fn is_read_back(scenario: &Scenario) -> (String, Scenario) {
    let printed = print(scenario);
    let again = parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(without_lines(&again), without_lines(scenario), "{printed}");
    assert_eq!(print(&again), printed);
    (printed, again)
}

/// Another value of a parameter in `text`, which says `scenario`, changes this value and nothing else.
pub fn edits_change_one_value(text: &str, scenario: &Scenario, draw: &mut Draw<'_>) {
    for (index, parameter) in scenario.parameters.iter().enumerate() {
        let (low, high) = parameter.range.unwrap_or((Duration::from_micros(1), Duration::MAX));
        let drawn = Duration::from_micros(low.micros() + draw.any() % (high - low).micros().saturating_add(1));
        for value in [drawn, low, high, snap(parameter, drawn).max(low)] {
            let edited = set_parameter(text, &parameter.name, value)
                .unwrap_or_else(|error| panic!("{} = {value}: {error}\n{text}", parameter.name));
            if edited.len() > MAX_BYTES {
                continue;
            }
            let mut expected = scenario.clone();
            expected.parameters[index].value = value;
            let read = parse(&edited).unwrap_or_else(|error| panic!("{error}\n{edited}"));
            assert_eq!(read, expected, "{edited}");
            only_one_word_differs(text, &edited);
        }
        // What lies outside of its range is refused.
        if let Some((low, high)) = parameter.range {
            let beyond = Duration::from_micros(high.micros() + 1);
            assert!(set_parameter(text, &parameter.name, beyond).is_err());
            if low > Duration::ZERO {
                let below = Duration::from_micros(low.micros() - 1);
                assert!(set_parameter(text, &parameter.name, below).is_err());
            }
        }
    }
}

/// But for one word, two texts are byte for byte the same.
fn only_one_word_differs(one: &str, other: &str) {
    let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let rest = one[same..].bytes().rev().zip(other[same..].bytes().rev());
    let end = rest.take_while(|(one, other)| one == other).count();
    for text in [one, other] {
        let differs = &text[same..text.len() - end];
        assert!(!differs.contains(char::is_whitespace), "{differs:?} was changed in\n{one}");
    }
}

/// Makes the choices of a path, each of which has to be enabled. Only the last may run into a limit.
fn told(config: &Config, path: &[Event], limited: bool) -> Told {
    let (mut state, mut told) = (State::new(config), Told::default());
    for (number, &event) in path.iter().enumerate() {
        assert!(state.is_enabled(config, event), "{event:?} is not enabled: {:?}", config.mechanism);
        let step = state.step(config, event, &mut told);
        assert!(step.is_ok() || limited && number + 1 == path.len(), "{step:?} at {event:?}: {:?}", config.mechanism);
    }
    told
}

/// Every row runs to its end or to a limit, its choices are a path of the transition system, and all that can be made of
/// its facts can be made.
pub fn runs(scenario: &Scenario) {
    let comparison = compare(scenario);
    for (row, run) in scenario.rows.iter().zip(&comparison.runs) {
        assert_eq!(&simulate(scenario, row), run, "the same scenario runs in the same way");
        assert!(run.choices.len() <= MAX_CHOICES);
        assert!(run.facts.is_sorted_by_key(|entry| entry.at), "time goes back in\n{}", print(scenario));
        assert!(run.choices.is_sorted_by_key(|choice| choice.at), "time goes back in\n{}", print(scenario));
        let choices: Vec<Event> = run.choices.iter().map(|choice| choice.event).collect();
        let told = told(&config(scenario, &row.mechanism), &choices, run.stopped_at.is_some());
        if run.stopped_at.is_none() {
            // What a step told before it ran into a limit is told in the run, and no choice of a path.
            let facts: Vec<Fact> =
                run.facts.iter().map(|entry| entry.fact).filter(|fact| !fact.is_the_clocks()).collect();
            assert_eq!(told.facts, facts, "{:?}", run.mechanism);
            let broken: Vec<Invariant> = run.violations.iter().map(|violation| violation.evidence.invariant).collect();
            assert_eq!(told.broken, broken, "{:?}", run.mechanism);
            let reached: Vec<Situation> = run.sightings.iter().map(|sighting| sighting.situation).collect();
            assert_eq!(told.reached, reached, "{:?}", run.mechanism);
        }
        let trace = Trace::of(scenario, run);
        let text = trace.to_text();
        let read = Trace::from_text(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read, trace);
        assert_eq!(read.to_text(), text);
    }
    if comparison.runs.iter().map(|run| run.facts.len()).sum::<usize>() <= MAX_TOLD {
        assert!(!headline(&comparison).is_empty());
        for run in &comparison.runs {
            let narrator = Narrator::new(scenario, run);
            assert!(!narrator.verdict().sentence.is_empty());
            for (index, entry) in run.facts.iter().enumerate() {
                assert!(!narrator.fact(index).is_empty(), "{:?}", entry.fact);
            }
        }
        story(&comparison);
        expect::failures(&comparison);
        let timeline = timeline(&comparison);
        for width in [320, 1_000] {
            assert!(svg(&layout(&timeline, Options::width(width)), Style::Embedded).contains("<svg"));
        }
        rust_test(&print(scenario), None).expect("it can be read");
    }
}

/// A search, as far as it goes, ends in order, and its paths lead to what it says. What is given times takes the same path
/// when it is read again.
pub fn searches(scenario: &Scenario) {
    for row in scenario.rows.iter().take(2) {
        let config = search_config(scenario, &row.mechanism);
        let report = Search::within(&config, BOUNDS).run();
        for found in &report.broken {
            let told = told(&config, &found.path, false);
            assert!(told.broken.contains(&found.evidence.invariant), "{:?}", found.path);
        }
        for found in &report.reached {
            let told = told(&config, &found.path, false);
            assert!(told.reached.contains(&found.situation), "{:?}", found.path);
        }
        if let Some(found) = report.broken.first() {
            assert_eq!(told_path(scenario, row, &found.path).len(), found.path.len());
            comes_back(scenario, row, &config, &found.path, found.evidence.invariant);
        }
    }
}

/// A path that can be given times is taken by the scenario that comes of it, after it was printed and read too.
fn comes_back(scenario: &Scenario, row: &Row, config: &Config, path: &[Event], invariant: Invariant) {
    let Ok(timed) = timed(scenario, row, config, path, invariant) else { return };
    let text = print(&timed.scenario);
    let read = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}\n{}", print(scenario)));
    let run = simulate(&read, &read.rows[0]);
    let made: Vec<Event> = run.choices.iter().map(|choice| choice.event).collect();
    assert_eq!(made, timed.path, "{text}");
    assert!(!run.holds(invariant), "{text}");
}

/// A trace that can be read is the same when it is written and read again; a mistake is told at a place that there is.
pub fn trace_text(text: &str) {
    match Trace::from_text(text) {
        Ok(trace) => {
            let written = trace.to_text();
            let again = Trace::from_text(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
            assert_eq!(again, trace, "{written}");
            assert_eq!(again.to_text(), written);
            assert_eq!(again.hash(), trace.hash());
        }
        Err(error) => {
            let lines = text.lines().count().max(1);
            assert!((1..=lines).contains(&error.line), "{error} is outside of\n{text}");
            let line = text.lines().nth(error.line - 1).unwrap_or_default();
            assert!(error.column <= line.len() + 1, "{error} is outside of\n{text}");
            assert!(!error.message.is_empty());
        }
    }
}
