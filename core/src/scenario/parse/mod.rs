//! Text → [`Scenario`], or an error with line, column and what was expected.
//!
//! In two passes: the [`Outline`] finds out what belongs together, then each kind of line is read in an order in which
//! names are known before they are used, whatever their order in the text.

mod bounds;
mod expect;
mod faults;
mod length;
mod line;
mod mechanism;
mod name;
mod outline;
mod quantity;
mod vocabulary;
mod workers;

use self::faults::Subject;
use self::line::{Line, Word};
use self::mechanism::{Lack, some_row};
use self::name::{Names, RESULT_NAME, WORKER_NAME, check_name};
use super::error::{Place, Result, ScenarioError};
use super::{Bounds, Quantity, Retry, Scenario};
use crate::epoch::MAX_TOKENS;
use crate::id::{MAX_ATTEMPTS, MAX_WORKERS};
use crate::mechanism::{Sharing, TokenKind};
use crate::system::Budget;
use crate::time::{Clock, Duration};

pub(super) use self::bounds::default_bounds;
pub(super) use self::faults::REPLICATION;
pub(super) use self::length::{JITTER, LENGTHS};
pub(super) use self::mechanism::ONLY_ROW;
pub(super) use self::outline::Outline;
use self::outline::Statement;
pub(super) use self::quantity::{Declaration, UNITS, check_range, declaration};
#[cfg(test)]
pub(super) use self::vocabulary::all_words;
pub(super) use self::vocabulary::{Bound, ClockFault, Frequency, Keyword, Verdict, Victim, Vocabulary};

const DEFAULT_LATENCY: Quantity = Quantity::Fixed(Duration::from_millis(20));
const DEFAULT_RETRY: Retry = Retry { after: Quantity::Fixed(Duration::from_secs(2)), attempts: 2 };
const DEFAULT_POLL: Quantity = Quantity::Fixed(Duration::from_secs(2));
const DEFAULT_JITTER: Quantity = Quantity::Fixed(Duration::ZERO);
const DEFAULT_STOP: Quantity = Quantity::Fixed(Duration::from_secs(5));
const DEFAULT_REPLICATION: Quantity = Quantity::Fixed(Duration::from_millis(100));
const DEFAULT_RELAY: Quantity = Quantity::Fixed(Duration::from_millis(100));
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

    let mut scenario = defaults();
    scenario.name = outline.name.text.to_string();
    scenario.comment = std::mem::take(&mut outline.comment);
    scenario.rows = mechanism::rows(&mut outline)?;
    outline.read_required(Keyword::Lease, "lease 10s", &mut |line| {
        scenario.lease = names.positive(line, "a lease", "it would end as soon as it began")?;
        Ok(())
    })?;
    length::read(&mut outline, &mut names, &mut scenario)?;
    let wraps = |scenario: &Scenario| scenario.rows.iter().any(|row| row.mechanism.token == TokenKind::Wrapping);
    if !outline.read_one(Keyword::Epochs, &mut |line| epochs(line, wraps(&scenario), &mut scenario))?
        && wraps(&scenario)
    {
        let name = outline.name;
        let message = format_args!(
            "{} has `token wrapping` and no line that says where it wraps, for example `epochs from 2 to 3`.",
            name.quoted()
        );
        return Err(name.error(message).expecting(&[Keyword::Epochs.word()]));
    }
    if let Some(Statement { word, line, .. }) = outline.one(Keyword::Seed) {
        scenario.seed = Some(seed(*word, line, &scenario)?);
        line.end()?;
    }
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
    workers::read(&mut outline, &mut names, &mut scenario)?;
    if let Some(section) = outline.one(Keyword::Faults) {
        let subject = Subject { workers: &scenario.workers, rows: &scenario.rows, retry: scenario.retry };
        scenario.faults = faults::read(section, &mut names, &subject)?;
    }
    if let Some(section) = outline.one(Keyword::Expect) {
        scenario.expectations = expect::read(section, &scenario.rows)?;
    }
    scenario.bounds = default_bounds(&scenario);
    outline.read_one(Keyword::Explore, &mut |line| bounds::read(line, &mut scenario))?;
    scenario.parameters = names.into_parameters()?;
    Ok(scenario)
}

/// What a scenario says that says nothing.
pub(super) fn defaults() -> Scenario {
    Scenario {
        name: String::new(),
        comment: Vec::new(),
        result: DEFAULT_RESULT.to_string(),
        workers: Vec::new(),
        lease: Quantity::Fixed(Duration::ZERO),
        latency: DEFAULT_LATENCY,
        first_epoch: DEFAULT_FIRST_EPOCH,
        last_epoch: None,
        sharing: Sharing::Own,
        retry: DEFAULT_RETRY,
        renew_every: None,
        margin: Quantity::Fixed(Duration::ZERO),
        poll_every: DEFAULT_POLL,
        poll_jitter: DEFAULT_JITTER,
        seed: None,
        stop_after: DEFAULT_STOP,
        replicate_after: DEFAULT_REPLICATION,
        relay_after: DEFAULT_RELAY,
        lock_clock: Clock::TRUE,
        destination_clock: Clock::TRUE,
        parameters: Vec::new(),
        faults: Vec::new(),
        rows: Vec::new(),
        expectations: Vec::new(),
        stop_at: None,
        bounds: Bounds { workers: 0, grants: 0, operations: 0, budget: Budget::default() },
    }
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

/// Reads `from 33`, and `to 36` where tokens wrap. The last epoch that a run can need must exist.
fn epochs(line: &mut Line<'_>, wraps: bool, scenario: &mut Scenario) -> Result<()> {
    line.expect("from")?;
    let most = u64::MAX - MAX_TOKENS as u64;
    scenario.first_epoch = line.number(format_args!("the first epoch"), 0, most)?;
    if wraps {
        line.expect("to")?;
        scenario.last_epoch = Some(line.number(format_args!("the last epoch"), scenario.first_epoch, most)?);
    } else if let Some(word) = line.peek().filter(|word| word.text == "to") {
        some_row(&scenario.rows, word, Lack::Meaning, |mechanism| mechanism.token == TokenKind::Wrapping)?;
    }
    Ok(())
}

/// Reads `7`: what random numbers are drawn from, where there are any.
fn seed(keyword: Word<'_>, line: &mut Line<'_>, scenario: &Scenario) -> Result<u64> {
    let random = scenario.rows.iter().any(|row| row.mechanism.token == TokenKind::Random);
    if !random && !scenario.has_jitter() {
        return Err(keyword.error(format_args!(
            "{} has no meaning here. It needs `token random`, or a `poll` line with `jitter`.",
            keyword.quoted()
        )));
    }
    line.number(format_args!("the seed"), 0, u64::MAX)
}

/// Reads `after 1s, 2 attempts`.
fn retry<'t>(line: &mut Line<'t>, names: &mut Names<'t>) -> Result<Retry> {
    line.expect("after")?;
    let after = names.positive(line, "a wait for a reply", "none could come in time")?;
    line.expect(",")?;
    let attempts = line.number(format_args!("the number of attempts"), 1, MAX_ATTEMPTS.into())? as u8;
    if !line.accept("attempt") {
        line.expect("attempts")?;
    }
    Ok(Retry { after, attempts })
}
