//! One line of a text as words, and a cursor that reads them and says what was expected where something else stands.

use std::fmt;

use super::vocabulary::Vocabulary;
use crate::scenario::error::{Listed, Place, Quoted, Result, ScenarioError, meant};

/// A word and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) struct Word<'t> {
    /// The word.
    pub text: &'t str,
    /// Its first character.
    pub place: Place,
    /// Its first byte in the whole text.
    pub start: usize,
}

impl<'t> Word<'t> {
    pub fn error(self, message: fmt::Arguments<'_>) -> Box<ScenarioError> {
        ScenarioError::new(self.place, message)
    }

    /// The word in quotes.
    pub fn quoted(self) -> Quoted<'t> {
        Quoted(self.text)
    }

    /// This word is not `what` (with its article), which is one of `words`.
    pub fn unknown(self, what: &str, words: &[&str]) -> Box<ScenarioError> {
        let found = self.quoted();
        let error = match meant(self.text, words) {
            Some(meant) => self.error(format_args!("{found} is not {what}. Did you mean {}?", Quoted(meant))),
            None => self.error(format_args!("{found} is not {what}: expected {}.", Listed(words))),
        };
        error.expecting(words)
    }
}

/// The words of one line, read from left to right.
#[derive(Debug)]
pub(in crate::scenario) struct Line<'t> {
    words: Vec<Word<'t>>,
    next: usize,
    /// Just after the last word.
    end: Place,
    /// What has been looked for in vain where the next word stands.
    tried: Vec<&'static str>,
}

impl<'t> Line<'t> {
    /// Splits `raw`, the text's line of this number, which begins at byte `start`. A comment is not part of it.
    pub fn split(raw: &'t str, number: u32, start: usize) -> Self {
        let code = raw.split('#').next().unwrap_or_default();
        let mut words = Vec::new();
        let mut end = Place { line: number, column: 1 };
        let (mut column, mut at) = (1, 0);
        while at < code.len() {
            let rest = &code[at..];
            let blank = rest.len() - rest.trim_start().len();
            let length = if blank > 0 { blank } else { word_length(rest) };
            let width = rest[..length].chars().count() as u32;
            if blank == 0 {
                words.push(Word { text: &rest[..length], place: Place { line: number, column }, start: start + at });
                end.column = column + width;
            }
            column += width;
            at += length;
        }
        Self { words, next: 0, end, tried: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How far the first word is indented.
    pub fn indent(&self) -> u32 {
        self.words.first().map_or(0, |word| word.place.column - 1)
    }

    /// Back to the first word.
    pub fn rewind(&mut self) {
        self.next = 0;
    }

    pub fn peek(&self) -> Option<Word<'t>> {
        self.words.get(self.next).copied()
    }

    fn take(&mut self) -> Option<Word<'t>> {
        let word = self.peek()?;
        self.next += 1;
        self.tried.clear();
        Some(word)
    }

    /// The next word, which should be `what`.
    pub fn word(&mut self, what: &str) -> Result<Word<'t>> {
        self.word_for(format_args!("{what}"))
    }

    /// The same, for what has yet to be put into words.
    pub fn word_for(&mut self, what: fmt::Arguments<'_>) -> Result<Word<'t>> {
        match self.take() {
            Some(word) => Ok(word),
            None => Err(self.ends_before(format_args!("{what} is expected"))),
        }
    }

    /// Takes `literal` if it is the next word.
    pub fn accept(&mut self, literal: &'static str) -> bool {
        let stands_here = self.peek().is_some_and(|word| word.text == literal);
        if stands_here {
            self.take();
        } else {
            self.tried.push(literal);
        }
        stands_here
    }

    /// Takes `literal`, which has to be the next word.
    pub fn expect(&mut self, literal: &'static str) -> Result<()> {
        if self.accept(literal) { Ok(()) } else { Err(self.unexpected("")) }
    }

    /// Takes a comma if one follows; otherwise the line has to end.
    pub fn comma(&mut self) -> Result<bool> {
        let follows = self.accept(",");
        if !follows {
            self.end()?;
        }
        Ok(follows)
    }

    /// There must be no further word.
    pub fn end(&self) -> Result<()> {
        match self.peek() {
            Some(_) if self.tried.is_empty() => Err(self.unexpected("the end of the line")),
            Some(_) => Err(self.unexpected(" or the end of the line")),
            None => Ok(()),
        }
    }

    /// Takes a word of a closed set.
    pub fn choose<V: Vocabulary>(&mut self) -> Result<V> {
        self.choose_word().map(|(value, _)| value)
    }

    /// Takes a word of a closed set, and returns it with what it stands for.
    pub fn choose_word<V: Vocabulary>(&mut self) -> Result<(V, Word<'t>)> {
        let (index, word) = self.one_of(V::WHAT, V::WORDS)?;
        Ok((V::VALUES[index], word))
    }

    /// Takes one of `words`, each of them `what` (with its article), and returns its index too.
    pub fn one_of(&mut self, what: &str, words: &[&str]) -> Result<(usize, Word<'t>)> {
        let next = self.peek();
        if let Some(word) = next
            && let Some(index) = words.iter().position(|known| *known == word.text)
        {
            self.take();
            return Ok((index, word));
        }
        // What was looked for before could stand here too.
        let words = [self.tried.as_slice(), words].concat();
        Err(match next {
            Some(word) => word.unknown(what, &words),
            None => self.ends_before(format_args!("{what} is expected: {}", Listed(&words))).expecting(&words),
        })
    }

    /// Takes a whole number from `least` to `most`; `what` is what it says.
    pub fn number(&mut self, what: fmt::Arguments<'_>, least: u64, most: u64) -> Result<u64> {
        let word = self.word_for(what)?;
        let digits = word.text.bytes().all(|byte| byte.is_ascii_digit());
        match word.text.parse() {
            Ok(number) if digits && (least..=most).contains(&number) => Ok(number),
            _ => {
                let found = word.quoted();
                Err(word.error(format_args!("Expected {what}, a whole number from {least} to {most}; found {found}.")))
            }
        }
    }

    #[cold]
    fn unexpected(&self, or: &str) -> Box<ScenarioError> {
        // With another possibility to follow, the last of these is not the last.
        let wanted = match or {
            "" => Listed(&self.tried).to_string(),
            _ => self.tried.iter().map(|word| Quoted(word).to_string()).collect::<Vec<_>>().join(", "),
        };
        let error = match self.peek() {
            Some(word) => word.error(format_args!("Expected {wanted}{or}, found {}.", word.quoted())),
            None => self.ends_before(format_args!("{wanted}{or} is expected")),
        };
        error.expecting(&self.tried)
    }

    #[cold]
    fn ends_before(&self, what: fmt::Arguments<'_>) -> Box<ScenarioError> {
        ScenarioError::new(self.end, format_args!("The line ends where {what}."))
    }
}

/// How long the word is with which `text` begins. `=`, `,` and `..` are words of their own.
fn word_length(text: &str) -> usize {
    if text.starts_with("..") {
        return 2;
    }
    if text.starts_with(['=', ',']) {
        return 1;
    }
    let separator = text.find(|c: char| c.is_whitespace() || c == '=' || c == ',');
    let word = &text[..separator.unwrap_or(text.len())];
    word.as_bytes().windows(2).position(|pair| pair == b"..").unwrap_or(word.len())
}
