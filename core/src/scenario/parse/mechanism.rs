//! Mechanisms: the switches at the top, and the rows of a comparison.

use super::line::{Line, Word};
use super::name::{ROW_NAME, check_name};
use super::outline::{Outline, Statement};
use super::vocabulary::{Keyword, Switch, Vocabulary};
use crate::destination::Guard;
use crate::mechanism::{LookUp, Mechanism, OperationIds};
use crate::scenario::error::{Result, ScenarioError};
use crate::scenario::{MAX_ROWS, Row};

/// The name of the only row of a scenario that compares nothing.
const ONLY_ROW: &str = "run";

/// The switches that were set, and where the look-up was.
#[derive(Debug, Clone, Copy, Default)]
struct Switches<'t> {
    guard: Option<Guard>,
    operation_ids: Option<OperationIds>,
    look_up: Option<(LookUp, Word<'t>)>,
}

impl<'t> Switches<'t> {
    /// Reads `guard registered, operation-ids in-transaction` and the like to the end of the line.
    fn read(&mut self, line: &mut Line<'t>) -> Result<()> {
        loop {
            let (switch, word) = line.choose_word()?;
            let set_before = match switch {
                Switch::Guard => self.guard.replace(line.choose()?).is_some(),
                Switch::OperationIds => self.operation_ids.replace(line.choose()?).is_some(),
                Switch::LookUp => self.look_up.replace((line.choose()?, word)).is_some(),
            };
            if set_before {
                return Err(word.error(format_args!("{} is set a second time.", word.quoted())));
            }
            if !line.comma()? {
                return Ok(());
            }
        }
    }

    /// What these switches come to, `defaults` standing in for those not set.
    fn mechanism(self, defaults: Switches<'_>) -> Result<Mechanism> {
        let unset = Mechanism::UNGUARDED;
        let guard = self.guard.or(defaults.guard).unwrap_or(unset.guard);
        let operation_ids = self.operation_ids.or(defaults.operation_ids).unwrap_or(unset.operation_ids);
        if operation_ids == OperationIds::Off {
            // Nothing is recorded, so there is no order in which to look it up: one value stands for both.
            return match self.look_up {
                Some((_, word)) => Err(nothing_to_look_up(word)),
                None => Ok(Mechanism { guard, operation_ids, look_up: unset.look_up }),
            };
        }
        let look_up = self.look_up.map(|(look_up, _)| look_up);
        let default = defaults.look_up.map(|(look_up, _)| look_up);
        Ok(Mechanism { guard, operation_ids, look_up: look_up.or(default).unwrap_or(unset.look_up) })
    }
}

/// The rows of the scenario, at least one.
pub(super) fn rows(outline: &mut Outline<'_>) -> Result<Vec<Row>> {
    let mut defaults = Switches::default();
    for keyword in [Keyword::Guard, Keyword::OperationIds, Keyword::LookUp] {
        if let Some(statement) = outline.one(keyword) {
            statement.line.rewind();
            defaults.read(&mut statement.line)?;
        }
    }
    let rows = match outline.one(Keyword::Compare) {
        Some(statement) => compared(statement, defaults)?,
        None => vec![Row { name: ONLY_ROW.to_string(), mechanism: defaults.mechanism(Switches::default())? }],
    };
    match defaults.look_up {
        Some((_, word)) if rows.iter().all(|row| row.mechanism.operation_ids == OperationIds::Off) => {
            Err(nothing_to_look_up(word))
        }
        _ => Ok(rows),
    }
}

fn compared<'t>(statement: &mut Statement<'t>, defaults: Switches<'t>) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    let mut names: Vec<Word<'t>> = Vec::new();
    statement.read_entries(MAX_ROWS, &mut |line| {
        let name = line.word("a row's name")?;
        check_name(name, &ROW_NAME)?;
        if let Some(earlier) = names.iter().find(|earlier| earlier.text == name.text) {
            let line = earlier.place.line;
            return Err(name.error(format_args!("The row {} stands in line {line} already.", name.quoted())));
        }
        names.push(name);
        let mut switches = Switches::default();
        if line.peek().is_some() {
            switches.read(line)?;
        }
        rows.push(Row { name: name.text.to_string(), mechanism: switches.mechanism(defaults)? });
        Ok(())
    })?;
    Ok(rows)
}

fn nothing_to_look_up(word: Word<'_>) -> Box<ScenarioError> {
    let setting = format_args!("{} {}", Switch::OperationIds.word(), OperationIds::InTransaction.word());
    word.error(format_args!(
        "{} orders the look-up of recorded operations, and none are recorded. It needs `{setting}`.",
        word.quoted()
    ))
}
