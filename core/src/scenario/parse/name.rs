//! Names: how they may look, and what they stand for.

use super::line::{Line, Word};
use super::quantity::parse_duration;
use crate::id::WorkerId;
use crate::scenario::error::{Listed, Result, meant};
use crate::scenario::{MAX_NAME, MAX_PARAMETERS, Parameter, Quantity};
use crate::time::Duration;

/// How a kind of name may look.
pub(super) struct NameRule {
    /// Whose name, with an article.
    what: &'static str,
    /// Names that mean something else already.
    reserved: &'static [&'static str],
    first: fn(&char) -> bool,
    rest: fn(&char) -> bool,
    /// The same in words.
    shape: &'static str,
}

pub(super) const SCENARIO_NAME: NameRule = NameRule {
    what: "a scenario",
    reserved: &[],
    first: |c| c.is_ascii_lowercase() || c.is_ascii_digit(),
    rest: |c| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-',
    shape: "lower-case letters, digits and hyphens only, and does not begin with a hyphen",
};

pub(super) const PARAMETER_NAME: NameRule = NameRule {
    what: "a parameter",
    reserved: &[],
    first: char::is_ascii_lowercase,
    rest: |c| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-',
    shape: "lower-case letters, digits and hyphens only, and begins with a letter",
};

pub(super) const RESULT_NAME: NameRule = NameRule { what: "a result", ..PARAMETER_NAME };

pub(super) const WORKER_NAME: NameRule = NameRule {
    what: "a worker",
    reserved: &["network", "lock-service", "destination", "provider", "freezes", "suspends", "sticks", "crashes"],
    first: char::is_ascii_alphabetic,
    rest: |c| c.is_ascii_alphanumeric() || *c == '-' || *c == '_',
    shape: "letters, digits, hyphens and underscores only, and begins with a letter",
};

pub(super) const ROW_NAME: NameRule = NameRule { what: "a row", reserved: &["all"], ..WORKER_NAME };

/// Makes sure that `word` can be a name.
pub(super) fn check_name(word: Word<'_>, rule: &NameRule) -> Result<()> {
    let what = rule.what;
    let mut characters = word.text.chars();
    if !characters.next().is_some_and(|c| (rule.first)(&c)) || !characters.all(|c| (rule.rest)(&c)) {
        return Err(word.error(format_args!(
            "{} cannot be the name of {what}: a name has {}.",
            word.quoted(),
            rule.shape
        )));
    }
    if word.text.len() > MAX_NAME {
        return Err(word.error(format_args!(
            "The name of {what} has at most {MAX_NAME} characters; this one has {}.",
            word.text.len()
        )));
    }
    if rule.reserved.contains(&word.text) {
        let found = word.quoted();
        return Err(word.error(format_args!("{found} cannot be the name of {what}: it has a meaning of its own.")));
    }
    Ok(())
}

/// The names that a scenario declares, for the lines that use them.
#[derive(Debug, Default)]
pub(super) struct Names<'t> {
    pub workers: Vec<Word<'t>>,
    parameters: Vec<(Word<'t>, Parameter)>,
    used: [bool; MAX_PARAMETERS],
}

impl<'t> Names<'t> {
    /// Adds a parameter.
    pub fn declare(&mut self, name: Word<'t>, parameter: Parameter) -> Result<()> {
        if let Some((earlier, _)) = self.parameters.iter().find(|(_, known)| known.name == parameter.name) {
            let line = earlier.place.line;
            return Err(name.error(format_args!("The parameter {} is declared in line {line} already.", name.quoted())));
        }
        if self.parameters.len() == MAX_PARAMETERS {
            return Err(name.error(format_args!("A scenario has at most {MAX_PARAMETERS} parameters.")));
        }
        self.parameters.push((name, parameter));
        Ok(())
    }

    /// The parameters, each of which must have been used.
    pub fn into_parameters(self) -> Result<Vec<Parameter>> {
        match self.parameters.iter().zip(self.used).find(|(_, used)| !used) {
            Some(((name, _), _)) => Err(name.error(format_args!("Nothing uses the parameter {}.", name.quoted()))),
            None => Ok(self.parameters.into_iter().map(|(_, parameter)| parameter).collect()),
        }
    }

    /// The names of the workers.
    pub fn worker_names(&self) -> Vec<&'t str> {
        self.workers.iter().map(|worker| worker.text).collect()
    }

    /// Reads a worker's name.
    pub fn worker(&self, line: &mut Line<'t>) -> Result<WorkerId> {
        let (index, _) = line.one_of("a worker", &self.worker_names())?;
        Ok(WorkerId(index as u8))
    }

    /// Reads a duration or a parameter's name. `what` names it, with its article.
    pub fn quantity(&mut self, line: &mut Line<'t>, what: &str) -> Result<Quantity> {
        let word = line.word_for(format_args!("{what}, a duration such as `15s`,"))?;
        if !word.text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return parse_duration(word).map(Quantity::Fixed);
        }
        let known: Vec<&str> = self.parameters.iter().map(|(_, parameter)| parameter.name.as_str()).collect();
        match known.iter().position(|name| *name == word.text) {
            Some(index) => {
                self.used[index] = true;
                Ok(Quantity::Parameter(index))
            }
            None if meant(word.text, &known).is_some() => Err(word.unknown("a parameter", &known)),
            None => {
                let colon = if known.is_empty() { "" } else { ": " };
                let (known_ones, found) = (Listed(&known), word.quoted());
                let message = format_args!(
                    "Expected {what}, a duration such as `15s` or a parameter that a `let` line declares{colon}{known_ones}; found {found}."
                );
                Err(word.error(message).expecting(&known))
            }
        }
    }

    /// Reads a quantity that must not be, nor become, zero, and says why.
    pub fn positive(&mut self, line: &mut Line<'t>, what: &str, why: &str) -> Result<Quantity> {
        let place = line.peek();
        let quantity = self.quantity(line, what)?;
        let (least, is) = match quantity {
            Quantity::Fixed(duration) => (duration, "is"),
            Quantity::Parameter(index) => {
                let parameter = &self.parameters[index].1;
                (parameter.range.map_or(parameter.value, |(low, _)| low), "can be 0s, which is")
            }
        };
        match place {
            Some(word) if least == Duration::ZERO => {
                Err(word.error(format_args!("{} {is} too short for {what}: {why}.", word.quoted())))
            }
            _ => Ok(quantity),
        }
    }
}
