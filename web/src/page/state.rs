//! Everything the page knows, and how it changes. Nothing here touches the browser.

use std::rc::Rc;

use fencepost_core::compare::{Comparison, FactRef, compare};
use fencepost_core::plot::{self, Timeline};
use fencepost_core::scenario::{self, CORPUS, Scenario, ScenarioError};
use fencepost_core::story::{Line, story};
use fencepost_core::time::{Duration, Instant};
use fencepost_core::words::{self, Narrator, Verdict};
use yew::{AttrValue, Reducible, UseReducerDispatcher};

use super::quantity;

/// How the page's parts ask for changes.
pub type Dispatch = UseReducerDispatcher<Session>;

/// How long a whole run takes to play.
const PLAY: Duration = Duration::from_secs(9);

/// What came of a scenario: worked out once for each text that can be read.
#[derive(Debug)]
pub struct Outcome {
    pub comparison: Comparison,
    pub timeline: Timeline,
    pub verdicts: Vec<Verdict>,
    pub headline: AttrValue,
    pub lines: Vec<Rc<Line>>,
    /// The line in which the rows first differ.
    pub difference: Option<usize>,
    /// When the last fact happened.
    pub end: Instant,
    /// Decimals that tell its times apart.
    pub decimals: usize,
}

/// Outcomes are never changed, so another one is a different one.
impl PartialEq for Outcome {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Outcome {
    pub fn of(scenario: &Scenario) -> Self {
        let comparison = compare(scenario);
        let lines: Vec<Rc<Line>> = story(&comparison).into_iter().map(Rc::new).collect();
        let difference = comparison.difference.as_ref().and_then(|difference| {
            let differs = |fact: &FactRef| difference.facts[fact.run] == Some(fact.fact);
            lines.iter().position(|line| line.facts.iter().any(differs))
        });
        let verdict = |run| Narrator::new(scenario, run).verdict();
        Self {
            timeline: plot::timeline(&comparison),
            verdicts: comparison.runs.iter().map(verdict).collect(),
            headline: words::headline(&comparison).into(),
            difference,
            end: lines.last().map_or(Instant::START, |line| line.at),
            decimals: if lines.iter().all(|line| line.at.micros() % 10_000 == 0) { 2 } else { 3 },
            lines,
            comparison,
        }
    }

    /// The last line that is not after `at`.
    pub fn line_at(&self, at: Instant) -> Option<usize> {
        self.lines.partition_point(|line| line.at <= at).checked_sub(1)
    }

    /// The line that tells `fact`; for what no line tells, the last one before it.
    pub fn line_of(&self, fact: FactRef) -> Option<usize> {
        let told = self.lines.iter().position(|line| line.facts.contains(&fact));
        told.or_else(|| self.line_at(self.comparison.runs.get(fact.run)?.facts.get(fact.fact)?.at))
    }
}

/// The text of one question's scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// As it stands.
    pub text: Rc<str>,
    /// What stood there when the original was restored: nobody loses their work by one press of a button.
    pub discarded: Option<Rc<str>>,
}

/// Where the cursor stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cursor {
    /// Where the rows first differ, wherever a change of the scenario moves that; at the end where they do not.
    Difference,
    /// At this line.
    Line(usize),
    /// At this instant, and at the last line before it.
    At(Instant),
}

/// Everything the page knows.
#[derive(Debug, Clone)]
pub struct Session {
    /// The question, by its index in the corpus.
    pub question: usize,
    /// A text for every question.
    pub drafts: Rc<Vec<Draft>>,
    /// What came of the last text that could be read.
    pub outcome: Rc<Outcome>,
    /// What is wrong with the text as it stands.
    pub mistake: Option<Rc<ScenarioError>>,
    pub cursor: Cursor,
    /// How far playback has come; none while it stands still.
    pub playing: Option<Instant>,
    /// While a handle is dragged: where the axis ended when it was taken.
    pub held: Option<Instant>,
    /// What a screen reader is to say.
    pub announcement: AttrValue,
}

/// What the page can be asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Shows another question.
    Choose(usize),
    /// The text was changed by hand.
    Edit(String),
    /// Goes back to the question's own text.
    Restore,
    /// Goes forward again to what [`Action::Restore`] took away.
    Reinstate,
    /// A parameter has another value.
    Set { name: String, value: Duration },
    /// A handle is taken, on an axis that ends here.
    Hold(Instant),
    /// The handle is let go.
    LetGo,
    /// The cursor goes to an instant.
    Seek(Instant),
    /// The cursor goes to a line.
    SeekLine(usize),
    /// The cursor goes to where a fact is told.
    SeekFact(FactRef),
    /// The cursor goes to the next line.
    Forward,
    /// The cursor goes to the line before.
    Back,
    /// The cursor goes to the first line.
    Start,
    /// The cursor goes to the last line.
    End,
    /// The cursor goes to the first difference.
    Difference,
    /// Plays, or stops playing.
    TogglePlay,
    /// Time has passed while playing.
    Tick {
        passed: Duration,
        /// Whether the cursor glides; else it goes from line to line.
        glide: bool,
    },
}

impl Session {
    /// The page as it opens: `question` is an index of the corpus, and `kept` what was written in an earlier visit.
    pub fn open(question: usize, kept: impl Fn(&str) -> Option<String>) -> Self {
        let draft = |entry: &scenario::Entry| Draft {
            text: kept(entry.path).map_or_else(|| entry.text.into(), Into::into),
            discarded: None,
        };
        let drafts: Vec<Draft> = CORPUS.iter().map(draft).collect();
        Self {
            question,
            outcome: Rc::new(original(question)),
            drafts: Rc::new(drafts),
            mistake: None,
            cursor: Cursor::Difference,
            playing: None,
            held: None,
            announcement: AttrValue::default(),
        }
        .read()
    }

    pub fn text(&self) -> &Rc<str> {
        &self.drafts[self.question].text
    }

    /// Whether the text differs from the question's own.
    pub fn is_edited(&self) -> bool {
        **self.text() != *CORPUS[self.question].text
    }

    /// Whether there is something that [`Action::Reinstate`] brings back.
    pub fn can_reinstate(&self) -> bool {
        !self.is_edited() && self.drafts[self.question].discarded.is_some()
    }

    /// The line at the cursor; none before the first.
    pub fn line(&self) -> Option<usize> {
        match self.cursor {
            Cursor::Difference => self.outcome.difference.or_else(|| self.outcome.lines.len().checked_sub(1)),
            Cursor::Line(line) => Some(line),
            Cursor::At(at) => self.outcome.line_at(at),
        }
    }

    /// The cursor's instant.
    pub fn at(&self) -> Instant {
        match self.cursor {
            Cursor::At(at) => at,
            Cursor::Difference | Cursor::Line(_) => {
                self.line().map_or(Instant::START, |line| self.outcome.lines[line].at)
            }
        }
    }

    fn write(&mut self, text: Rc<str>) {
        Rc::make_mut(&mut self.drafts)[self.question].text = text;
    }

    /// Takes the text as it stands for the scenario, if it can be read; else says what is wrong and keeps the rest.
    fn read(mut self) -> Self {
        match scenario::parse(self.text()) {
            Ok(scenario) => {
                if let Cursor::Line(line) = self.cursor {
                    self.cursor = Cursor::At(self.outcome.lines[line].at);
                }
                self.outcome = Rc::new(Outcome::of(&scenario));
                self.mistake = None;
                if let Cursor::At(at) = self.cursor {
                    self.cursor = Cursor::At(at.min(self.outcome.end));
                }
            }
            Err(mistake) => self.mistake = Some(Rc::new(mistake)),
        }
        self.playing = None;
        self
    }

    fn go(mut self, cursor: Cursor) -> Self {
        self.cursor = cursor;
        self.playing = None;
        self
    }

    /// Goes to a line and has it read out.
    fn step(self, line: Option<usize>) -> Self {
        let Some(line) = line.filter(|&line| line < self.outcome.lines.len()) else { return self };
        let mut next = self.go(Cursor::Line(line));
        let Line { at, text, .. } = &*next.outcome.lines[line];
        next.announcement = format!("{} s: {text}", quantity::seconds(*at, next.outcome.decimals)).into();
        next
    }

    fn announce_headline(mut self) -> Self {
        self.announcement = self.outcome.headline.clone();
        self
    }

    fn tick(mut self, passed: Duration, glide: bool) -> Self {
        let Some(from) = self.playing else { return self };
        let end = self.outcome.end;
        let on = u128::from(passed.micros()) * u128::from(end.micros()) / u128::from(PLAY.micros());
        let now = from + Duration::from_micros(on as u64);
        if now >= end {
            return self.go(Cursor::At(end));
        }
        self.playing = Some(now);
        self.cursor = match self.outcome.line_at(now) {
            Some(line) if !glide => Cursor::Line(line),
            _ => Cursor::At(now),
        };
        self
    }
}

/// What comes of a question's own text.
fn original(question: usize) -> Outcome {
    let entry = &CORPUS[question];
    let scenario = scenario::parse(entry.text).unwrap_or_else(|error| panic!("{}:{error}", entry.path));
    Outcome::of(&scenario)
}

impl Reducible for Session {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let mut next = (*self).clone();
        let line = self.line();
        let next = match action {
            Action::Choose(question) if question == self.question => return self,
            Action::Choose(question) => {
                next.question = question;
                next.outcome = Rc::new(original(question));
                next.held = None;
                next.go(Cursor::Difference).read().announce_headline()
            }
            Action::Edit(text) => {
                next.write(text.into());
                next.read()
            }
            Action::Restore => {
                let drafts = Rc::make_mut(&mut next.drafts);
                drafts[next.question].discarded = Some(self.text().clone());
                next.write(CORPUS[next.question].text.into());
                next.read().announce_headline()
            }
            Action::Reinstate => {
                let Some(text) = Rc::make_mut(&mut next.drafts)[next.question].discarded.take() else { return self };
                next.write(text);
                next.read().announce_headline()
            }
            Action::Set { name, value } => {
                // Over a text with a mistake the figure is an old one: what is pulled there has nothing to change.
                if self.mistake.is_some() {
                    return self;
                }
                match scenario::set_parameter(self.text(), &name, value) {
                    Ok(text) if *text == **self.text() => return self,
                    Ok(text) => {
                        next.write(text.into());
                        let next = next.read();
                        // In the middle of a drag nobody wants to hear every step.
                        if next.held.is_some() { next } else { next.announce_headline() }
                    }
                    Err(_) => return self,
                }
            }
            Action::Hold(end) => {
                next.held = Some(end);
                next.playing = None;
                next
            }
            Action::LetGo => {
                next.held = None;
                next.announce_headline()
            }
            Action::Seek(at) => {
                let end = next.outcome.end;
                next.go(Cursor::At(at.min(end)))
            }
            Action::SeekLine(line) => next.step(Some(line)),
            Action::SeekFact(fact) => {
                let line = next.outcome.line_of(fact);
                next.step(line)
            }
            Action::Forward => next.step(Some(line.map_or(0, |line| line + 1))),
            Action::Back => {
                let between = line.is_some_and(|line| self.outcome.lines[line].at < self.at());
                next.step(if between { line } else { line.and_then(|line| line.checked_sub(1)) })
            }
            Action::Start => next.step(Some(0)),
            Action::End => {
                let last = next.outcome.lines.len().checked_sub(1);
                next.step(last)
            }
            Action::Difference => {
                let mut next = next.step(self.outcome.difference);
                next.cursor = Cursor::Difference;
                next
            }
            Action::TogglePlay if next.playing.is_some() => {
                let cursor = next.cursor;
                next.go(cursor)
            }
            Action::TogglePlay => {
                // On from where somebody has put the cursor; else, and from the end, the whole run.
                let at = self.at();
                let placed = self.cursor != Cursor::Difference && at < self.outcome.end;
                let from = if placed { at } else { Instant::START };
                next.playing = Some(from);
                next.cursor = Cursor::At(from);
                next
            }
            Action::Tick { passed, glide } => next.tick(passed, glide),
        };
        Rc::new(next)
    }
}

#[cfg(test)]
mod tests;
