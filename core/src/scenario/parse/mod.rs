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
use self::line::Line;
use self::name::{Names, RESULT_NAME, WORKER_NAME, check_name};
use self::vocabulary::Bound;
use super::error::{Place, Result, ScenarioError};
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
    read(text).map_err(|error| *error)
}

fn read(text: &str) -> Result<Scenario> {
    let mut outline = Outline::read(text)?;
    let mut names = Names::default();
    outline.read_required(Keyword::Workers, "workers A B", &mut |line| worker_names(line, &mut names))?;
    for statement in outline.all(Keyword::Let) {
        let Declaration { name, parameter, .. } = declaration(&mut statement.line)?;
        names.declare(name, parameter)?;
    }

    let mut scenario = Scenario {
        name: outline.name.text.to_string(),
        comment: std::mem::take(&mut outline.comment),
        result: DEFAULT_RESULT.to_string(),
        workers: Vec::new(),
        lease: Quantity::Fixed(Duration::ZERO),
        latency: DEFAULT_LATENCY,
        first_epoch: DEFAULT_FIRST_EPOCH,
        sharing: Sharing::Own,
        retry: DEFAULT_RETRY,
        parameters: Vec::new(),
        faults: Vec::new(),
        rows: Vec::new(),
        expectations: Vec::new(),
        bounds: default_bounds(&[]),
    };
    outline.read_required(Keyword::Lease, "lease 10s", &mut |line| {
        scenario.lease = names.positive(line, "A lease", "it would end as soon as it began")?;
        Ok(())
    })?;
    outline.read_one(Keyword::Latency, &mut |line| {
        scenario.latency = names.quantity(line, "the latency")?;
        Ok(())
    })?;
    outline.read_one(Keyword::Epochs, &mut |line| {
        scenario.first_epoch = first_epoch(line)?;
        Ok(())
    })?;
    outline.read_one(Keyword::Result, &mut |line| {
        scenario.result = result(line)?;
        Ok(())
    })?;
    outline.read_one(Keyword::Operations, &mut |line| {
        scenario.sharing = line.choose()?;
        Ok(())
    })?;
    outline.read_one(Keyword::Retry, &mut |line| {
        scenario.retry = retry(line, &mut names)?;
        Ok(())
    })?;
    scenario.workers = workers::read(&mut outline, &mut names)?;
    scenario.rows = mechanism::rows(&mut outline)?;
    if let Some(section) = outline.one(Keyword::Faults) {
        let subject = Subject { workers: &scenario.workers, rows: &scenario.rows, retry: scenario.retry };
        scenario.faults = faults::read(section, &mut names, &subject)?;
    }
    if let Some(section) = outline.one(Keyword::Expect) {
        scenario.expectations = expect::read(section, &scenario.rows)?;
    }
    scenario.bounds = default_bounds(&scenario.workers);
    outline.read_one(Keyword::Explore, &mut |line| bounds(line, &scenario.workers, &mut scenario.bounds))?;
    scenario.parameters = names.into_parameters()?;
    Ok(scenario)
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
            Err(*ScenarioError::new(
                place,
                format_args!("The byte 0x{byte:02x} is not UTF-8; a scenario is a text in UTF-8."),
            ))
        }
    }
}

/// Reads `A B`: the workers' names.
fn worker_names<'t>(line: &mut Line<'t>, names: &mut Names<'t>) -> Result<()> {
    let names = &mut names.workers;
    while names.is_empty() || line.peek().is_some() {
        let name = line.word("a worker's name")?;
        if name.text == "," {
            return Err(name.error(format_args!("Names of workers are separated by spaces, not by commas.")));
        }
        check_name(name, &WORKER_NAME)?;
        if names.iter().any(|known| known.text == name.text) {
            return Err(name.error(format_args!("Two workers cannot both be called {}.", name.quoted())));
        }
        if names.len() == MAX_WORKERS {
            return Err(name.error(format_args!("A scenario has at most {MAX_WORKERS} workers.")));
        }
        names.push(name);
    }
    Ok(())
}

/// Reads `report`: what an operation brings.
fn result(line: &mut Line<'_>) -> Result<String> {
    let word = line.word("what an operation brings, such as `report`,")?;
    check_name(word, &RESULT_NAME)?;
    Ok(word.text.to_string())
}

/// Reads `from 33`. The last epoch that a run can need must exist.
fn first_epoch(line: &mut Line<'_>) -> Result<u64> {
    line.expect("from")?;
    line.number(format_args!("the first epoch"), 0, u64::MAX - MAX_GRANTS as u64)
}

/// Reads `after 1s, 2 attempts`.
fn retry<'t>(line: &mut Line<'t>, names: &mut Names<'t>) -> Result<Retry> {
    line.expect("after")?;
    let after = names.positive(line, "A wait for a reply", "no reply could come in time")?;
    line.expect(",")?;
    let attempts = line.number(format_args!("the number of attempts"), 1, MAX_ATTEMPTS.into())? as u8;
    if !line.accept("attempt") {
        line.expect("attempts")?;
    }
    Ok(Retry { after, attempts })
}

/// Reads `grants 2, losses 1` and the like.
fn bounds(line: &mut Line<'_>, workers: &[Worker], bounds: &mut Bounds) -> Result<()> {
    let mut named = Vec::new();
    loop {
        let (bound, word) = line.choose_word()?;
        if named.contains(&bound) {
            return Err(word.error(format_args!("{} is bounded a second time.", word.quoted())));
        }
        named.push(bound);
        let (field, least, most) = match bound {
            Bound::Workers => (&mut bounds.workers, 1, workers.len()),
            Bound::Grants => (&mut bounds.grants, 1, MAX_GRANTS),
            Bound::Operations => (&mut bounds.operations, 1, MAX_OPERATIONS),
            Bound::Losses => (&mut bounds.losses, 0, MAX_LOSSES.into()),
        };
        *field = line.number(format_args!("the number of {}", word.text), least, most as u64)? as u8;
        if !line.comma()? {
            return Ok(());
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
