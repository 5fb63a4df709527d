//! What is wrong with a scenario's text, at its place.

use std::fmt;

use serde::Serialize;

/// Whether mistakes are told in words. A page that shows figures does without the words until somebody has made a mistake:
/// they are a good part of the parser.
pub(super) const TOLD: bool = cfg!(feature = "messages");

/// A mistake in a scenario's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScenarioError {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// What is wrong, in one or two sentences. Empty without the feature `messages`.
    pub message: String,
    /// What could stand there, where that can be listed. Empty without the feature `messages`.
    pub expected: Vec<String>,
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)?;
        if TOLD { write!(f, ": {}", self.message) } else { Ok(()) }
    }
}

impl std::error::Error for ScenarioError {}

/// What reading a text comes to. A mistake is larger than most of what is read, and stays where it was found.
pub(super) type Result<T, E = Box<ScenarioError>> = std::result::Result<T, E>;

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
}

impl Place {
    pub const START: Place = Place { line: 1, column: 1 };

    /// The place just after `before`, which begins the text.
    pub fn after(before: &str) -> Place {
        let mut place = Place::START;
        for character in before.chars() {
            if character == '\n' {
                place = Place { line: place.line + 1, column: 1 };
            } else {
                place.column += 1;
            }
        }
        place
    }
}

impl ScenarioError {
    #[cold]
    #[inline(never)]
    pub(super) fn new(place: Place, message: fmt::Arguments<'_>) -> Box<Self> {
        let message = if TOLD { message.to_string() } else { String::new() };
        Box::new(Self { line: place.line, column: place.column, message, expected: Vec::new() })
    }

    #[cold]
    #[cfg_attr(feature = "messages", inline(never))]
    pub(super) fn expecting(mut self: Box<Self>, words: &[&str]) -> Box<Self> {
        if TOLD {
            self.expected = words.iter().map(ToString::to_string).collect();
        }
        self
    }

    /// Says something more.
    #[cold]
    #[cfg_attr(feature = "messages", inline(never))]
    pub(super) fn adding(mut self: Box<Self>, sentence: fmt::Arguments<'_>) -> Box<Self> {
        if TOLD {
            self.message += &format!(" {sentence}");
        }
        self
    }
}

/// A word as messages show it: nothing invisible, and not more than a glance.
#[derive(Clone, Copy)]
pub(super) struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 48;
        f.write_str("`")?;
        for (index, character) in self.0.chars().enumerate() {
            if index == LONGEST {
                f.write_str("…")?;
                break;
            }
            write!(f, "{}", character.escape_debug())?;
        }
        f.write_str("`")
    }
}

/// Words as a list: `a`, `b` or `c`.
#[derive(Clone, Copy)]
pub(super) struct Listed<'a>(pub &'a [&'a str]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, word) in self.0.iter().enumerate() {
            f.write_str(match index {
                0 => "",
                _ if index + 1 == self.0.len() => " or ",
                _ => ", ",
            })?;
            Quoted(word).fmt(f)?;
        }
        Ok(())
    }
}

/// The one of `words` that `found` was probably meant to be. Only messages say so.
pub(super) fn meant<'w>(found: &str, words: &[&'w str]) -> Option<&'w str> {
    if !TOLD {
        return None;
    }
    let close = |word: &str| {
        if word.eq_ignore_ascii_case(found) {
            return Some(0);
        }
        let distance = distance(found, word, 2);
        (distance <= 2 && 2 * distance <= word.chars().count()).then_some(distance)
    };
    words
        .iter()
        .filter_map(|word| Some((close(word)?, *word)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// How many characters must be added, removed or replaced to make one word of the other, if no more than `most`; one more
/// than that stands for more.
fn distance(one: &str, other: &str, most: usize) -> usize {
    let (mut here, mut there) = (one.chars(), other.chars());
    loop {
        let (one, other) = (here.as_str(), there.as_str());
        match (here.next(), there.next()) {
            (None, None) => return 0,
            (this, that) if this == that => {}
            _ if most == 0 => return 1,
            _ => {
                let (one_less, other_less) = (here.as_str(), there.as_str());
                let removed = distance(one_less, other, most - 1);
                let added = distance(one, other_less, most - 1);
                let replaced = distance(one_less, other_less, most - 1);
                return 1 + removed.min(added).min(replaced);
            }
        }
    }
}
