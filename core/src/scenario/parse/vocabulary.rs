//! The closed sets of words of the language, each word standing for a value. What the parser accepts, what its errors list,
//! and what the description must mention all come from here.

use crate::destination::Stage;
use crate::invariant::Invariant;
use crate::mechanism::{Sharing, Switch};
use crate::observation::Situation;
use crate::program::Point;
use crate::replication::Replica;
use crate::scenario::{CallKind, Partner, Pause, Side};

/// A closed set of words.
pub(in crate::scenario) trait Vocabulary: Copy + 'static {
    /// What one of them is, with its article.
    const WHAT: &'static str;
    /// The values, in the order in which errors list them.
    const VALUES: &'static [Self];
    /// The words that stand for them, in the same order.
    const WORDS: &'static [&'static str];

    /// The word that stands for this value.
    fn word(self) -> &'static str;

    /// The value that `word` stands for.
    fn read(word: &str) -> Option<Self> {
        let index = Self::WORDS.iter().position(|known| *known == word)?;
        Some(Self::VALUES[index])
    }
}

/// Gives values that have names of their own, or are given words here, to the language.
macro_rules! vocabulary {
    ($type:ty, $what:literal, named in $values:expr) => {
        impl Vocabulary for $type {
            const WHAT: &'static str = $what;
            const VALUES: &'static [Self] = $values;
            const WORDS: &'static [&'static str] = &{
                let mut words = [""; Self::VALUES.len()];
                let mut index = 0;
                while index < words.len() {
                    words[index] = Self::VALUES[index].name();
                    index += 1;
                }
                words
            };
            fn word(self) -> &'static str {
                self.name()
            }
        }
    };
    ($type:ty, $what:literal, $($value:ident = $word:literal,)+) => {
        impl Vocabulary for $type {
            const WHAT: &'static str = $what;
            const VALUES: &'static [Self] = &[$(Self::$value,)+];
            const WORDS: &'static [&'static str] = &[$($word,)+];
            fn word(self) -> &'static str {
                match self { $(Self::$value => $word,)+ }
            }
        }
    };
}

/// The first word of a line that is not an entry of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum Keyword {
    Scenario,
    Workers,
    Lease,
    Epochs,
    Latency,
    Let,
    Work,
    Start,
    Clock,
    Operations,
    Result,
    Retry,
    Renew,
    Margin,
    Poll,
    Seed,
    Stop,
    Replicate,
    Relay,
    Faults,
    Compare,
    Expect,
    Explore,
    /// The default of a switch.
    Set(Switch),
}

impl Keyword {
    /// Whether entries follow it, a line each.
    pub fn is_section(self) -> bool {
        matches!(self, Keyword::Faults | Keyword::Compare | Keyword::Expect)
    }

    /// Whether it may begin several lines, each about something else.
    pub fn repeats(self) -> bool {
        matches!(self, Keyword::Let | Keyword::Work | Keyword::Start | Keyword::Clock | Keyword::Stop)
    }
}

/// What is wrong with a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum ClockFault {
    Ahead,
    Behind,
    Fast,
    Slow,
}

/// What a fault befalls, beside workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum Victim {
    Network,
    LockService,
    Destination,
    Provider,
}

/// What is to become of an invariant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum Verdict {
    Holds,
    Spared,
    Violated,
}

/// How often a situation is to be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum Frequency {
    Sometimes,
    Never,
}

/// A bound of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum Bound {
    Workers,
    Grants,
    Operations,
    Retries,
    Losses,
    Duplicates,
    Crashes,
    Failovers,
    Suspends,
    Skews,
    Renewals,
    Prunes,
}

vocabulary!(Invariant, "an invariant", named in Invariant::ALL);
vocabulary!(Situation, "a situation", named in &Situation::ALL);
vocabulary!(Point, "a point of the program", named in &Point::ALL);
vocabulary!(CallKind, "a kind of request", named in &CallKind::ALL);
vocabulary!(Stage, "a step of a write", Apply = "apply", Record = "record",);
vocabulary!(Side, "a time for it", Before = "before", After = "after",);
vocabulary!(Pause, "a way to stand still", Freeze = "freezes", Suspend = "suspends", Stick = "sticks",);
vocabulary!(Partner, "one of the services", LockService = "lock-service", Destination = "destination",);
vocabulary!(Replica, "a replica", named in &Replica::ALL);
vocabulary!(
    Victim,
    "what a fault befalls",
    Network = "network",
    LockService = "lock-service",
    Destination = "destination",
    Provider = "provider",
);
vocabulary!(Sharing, "a setting of `operations`", Own = "own", Shared = "shared",);
vocabulary!(Switch, "a switch", named in Switch::ALL);
vocabulary!(ClockFault, "a fault of a clock", Ahead = "ahead", Behind = "behind", Fast = "fast", Slow = "slow",);
vocabulary!(Verdict, "a verdict", Holds = "holds", Spared = "spared", Violated = "violated",);
vocabulary!(Frequency, "a frequency", Sometimes = "sometimes", Never = "never",);
vocabulary!(
    Bound,
    "a bound",
    Workers = "workers",
    Grants = "grants",
    Operations = "operations",
    Retries = "retries",
    Losses = "losses",
    Duplicates = "duplicates",
    Crashes = "crashes",
    Failovers = "failovers",
    Suspends = "suspends",
    Skews = "skews",
    Renewals = "renewals",
    Prunes = "prunes",
);

/// The keywords that are no switches, in the order in which errors list them.
const STATEMENTS: [(Keyword, &str); 23] = [
    (Keyword::Scenario, "scenario"),
    (Keyword::Workers, "workers"),
    (Keyword::Lease, "lease"),
    (Keyword::Epochs, "epochs"),
    (Keyword::Latency, "latency"),
    (Keyword::Let, "let"),
    (Keyword::Work, "work"),
    (Keyword::Start, "start"),
    (Keyword::Clock, "clock"),
    (Keyword::Operations, "operations"),
    (Keyword::Result, "result"),
    (Keyword::Retry, "retry"),
    (Keyword::Renew, "renew"),
    (Keyword::Margin, "margin"),
    (Keyword::Poll, "poll"),
    (Keyword::Seed, "seed"),
    (Keyword::Stop, "stop"),
    (Keyword::Replicate, "replicate"),
    (Keyword::Relay, "relay"),
    (Keyword::Faults, "faults"),
    (Keyword::Compare, "compare"),
    (Keyword::Expect, "expect"),
    (Keyword::Explore, "explore"),
];

const KEYWORDS: usize = STATEMENTS.len() + Switch::ALL.len();

impl Vocabulary for Keyword {
    const WHAT: &'static str = "a keyword";
    const VALUES: &'static [Self] = &{
        let mut values = [Keyword::Scenario; KEYWORDS];
        let mut index = 0;
        while index < KEYWORDS {
            values[index] = if index < STATEMENTS.len() {
                STATEMENTS[index].0
            } else {
                Keyword::Set(Switch::ALL[index - STATEMENTS.len()])
            };
            index += 1;
        }
        values
    };
    const WORDS: &'static [&'static str] = &{
        let mut words = [""; KEYWORDS];
        let mut index = 0;
        while index < KEYWORDS {
            words[index] = if index < STATEMENTS.len() {
                STATEMENTS[index].1
            } else {
                Switch::ALL[index - STATEMENTS.len()].name()
            };
            index += 1;
        }
        words
    };

    fn word(self) -> &'static str {
        let index = Self::VALUES.iter().position(|known| *known == self);
        Self::WORDS[index.expect("every keyword is listed")]
    }
}

/// Every word of every set.
#[cfg(test)]
pub(in crate::scenario) fn all_words() -> Vec<&'static str> {
    [
        Keyword::WORDS,
        Sharing::WORDS,
        Invariant::WORDS,
        Situation::WORDS,
        Point::WORDS,
        CallKind::WORDS,
        Side::WORDS,
        Switch::WORDS,
        Stage::WORDS,
        Pause::WORDS,
        Partner::WORDS,
        Replica::WORDS,
        Victim::WORDS,
        ClockFault::WORDS,
        Verdict::WORDS,
        Frequency::WORDS,
        Bound::WORDS,
    ]
    .into_iter()
    .chain(Switch::ALL.iter().map(|switch| switch.words()))
    .chain([super::faults::verbs().as_slice()])
    .flatten()
    .copied()
    .collect()
}
