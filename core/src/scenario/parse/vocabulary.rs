//! The closed sets of words of the language, each word standing for a value. What the parser accepts, what its errors list,
//! and what the description must mention all come from here.

use crate::destination::Guard;
use crate::invariant::Invariant;
use crate::mechanism::{LookUp, OperationIds, Sharing};
use crate::observation::Situation;
use crate::program::Point;
use crate::scenario::{CallKind, Side};

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
    Guard,
    OperationIds,
    LookUp,
    Faults,
    Compare,
    Expect,
    Explore,
}

impl Keyword {
    /// Whether entries follow it, a line each.
    pub fn is_section(self) -> bool {
        matches!(self, Keyword::Faults | Keyword::Compare | Keyword::Expect)
    }

    /// Whether it may begin several lines, each about something else.
    pub fn repeats(self) -> bool {
        matches!(self, Keyword::Let | Keyword::Work | Keyword::Start | Keyword::Clock)
    }
}

/// A switch of a mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Switch {
    Guard,
    OperationIds,
    LookUp,
}

/// What is wrong with a worker's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClockFault {
    Ahead,
    Behind,
    Fast,
    Slow,
}

/// What the network does to a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NetworkFault {
    Loses,
    Delays,
}

/// What is to become of an invariant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Holds,
    Violated,
}

/// How often a situation is to be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frequency {
    Sometimes,
    Never,
}

/// A bound of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Workers,
    Grants,
    Operations,
    Losses,
}

vocabulary!(Guard, "a guard", named in Guard::ALL);
vocabulary!(Invariant, "an invariant", named in Invariant::ALL);
vocabulary!(Situation, "a situation", named in &Situation::ALL);
vocabulary!(Point, "a point of the program", named in &Point::ALL);
vocabulary!(
    CallKind,
    "a kind of request",
    named in &[CallKind::Acquire, CallKind::Register, CallKind::Write, CallKind::Release]
);
vocabulary!(Side, "a time for the freeze to begin", Before = "before", After = "after",);
vocabulary!(Sharing, "a setting of `operations`", Own = "own", Shared = "shared",);
vocabulary!(OperationIds, "a setting of `operation-ids`", Off = "off", InTransaction = "in-transaction",);
vocabulary!(LookUp, "a setting of `look-up`", BeforeGuard = "before-guard", AfterGuard = "after-guard",);
vocabulary!(Switch, "a switch", Guard = "guard", OperationIds = "operation-ids", LookUp = "look-up",);
vocabulary!(ClockFault, "a fault of a clock", Ahead = "ahead", Behind = "behind", Fast = "fast", Slow = "slow",);
vocabulary!(NetworkFault, "a fault of the network", Loses = "loses", Delays = "delays",);
vocabulary!(Verdict, "a verdict", Holds = "holds", Violated = "violated",);
vocabulary!(Frequency, "a frequency", Sometimes = "sometimes", Never = "never",);
vocabulary!(Bound, "a bound", Workers = "workers", Grants = "grants", Operations = "operations", Losses = "losses",);
vocabulary!(
    Keyword,
    "a keyword",
    Scenario = "scenario",
    Workers = "workers",
    Lease = "lease",
    Epochs = "epochs",
    Latency = "latency",
    Let = "let",
    Work = "work",
    Start = "start",
    Clock = "clock",
    Operations = "operations",
    Result = "result",
    Retry = "retry",
    Guard = "guard",
    OperationIds = "operation-ids",
    LookUp = "look-up",
    Faults = "faults",
    Compare = "compare",
    Expect = "expect",
    Explore = "explore",
);

/// Every word of every set.
#[cfg(test)]
pub(in crate::scenario) fn all_words() -> Vec<&'static str> {
    [
        Keyword::WORDS,
        Guard::WORDS,
        OperationIds::WORDS,
        LookUp::WORDS,
        Sharing::WORDS,
        Invariant::WORDS,
        Situation::WORDS,
        Point::WORDS,
        CallKind::WORDS,
        Side::WORDS,
        Switch::WORDS,
        ClockFault::WORDS,
        NetworkFault::WORDS,
        Verdict::WORDS,
        Frequency::WORDS,
        Bound::WORDS,
    ]
    .concat()
}
