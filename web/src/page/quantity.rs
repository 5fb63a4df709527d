//! A parameter's value as a number that people type: in one unit that stays while the value changes.

use fencepost_core::scenario::{self, Parameter};
use fencepost_core::time::{Duration, Instant};

/// A unit of time in which parameters are typed. Decimal ones only, so that every value has an exact short form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    /// Its sign.
    pub name: &'static str,
    micros: u64,
}

const UNITS: [Unit; 3] =
    [Unit { name: "s", micros: 1_000_000 }, Unit { name: "ms", micros: 1_000 }, Unit { name: "µs", micros: 1 }];

/// The unit for `parameter`: the largest that its range holds one of.
pub fn unit(parameter: &Parameter) -> Unit {
    let (_, most) = limits(parameter);
    let fits = |unit: &Unit| unit.micros <= most.micros();
    UNITS.into_iter().find(fits).unwrap_or(UNITS[0])
}

/// The least and the greatest value that `parameter` may be given.
pub fn limits(parameter: &Parameter) -> (Duration, Duration) {
    parameter.range.unwrap_or((Duration::ZERO, Duration::MAX))
}

/// The value of `parameter` so many steps on, or back.
pub fn moved(parameter: &Parameter, steps: i64) -> Duration {
    let (_, most) = limits(parameter);
    let by = Duration::from_micros(scenario::step(parameter).micros() * steps.unsigned_abs());
    let value = if steps < 0 { parameter.value - by.min(parameter.value) } else { (parameter.value + by).min(most) };
    scenario::snap(parameter, value)
}

/// `value` in `unit`, without the unit's sign.
pub fn write(value: Duration, unit: Unit) -> String {
    let (whole, rest) = (value.micros() / unit.micros, value.micros() % unit.micros);
    if rest == 0 {
        return whole.to_string();
    }
    let digits = unit.micros.ilog10() as usize;
    let decimals = format!("{rest:0digits$}");
    format!("{whole}.{}", decimals.trim_end_matches('0'))
}

/// What was typed for `parameter`.
///
/// # Errors
/// Why it is no value for it, in a few words.
pub fn read(typed: &str, parameter: &Parameter) -> Result<Duration, String> {
    let unit = unit(parameter);
    let typed = typed.trim();
    let (number, named) =
        typed.split_at(typed.find(|c: char| c.is_ascii_alphabetic() || c == 'µ').unwrap_or(typed.len()));
    // Whatever is below zero is out of range by its sign alone.
    let (number, negative) = match number.trim().strip_prefix(['-', '−']) {
        Some(number) => (number, true),
        None => (number.trim(), false),
    };
    let size = match named {
        "" => Some(unit.micros),
        "m" | "min" => Some(60_000_000),
        "us" => Some(1),
        _ => UNITS.iter().find(|unit| unit.name == named).map(|unit| unit.micros),
    };
    let value = size.and_then(|size| decimal(number, size)).ok_or_else(|| match (number, size) {
        ("", Some(_)) => "a number is missing".to_owned(),
        _ => format!("not a number of {}", unit.name),
    })?;
    let (least, most) = limits(parameter);
    if negative || value < least || most < value || value == Duration::MAX {
        return Err(format!("between {} and {} {}", write(least, unit), write(most, unit), unit.name));
    }
    Ok(value)
}

/// Digits with a point or a comma among them, of a unit of so many microseconds: no sign, no exponent, nothing finer than a
/// microsecond. What is too long for a duration comes out as the longest.
fn decimal(number: &str, size: u64) -> Option<Duration> {
    let (whole, decimals) = number.split_once(['.', ',']).unwrap_or((number, ""));
    let decimals = decimals.trim_end_matches('0');
    let only_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    // With more decimals than this no unit comes out as whole microseconds.
    if whole.is_empty() || !only_digits(whole) || !only_digits(decimals) || decimals.len() > 8 {
        return None;
    }
    let parts = decimals.parse().unwrap_or(0) * size;
    let scale = 10_u64.pow(decimals.len() as u32);
    if !parts.is_multiple_of(scale) {
        return None;
    }
    let whole = whole.parse().unwrap_or(u64::MAX).saturating_mul(size);
    Some(Duration::from_micros(whole.saturating_add(parts / scale)))
}

/// An instant as a figure's clock shows it, in seconds: `17.06`.
pub fn seconds(at: Instant, decimals: usize) -> String {
    let shown = at.micros() / 10_u64.pow(6 - decimals as u32);
    let size = 10_u64.pow(decimals as u32);
    match decimals {
        0 => shown.to_string(),
        _ => format!("{}.{:0decimals$}", shown / size, shown % size),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(value: u64, range: Option<(u64, u64)>) -> Parameter {
        let range = range.map(|(least, most)| (Duration::from_millis(least), Duration::from_millis(most)));
        Parameter { name: "pause".into(), value: Duration::from_millis(value), range }
    }

    #[test]
    fn the_unit_stays_over_the_whole_range() {
        let pause = parameter(0, Some((0, 30_000)));
        assert_eq!(unit(&pause).name, "s");
        assert_eq!(write(Duration::from_millis(500), unit(&pause)), "0.5");
        assert_eq!(unit(&parameter(10, Some((0, 50)))).name, "ms");
        assert_eq!(unit(&parameter(10, None)).name, "s");
    }

    #[test]
    fn what_is_written_is_read_again() {
        for micros in [0, 1, 999, 1_000, 1_500, 15_000_000, 17_060_001, 29_999_999] {
            let value = Duration::from_micros(micros);
            for range in [Some((0, 30_000)), None] {
                let parameter = parameter(0, range);
                assert_eq!(read(&write(value, unit(&parameter)), &parameter), Ok(value));
            }
        }
    }

    #[test]
    fn people_write_numbers_in_their_own_ways() {
        let pause = parameter(0, Some((0, 30_000)));
        for typed in [
            "7.5",
            "7,5",
            " 7.50 ",
            "7.5s",
            "7.5 s",
            "07.5",
            "7500ms",
            "7500000 us",
            "7500000µs",
            "0.125m",
            "0,125 min",
        ] {
            assert_eq!(read(typed, &pause), Ok(Duration::from_millis(7_500)), "{typed}");
        }
        let late = parameter(0, Some((0, 500)));
        assert_eq!(read("40", &late), read("0.04 s", &late));
    }

    #[test]
    fn what_is_no_value_has_its_reason() {
        let pause = parameter(0, Some((5_000, 30_000)));
        for (typed, reason) in [
            ("", "a number is missing"),
            (" s", "a number is missing"),
            ("-", "a number is missing"),
            ("1e3", "not a number of s"),
            ("abc", "not a number of s"),
            ("15 h", "not a number of s"),
            ("--1", "not a number of s"),
            ("1.2.3", "not a number of s"),
            (".5", "not a number of s"),
            ("7.0000001", "not a number of s"),
            ("0.00001m", "between 5 and 30 s"),
            ("-1", "between 5 and 30 s"),
            ("−7,5 s", "between 5 and 30 s"),
            ("99999999999999999999", "between 5 and 30 s"),
            ("18446744073709", "between 5 and 30 s"),
            ("4.999", "between 5 and 30 s"),
            ("30.1", "between 5 and 30 s"),
            ("1m", "between 5 and 30 s"),
        ] {
            assert_eq!(read(typed, &pause), Err(reason.to_owned()), "{typed}");
        }
    }

    #[test]
    fn steps_stop_at_the_ends_of_the_range() {
        let pause = |millis| parameter(millis, Some((0, 30_000)));
        assert_eq!(moved(&pause(30_000), 1), Duration::from_secs(30));
        assert_eq!(moved(&pause(0), -10), Duration::ZERO);
        let there = pause(moved(&pause(15_000), 1).micros() / 1_000);
        assert_eq!(moved(&there, -1), Duration::from_secs(15));
    }

    #[test]
    fn instants_are_cut_not_rounded() {
        let at = Instant::from_micros(17_069_999);
        assert_eq!(seconds(at, 2), "17.06");
        assert_eq!(seconds(at, 3), "17.069");
        assert_eq!(seconds(at, 0), "17");
    }
}
