//! The matrix: every cell of it, or some.

use std::fmt::Write as _;

use fencepost_core::matrix::{Cell, Matrix, Mechanism, Situation, Trial, pairs, scenario};
use fencepost_core::scenario::print;

use crate::Answer;
use crate::arguments::Cells;
use crate::outside::{Count, on_all_cores};

type Pair = (&'static Mechanism, &'static Situation);

/// Decides the cells that are asked for, and writes them in this form.
pub fn answer(mechanism: Option<&str>, situation: Option<&str>, form: Cells) -> Result<Answer, String> {
    let mechanism = found("mechanism", mechanism, Mechanism::find)?;
    let situation = found("situation", situation, Situation::find)?;
    let wanted = pairs().filter(|(of, under)| {
        mechanism.is_none_or(|only| only.name == of.name) && situation.is_none_or(|only| only.name == under.name)
    });
    let wanted: Vec<Pair> = wanted.collect();
    if let (Cells::Scenario, &[(mechanism, situation)]) = (form, &wanted[..]) {
        let scenario = scenario(mechanism, situation);
        return match scenario {
            Ok(scenario) => Ok(Answer { text: print(&scenario), met: true }),
            Err(why) => Err(format!("fencepost: {} does not apply to {}: {why}", mechanism.name, situation.name)),
        };
    }
    let cells = decided(&wanted);
    let met = cells.iter().all(Cell::is_decided);
    let text = match (&wanted[..], &cells[..]) {
        (&[(mechanism, situation)], [cell]) => cell.to_text(mechanism, situation),
        _ if mechanism.is_some() || situation.is_some() => listed(&wanted, &cells, mechanism.is_some()),
        _ => {
            let matrix = Matrix::of(cells);
            if form == Cells::Json { matrix.to_json() } else { matrix.to_text() }
        }
    };
    Ok(Answer { text, met })
}

/// What is called `name`, if there is a name.
fn found<T>(what: &str, name: Option<&str>, find: impl Fn(&str) -> Option<T>) -> Result<Option<T>, String> {
    let Some(name) = name else { return Ok(None) };
    let found =
        find(name).ok_or_else(|| format!("fencepost: there is no {what} `{name}`: `fencepost matrix` lists all"))?;
    Ok(Some(found))
}

/// The cells of these pairs, in their order.
fn decided(pairs: &[Pair]) -> Vec<Cell> {
    let count = Count::begin(pairs.len());
    on_all_cores(pairs, |&(mechanism, situation)| {
        let cell = Trial::decide(mechanism, situation);
        count.tell(mechanism.name, situation.name, cell.states);
        cell
    })
}

/// The cells of one mechanism, by situation, or of one situation, by mechanism: a line each.
fn listed(pairs: &[Pair], cells: &[Cell], by_situation: bool) -> String {
    let (mechanism, situation) = pairs[0];
    let (name, title, said) = match by_situation {
        true => (mechanism.name, mechanism.title, mechanism.sentence),
        false => (situation.name, situation.title, situation.explanation),
    };
    let mut text = format!("{name}: {title}\n{said}\n\n");
    let named = |pair: &Pair| if by_situation { pair.1.name } else { pair.0.name };
    let width = pairs.iter().map(|pair| named(pair).len()).max().unwrap_or(0);
    for (pair, cell) in pairs.iter().zip(cells) {
        let _ = writeln!(text, "{:<width$}  {}", named(pair), cell.summary());
    }
    text
}
