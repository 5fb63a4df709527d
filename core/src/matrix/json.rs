//! The matrix as JSON: a cell a line, so that a change of one cell is a change of one line.
//!
//! Sentences and lines of scenarios come again and again. Each stands once in `texts`, and cells name it by its index there.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Serialize, Serializer};

use super::{Answer, Broken, Cell, Group, Harm, Matrix, Mechanism, Question, Situation, Witness};
use crate::invariant::Invariant;
use crate::mechanism::Mechanism as Switches;
use crate::observation::Situation as Seen;
use crate::scenario::parse;
use crate::trace::MODEL;

/// The version of the form.
const FORMAT: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Row {
    name: &'static str,
    title: &'static str,
    sentence: &'static str,
    known_from: &'static str,
    source: &'static str,
    row: &'static str,
    tries_again: bool,
    mechanism: Switches,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Column {
    name: &'static str,
    group: &'static str,
    title: &'static str,
    explanation: &'static str,
    source: &'static str,
    settings: &'static [&'static str],
    bounds: &'static str,
    retries: u8,
    asked: &'static [Invariant],
    #[serde(skip_serializing_if = "Option::is_none")]
    plain: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<Policy>,
}

#[derive(Serialize)]
struct Policy {
    accepts: &'static [Seen],
    refuses: &'static [Seen],
}

#[derive(Serialize)]
struct Titled {
    name: &'static str,
    title: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Decided<'a> {
    #[serde(flatten)]
    answer: Answered,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<usize>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    stopped_at: &'a [&'static str],
}

#[derive(Serialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
enum Answered {
    Holds,
    Broken {
        harm: Harm,
        broken: Steps,
        shown: Invariant,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        anyway: bool,
        told: Vec<usize>,
        scenario: Option<Vec<usize>>,
    },
    Policy {
        accepts: Option<Vec<usize>>,
        refuses: Option<Vec<usize>>,
    },
    DoesNotApply {
        why: usize,
    },
    Stopped,
}

/// Each broken invariant with the steps that it takes, as an object.
struct Steps(Vec<(Invariant, usize)>);

impl Serialize for Steps {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(invariant, steps)| (invariant.name(), steps)))
    }
}

/// Each text once, in the order in which they come.
#[derive(Default)]
struct Texts {
    listed: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Texts {
    fn place(&mut self, text: &str) -> usize {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let place = self.listed.len();
        self.places.insert(text.to_owned(), place);
        self.listed.push(text.to_owned());
        place
    }

    fn places<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) -> Vec<usize> {
        texts.into_iter().map(|text| self.place(text)).collect()
    }

    fn told(&mut self, witness: &Witness) -> Vec<usize> {
        self.places(witness.told.iter().map(String::as_str))
    }

    fn cell<'a>(&mut self, cell: &'a Cell, anyway: bool) -> Decided<'a> {
        let answer = match &cell.answer {
            Answer::Holds => Answered::Holds,
            Answer::Broken(found @ Broken { invariants, shown, witness, scenario }) => Answered::Broken {
                harm: found.harm(),
                broken: Steps(invariants.clone()),
                shown: *shown,
                anyway,
                told: self.told(witness),
                scenario: scenario.as_ref().map(|text| self.places(text.lines())),
            },
            Answer::Policy { accepts, refuses } => Answered::Policy {
                accepts: accepts.as_ref().map(|witness| self.told(witness)),
                refuses: refuses.as_ref().map(|witness| self.told(witness)),
            },
            Answer::DoesNotApply { why } => Answered::DoesNotApply { why: self.place(why) },
            Answer::Stopped => Answered::Stopped,
        };
        let searched = cell.states > 0;
        Decided {
            answer,
            states: searched.then_some(cell.states),
            depth: searched.then_some(cell.depth),
            stopped_at: &cell.stopped_at,
        }
    }
}

fn row(mechanism: &Mechanism) -> Row {
    let &Mechanism { name, title, sentence, known_from, row, tries_again } = mechanism;
    let alone = format!("scenario alone\nworkers A\nlease 10s\ncompare\n  {name} {row}\n");
    let mechanism = parse(&alone).expect("a mechanism is a row by itself").rows[0].mechanism;
    Row { name, title, sentence, known_from, source: mechanism.guard.source(), row, tries_again, mechanism }
}

fn column(situation: &Situation) -> Column {
    let &Situation { name, group, title, explanation, source, settings, bounds, retries, question, plain } = situation;
    let policy = match question {
        Question::Policy { accepts, refuses } => Some(Policy { accepts, refuses }),
        Question::Holds { .. } => None,
    };
    let (group, asked) = (group.name(), situation.asked());
    Column { name, group, title, explanation, source, settings, bounds, retries, asked, plain, policy }
}

/// A list with an item a line.
fn list<T: Serialize>(text: &mut String, name: &str, items: impl Iterator<Item = T>) {
    let lines: Vec<String> = items.map(|item| json(&item)).collect();
    let _ = writeln!(text, "{}:[\n{}\n],", json(&name), lines.join(",\n"));
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("it has string keys only")
}

pub(super) fn written(matrix: &Matrix) -> String {
    let mut texts = Texts::default();
    let mut rows: Vec<String> = Vec::new();
    for mechanism in Mechanism::ALL {
        let cells = matrix.cells().filter(|(of, _, _)| of.name == mechanism.name);
        let written = |(_, situation, cell): (_, &Situation, _)| {
            let anyway = matrix.is_broken_anyway(mechanism, situation);
            format!("{}:{}", json(&situation.name), json(&texts.cell(cell, anyway)))
        };
        let cells: Vec<String> = cells.map(written).collect();
        rows.push(format!("{}:{{\n{}\n}}", json(&mechanism.name), cells.join(",\n")));
    }
    let mut text = format!("{{\"fencepost-matrix\":{FORMAT},\"model\":{MODEL},\n");
    list(&mut text, "mechanisms", Mechanism::ALL.iter().map(row));
    list(&mut text, "groups", Group::ALL.iter().map(|group| Titled { name: group.name(), title: group.title() }));
    list(&mut text, "situations", Situation::ALL.iter().map(column));
    list(&mut text, "texts", texts.listed.iter());
    let _ = writeln!(text, "\"cells\":{{\n{}\n}}}}", rows.join(",\n"));
    text
}
