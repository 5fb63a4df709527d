//! One cell: one mechanism in one situation, searched.

use serde::Serialize;

use super::{Mechanism, Question, Situation, scenario};
use crate::counterexample;
use crate::event::Event;
use crate::explore::{Bounds, Counterexample, Example, Progress, Report, Search, Status};
use crate::invariant::Invariant;
use crate::observation::Situation as Seen;
use crate::scenario::Scenario;
use crate::simulate::search_config;
use crate::system::Config;
use crate::words;

/// Most states of a cell's search: far more than any needs, and few enough that nobody waits for one that grew by mistake.
pub const MAX_STATES: usize = 2_000_000;

/// What came out of one cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The answer.
    pub answer: Answer,
    /// How many states were found: 0 if nothing was searched.
    pub states: usize,
    /// How many choices lead to the last ones.
    pub depth: usize,
    /// The limits at which the search stopped, or at which paths ended; none if it was complete.
    pub stopped_at: Vec<&'static str>,
}

/// The answer to what a situation asks of a mechanism.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Every schedule was looked at, and nothing that is asked for broke.
    Holds,
    /// Something that is asked for broke.
    Broken(Broken),
    /// Neither is wrong: how the mechanism decides. Both, if it depends on the schedule.
    Policy {
        /// A shortest schedule on which the write is let in, if there is one.
        accepts: Option<Witness>,
        /// A shortest schedule on which it is not.
        refuses: Option<Witness>,
    },
    /// The mechanism has nothing to do with the situation.
    DoesNotApply {
        /// Why.
        why: String,
    },
    /// The search stopped before it was complete, and had found nothing broken by then.
    Stopped,
}

/// What is broken, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Every invariant asked for that is broken, with the steps of a shortest way to it.
    pub invariants: Vec<(Invariant, usize)>,
    /// The one that is told: the gravest, and of those the one that takes the fewest steps.
    pub shown: Invariant,
    /// How it comes about.
    pub witness: Witness,
    /// A scenario that breaks it by the clock, as a text, if the steps can be given times.
    pub scenario: Option<String>,
}

/// A schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The choices.
    pub path: Vec<Event>,
    /// What each brings about, in sentences.
    pub told: Vec<String>,
}

/// What a broken invariant does harm to, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Harm {
    /// What somebody has written is overwritten, or built upon unseen.
    Data,
    /// Something happens twice.
    Twice,
    /// Somebody acts on what is no longer so.
    Stale,
    /// Somebody is told that what was done was not.
    Answer,
    /// The destination goes back, or a grant is ended by another.
    Order,
    /// The present owner is shut out.
    Owner,
}

impl Harm {
    /// All of them.
    pub const ALL: [Harm; 6] = [Harm::Data, Harm::Twice, Harm::Stale, Harm::Answer, Harm::Order, Harm::Owner];

    /// What breaking `invariant` does harm to.
    pub const fn of(invariant: Invariant) -> Self {
        match invariant {
            Invariant::NoStaleOverwrite | Invariant::NoLostUpdate | Invariant::NoInterleaving => Harm::Data,
            Invariant::AppliedOnce | Invariant::EffectOnce => Harm::Twice,
            Invariant::NoStaleEffect | Invariant::NoStaleRead => Harm::Stale,
            Invariant::SameAnswer => Harm::Answer,
            Invariant::EpochsIncrease | Invariant::RecognizedNeverDecreases | Invariant::ReleaseOwn => Harm::Order,
            Invariant::NewestAdmitted => Harm::Owner,
        }
    }

    /// Its letter in a table.
    pub const fn letter(self) -> char {
        match self {
            Harm::Data => 'D',
            Harm::Twice => 'T',
            Harm::Stale => 'S',
            Harm::Answer => 'A',
            Harm::Order => 'B',
            Harm::Owner => 'L',
        }
    }

    /// What it means, in a few words.
    pub const fn title(self) -> &'static str {
        match self {
            Harm::Data => "data is overwritten, or built upon unseen",
            Harm::Twice => "something happens twice",
            Harm::Stale => "somebody acts on what is no longer so",
            Harm::Answer => "what was applied is reported as refused or failed",
            Harm::Order => "the destination goes back to a former owner",
            Harm::Owner => "the latest owner is shut out",
        }
    }
}

impl Cell {
    /// Whether there is an answer.
    pub fn is_decided(&self) -> bool {
        self.answer != Answer::Stopped
    }

    /// The cell of a mechanism that has nothing to do with the situation.
    pub fn does_not_apply(why: String) -> Self {
        Self { answer: Answer::DoesNotApply { why }, states: 0, depth: 0, stopped_at: Vec::new() }
    }
}

impl Broken {
    /// The gravest harm that is done.
    pub fn harm(&self) -> Harm {
        Harm::of(self.shown)
    }
}

/// The search that decides one cell, in slices.
#[derive(Debug)]
pub struct Trial {
    situation: &'static Situation,
    scenario: Scenario,
    search: Search,
}

impl Trial {
    /// For `mechanism` in `situation`.
    ///
    /// # Errors
    /// Why there is nothing to search: the mechanism has nothing to do with the situation.
    pub fn new(mechanism: &'static Mechanism, situation: &'static Situation) -> Result<Self, String> {
        let scenario = scenario(mechanism, situation)?;
        let config = search_config(&scenario, &scenario.rows[0].mechanism);
        let search = Search::within(&config, Bounds { states: MAX_STATES, ..Bounds::MAX });
        Ok(Self { situation, scenario, search })
    }

    /// Decides the cell in one go.
    pub fn decide(mechanism: &'static Mechanism, situation: &'static Situation) -> Cell {
        match Self::new(mechanism, situation) {
            Ok(mut trial) => {
                while trial.advance(usize::MAX).status == Status::Searching {}
                trial.cell()
            }
            Err(why) => Cell::does_not_apply(why),
        }
    }

    /// Goes through `budget` states, or a few more, and says how far the search has come.
    pub fn advance(&mut self, budget: usize) -> Progress {
        self.search.advance(budget)
    }

    /// What has come out so far: decided once the search is over.
    pub fn cell(&self) -> Cell {
        let report = self.search.report();
        let answer = match self.situation.question {
            Question::Holds { asked, reaches } => self.judged(&report, asked, reaches),
            Question::Policy { accepts, refuses } => self.policy(&report, accepts, refuses),
        };
        let Progress { status, states, depth, .. } = report.progress;
        let stopped_at = if status == Status::Searching { vec!["unfinished"] } else { report.stopped_at() };
        Cell { answer, states, depth, stopped_at }
    }

    fn judged(&self, report: &Report, asked: &[Invariant], reaches: Option<Seen>) -> Answer {
        let broken = || report.broken.iter().filter(|found| asked.contains(&found.evidence.invariant));
        let rank = |found: &&Counterexample| (Harm::of(found.evidence.invariant), found.path.len());
        // A counterexample is one, however far the search went.
        if let Some(found) = broken().min_by_key(rank) {
            let shown = found.evidence.invariant;
            let (row, config) = (&self.scenario.rows[0], self.config());
            let timed = counterexample::timed(&self.scenario, row, &config, &found.path, shown);
            return Answer::Broken(Broken {
                invariants: broken().map(|found| (found.evidence.invariant, found.path.len())).collect(),
                shown,
                witness: self.witness(&found.path),
                scenario: timed.ok().map(|timed| timed.to_text()),
            });
        }
        match reaches {
            _ if report.progress.status != Status::Complete => Answer::Stopped,
            Some(seen) if report.example(seen).is_none() => {
                Answer::DoesNotApply { why: format!("It never comes to this: no schedule reaches `{}`.", seen.name()) }
            }
            _ => Answer::Holds,
        }
    }

    fn policy(&self, report: &Report, accepts: &[Seen], refuses: &[Seen]) -> Answer {
        if report.progress.status != Status::Complete {
            return Answer::Stopped;
        }
        let witness = |shown: &[Seen]| {
            let examples = shown.iter().filter_map(|seen| report.example(*seen));
            examples.min_by_key(|example: &&Example| example.path.len()).map(|example| self.witness(&example.path))
        };
        Answer::Policy { accepts: witness(accepts), refuses: witness(refuses) }
    }

    fn config(&self) -> Config {
        search_config(&self.scenario, &self.scenario.rows[0].mechanism)
    }

    fn witness(&self, path: &[Event]) -> Witness {
        Witness { path: path.to_vec(), told: words::path(&self.scenario, &self.scenario.rows[0], path) }
    }
}
