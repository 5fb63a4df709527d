//! Traces as text: JSON Lines, a header and then a fact a line.
//!
//! What the simulator writes, what a real run records and what a person brings are one format; `core/docs/trace.md`
//! describes it. Reading a trace and writing it again gives the same facts; for one that was written here, the same bytes.

use std::fmt;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh64::xxh64;

use crate::mechanism::Mechanism;
use crate::run::{Entry, Run};
use crate::scenario::Scenario;

/// The version of the format. A reader refuses what it does not know.
pub const FORMAT: u32 = 1;
/// The version of the model: it changes when the same scenario no longer gives the same facts.
pub const MODEL: u32 = 2;

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
    serde_json::from_str(line).map_err(|error| {
        let told = error.to_string();
        // The reader sees one line at a time, so the place that it adds itself is not the place in the text.
        let message = told.split(" at line 1 column").next().unwrap_or(&told).to_owned();
        TraceError { line: index + 1, column: error.column(), message }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    const HEADER: &str = r#"{"fencepost":1,"origin":"recorded","what":"by hand","workers":["A"]}"#;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        let told = match Trace::from_text(text) {
            Ok(trace) => trace.to_text(),
            // What else it could be is a long list.
            Err(error) => error.to_string().split(", expected one of").next().unwrap_or_default().to_owned(),
        };
        expected.assert_eq(&told);
    }

    #[test]
    fn epochs_keep_every_digit() {
        for epoch in [0, i16::MAX as u64, i16::MAX as u64 + 1, i32::MAX as u64 + 1, (1 << 53) + 1, u64::MAX] {
            let line = format!(r#"{{"at":1,"fact":"granted","worker":0,"claim":{{"grant":0,"epoch":{epoch}}}}}"#);
            let text = format!("{HEADER}\n{line}\n");
            assert_eq!(Trace::from_text(&text).expect("a good trace").to_text(), text);
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_at_its_place() {
        check("", &expect!["1:0: there is no header line"]);
        check("{", &expect!["1:1: EOF while parsing an object"]);
        check(
            r#"{"fencepost":2,"origin":"recorded","what":"","workers":[]}"#,
            &expect!["1:0: this is format 2, and only format 1 can be read"],
        );
        check(&format!("{HEADER}\n\n{{\"at\":1,\"fact\":\"ganted\"}}"), &expect!["3:24: unknown variant `ganted`"]);
        check(
            &format!(
                "{HEADER}\n{{\"at\":2,\"fact\":\"thawed\",\"worker\":0}}\n{{\"at\":1,\"fact\":\"thawed\",\"worker\":0}}"
            ),
            &expect!["3:0: this fact is earlier than the one before it"],
        );
        check(
            &format!("{HEADER}\n{{\"at\":-1,\"fact\":\"thawed\",\"worker\":0}}"),
            &expect!["2:8: invalid value: integer `-1`, expected u64"],
        );
    }

    #[test]
    fn empty_lines_do_not_count() {
        check(
            &format!("\n{HEADER}\n\n{{\"at\":2,\"fact\":\"thawed\",\"worker\":0}}\n\n"),
            &expect![[r#"
            {"fencepost":1,"origin":"recorded","what":"by hand","workers":["A"]}
            {"at":2,"fact":"thawed","worker":0}
        "#]],
        );
    }
}
