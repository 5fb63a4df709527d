//! One line of a text as words, and a cursor that reads them and says what was expected where something else stands.

use super::vocabulary::Vocabulary;
use crate::scenario::error::{Place, ScenarioError, listed, meant, quoted};

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

impl Word<'_> {
    pub fn error(self, message: impl Into<String>) -> ScenarioError {
        ScenarioError::new(self.place, message)
    }

    /// The word in quotes.
    pub fn quoted(self) -> String {
        quoted(self.text)
    }

    /// This word is not `what` (with its article), which is one of `words`.
    pub fn unknown(self, what: &str, words: &[&str]) -> ScenarioError {
        let found = self.quoted();
        let message = match meant(self.text, words) {
            Some(meant) => format!("{found} is not {what}. Did you mean {}?", quoted(meant)),
            None => format!("{found} is not {what}: expected {}.", listed(words, "or")),
        };
        self.error(message).expecting(words)
    }
}

/// The words of one line, read from left to right.
#[derive(Debug, Clone)]
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
    pub fn rewind(mut self) -> Self {
        self.next = 0;
        self
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
    pub fn word(&mut self, what: &str) -> Result<Word<'t>, ScenarioError> {
        match self.take() {
            Some(word) => Ok(word),
            None => Err(ScenarioError::new(self.end, format!("The line ends where {what} is expected."))),
        }
    }

    /// Takes `literal` if it is the next word.
    pub fn accept(&mut self, literal: &'static str) -> Option<Word<'t>> {
        match self.peek() {
            Some(word) if word.text == literal => self.take(),
            _ => {
                self.tried.push(literal);
                None
            }
        }
    }

    /// Takes `literal`, which has to be the next word.
    pub fn expect(&mut self, literal: &'static str) -> Result<Word<'t>, ScenarioError> {
        self.accept(literal).ok_or_else(|| self.unexpected(""))
    }

    /// Takes a comma if one follows; otherwise the line has to end.
    pub fn comma(&mut self) -> Result<bool, ScenarioError> {
        match self.accept(",") {
            Some(_) => Ok(true),
            None => self.end().map(|()| false),
        }
    }

    /// There must be no further word.
    pub fn end(&self) -> Result<(), ScenarioError> {
        match self.peek() {
            Some(_) if self.tried.is_empty() => Err(self.unexpected("the end of the line")),
            Some(_) => Err(self.unexpected(" or the end of the line")),
            None => Ok(()),
        }
    }

    /// Takes a word of a closed set.
    pub fn choose<V: Vocabulary>(&mut self) -> Result<V, ScenarioError> {
        self.choose_word().map(|(value, _)| value)
    }

    /// Takes a word of a closed set, and returns it with what it stands for.
    pub fn choose_word<V: Vocabulary>(&mut self) -> Result<(V, Word<'t>), ScenarioError> {
        let choice = self.peek().and_then(|word| Some((V::read(word.text)?, word)));
        let choice = choice.ok_or_else(|| self.not_among(V::WHAT, &V::words()))?;
        self.take();
        Ok(choice)
    }

    /// What stands here is not `what` (with its article), one of `words` or one of those looked for before.
    pub fn not_among(&self, what: &str, words: &[&str]) -> ScenarioError {
        let words = [self.tried.as_slice(), words].concat();
        match self.peek() {
            Some(word) => word.unknown(what, &words),
            None => {
                let message = format!("The line ends where {what} is expected: {}.", listed(&words, "or"));
                ScenarioError::new(self.end, message).expecting(&words)
            }
        }
    }

    /// Takes a whole number from `least` to `most`; `what` is what it says.
    pub fn number(&mut self, what: &str, least: u64, most: u64) -> Result<u64, ScenarioError> {
        let word = self.word(what)?;
        let digits = word.text.bytes().all(|byte| byte.is_ascii_digit());
        match word.text.parse() {
            Ok(number) if digits && (least..=most).contains(&number) => Ok(number),
            _ => {
                let found = word.quoted();
                Err(word.error(format!("Expected {what}, a whole number from {least} to {most}; found {found}.")))
            }
        }
    }

    fn unexpected(&self, or: &str) -> ScenarioError {
        let wanted = format!("{}{or}", listed(&self.tried, "or"));
        let error = match self.peek() {
            Some(word) => word.error(format!("Expected {wanted}, found {}.", word.quoted())),
            None => ScenarioError::new(self.end, format!("The line ends where {wanted} is expected.")),
        };
        error.expecting(&self.tried)
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
    word.find("..").unwrap_or(word.len())
}
