//! What Fencepost offers to scripts: plain objects in, plain objects out. The site has it as `api.js`, typed by `api.d.ts`,
//! with a wasm module of its own: the page does without.
//!
//! Facts, mechanisms and what is judged of them keep the names of the trace format (`lease-expired`, `operation-ids`), so
//! that an exported fact can be imported as it is. What is not part of a trace has the names that JavaScript would give it.
//! Epochs are `BigInt`s; times are numbers of whole microseconds, which stay exact: no run lasts 285 years.

mod exploration;

use std::collections::BTreeMap;

pub use exploration::Searching;
use exploration::{UnknownRow, Widened};
use fencepost_core::compare::{Difference, compare};
use fencepost_core::invariant::Invariant;
use fencepost_core::mechanism::Mechanism;
use fencepost_core::plot::{self, Timeline};
use fencepost_core::run::{Entry, Limit, Run, Sighting, Violation};
use fencepost_core::scenario::{self, CORPUS, Scenario};
use fencepost_core::story::{self, Line};
use fencepost_core::time::{Duration, Instant};
use fencepost_core::trace::Trace;
use fencepost_core::words::{self, Narrator, Verdict};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(message: &str);
}

/// From the start a panic is written to the console: all that the caller sees of it is that the module stopped.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| console_error(&panic.to_string())));
}

/// Runs every row of the scenario that `text` describes.
///
/// # Errors
/// What is wrong with the text, as a plain object: see `ScenarioError` in `api.d.ts`.
#[wasm_bindgen]
pub fn simulate(text: &str) -> Result<JsValue, JsValue> {
    match scenario::parse(text) {
        Ok(scenario) => Ok(plain(&Simulation::of(&scenario))),
        Err(error) => Err(plain(&error)),
    }
}

/// Searches everything that may happen in one row of the scenario that `text` describes: the one of this name, else the
/// first. The search stops at `max_states`, else where every search does. It returns when it has ended.
///
/// # Errors
/// What is wrong with the text, or that there is no such row, as a plain object: see `ScenarioError` and `UnknownRow` in
/// `api.d.ts`.
#[wasm_bindgen]
pub fn explore(text: &str, row: Option<String>, max_states: Option<f64>) -> Result<JsValue, JsValue> {
    Ok(plain(&searching(text, row, max_states)?.run()))
}

fn searching(text: &str, row: Option<String>, max_states: Option<f64>) -> Result<Searching, JsValue> {
    let scenario = scenario::parse(text).map_err(|error| plain(&error))?;
    let row = match row {
        Some(name) => UnknownRow::unless_in(&scenario, &name).map_err(|error| plain(&error))?,
        None => 0,
    };
    // Whatever JavaScript has for a number: none is as few states as there can be, and infinity as many.
    let max_states = max_states.map_or(usize::MAX, |states| states as usize);
    Ok(Searching::new(scenario, row, max_states))
}

/// What [`explore`] does, in slices: whoever drives it can show how far it has come, and call it off.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Search(Searching);

#[wasm_bindgen]
impl Search {
    /// Begins. See [`explore`] for what it takes.
    ///
    /// # Errors
    /// As [`explore`].
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, row: Option<String>, max_states: Option<f64>) -> Result<Search, JsValue> {
        Ok(Search(searching(text, row, max_states)?))
    }

    /// Goes through so many states more, or a few more than that, and says how far it has come.
    pub fn advance(&mut self, states: f64) -> JsValue {
        plain(&self.0.advance(states as usize))
    }

    /// How far it has come.
    pub fn progress(&self) -> JsValue {
        plain(&self.0.progress())
    }

    /// Calls it off. What it has found stays found.
    pub fn cancel(&mut self) {
        self.0.cancel();
    }

    /// What it has found so far.
    pub fn report(&self) -> JsValue {
        plain(&self.0.report())
    }
}

/// The texts that search one step further than `text` does.
///
/// # Errors
/// What is wrong with the text, as a plain object: see `ScenarioError` in `api.d.ts`.
#[wasm_bindgen]
pub fn widen(text: &str) -> Result<JsValue, JsValue> {
    Ok(plain(&Widened::of(text).map_err(|error| plain(&error))?))
}

/// The scenarios that come with Fencepost, in the order in which one question leads to the next.
#[wasm_bindgen]
pub fn corpus() -> JsValue {
    let entry = |entry: &scenario::Entry| CorpusEntry {
        path: entry.path,
        name: entry.name(),
        question: entry.question(),
        title: entry.title(),
        text: entry.text,
    };
    plain(&CORPUS.iter().map(entry).collect::<Vec<_>>())
}

/// Objects rather than `Map`s, `null` as in JSON.
fn plain(value: &impl Serialize) -> JsValue {
    let serializer = Serializer::new().serialize_maps_as_objects(true).serialize_missing_as_null(true);
    value.serialize(&serializer).expect("what the core computes has a plain form")
}

#[derive(Serialize)]
struct CorpusEntry {
    path: &'static str,
    name: &'static str,
    question: &'static str,
    title: &'static str,
    text: &'static str,
}

/// A scenario and what came of it under each of its rows, as scripts get it.
#[derive(Serialize)]
pub struct Simulation {
    scenario: Description,
    runs: Vec<Told>,
    story: Vec<Line>,
    timeline: Timeline,
    headline: String,
    difference: Option<Parting>,
}

#[derive(Serialize)]
struct Description {
    name: String,
    description: Vec<String>,
    sources: Vec<String>,
    workers: Vec<String>,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    name: String,
    value: Duration,
    range: Option<(Duration, Duration)>,
    step: Duration,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    name: String,
    mechanism: Mechanism,
    label: String,
    verdict: Verdict,
    facts: Vec<Entry>,
    violations: Vec<Violation>,
    sightings: Vec<Sighting>,
    holds: BTreeMap<&'static str, bool>,
    not_struck: Vec<String>,
    stopped_at: Option<Limit>,
    hash: String,
}

#[derive(Serialize)]
struct Parting {
    at: Instant,
    facts: Vec<Option<usize>>,
}

impl Simulation {
    /// Runs every row of the scenario.
    pub fn of(scenario: &Scenario) -> Self {
        let comparison = compare(scenario);
        Self {
            scenario: Description::of(scenario),
            runs: comparison.runs.iter().map(|run| Told::of(scenario, run)).collect(),
            story: story::story(&comparison),
            timeline: plot::timeline(&comparison),
            headline: words::headline(&comparison),
            difference: comparison.difference.map(|Difference { at, facts }| Parting { at, facts }),
        }
    }
}

impl Description {
    fn of(scenario: &Scenario) -> Self {
        let parameter = |parameter: &scenario::Parameter| Parameter {
            name: parameter.name.clone(),
            value: parameter.value,
            range: parameter.range,
            step: scenario::step(parameter),
        };
        Self {
            name: scenario.name.clone(),
            description: scenario.description(),
            sources: scenario.sources().map(str::to_owned).collect(),
            workers: scenario.workers.iter().map(|worker| worker.name.clone()).collect(),
            parameters: scenario.parameters.iter().map(parameter).collect(),
        }
    }
}

impl Told {
    fn of(scenario: &Scenario, run: &Run) -> Self {
        Self {
            name: run.name.clone(),
            mechanism: run.mechanism,
            label: words::mechanism(&run.mechanism),
            verdict: Narrator::new(scenario, run).verdict(),
            facts: run.facts.clone(),
            violations: run.violations.clone(),
            sightings: run.sightings.clone(),
            holds: Invariant::ALL.iter().map(|&invariant| (invariant.name(), run.holds(invariant))).collect(),
            not_struck: run.not_struck(scenario).map(|fault| scenario::print_fault(scenario, fault)).collect(),
            stopped_at: run.stopped_at,
            hash: format!("{:016x}", Trace::of(scenario, run).hash()),
        }
    }
}
