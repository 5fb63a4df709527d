//! Durations as they are written, and the `let` line.

use super::line::{Line, Word};
use super::name::{PARAMETER_NAME, check_name};
use crate::scenario::Parameter;
use crate::scenario::error::{Listed, Quoted, Result};
use crate::time::Duration;

/// The units, and how many microseconds each has.
pub(in crate::scenario) const UNITS: [(&str, u64); 5] =
    [("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1)];

/// With more decimals than this no unit comes out as whole microseconds.
const MAX_DECIMALS: usize = 10;

/// Reads a duration: digits, perhaps a decimal point and more digits, and a unit. Exact: no floating point.
pub(in crate::scenario) fn parse_duration(word: Word<'_>) -> Result<Duration> {
    let units = UNITS.map(|(unit, _)| unit);
    let found = word.quoted();
    let number_length = word.text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.text.len());
    let (number, unit) = word.text.split_at(number_length);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || fraction.is_empty() || fraction.contains('.') {
        return Err(
            word.error(format_args!("{found} is not a duration: a number and a unit, such as `15s` or `1.5s`."))
        );
    }
    if unit.is_empty() {
        let message = format_args!("{found} has no unit. Write `{number}s`, `{number}ms` or `{number}m`, for example.");
        return Err(word.error(message).expecting(&units));
    }
    let Some((_, size)) = UNITS.into_iter().find(|(name, _)| *name == unit) else {
        let message = format_args!("{} is not a unit of time: expected {}.", Quoted(unit), Listed(&units));
        return Err(word.error(message).expecting(&units));
    };
    let fraction = fraction.trim_end_matches('0');
    let finest = || word.error(format_args!("{found} is finer than a microsecond, the smallest time there is."));
    if fraction.len() > MAX_DECIMALS {
        return Err(finest());
    }
    // What the unit has of powers of ten first, so that the product has room.
    let (mut scale, mut part) = (10_u64.pow(fraction.len() as u32), size);
    while scale % 10 == 0 && part % 10 == 0 {
        (scale, part) = (scale / 10, part / 10);
    }
    let parts = fraction.parse::<u64>().unwrap_or_default() * part;
    if parts % scale != 0 {
        return Err(finest());
    }
    let most = Duration::MAX.micros();
    match whole.parse::<u64>() {
        Ok(whole) if whole <= most / size && whole * size + parts / scale <= most => {
            Ok(Duration::from_micros(whole * size + parts / scale))
        }
        _ => Err(word.error(format_args!("{found} is longer than {}, the longest duration.", Duration::MAX))),
    }
}

/// What a `let` line declares.
#[derive(Debug, Clone)]
pub(in crate::scenario) struct Declaration<'t> {
    /// The name.
    pub name: Word<'t>,
    /// The value, as it is written.
    pub value: Word<'t>,
    /// Both, and the range.
    pub parameter: Parameter,
}

/// Reads a `let` line after its keyword: `pause = 15s in 0s..30s`.
pub(in crate::scenario) fn declaration<'t>(line: &mut Line<'t>) -> Result<Declaration<'t>> {
    let name = line.word("the parameter's name")?;
    check_name(name, &PARAMETER_NAME)?;
    line.expect("=")?;
    let word = line.word("a duration")?;
    let value = parse_duration(word)?;
    let mut range = None;
    if line.accept("in") {
        let low_word = line.word("a duration")?;
        let low = parse_duration(low_word)?;
        line.expect("..")?;
        let high = parse_duration(line.word("a duration")?)?;
        if low >= high {
            return Err(
                low_word.error(format_args!("A range begins with its lesser end, and {low} is not less than {high}."))
            );
        }
        range = Some((low, high));
    }
    line.end()?;
    let parameter = Parameter { name: name.text.to_string(), value, range };
    check_range(word, &parameter, value)?;
    Ok(Declaration { name, value: word, parameter })
}

/// Makes sure that `value` lies in the range of `parameter`; `word` is where it stands.
pub(in crate::scenario) fn check_range(word: Word<'_>, parameter: &Parameter, value: Duration) -> Result<()> {
    let (low, high) = parameter.range.unwrap_or((Duration::ZERO, Duration::MAX));
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(word.error(format_args!("`{}` goes from {low} to {high}; {value} is outside.", parameter.name)))
}
