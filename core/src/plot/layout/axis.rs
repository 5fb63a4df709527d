//! The time axis: where it ends, and its ticks.

use std::fmt::Write as _;

use super::super::scene::{Axis, Break, Px};
use super::geometry::px;
use crate::time::{Duration, Instant};

/// Steps between ticks that people read easily, in microseconds.
const STEPS: [u64; 39] = [
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
    SECOND,
    2 * SECOND,
    5 * SECOND,
    10 * SECOND,
    15 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    6 * HOUR,
    12 * HOUR,
    24 * HOUR,
    48 * HOUR,
    240 * HOUR,
    1_200 * HOUR,
    4_800 * HOUR,
];
const SECOND: u64 = 1_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

/// The step between ticks for an axis of this length in time and on the screen.
pub(super) fn step(end: Instant, width: Px) -> Duration {
    // Ticks closer than this are noise; on a narrow figure their labels would touch.
    let least = match width.0 {
        ..4_800 => px(40),
        4_800..7_000 => px(48),
        _ => px(60),
    };
    let most = u64::try_from(width.0 / least.0).unwrap_or(1).max(1);
    let step = STEPS.iter().copied().find(|step| end.micros().div_ceil(*step) <= most);
    Duration::from_micros(step.unwrap_or(STEPS[STEPS.len() - 1]))
}

/// An end for an axis that must reach `needed`: round, so that it does not creep while a handle is dragged.
pub(super) fn round_end(needed: Instant, width: Px) -> Instant {
    let needed = Instant::from_micros(needed.micros().max(1));
    let half = (step(needed, width).micros() / 2).max(1);
    Instant::from_micros(needed.micros().div_ceil(half) * half)
}

/// The instants of the ticks: none in a break, or so near to it that its label would be in the way.
pub(super) fn ticks(axis: Axis, step: Duration) -> impl Iterator<Item = Instant> {
    let mut number = 0;
    std::iter::from_fn(move || {
        loop {
            let at = Instant::from_micros(number * step.micros());
            if at > axis.end {
                return None;
            }
            number += 1;
            match axis.breaks.into_iter().flatten().find(|one| one.from < at && at < one.to) {
                // On to the first that is past the break.
                Some(Break { to, .. }) => number = to.micros().div_ceil(step.micros()),
                None => return Some(at),
            }
        }
    })
}

/// A tick's label. Every tick of an axis has the unit that its step has.
pub(super) fn tick_label(at: Instant, step: Duration) -> String {
    // Far from the beginning, small steps are read as a clock is.
    if step.micros() < HOUR && at.micros() >= HOUR
        || (SECOND..MINUTE).contains(&step.micros()) && at.micros() >= 3 * MINUTE
    {
        let (hours, minutes) = (at.micros() / HOUR, at.micros() % HOUR / MINUTE);
        let seconds = at.micros() % MINUTE / SECOND;
        return match (hours, step.micros() < MINUTE) {
            (0, _) => format!("{minutes}:{seconds:02} min"),
            (_, false) => format!("{hours}:{minutes:02} h"),
            (_, true) => format!("{hours}:{minutes:02}:{seconds:02} h"),
        };
    }
    let (unit, name) = match step.micros() {
        HOUR.. => (HOUR, "h"),
        MINUTE.. => (MINUTE, "min"),
        100_000.. => (SECOND, "s"),
        100.. => (1_000, "ms"),
        _ => (1, "µs"),
    };
    let (whole, rest) = (at.micros() / unit, at.micros() % unit);
    let mut text = whole.to_string();
    if rest != 0 {
        let thousandths = rest * 1_000 / unit;
        let _ = write!(text, ".{}", format!("{thousandths:03}").trim_end_matches('0'));
    }
    format!("{text} {name}")
}
