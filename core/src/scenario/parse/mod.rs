//! Text → [`Scenario`], or an error with line, column and what was expected.
//!
//! In two passes: the [`Outline`] finds out what belongs together, then each kind of line is read in an order in which
//! names are known before they are used, whatever their order in the text.

mod expect;
mod faults;
mod line;
mod mechanism;
mod name;
mod outline;
mod quantity;
mod vocabulary;
mod workers;

use self::faults::Subject;
use self::line::{Line, Word};
use self::name::{Names, RESULT_NAME, WORKER_NAME, check_name};
use self::outline::Statement;
use self::vocabulary::Bound;
use super::error::{Place, ScenarioError};
use super::{Bounds, MAX_LOSSES, Quantity, Retry, Scenario, Worker};
use crate::id::{MAX_ATTEMPTS, MAX_GRANTS, MAX_OPERATIONS, MAX_WORKERS};
use crate::mechanism::Sharing;
use crate::time::Duration;

pub(super) use self::outline::Outline;
pub(super) use self::quantity::{Declaration, UNITS, check_range, declaration};
pub(super) use self::vocabulary::Keyword;
#[cfg(test)]
pub(super) use self::vocabulary::all_words;

const DEFAULT_LATENCY: Quantity = Quantity::Fixed(Duration::from_millis(20));
const DEFAULT_RETRY: Retry = Retry { after: Quantity::Fixed(Duration::from_secs(2)), attempts: 2 };
const DEFAULT_FIRST_EPOCH: u64 = 1;
const DEFAULT_RESULT: &str = "write";

/// Reads a scenario's text.
///
/// # Errors
/// The first mistake found, at its place.
pub fn parse(text: &str) -> Result<Scenario, ScenarioError> {
    let outline = Outline::read(text)?;
    let mut names = Names::new(outline.read_required(Keyword::Workers, "workers A B", worker_names)?);
    for Statement { mut line, .. } in outline.all(Keyword::Let) {
        let Declaration { name, parameter, .. } = declaration(&mut line)?;
        names.declare(name, parameter)?;
    }

    let lease = outline.read_required(Keyword::Lease, "lease 10s", |line| {
        names.positive(line, "A lease", "it would end as soon as it began")
    })?;
    let latency = outline.read_one(Keyword::Latency, |line| names.quantity(line, "the latency"))?;
    let first_epoch = outline.read_one(Keyword::Epochs, first_epoch)?;
    let result = outline.read_one(Keyword::Result, result)?;
    let sharing = outline.read_one(Keyword::Operations, Line::choose)?;
    let retry = outline.read_one(Keyword::Retry, |line| retry(line, &mut names))?.unwrap_or(DEFAULT_RETRY);
    let workers = workers::read(&outline, &mut names)?;

    let rows = mechanism::rows(&outline)?;
    let subject = Subject { workers: &workers, rows: &rows, retry };
    let faults = outline.one(Keyword::Faults).map(|section| faults::read(section, &mut names, &subject)).transpose()?;
    let expectations = outline.one(Keyword::Expect).map(|section| expect::read(section, &rows)).transpose()?;
    let bounds = outline.read_one(Keyword::Explore, |line| bounds(line, &workers))?;

    Ok(Scenario {
        name: outline.name.text.to_string(),
        comment: outline.comment,
        parameters: names.into_parameters()?,
        lease,
        latency: latency.unwrap_or(DEFAULT_LATENCY),
        result: result.unwrap_or_else(|| DEFAULT_RESULT.to_string()),
        first_epoch: first_epoch.unwrap_or(DEFAULT_FIRST_EPOCH),
        sharing: sharing.unwrap_or(Sharing::Own),
        retry,
        faults: faults.unwrap_or_default(),
        expectations: expectations.unwrap_or_default(),
        bounds: bounds.unwrap_or_else(|| default_bounds(&workers)),
        workers,
        rows,
    })
}

/// Reads the bytes of a scenario's file.
///
/// # Errors
/// As [`parse`]; also where the bytes are not UTF-8.
pub fn parse_bytes(bytes: &[u8]) -> Result<Scenario, ScenarioError> {
    match str::from_utf8(bytes) {
        Ok(text) => parse(text),
        Err(error) => {
            let (before, rest) = bytes.split_at(error.valid_up_to());
            let place = Place::after(str::from_utf8(before).unwrap_or_default());
            let byte = rest.first().copied().unwrap_or_default();
            Err(ScenarioError::new(
                place,
                format!("The byte 0x{byte:02x} is not UTF-8; a scenario is a text in UTF-8."),
            ))
        }
    }
}

/// Reads `A B`: the workers' names.
fn worker_names<'t>(line: &mut Line<'t>) -> Result<Vec<Word<'t>>, ScenarioError> {
    let mut names: Vec<Word<'t>> = vec![];
    while names.is_empty() || line.peek().is_some() {
        let name = line.word("a worker's name")?;
        if name.text == "," {
            return Err(name.error("Names of workers are separated by spaces, not by commas."));
        }
        check_name(name, &WORKER_NAME)?;
        if names.iter().any(|known| known.text == name.text) {
            return Err(name.error(format!("Two workers cannot both be called {}.", name.quoted())));
        }
        if names.len() == MAX_WORKERS {
            return Err(name.error(format!("A scenario has at most {MAX_WORKERS} workers.")));
        }
        names.push(name);
    }
    Ok(names)
}

/// Reads `report`: what an operation brings.
fn result(line: &mut Line<'_>) -> Result<String, ScenarioError> {
    let word = line.word("what an operation brings, such as `report`,")?;
    check_name(word, &RESULT_NAME)?;
    Ok(word.text.to_string())
}

/// Reads `from 33`. The last epoch that a run can need must exist.
fn first_epoch(line: &mut Line<'_>) -> Result<u64, ScenarioError> {
    line.expect("from")?;
    line.number("the first epoch", 0, u64::MAX - MAX_GRANTS as u64)
}

/// Reads `after 1s, 2 attempts`.
fn retry<'t>(line: &mut Line<'t>, names: &mut Names<'t>) -> Result<Retry, ScenarioError> {
    line.expect("after")?;
    let after = names.positive(line, "A wait for a reply", "no reply could come in time")?;
    line.expect(",")?;
    let attempts = line.number("the number of attempts", 1, MAX_ATTEMPTS.into())? as u8;
    if line.accept("attempt").is_none() {
        line.expect("attempts")?;
    }
    Ok(Retry { after, attempts })
}

/// Reads `grants 2, losses 1` and the like.
fn bounds(line: &mut Line<'_>, workers: &[Worker]) -> Result<Bounds, ScenarioError> {
    let mut bounds = default_bounds(workers);
    let mut named = Vec::new();
    loop {
        let (bound, word) = line.choose_word()?;
        if named.contains(&bound) {
            return Err(word.error(format!("{} is bounded a second time.", word.quoted())));
        }
        named.push(bound);
        let (field, least, most) = match bound {
            Bound::Workers => (&mut bounds.workers, 1, workers.len()),
            Bound::Grants => (&mut bounds.grants, 1, MAX_GRANTS),
            Bound::Operations => (&mut bounds.operations, 1, MAX_OPERATIONS),
            Bound::Losses => (&mut bounds.losses, 0, MAX_LOSSES.into()),
        };
        *field = line.number(&format!("the number of {}", word.text), least, most as u64)? as u8;
        if !line.comma()? {
            return Ok(bounds);
        }
    }
}

/// What a search is bounded by where the text does not say: a grant for each worker, its work, and nothing lost.
fn default_bounds(workers: &[Worker]) -> Bounds {
    Bounds {
        workers: workers.len() as u8,
        grants: workers.len() as u8,
        operations: workers.iter().map(|worker| worker.operations).max().unwrap_or(1),
        losses: 0,
    }
}
