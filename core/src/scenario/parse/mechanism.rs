//! Mechanisms: the switches at the top, and the rows of a comparison.

use super::line::{Line, Word};
use super::name::{ROW_NAME, check_name};
use super::outline::{Outline, Statement};
use super::vocabulary::Keyword;
use crate::mechanism::{Mechanism, Switch};
use crate::scenario::error::{Listed, Result, ScenarioError};
use crate::scenario::{MAX_ROWS, Row};

/// The name of the only row of a scenario that compares nothing.
pub(in crate::scenario) const ONLY_ROW: &str = "run";

/// The switches that were set: each one's place among its words, and the word that names the switch.
#[derive(Debug, Clone, Copy, Default)]
struct Switches<'t> {
    set: [Option<(usize, Word<'t>)>; Switch::ALL.len()],
}

impl<'t> Switches<'t> {
    /// Reads `guard registered, operation-ids in-transaction` and the like to the end of the line.
    fn read(&mut self, line: &mut Line<'t>) -> Result<()> {
        loop {
            let (switch, word): (Switch, _) = line.choose_word()?;
            let what = if switch == Switch::Guard {
                "a guard".to_owned()
            } else {
                format!("a setting of `{}`", switch.name())
            };
            let (value, _) = line.one_of(&what, switch.words())?;
            if self.set[switch as usize].replace((value, word)).is_some() {
                return Err(word.error(format_args!("{} is set a second time.", word.quoted())));
            }
            if !line.comma()? {
                return Ok(());
            }
        }
    }

    /// What these switches come to, `defaults` standing in for those not set. A default that a row's own switches leave
    /// without meaning does not count there; a switch of the row itself must have one.
    fn mechanism(self, defaults: Switches<'_>) -> Result<Mechanism> {
        let mut mechanism = Mechanism::UNGUARDED;
        for &switch in Switch::ALL {
            let set = self.set[switch as usize].map(|(value, _)| value);
            if let Some(value) = set.or(defaults.set[switch as usize].map(|(value, _)| value)) {
                mechanism.set(switch, value);
            }
        }
        while let Some((switch, needs)) = mechanism.unmet() {
            match self.set[switch as usize] {
                Some((_, word)) => return Err(without_meaning(word, needs)),
                None => mechanism.set(switch, 0),
            }
        }
        Ok(mechanism)
    }
}

/// The rows of the scenario, at least one.
pub(super) fn rows(outline: &mut Outline<'_>) -> Result<Vec<Row>> {
    let mut defaults = Switches::default();
    for statement in outline.switches() {
        statement.line.rewind();
        defaults.read(&mut statement.line)?;
    }
    let rows = match outline.one(Keyword::Compare) {
        Some(statement) => compared(statement, defaults)?,
        None => vec![Row { name: ONLY_ROW.to_string(), mechanism: defaults.mechanism(Switches::default())? }],
    };
    // A default that no row has any use for is a mistake.
    for &switch in Switch::ALL {
        let Some((value, word)) = defaults.set[switch as usize] else { continue };
        let needs = |row: &Row| {
            let mut mechanism = row.mechanism;
            mechanism.set(switch, value);
            mechanism.unmet().filter(|(unmet, _)| *unmet == switch).map(|(_, needs)| needs)
        };
        if let Some(Some(needs)) = rows.iter().map(needs).reduce(Option::and) {
            return Err(without_meaning(word, needs));
        }
    }
    Ok(rows)
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

fn without_meaning(word: Word<'_>, needs: &str) -> Box<ScenarioError> {
    word.error(format_args!("{} has no meaning here. It needs {needs}.", word.quoted()))
}

/// What it means that no row has the like of something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lack {
    /// It is a step that nobody takes.
    Step,
    /// It says something of what is not there.
    Meaning,
}

/// Makes sure that some row has what `word` speaks of; if none does, it is a `lack`.
pub(super) fn some_row(rows: &[Row], word: Word<'_>, lack: Lack, has: fn(&Mechanism) -> bool) -> Result<()> {
    if rows.iter().any(|row| has(&row.mechanism)) {
        return Ok(());
    }
    // Which single settings would bring it.
    let mut settings = Vec::new();
    for &switch in Switch::ALL {
        for (value, name) in switch.words().iter().enumerate() {
            let brings = |row: &Row| {
                let mut mechanism = row.mechanism;
                mechanism.set(switch, value);
                has(&mechanism)
            };
            if rows.iter().any(brings) {
                settings.push(format!("{} {name}", switch.name()));
            }
        }
    }
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let (found, settings) = (word.quoted(), Listed(&settings));
    Err(match lack {
        Lack::Step => word.error(format_args!("No row has the step {found}: it comes with {settings}.")),
        Lack::Meaning => word.error(format_args!("{found} has no meaning here. It needs {settings}.")),
    })
}
