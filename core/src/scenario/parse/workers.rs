//! The lines about one worker each: `work`, `start`, `clock`; and about the clocks of others.

use super::line::Line;
use super::name::Names;
use super::outline::{Outline, Statement};
use super::quantity::parse_duration;
use super::vocabulary::{ClockFault, Keyword, Vocabulary};
use crate::id::{MAX_OPERATIONS, MAX_WORKERS};
use crate::scenario::error::Result;
use crate::scenario::{Partner, Quantity, Scenario, Start, Worker};
use crate::time::{Clock, Duration};

/// Who may have a clock beside the workers.
const OTHERS: usize = Partner::WORDS.len();

/// Reads the workers with all that is said about them, and the clocks of others.
pub(super) fn read<'t>(outline: &mut Outline<'t>, names: &mut Names<'t>, scenario: &mut Scenario) -> Result<()> {
    let nothing = Quantity::Fixed(Duration::ZERO);
    let worker = |name: &str| Worker {
        name: name.to_string(),
        compute: nothing,
        operations: 1,
        start: Start::At(nothing),
        clock: Clock::TRUE,
    };
    let mut workers: Vec<Worker> = names.worker_names().into_iter().map(worker).collect();
    of_each(outline, Keyword::Work, &[], names, &mut |of, line, names| work(line, names, &mut workers[of]))?;
    of_each(outline, Keyword::Start, &[], names, &mut |of, line, names| start(line, names, &mut workers[of]))?;
    let mut others = [Clock::TRUE; OTHERS];
    of_each(outline, Keyword::Clock, Partner::WORDS, names, &mut |of, line, _| {
        let read = clock(line)?;
        match workers.get_mut(of) {
            Some(worker) => worker.clock = read,
            None => others[of - MAX_WORKERS] = read,
        }
        Ok(())
    })?;
    for (partner, clock) in Partner::VALUES.iter().zip(others) {
        match partner {
            Partner::LockService => scenario.lock_clock = clock,
            Partner::Destination => scenario.destination_clock = clock,
        }
    }
    if workers.iter().all(|worker| worker.start == Start::OnExpiry)
        && let Some(Statement { word, .. }) = outline.one(Keyword::Start)
    {
        return Err(word.error(format_args!(
            "Every worker starts on expiry, so there is no lease to expire: one must start `at` a time."
        )));
    }
    scenario.workers = workers;
    Ok(())
}

/// What reads the rest of a line, of a worker by index or of one of the others, who follow [`MAX_WORKERS`].
type ReadRest<'r, 't> = &'r mut dyn FnMut(usize, &mut Line<'t>, &mut Names<'t>) -> Result<()>;

/// Reads the lines of `keyword`, at most one of a worker or of one of `others`, with `read_rest`.
fn of_each<'t>(
    outline: &mut Outline<'t>,
    keyword: Keyword,
    others: &[&'static str],
    names: &mut Names<'t>,
    read_rest: ReadRest<'_, 't>,
) -> Result<()> {
    let mut lines = [None; MAX_WORKERS + OTHERS];
    for Statement { word, line, .. } in outline.all(keyword) {
        let of = line.peek();
        let index = match others.iter().position(|other| line.accept(other)) {
            Some(other) => MAX_WORKERS + other,
            None => names.worker(line)?.index(),
        };
        if let (Some(of), Some(earlier)) = (of, lines[index].replace(word.place.line)) {
            let of = of.quoted();
            return Err(word.error(format_args!("{} of {of} stands in line {earlier} already.", word.quoted())));
        }
        read_rest(index, line, names)?;
        line.end()?;
    }
    Ok(())
}

/// Reads `compute 3s` and perhaps `operations 2`.
fn work<'t>(line: &mut Line<'t>, names: &mut Names<'t>, worker: &mut Worker) -> Result<()> {
    line.expect("compute")?;
    worker.compute = names.quantity(line, "the time of the work")?;
    if line.accept("operations") {
        worker.operations = line.number(format_args!("the number of operations"), 1, MAX_OPERATIONS as u64)? as u8;
    }
    Ok(())
}

/// Reads `at 2s` or `on expiry`.
fn start<'t>(line: &mut Line<'t>, names: &mut Names<'t>, worker: &mut Worker) -> Result<()> {
    if line.accept("at") {
        worker.start = Start::At(names.quantity(line, "the time of the start")?);
    } else {
        line.expect("on")?;
        line.expect("expiry")?;
        worker.start = Start::OnExpiry;
    }
    Ok(())
}

/// Reads `fast 200ppm`, `ahead 500ms slow 200ppm` and the like.
fn clock(line: &mut Line<'_>) -> Result<Clock> {
    let (mut offset, mut rate) = (None, None);
    while line.peek().is_some() || (offset, rate) == (None, None) {
        let (fault, word) = line.choose_word()?;
        let set_before = match fault {
            ClockFault::Ahead => offset.replace(offset_of(line)?),
            ClockFault::Behind => offset.replace(-offset_of(line)?),
            ClockFault::Fast => rate.replace(rate_of(line)?).map(i64::from),
            ClockFault::Slow => rate.replace(-rate_of(line)?).map(i64::from),
        };
        if set_before.is_some() {
            let kinds = match fault {
                ClockFault::Ahead | ClockFault::Behind => [ClockFault::Ahead, ClockFault::Behind],
                ClockFault::Fast | ClockFault::Slow => [ClockFault::Fast, ClockFault::Slow],
            };
            let [one, other] = kinds.map(Vocabulary::word);
            return Err(word.error(format_args!("A clock is either `{one}` or `{other}`, and that once.")));
        }
    }
    Ok(Clock { offset: offset.unwrap_or_default(), rate_ppm: rate.unwrap_or_default() })
}

fn offset_of(line: &mut Line<'_>) -> Result<i64> {
    parse_duration(line.word("a duration")?).map(|duration| duration.micros() as i64)
}

fn rate_of(line: &mut Line<'_>) -> Result<i32> {
    let word = line.word("a rate such as `200ppm`")?;
    let digits = word.text.strip_suffix("ppm").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    match digits.and_then(|digits| digits.parse::<u64>().ok()) {
        Some(rate) if rate <= Clock::MAX_RATE_PPM as u64 => Ok(rate as i32),
        _ => {
            let (found, most) = (word.quoted(), Clock::MAX_RATE_PPM);
            Err(word.error(format_args!("Expected a rate such as `200ppm`, from 0ppm to {most}ppm; found {found}.")))
        }
    }
}
