//! Everything the page knows, and how it changes. Nothing here touches the browser.

use std::rc::Rc;

use fencepost_core::compare::{Comparison, FactRef, compare};
use fencepost_core::plot::{self, Axis, Options, Scene, Timeline};
use fencepost_core::scenario::{self, Parameter, Scenario, ScenarioError};
use fencepost_core::story::{Line, story};
use fencepost_core::time::{Duration, Instant};
use fencepost_core::words;
use yew::AttrValue;

use super::quantity;

/// How long a whole run takes to play.
const PLAY: Duration = Duration::from_secs(9);

/// What came of a scenario: worked out once for each text that can be read.
#[derive(Debug)]
pub struct Outcome {
    pub comparison: Comparison,
    pub timeline: Timeline,
    pub headline: AttrValue,
    pub lines: Vec<Line>,
    /// The line in which the rows first differ.
    pub difference: Option<usize>,
    /// When the last fact happened.
    pub end: Instant,
    /// Decimals that tell its times apart.
    pub decimals: usize,
}

impl Outcome {
    pub fn of(scenario: &Scenario) -> Self {
        let comparison = compare(scenario);
        let lines = story(&comparison);
        let difference = comparison.difference.as_ref().and_then(|difference| {
            let differs = |fact: &FactRef| difference.facts[fact.run] == Some(fact.fact);
            lines.iter().position(|line| line.facts.iter().any(differs))
        });
        Self {
            timeline: plot::timeline(&comparison),
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

/// A text, and what somebody has made of it: a question's scenario, or a counterexample.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// As it came.
    pub original: Rc<str>,
    /// As it stands.
    pub text: Rc<str>,
    /// What stood there when the original was restored: nobody loses their work by one press of a button.
    pub discarded: Option<Rc<str>>,
    /// The counterexamples that were opened in its place, each with what was made of it.
    opened: Vec<Draft>,
    /// The one that stands in its place.
    open: Option<usize>,
}

/// A question that has been asked for, and whose text is not here yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Coming {
    pub question: usize,
    /// Why the text did not come.
    pub failure: Option<AttrValue>,
}

/// A handle that is dragged.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    parameter: String,
    /// How far from the handle's middle it was taken, so that it does not jump to the pointer.
    offset: f64,
    /// The axis as it was when it was taken.
    axis: Axis,
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
    /// What each question shows.
    pub titles: Rc<[String]>,
    /// The question that is shown, by its index.
    pub question: usize,
    /// The question that is to be shown as soon as its text is here.
    pub coming: Option<Coming>,
    /// For every question its text, once that is here.
    pub drafts: Rc<Vec<Option<Draft>>>,
    /// What came of the last text that could be read.
    pub outcome: Rc<Outcome>,
    /// What is wrong with the text as it stands: where, and in words as soon as there are any.
    pub mistake: Option<Rc<ScenarioError>>,
    /// The figure's width in CSS pixels.
    pub width: u32,
    /// The figure, for the outcome and the width.
    pub scene: Rc<Scene>,
    pub cursor: Cursor,
    /// How far playback has come; none while it stands still.
    pub playing: Option<Instant>,
    /// The handle that is dragged.
    pub held: Option<Held>,
    /// What was typed for a parameter, by its name, while it says something else than the value does: half a number, or none
    /// that can be used.
    pub typed: Vec<(String, String)>,
    /// What a screen reader is to say.
    pub announcement: AttrValue,
}

/// What the page can be asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Shows another question, as soon as its text is here.
    Choose(usize),
    /// A question's text is here, and perhaps what was kept of it from an earlier visit, and of a counterexample in its place.
    Arrive { question: usize, text: String, kept: Option<String>, opened: Option<String> },
    /// A question's text does not come.
    Fail { question: usize, why: String },
    /// Asks for the text again.
    TryAgain,
    /// The text was changed by hand.
    Edit(String),
    /// What is wrong with a text has been put into words.
    Explain { text: Rc<str>, message: String },
    /// Goes back to the question's own text.
    Restore,
    /// Goes forward again to what [`Action::Restore`] took away.
    Reinstate,
    /// Shows a counterexample in place of the question's scenario, which waits as it is.
    Open(String),
    /// Goes back to the question's scenario.
    Return,
    /// Something was typed for a parameter.
    Type { name: String, text: String },
    /// The field of a parameter is left.
    Leave(String),
    /// A parameter is changed by keys.
    Nudge { name: String, by: Nudge },
    /// The handle of a parameter is taken, at a place of the figure in CSS pixels.
    Hold { name: String, x: f64 },
    /// The handle that is held follows to a place of the figure.
    Drag(f64),
    /// The handle is let go.
    LetGo,
    /// The figure has another width.
    Resize(u32),
    /// The cursor goes to a place of the figure.
    Seek(f64),
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

/// How keys change a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Nudge {
    /// So many steps on, or back.
    Steps(i64),
    Least,
    Most,
}

impl Session {
    /// The page as it opens: at the first question, with its own text and perhaps with what was kept of it from an earlier
    /// visit, in a figure of this width.
    pub fn open(titles: Vec<String>, text: &str, kept: Option<String>, width: u32) -> Self {
        let scenario = scenario::parse(text).unwrap_or_else(|error| panic!("the first scenario: {error}"));
        let outcome = Rc::new(Outcome::of(&scenario));
        let mut drafts = vec![None; titles.len()];
        drafts[0] = Some(Draft::new(text, kept));
        let mut session = Self {
            titles: titles.into(),
            question: 0,
            coming: None,
            drafts: Rc::new(drafts),
            mistake: None,
            width,
            scene: layout(&outcome, width, None),
            outcome,
            cursor: Cursor::Difference,
            playing: None,
            held: None,
            typed: Vec::new(),
            announcement: AttrValue::default(),
        };
        if session.is_edited() {
            session = session.read();
            session.scene = layout(&session.outcome, width, None);
        }
        session
    }

    /// The question's draft, whatever is shown in its place.
    fn own(&self) -> &Draft {
        self.drafts[self.question].as_ref().expect("a question is shown when its text is here")
    }

    fn own_mut(&mut self) -> &mut Draft {
        let draft = Rc::make_mut(&mut self.drafts)[self.question].as_mut();
        draft.expect("a question is shown when its text is here")
    }

    /// The draft that is shown.
    fn draft(&self) -> &Draft {
        let own = self.own();
        own.open.map_or(own, |open| &own.opened[open])
    }

    fn draft_mut(&mut self) -> &mut Draft {
        let own = self.own_mut();
        match own.open {
            Some(open) => &mut own.opened[open],
            None => own,
        }
    }

    /// Whether a counterexample is shown.
    pub fn is_opened(&self) -> bool {
        self.own().open.is_some()
    }

    pub fn text(&self) -> &Rc<str> {
        &self.draft().text
    }

    /// The question that is shown or, once asked for, on its way.
    pub fn wanted(&self) -> usize {
        self.coming.as_ref().map_or(self.question, |coming| coming.question)
    }

    /// The question whose text is being waited for.
    pub fn awaited(&self) -> Option<usize> {
        self.coming.as_ref().filter(|coming| coming.failure.is_none()).map(|coming| coming.question)
    }

    /// Whether the text differs from the question's own.
    pub fn is_edited(&self) -> bool {
        self.draft().text != self.draft().original
    }

    /// Whether there is something that [`Action::Reinstate`] brings back.
    pub fn can_reinstate(&self) -> bool {
        !self.is_edited() && self.draft().discarded.is_some()
    }

    /// What stands in the field of a parameter, if it is not the value.
    pub fn typed(&self, parameter: &str) -> Option<&str> {
        self.typed.iter().find(|(name, _)| name == parameter).map(|(_, text)| &**text)
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

    /// Shows a question whose text is here.
    fn show(mut self, question: usize) -> Self {
        let Some(draft) = &self.drafts[question] else { return self };
        let original = draft.original.clone();
        match scenario::parse(&original) {
            Ok(scenario) => self.outcome = Rc::new(Outcome::of(&scenario)),
            Err(error) => {
                // The text is not of the same making as this program: there is nothing to go back to.
                Rc::make_mut(&mut self.drafts)[question] = None;
                return self.fail(question, format!("this page cannot read line {} of it", error.line));
            }
        }
        self.question = question;
        self.coming = None;
        self.mistake = None;
        self.held = None;
        self.typed.clear();
        self = self.go(Cursor::Difference);
        if *self.text() == original { self } else { self.read() }.announce_headline()
    }

    /// Shows the text of another draft of the same question.
    fn turn(mut self) -> Self {
        self.held = None;
        self.typed.clear();
        self.go(Cursor::Difference).read().announce_headline()
    }

    fn fail(mut self, question: usize, why: String) -> Self {
        let failure = AttrValue::from(why.trim_end_matches('.').to_owned());
        self.announcement = format!("“{}” is not here: {failure}", self.titles[question]).into();
        self.coming = Some(Coming { question, failure: Some(failure) });
        self
    }

    fn write(mut self, text: Rc<str>) -> Self {
        self.draft_mut().text = text;
        self.read()
    }

    /// Takes the text as it stands for the scenario, if it can be read; else says what is wrong and keeps the rest.
    fn read(mut self) -> Self {
        match scenario::parse(self.text()) {
            Ok(scenario) => {
                if let Cursor::Line(line) = self.cursor {
                    self.cursor = Cursor::At(self.outcome.lines[line].at);
                }
                let before = std::mem::replace(&mut self.outcome, Rc::new(Outcome::of(&scenario)));
                // A value that comes from elsewhere, by the handle or in the text, is shown in its field.
                self.typed.retain(|(name, text)| {
                    scenario.parameter(name).is_some_and(|parameter| {
                        before.comparison.scenario.parameter(name) == Some(parameter)
                            || quantity::read(text, parameter) == Ok(parameter.value)
                    })
                });
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

    /// A parameter that can be changed. Over a text with a mistake the figure is an old one: what is pulled there has
    /// nothing to change.
    fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.outcome.comparison.scenario.parameter(name).filter(|_| self.mistake.is_none())
    }

    /// Gives a parameter another value; none if that changes nothing.
    fn set(&self, name: &str, value: Duration) -> Option<Self> {
        self.parameter(name)?;
        let text = scenario::set_parameter(self.text(), name, value).ok().filter(|text| **text != **self.text())?;
        let next = self.clone().write(text.into());
        // In the middle of a drag nobody wants to hear every step.
        Some(if next.held.is_some() { next } else { next.announce_headline() })
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
        let Line { at, text, .. } = &next.outcome.lines[line];
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
        // A frame is short, so that neither product is too large.
        let (rounds, rest) = (end.micros() / PLAY.micros(), end.micros() % PLAY.micros());
        let on = passed.micros() * rounds + passed.micros() * rest / PLAY.micros();
        let now = from + Duration::from_micros(on);
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

fn layout(outcome: &Outcome, width: u32, held: Option<&Held>) -> Rc<Scene> {
    Rc::new(plot::layout(&outcome.timeline, Options { width, held: held.map(|held| held.axis) }))
}

impl Draft {
    fn new(original: &str, kept: Option<String>) -> Self {
        let original: Rc<str> = original.into();
        let text = kept.map_or_else(|| original.clone(), Into::into);
        Self { original, text, discarded: None, opened: Vec::new(), open: None }
    }

    /// Puts a counterexample in its place, with what was made of it where it has been there before.
    fn show(&mut self, text: &str) {
        let known = self.opened.iter().position(|draft| *draft.original == *text);
        self.open = Some(known.unwrap_or_else(|| {
            self.opened.push(Self::new(text, None));
            self.opened.len() - 1
        }));
    }

    /// The counterexample that stands in its place, as it is now.
    pub fn counterexample(&self) -> Option<&str> {
        self.open.map(|open| &*self.opened[open].text)
    }
}

impl Session {
    /// The session after `action`; the same one if that changes nothing.
    pub fn reduce(self: &Rc<Self>, action: Action) -> Rc<Self> {
        let Some(mut next) = self.after(action) else { return self.clone() };
        let end = |session: &Self| session.held.as_ref().map(|held| held.axis);
        if !Rc::ptr_eq(&next.outcome, &self.outcome) || next.width != self.width || end(&next) != end(self) {
            next.scene = layout(&next.outcome, next.width, next.held.as_ref());
        }
        Rc::new(next)
    }

    fn after(&self, action: Action) -> Option<Self> {
        let mut next = self.clone();
        let line = self.line();
        Some(match action {
            Action::Choose(question) if question == self.wanted() => return None,
            Action::Choose(question) if question == self.question => {
                next.coming = None;
                next.announce_headline()
            }
            Action::Choose(question) if self.drafts[question].is_some() => next.show(question),
            Action::Choose(question) => {
                next.coming = Some(Coming { question, failure: None });
                next
            }
            Action::Arrive { question, text, kept, opened } => {
                // It may have been asked for twice: what has been written since then stays.
                Rc::make_mut(&mut next.drafts)[question].get_or_insert_with(|| {
                    let mut draft = Draft::new(&text, kept);
                    if let Some(opened) = opened {
                        draft.show(&opened);
                    }
                    draft
                });
                if next.awaited() == Some(question) { next.show(question) } else { next }
            }
            Action::Fail { question, why } if self.awaited() == Some(question) => next.fail(question, why),
            Action::Fail { .. } => return None,
            Action::TryAgain => {
                next.coming.as_mut()?.failure = None;
                next
            }
            Action::Edit(text) => next.write(text.into()),
            Action::Explain { text, message } => {
                // It may have been written on in the meantime.
                let mistake = self.mistake.as_deref().filter(|_| *self.text() == text)?;
                next.mistake = Some(Rc::new(ScenarioError { message, ..mistake.clone() }));
                next
            }
            Action::Restore => {
                let draft = next.draft_mut();
                draft.discarded = Some(draft.text.clone());
                let original = draft.original.clone();
                next.write(original).announce_headline()
            }
            Action::Reinstate => {
                let text = next.draft_mut().discarded.take()?;
                next.write(text).announce_headline()
            }
            // Only over a figure that is there, and of the question that it is about.
            Action::Open(_) if self.coming.is_some() => return None,
            Action::Open(text) => {
                next.own_mut().show(&text);
                next.turn()
            }
            Action::Return => {
                next.own_mut().open.take()?;
                next.turn()
            }
            Action::Type { name, text } => {
                let value = quantity::read(&text, self.parameter(&name)?);
                let mut next = value.ok().and_then(|value| self.set(&name, value)).unwrap_or(next);
                next.typed.retain(|(typed, _)| *typed != name);
                next.typed.push((name, text));
                next
            }
            Action::Leave(name) => {
                let parameter = self.parameter(&name)?;
                next.typed.retain(|(typed, text)| *typed != name || quantity::read(text, parameter).is_err());
                next
            }
            Action::Nudge { name, by } => {
                let parameter = self.parameter(&name)?;
                let (least, most) = quantity::limits(parameter);
                let value = match by {
                    Nudge::Steps(steps) => quantity::moved(parameter, steps),
                    Nudge::Least => least,
                    // Without a range there is no greatest value to speak of.
                    Nudge::Most => parameter.range.map(|_| most)?,
                };
                let mut next = self.set(&name, value).unwrap_or(next);
                next.typed.retain(|(typed, _)| *typed != name);
                next
            }
            Action::Hold { name, x } => {
                self.parameter(&name)?;
                let handle = self.scene.handles.iter().find(|handle| handle.parameter == name)?;
                let middle = f64::from(self.scene.axis.x(handle.zero + handle.value).0) / 10.0;
                next.held = Some(Held { parameter: name, offset: x - middle, axis: self.scene.axis });
                next.playing = None;
                next
            }
            Action::Drag(x) => {
                let Held { parameter: name, offset, .. } = self.held.as_ref()?;
                let handle = self.scene.handles.iter().find(|handle| handle.parameter == *name)?;
                let at = self.scene.axis.at(x - offset);
                return self.set(name, scenario::snap(self.parameter(name)?, at.since(handle.zero)));
            }
            Action::LetGo => {
                next.held.take()?;
                next.announce_headline()
            }
            Action::Resize(width) if width == self.width => return None,
            Action::Resize(width) => {
                next.width = width;
                next
            }
            Action::Seek(x) => {
                let at = self.scene.axis.at(x);
                next.go(Cursor::At(at.min(self.outcome.end)))
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
        })
    }
}

#[cfg(test)]
mod tests;
