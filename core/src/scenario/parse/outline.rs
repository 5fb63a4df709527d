//! The text as a list of statements: what belongs to which line, before anything is understood.

use super::line::{Line, Word};
use super::name::{SCENARIO_NAME, check_name};
use super::vocabulary::{Keyword, Vocabulary};
use crate::scenario::error::{Place, Quoted, Result, ScenarioError, meant};
use crate::scenario::{MAX_BYTES, MAX_LINES};

/// A keyword's line and the entries below it.
#[derive(Debug)]
pub(in crate::scenario) struct Statement<'t> {
    /// The keyword.
    pub keyword: Keyword,
    /// The keyword as a word, for its place.
    pub word: Word<'t>,
    /// The line, read up to the keyword.
    pub line: Line<'t>,
    /// The lines indented deeper that follow a section's keyword.
    pub entries: Vec<Line<'t>>,
}

/// A text, taken apart into statements.
#[derive(Debug)]
pub(in crate::scenario) struct Outline<'t> {
    /// The comment lines before the first statement.
    pub comment: Vec<String>,
    /// The scenario's name.
    pub name: Word<'t>,
    statements: Vec<Statement<'t>>,
}

impl<'t> Outline<'t> {
    /// Takes `text` apart.
    pub fn read(text: &'t str) -> Result<Self> {
        check_size(text)?;
        let mut comment = Vec::new();
        let mut outline: Option<Self> = None;
        let mut start = text.len() - text.trim_start_matches('\u{feff}').len();
        for (number, raw) in (1..).zip(text[start..].split_inclusive('\n')) {
            let line = Line::split(raw, number, start);
            start += raw.len();
            match &mut outline {
                None if line.is_empty() => comment.push(comment_text(raw)),
                None => outline = Some(Self::begin(line, std::mem::take(&mut comment))?),
                Some(_) if line.is_empty() => {}
                Some(outline) => outline.add(line)?,
            }
        }
        outline.ok_or_else(|| {
            let message = format_args!("There is no scenario here: one begins with a line `scenario NAME`.");
            ScenarioError::new(Place::START, message).expecting(&["scenario"])
        })
    }

    fn begin(mut line: Line<'t>, comment: Vec<String>) -> Result<Self> {
        if !line.accept(Keyword::Scenario.word()) {
            let found = line.word("a word")?;
            let message = format_args!("A scenario begins with a line `scenario NAME`, not with {}.", found.quoted());
            return Err(found.error(message).expecting(&["scenario"]));
        }
        let name = line.word("the scenario's name")?;
        check_name(name, &SCENARIO_NAME)?;
        if let Some(extra) = line.peek() {
            return Err(
                extra.error(format_args!("The name of a scenario is one word: its parts are joined by hyphens."))
            );
        }
        Ok(Self { comment, name, statements: Vec::new() })
    }

    fn add(&mut self, mut line: Line<'t>) -> Result<()> {
        let open = self.statements.last_mut().filter(|statement| statement.keyword.is_section());
        if let Some(section) = open
            && line.indent() > section.word.place.column - 1
        {
            section.entries.push(line);
            return Ok(());
        }
        let section = self.statements.last().filter(|statement| statement.keyword.is_section());
        let word = line.word("a keyword")?;
        let Some(keyword) = Keyword::read(word.text) else {
            return Err(not_a_keyword(word, section.map(|section| section.word)));
        };
        if keyword == Keyword::Scenario {
            return Err(word.error(format_args!("A text holds one scenario; this would begin a second one.")));
        }
        if let Some(earlier) = self.statements.iter().find(|s| s.keyword == keyword && !keyword.repeats()) {
            return Err(word.error(format_args!(
                "{} stands in line {} already; it may stand once.",
                word.quoted(),
                earlier.word.place.line
            )));
        }
        self.statements.push(Statement { keyword, word, line, entries: Vec::new() });
        Ok(())
    }

    /// The statement of `keyword`, if there is one.
    pub fn one(&mut self, keyword: Keyword) -> Option<&mut Statement<'t>> {
        self.all(keyword).next()
    }

    /// Reads the rest of the line of `keyword` with `read`, if there is one; true if so.
    pub fn read_one(&mut self, keyword: Keyword, read: &mut dyn FnMut(&mut Line<'t>) -> Result<()>) -> Result<bool> {
        let Some(Statement { line, .. }) = self.one(keyword) else {
            return Ok(false);
        };
        read(line)?;
        line.end()?;
        Ok(true)
    }

    /// Reads the rest of the line of `keyword`, which every scenario has; `example` is what it could be.
    pub fn read_required(
        &mut self,
        keyword: Keyword,
        example: &str,
        read: &mut dyn FnMut(&mut Line<'t>) -> Result<()>,
    ) -> Result<()> {
        if self.read_one(keyword, read)? {
            return Ok(());
        }
        let (name, keyword) = (self.name.quoted(), keyword.word());
        let message = format_args!("The scenario {name} has no line `{keyword}`, for example {}.", Quoted(example));
        Err(self.name.error(message).expecting(&[keyword]))
    }

    /// The statements that set a switch, in order.
    pub fn switches(&mut self) -> impl Iterator<Item = &mut Statement<'t>> {
        self.statements.iter_mut().filter(|statement| matches!(statement.keyword, Keyword::Set(_)))
    }

    /// The statements of `keyword`, in order.
    pub fn all(&mut self, keyword: Keyword) -> impl Iterator<Item = &mut Statement<'t>> {
        self.statements.iter_mut().filter(move |statement| statement.keyword == keyword)
    }
}

impl<'t> Statement<'t> {
    /// Reads the statement's entries, at least one and at most `most`, each with `read`.
    pub fn read_entries(&mut self, most: usize, read: &mut dyn FnMut(&mut Line<'t>) -> Result<()>) -> Result<()> {
        let section = self.word.quoted();
        self.line.end()?;
        if self.entries.is_empty() {
            let message = format_args!("{section} has no entries: they stand on the lines below it, indented deeper.");
            return Err(self.word.error(message));
        }
        for (index, line) in self.entries.iter_mut().enumerate() {
            let Some(first) = line.peek() else { continue };
            if index == most {
                return Err(first.error(format_args!("{section} has at most {most} entries.")));
            }
            read(line).and_then(|()| line.end()).map_err(|error| match Keyword::read(first.text) {
                Some(_) => error.adding(format_args!("If it is not an entry of {section}, it is indented too deep.")),
                None => error,
            })?;
        }
        Ok(())
    }
}

/// The first word of a line below `section`, if one is open, is no keyword: perhaps it should have been an entry.
fn not_a_keyword(word: Word<'_>, section: Option<Word<'_>>) -> Box<ScenarioError> {
    // The first one, `scenario`, begins the text.
    let keywords = &Keyword::WORDS[1..];
    let Some(section) = section else { return word.unknown(Keyword::WHAT, keywords) };
    let error = match meant(word.text, keywords) {
        Some(_) => word.unknown(Keyword::WHAT, keywords),
        None => word.error(format_args!("{} is not {}.", word.quoted(), Keyword::WHAT)).expecting(keywords),
    };
    error.adding(format_args!("If it begins an entry of {0}, it has to be indented deeper than {0}.", section.quoted()))
}

fn check_size(text: &str) -> Result<()> {
    let lines = text.split_inclusive('\n').count();
    if lines > MAX_LINES {
        let place = Place { line: MAX_LINES as u32 + 1, column: 1 };
        let message = format_args!("The text has {lines} lines; a scenario has at most {MAX_LINES}.");
        return Err(ScenarioError::new(place, message));
    }
    if text.len() > MAX_BYTES {
        let place = Place::after(&text[..text.floor_char_boundary(MAX_BYTES)]);
        let message = format_args!("The text has {} bytes; a scenario has at most {MAX_BYTES}.", text.len());
        return Err(ScenarioError::new(place, message));
    }
    Ok(())
}

/// What a line without words says as a comment: an empty one parts paragraphs, as an empty line does.
fn comment_text(raw: &str) -> String {
    let text = raw.trim();
    let text = text.strip_prefix('#').unwrap_or(text);
    text.strip_prefix(' ').unwrap_or(text).trim_end().to_string()
}
