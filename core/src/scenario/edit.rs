//! Changes to a scenario's text that leave everything else as it is: what dragging a handle or typing a number does.

use super::error::{Listed, Place, Quoted, Result, ScenarioError, meant};
use super::parse::{Bound, Keyword, Outline, UNITS, Vocabulary, check_range, declaration, parse};
use super::{Bounds, Parameter};
use crate::time::Duration;

/// The text with another value of the parameter `name` in its `let` line, and all else byte for byte as it was.
///
/// # Errors
/// There is no such parameter, or the value lies outside its range; also where the text cannot be taken apart.
pub fn set_parameter(text: &str, name: &str, value: Duration) -> Result<String, ScenarioError> {
    changed(text, name, value).map_err(|error| *error)
}

fn changed(text: &str, name: &str, value: Duration) -> Result<String> {
    let mut outline = Outline::read(text)?;
    let mut known = Vec::new();
    for statement in outline.all(Keyword::Let) {
        let declared = declaration(&mut statement.line)?;
        if declared.name.text == name {
            let place = declared.value;
            check_range(place, &declared.parameter, value)?;
            let (before, after) = (&text[..place.start], &text[place.start + place.text.len()..]);
            return Ok(format!("{before}{}{after}", written_like(place.text, value)));
        }
        known.push(declared.name.text);
    }
    let error =
        |instead| ScenarioError::new(Place::START, format_args!("There is no parameter {}{instead}", Quoted(name)));
    let error = match meant(name, &known) {
        Some(meant) => error(format_args!(". Did you mean `{meant}`?")),
        None if known.is_empty() => error(format_args!(", nor any other.")),
        None => error(format_args!(": expected {}.", Listed(&known))),
    };
    Err(error.expecting(&known))
}

/// `value` in the unit of `written` where that takes no more than three decimals, so that a drag does not change units.
fn written_like(written: &str, value: Duration) -> String {
    let unit = written.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    match UNITS.into_iter().find(|(name, _)| *name == unit) {
        Some((_, size)) if (value.micros() * 1_000).is_multiple_of(size) => {
            let thousandths = value.micros() * 1_000 / size;
            let decimals = format!(".{:03}", thousandths % 1_000);
            let decimals = decimals.trim_end_matches('0').trim_end_matches('.');
            format!("{}{decimals}{unit}", thousandths / 1_000)
        }
        _ => value.to_string(),
    }
}

/// A scenario's text with one bound of its search further by one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Widened {
    /// The text, with the new number in its `explore` line and all else byte for byte as it was.
    pub text: String,
    /// The bounds that it gives.
    pub bounds: Bounds,
}

/// The texts that search one step further than `text` does: each with another bound raised by one, as far as the language
/// lets it and something goes by it.
///
/// # Errors
/// What is wrong with `text` itself.
pub fn widen(text: &str) -> Result<Vec<Widened>, ScenarioError> {
    let bounds = parse(text)?.bounds;
    let widened = |&bound: &Bound| {
        let number = *bound.of(&mut bounds.clone()) + 1;
        let text = bounded(text, bound, number).ok()?;
        // The language itself knows how far each may go, and what has no meaning here.
        let bounds = parse(&text).ok()?.bounds;
        Some(Widened { text, bounds })
    };
    Ok(Bound::VALUES.iter().filter_map(widened).collect())
}

/// The text with another number for `bound`, where the `explore` line has it, else at that line's end, else in a line of its own.
fn bounded(text: &str, bound: Bound, number: u8) -> Result<String> {
    let mut outline = Outline::read(text)?;
    let Some(explore) = outline.one(Keyword::Explore) else {
        let end = if text.ends_with('\n') { "" } else { "\n" };
        return Ok(format!("{text}{end}{}  {} {number}\n", Keyword::Explore.word(), bound.word()));
    };
    let (mut last, mut here) = (explore.word, None);
    while explore.line.peek().is_some() {
        let word = explore.line.word("a bound")?;
        if last.text == bound.word() {
            here = Some(word);
        }
        last = word;
    }
    Ok(match here {
        Some(here) => format!("{}{number}{}", &text[..here.start], &text[here.start + here.text.len()..]),
        None => {
            let (before, after) = text.split_at(last.start + last.text.len());
            format!("{before}, {} {number}{after}", bound.word())
        }
    })
}

/// The step by which people change `parameter`: 1, 2 or 5 of a decimal unit, at most a two-hundredth of its range.
/// Without a range, of the time from nothing to twice its value, and that as at least a second.
pub fn step(parameter: &Parameter) -> Duration {
    let (low, high) = parameter.range.unwrap_or_else(|| {
        let value = parameter.value.max(Duration::from_millis(500));
        (Duration::ZERO, value + value)
    });
    let most = ((high - low).micros() / 200).max(1);
    let decade = 10_u64.pow(most.ilog10());
    let factor = [5, 2, 1].into_iter().find(|factor| factor * decade <= most).unwrap_or(1);
    Duration::from_micros(factor * decade)
}

/// The value of `parameter` that is nearest to `value` in its steps, within its range, whose ends can always be reached.
pub fn snap(parameter: &Parameter, value: Duration) -> Duration {
    let (low, high) = parameter.range.unwrap_or((Duration::ZERO, Duration::MAX));
    if value <= low || high <= value {
        return value.clamp(low, high);
    }
    let step = step(parameter).micros();
    let steps = (value.micros() + step / 2) / step;
    Duration::from_micros(steps * step).clamp(low, high)
}
