//! Integer time: durations, true instants, and instants on one worker's own clock.
//!
//! Only the simulator owns instants. The transition system has none: time enters its state as flags.

use std::fmt;
use std::ops::{Add, Sub};

use serde::{Deserialize, Serialize};

use crate::id::WorkerId;

/// A length of time in whole microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Duration(u64);

impl Duration {
    /// No time at all.
    pub const ZERO: Duration = Duration(0);
    /// The longest duration a scenario may name: 400 days.
    pub const MAX: Duration = Duration(400 * 24 * 3600 * 1_000_000);

    /// From microseconds.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// From milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis * 1_000)
    }

    /// From seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs * 1_000_000)
    }

    /// In microseconds.
    pub const fn micros(self) -> u64 {
        self.0
    }

    /// In seconds, for drawing and for controls; rules never use it.
    pub fn secs_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

/// As people write it: the largest unit that needs no more than three decimals (`15s`, `1.5s`, `20ms`, `1h`).
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 5] =
            [(3_600_000_000, "h"), (60_000_000, "m"), (1_000_000, "s"), (1_000, "ms"), (1, "us")];
        if self.0 == 0 {
            return f.write_str("0s");
        }
        for (size, unit) in UNITS {
            let whole_only = size > 1_000_000;
            let (whole, rest) = (self.0 / size, self.0 % size);
            if rest == 0 && whole > 0 {
                return write!(f, "{whole}{unit}");
            }
            if !whole_only && whole > 0 && rest * 1_000 % size == 0 {
                let decimals = format!("{:03}", rest * 1_000 / size);
                return write!(f, "{whole}.{}{unit}", decimals.trim_end_matches('0'));
            }
        }
        write!(f, "{}us", self.0)
    }
}

impl Add for Duration {
    type Output = Duration;
    fn add(self, other: Duration) -> Duration {
        Duration(self.0 + other.0)
    }
}

impl Sub for Duration {
    type Output = Duration;
    fn sub(self, other: Duration) -> Duration {
        Duration(self.0 - other.0)
    }
}

/// A true instant: microseconds since the run began, on the clock of nobody in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Instant(u64);

impl Instant {
    /// The beginning of the run.
    pub const START: Instant = Instant(0);

    /// From microseconds since the beginning.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// Microseconds since the beginning.
    pub const fn micros(self) -> u64 {
        self.0
    }

    /// Seconds since the beginning, for drawing; rules never use it.
    pub fn secs_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// How long after `earlier` this is; zero if it is not after it.
    pub fn since(self, earlier: Instant) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;
    fn add(self, duration: Duration) -> Instant {
        Instant(self.0 + duration.0)
    }
}

/// What one worker's own clock shows. It does not compare with a true instant, nor with another worker's clock: there is
/// no order between them, and code that wants one does not compile.
///
/// ```compile_fail
/// # use fencepost_core::time::{Clock, Instant};
/// # use fencepost_core::id::WorkerId;
/// let (a, b) = (Clock::TRUE, Clock::TRUE);
/// a.read(WorkerId(0), Instant::START) < b.read(WorkerId(1), Instant::START);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LocalInstant {
    worker: WorkerId,
    micros: i64,
}

impl LocalInstant {
    /// What the clock shows, in microseconds.
    pub fn micros(self) -> i64 {
        self.micros
    }
}

impl Add<Duration> for LocalInstant {
    type Output = LocalInstant;
    fn add(self, duration: Duration) -> LocalInstant {
        LocalInstant { micros: self.micros + duration.0 as i64, ..self }
    }
}

/// How one worker's clock relates to true time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Clock {
    /// What it shows at the beginning of the run, in microseconds.
    pub offset: i64,
    /// How much it gains, in parts per million: 200 gains 0.2 ms in a second, -200 loses as much.
    pub rate_ppm: i32,
}

impl Clock {
    /// A clock that shows true time.
    pub const TRUE: Clock = Clock { offset: 0, rate_ppm: 0 };
    /// The most a scenario's clock may gain or lose: a half.
    pub const MAX_RATE_PPM: i32 = 500_000;

    /// What `worker`'s clock, being this one, shows at the true instant `at`.
    pub fn read(self, worker: WorkerId, at: Instant) -> LocalInstant {
        // Whole seconds and the rest apart, so that the product has room.
        let (seconds, rest) = (at.0 / 1_000_000, at.0 % 1_000_000);
        let micros = seconds * self.rate() + rest * self.rate() / 1_000_000;
        LocalInstant { worker, micros: self.offset + micros as i64 }
    }

    /// The first true instant at which this clock shows `local`; the beginning of the run if it showed it before.
    pub fn when(self, local: LocalInstant) -> Instant {
        let elapsed = local.micros.saturating_sub(self.offset).max(0) as u64;
        let (whole, rest) = (elapsed / self.rate(), elapsed % self.rate());
        Instant(whole * 1_000_000 + (rest * 1_000_000).div_ceil(self.rate()))
    }

    /// How many of its microseconds this clock shows in a second.
    fn rate(self) -> u64 {
        (1_000_000 + self.rate_ppm) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_as_people_write_them() {
        for (micros, text) in [
            (0, "0s"),
            (1, "1us"),
            (1_500, "1.5ms"),
            (20_000, "20ms"),
            (1_000_000, "1s"),
            (1_500_000, "1.5s"),
            (1_234_567, "1234.567ms"),
            (1_000_001, "1000.001ms"),
            (60_000_000, "1m"),
            (90_000_000, "90s"),
            (3_600_000_000, "1h"),
            (5_400_000_000, "90m"),
        ] {
            assert_eq!(Duration::from_micros(micros).to_string(), text);
        }
    }

    #[test]
    fn a_clock_shows_and_reaches_the_same_instant() {
        let worker = WorkerId(0);
        for clock in [
            Clock::TRUE,
            Clock { offset: 5_000_000, rate_ppm: 200 },
            Clock { offset: -5_000_000, rate_ppm: -200 },
            Clock { offset: 0, rate_ppm: Clock::MAX_RATE_PPM },
            Clock { offset: 0, rate_ppm: -Clock::MAX_RATE_PPM },
        ] {
            for at in [0, 1, 999_999, 10_000_000, Duration::MAX.micros()].map(Instant::from_micros) {
                let shown = clock.read(worker, at);
                let reached = clock.when(shown);
                assert_eq!(clock.read(worker, reached), shown, "{clock:?} at {at:?}");
                assert!(reached <= at, "it is the first instant that shows it");
            }
        }
    }

    #[test]
    fn a_fast_clock_reaches_a_deadline_early() {
        let clock = Clock { offset: 0, rate_ppm: 250_000 };
        let deadline = clock.read(WorkerId(0), Instant::START) + Duration::from_secs(10);
        assert_eq!(clock.when(deadline), Instant::from_micros(8_000_000));
    }
}
