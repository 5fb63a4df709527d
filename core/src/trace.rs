//! Traces as text: JSON Lines, a header and then a fact a line.
//!
//! What the simulator writes, what a real run records and what a person brings are one format; `core/docs/trace.md`
//! describes it. Writing what was read gives the same bytes.

use std::fmt;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh64::xxh64;

use crate::mechanism::Mechanism;
use crate::run::{Entry, Run};
use crate::scenario::Scenario;

/// The version of the format. A reader refuses what it does not know.
pub const FORMAT: u32 = 1;
/// The version of the model: it changes when the same scenario no longer gives the same facts.
pub const MODEL: u32 = 1;

/// The first line of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub fencepost: u32,
    /// Where the facts come from.
    #[serde(flatten)]
    pub origin: Origin,
    /// The workers' names, in the order of their numbers.
    pub workers: Vec<String>,
}

/// Where a trace's facts come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "origin", rename_all = "kebab-case")]
pub enum Origin {
    /// The simulator.
    Simulated {
        /// [`MODEL`].
        model: u32,
        /// The scenario's name.
        scenario: String,
        /// The row's name.
        row: String,
        /// The row's mechanism.
        mechanism: Mechanism,
    },
    /// A real system, or a person.
    Recorded {
        /// What was recorded, in a few words.
        what: String,
    },
}

/// A trace: a header and the facts in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// What the facts belong to.
    pub header: Header,
    /// The facts.
    pub facts: Vec<Entry>,
}

/// What is wrong with a trace's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1; 0 where the whole line is meant.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TraceError {}

impl Trace {
    /// The trace of a run of `scenario`.
    pub fn of(scenario: &Scenario, run: &Run) -> Self {
        let origin = Origin::Simulated {
            model: MODEL,
            scenario: scenario.name.clone(),
            row: run.name.clone(),
            mechanism: run.mechanism,
        };
        let workers = scenario.workers.iter().map(|worker| worker.name.clone()).collect();
        Self { header: Header { fencepost: FORMAT, origin, workers }, facts: run.facts.clone() }
    }

    /// As JSON Lines; the last line ends too.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut line = |json: serde_json::Result<String>| {
            text += &json.expect("a trace has string keys only");
            text.push('\n');
        };
        line(serde_json::to_string(&self.header));
        for entry in &self.facts {
            line(serde_json::to_string(entry));
        }
        text
    }

    /// From JSON Lines; empty lines do not count.
    ///
    /// # Errors
    /// The first line that cannot be read, or that goes back in time.
    pub fn from_text(text: &str) -> Result<Self, TraceError> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let Some((index, first)) = lines.next() else {
            return Err(TraceError { line: 1, column: 0, message: "there is no header line".into() });
        };
        let header: Header = read(index, first)?;
        if header.fencepost != FORMAT {
            let message = format!("this is format {}, and only format {FORMAT} can be read", header.fencepost);
            return Err(TraceError { line: index + 1, column: 0, message });
        }
        let mut facts: Vec<Entry> = Vec::new();
        for (index, line) in lines {
            let entry: Entry = read(index, line)?;
            if facts.last().is_some_and(|last| entry.at < last.at) {
                let message = "this fact is earlier than the one before it".into();
                return Err(TraceError { line: index + 1, column: 0, message });
            }
            facts.push(entry);
        }
        Ok(Self { header, facts })
    }

    /// The XXH64 hash (seed 0) of the trace's text: equal wherever the same model runs.
    pub fn hash(&self) -> u64 {
        xxh64(self.to_text().as_bytes(), 0)
    }
}

fn read<'de, T: Deserialize<'de>>(index: usize, line: &'de str) -> Result<T, TraceError> {
    serde_json::from_str(line).map_err(|error| TraceError {
        line: index + 1,
        column: error.column(),
        message: error.to_string(),
    })
}
