//! A worker: the lock client and the job it does under the lock.
//!
//! There is no "paused" in here: a process that stands still cannot know it. It takes its steps late, that is all.

use crate::epoch::TokenPlace;
use crate::fact::{Conclusion, Stop};
use crate::id::{Attempt, GrantId, Term, Version};
use crate::mechanism::{Durability, EffectOutcome, Mechanism, NoReply, OnConflict, TokenKind};
use crate::message::{Answer, Rejection, Sought};
use crate::program::{Point, Program};

/// What a worker is at. Each state holds what it needs and nothing else, so that equal situations are equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Worker {
    /// It will have a token made.
    Unminted {
        /// Which try comes next.
        attempt: Attempt,
    },
    /// It has asked for a token.
    Minting {
        /// Which try was sent last.
        attempt: Attempt,
    },
    /// It will ask for the lock, for the first time or again.
    Outside {
        /// Which try comes next.
        attempt: Attempt,
        /// The token that was made for it before.
        minted: Option<TokenPlace>,
    },
    /// It has asked for the lock.
    Acquiring {
        /// Which try was sent last.
        attempt: Attempt,
        /// The token that was made for it before.
        minted: Option<TokenPlace>,
    },
    /// It believes that it owns the lock, and works.
    Owner(Tenure),
    /// It has given the lock back and waits to hear that this has been noted. It says so only once: if that is lost, the
    /// lease ends by itself.
    Releasing {
        /// The grant given back.
        grant: GrantId,
    },
    /// It does nothing more.
    Gone,
}

/// The time under one grant, as the worker sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tenure {
    /// The grant it believes in.
    pub grant: GrantId,
    /// The latest renewal that it has heard of.
    pub term: Term,
    /// Whether it has heard that its lease cannot run on, and has not acted on it yet.
    pub lost: bool,
    /// Whether it has given the lock back before its work has ended.
    pub released: bool,
    /// Which of its operations it is at, from 0.
    pub index: u8,
    /// The attempts at its effect, and then those at its write, that were sent and have not been answered.
    pub open: Attempts,
    /// What it is at within the operation.
    pub task: Task,
}

/// A set of attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Attempts(pub(crate) u8);

impl Attempts {
    fn insert(&mut self, attempt: Attempt) {
        self.0 |= 1 << attempt.index();
    }

    fn remove(&mut self, attempt: Attempt) {
        self.0 &= !(1 << attempt.index());
    }

    /// Whether `attempt` is in it.
    pub fn contains(self, attempt: Attempt) -> bool {
        self.0 & (1 << attempt.index()) != 0
    }

    /// What a look-up asks after that goes with `attempt` at an effect: it comes before that, or else after the last.
    pub fn sought(self, attempt: Attempt) -> Sought {
        if self.contains(attempt) { Sought::EffectAtLast } else { Sought::Effect }
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// What a worker computed from, and which try comes next or was sent last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Try {
    /// The version of the row that it read.
    pub snapshot: Version,
    /// Which try.
    pub attempt: Attempt,
}

impl Try {
    fn next(self) -> Try {
        Try { attempt: self.attempt.next(), ..self }
    }
}

/// What a believer is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Task {
    /// It will register its epoch.
    Register {
        /// Which try comes next.
        attempt: Attempt,
        /// The write that is to follow, where it has read before.
        then: Option<Try>,
    },
    /// It has asked the destination to recognize its epoch.
    Registering {
        /// Which try was sent last.
        attempt: Attempt,
        /// The write that is to follow, where it has read before.
        then: Option<Try>,
    },
    /// It will read the row.
    Read {
        /// The attempt at the operation that is to follow.
        attempt: Attempt,
    },
    /// It will give the lock back, though its work has not ended.
    ReleaseEarly(Try),
    /// It will make sure that it still owns the lock.
    Check {
        /// What is to follow.
        then: Try,
        /// Whether that is an effect; else the write.
        effect: bool,
    },
    /// It will make sure that no effect of a higher epoch stands.
    CheckEffect(Try),
    /// It will ask whether the effect has come about.
    LookUpEffect(Try),
    /// It has asked whether the effect has come about.
    LookingUpEffect(Try),
    /// It will ask for the effect.
    Effect(Try),
    /// It has asked for the effect.
    Effecting(Try),
    /// It will send its write.
    Publish(Try),
    /// It has sent its write.
    Publishing(Try),
    /// It will ask what became of its write.
    LookUp(Try),
    /// It has asked what became of its write.
    LookingUp(Try),
    /// Its work is done: it will give the lock back.
    Release,
}

/// What a worker goes by: it does not change during a run, but for the tries that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job<'a> {
    /// The mechanism.
    pub mechanism: &'a Mechanism,
    /// How many operations it carries out under one grant.
    pub operations: u8,
    /// How often it sends a request at most.
    pub attempts: u8,
}

impl Job<'_> {
    /// The worker's program.
    #[inline]
    fn program(&self) -> Program {
        self.mechanism.program()
    }

    fn allows(&self, attempt: Attempt) -> bool {
        attempt.0 < self.attempts
    }
}

/// What a worker makes of a reply, or of having none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// It goes on with its program.
    GoesOn,
    /// It knows that its lease runs on.
    Extended,
    /// It declares a higher epoch than the one that was refused.
    Declares,
    /// It has concluded about its operation; if it stops as well, why.
    Concluded(Conclusion, Option<Stop>),
    /// It stops believing that it owns the lock, with no operation begun.
    Stopped(Stop),
    /// It gives up asking for the lock.
    GaveUp,
    /// It was not waiting for this.
    Ignored,
}

impl Worker {
    /// A worker that has not asked for anything yet.
    pub fn new(program: Program) -> Worker {
        if program.mints {
            Worker::Unminted { attempt: Attempt::FIRST }
        } else {
            Worker::Outside { attempt: Attempt::FIRST, minted: None }
        }
    }

    /// The point of the program that it passes next by itself; none while it waits, or is gone.
    pub fn next(&self) -> Option<Point> {
        match *self {
            Worker::Unminted { .. } => Some(Point::Mint),
            Worker::Outside { .. } => Some(Point::Acquire),
            Worker::Owner(tenure) => match tenure.task {
                Task::Register { .. } => Some(Point::Register),
                Task::Read { .. } => Some(Point::Read),
                Task::Check { .. } | Task::CheckEffect(_) => Some(Point::Check),
                Task::LookUpEffect(_) => Some(Point::EffectLookUp),
                Task::Effect(_) => Some(Point::Effect),
                Task::Publish(_) => Some(Point::Publish),
                Task::LookUp(_) => Some(Point::LookUp),
                Task::ReleaseEarly(_) | Task::Release => Some(Point::Release),
                Task::Registering { .. }
                | Task::LookingUpEffect(_)
                | Task::Effecting(_)
                | Task::Publishing(_)
                | Task::LookingUp(_) => None,
            },
            Worker::Minting { .. } | Worker::Acquiring { .. } | Worker::Releasing { .. } | Worker::Gone => None,
        }
    }

    /// The grant it believes in.
    pub fn believes(&self) -> Option<GrantId> {
        match *self {
            Worker::Owner(tenure) => Some(tenure.grant),
            _ => None,
        }
    }

    /// Which operation it is at (from 0) and which try of its request comes next or was sent last, for naming faults.
    pub fn progress(&self) -> (u8, Attempt) {
        match *self {
            Worker::Unminted { attempt }
            | Worker::Minting { attempt }
            | Worker::Outside { attempt, .. }
            | Worker::Acquiring { attempt, .. } => (0, attempt),
            Worker::Releasing { .. } | Worker::Gone => (0, Attempt::FIRST),
            Worker::Owner(Tenure { index, task, .. }) => match task {
                Task::Register { attempt, .. } | Task::Registering { attempt, .. } => (0, attempt),
                Task::Check { then, .. } => (index, then.attempt),
                Task::CheckEffect(then)
                | Task::LookUpEffect(then)
                | Task::LookingUpEffect(then)
                | Task::Effect(then)
                | Task::Effecting(then)
                | Task::Publish(then)
                | Task::Publishing(then)
                | Task::LookUp(then)
                | Task::LookingUp(then) => (index, then.attempt),
                Task::Read { attempt } => (index, attempt),
                Task::ReleaseEarly(_) | Task::Release => (0, Attempt::FIRST),
            },
        }
    }

    /// A number that grows whenever it sets out to try something once more, and else never.
    pub(crate) fn tries(&self) -> u8 {
        let registered_for = match *self {
            Worker::Owner(Tenure { task: Task::Register { then, .. } | Task::Registering { then, .. }, .. }) => then,
            _ => None,
        };
        self.progress().1.0 + registered_for.map_or(0, |then| then.attempt.0)
    }

    /// It hears that its token was made.
    pub fn minted(&mut self, token: TokenPlace) -> Heard {
        match *self {
            Worker::Minting { .. } | Worker::Unminted { .. } => {
                *self = Worker::Outside { attempt: Attempt::FIRST, minted: Some(token) };
                Heard::GoesOn
            }
            _ => Heard::Ignored,
        }
    }

    /// It hears that `grant` is its own: from here on it believes so.
    pub fn acquired(&mut self, grant: GrantId, job: Job<'_>) -> Heard {
        let (Worker::Acquiring { .. } | Worker::Outside { .. }) = *self else {
            return Heard::Ignored;
        };
        let task = if job.program().registers && !job.program().reads_first {
            Task::Register { attempt: Attempt::FIRST, then: None }
        } else {
            Task::Read { attempt: Attempt::FIRST }
        };
        *self = Worker::Owner(Tenure {
            grant,
            term: Term::FIRST,
            lost: false,
            released: false,
            index: 0,
            open: Attempts::default(),
            task,
        });
        Heard::GoesOn
    }

    /// It hears that the lock is another's, and asks again later: that is no retry, it has had its answer.
    pub fn heard_taken(&mut self) -> Heard {
        match *self {
            Worker::Acquiring { attempt, minted } => {
                *self = Worker::Outside { attempt, minted };
                Heard::GoesOn
            }
            // It is about to ask again anyway.
            Worker::Outside { .. } => Heard::GoesOn,
            _ => Heard::Ignored,
        }
    }

    /// It hears whether its lease runs on.
    pub fn heard_of_renewal(&mut self, grant: GrantId, term: Term, renewed: bool) -> Heard {
        match self {
            Worker::Owner(tenure) if tenure.grant == grant => {
                if !renewed {
                    let new = !tenure.lost;
                    tenure.lost = true;
                    return if new { Heard::GoesOn } else { Heard::Ignored };
                }
                if term <= tenure.term {
                    return Heard::Ignored;
                }
                tenure.term = term;
                Heard::Extended
            }
            _ => Heard::Ignored,
        }
    }

    /// It has read the row: it computes, and will register, check or act.
    pub fn has_read(&mut self, snapshot: Version, job: Job<'_>) {
        let Worker::Owner(Tenure { index, task: Task::Read { attempt }, .. }) = *self else {
            unreachable!("only a believer reads")
        };
        let then = Try { snapshot, attempt };
        let first = index == 0 && attempt == Attempt::FIRST;
        if job.program().registers && job.program().reads_first && first {
            self.set_task(Task::Register { attempt: Attempt::FIRST, then: Some(then) });
        } else {
            self.has_computed(then, job);
        }
    }

    /// It has what it will write: it gives the lock back if it does that early, and acts.
    fn has_computed(&mut self, then: Try, job: Job<'_>) {
        let Worker::Owner(tenure) = *self else { unreachable!("only a believer computes") };
        let last = tenure.index + 1 == job.operations;
        if job.program().releases_early && last && !tenure.released {
            self.set_task(Task::ReleaseEarly(then));
        } else {
            self.acts(then, job);
        }
    }

    /// It acts for the first time in this operation: with its effect, if it has one, else with its write.
    fn acts(&mut self, then: Try, job: Job<'_>) {
        let effect = job.program().effect && then.attempt == Attempt::FIRST;
        self.set_task(match (job.program().checks, effect) {
            (true, _) => Task::Check { then, effect },
            (false, true) => Task::about_to_effect(then, job),
            (false, false) => Task::Publish(then),
        });
    }

    /// It has made sure that it still owns the lock.
    pub fn has_checked(&mut self, then: Try, effect: bool, job: Job<'_>) {
        self.set_task(if effect { Task::about_to_effect(then, job) } else { Task::Publish(then) });
    }

    /// It has made sure that no effect of a higher epoch stands.
    pub fn has_checked_effect(&mut self, then: Try) {
        self.set_task(Task::Effect(then));
    }

    /// It has given the lock back, though its work has not ended.
    pub fn has_released_early(&mut self, then: Try, job: Job<'_>) {
        if let Worker::Owner(tenure) = self {
            tenure.released = true;
        }
        self.acts(then, job);
    }

    /// It has asked for the effect.
    pub fn has_asked_for_effect(&mut self, then: Try) {
        if let Worker::Owner(tenure) = self {
            tenure.open.insert(then.attempt);
        }
        self.set_task(Task::Effecting(then));
    }

    /// It has sent its write.
    pub fn has_published(&mut self, then: Try) {
        if let Worker::Owner(tenure) = self {
            tenure.open.insert(then.attempt);
        }
        self.set_task(Task::Publishing(then));
    }

    /// It has no reply to its request, and stops waiting for one: it tries again while it has tries left.
    pub fn timed_out(&mut self, job: Job<'_>) -> Heard {
        let task = match *self {
            Worker::Minting { attempt } if job.allows(attempt) => {
                *self = Worker::Unminted { attempt: attempt.next() };
                return Heard::GoesOn;
            }
            Worker::Acquiring { attempt, minted } if job.allows(attempt) => {
                *self = Worker::Outside { attempt: attempt.next(), minted };
                return Heard::GoesOn;
            }
            Worker::Minting { .. } | Worker::Acquiring { .. } => {
                *self = Worker::Gone;
                return Heard::GaveUp;
            }
            Worker::Releasing { .. } => {
                *self = Worker::Gone;
                return Heard::GoesOn;
            }
            Worker::Owner(tenure) => tenure.task,
            Worker::Unminted { .. } | Worker::Outside { .. } | Worker::Gone => {
                unreachable!("only a worker that waits can time out")
            }
        };
        match task {
            Task::Registering { attempt, then } if job.allows(attempt) => {
                self.set_task(Task::Register { attempt: attempt.next(), then });
                Heard::GoesOn
            }
            Task::Effecting(_) if job.mechanism.effect_outcome == EffectOutcome::Failed => {
                let stopped = self.ends_operation(job);
                Heard::Concluded(Conclusion::EffectFailed, stopped)
            }
            Task::Effecting(then) | Task::LookingUpEffect(then) if job.allows(then.attempt) => {
                self.set_task(Task::about_to_effect(then.next(), job));
                Heard::GoesOn
            }
            // It asks for the effect no more, and what became of it once.
            Task::Effecting(then) if job.program().looks_up_effect => {
                self.set_task(Task::LookUpEffect(then));
                Heard::GoesOn
            }
            Task::Registering { .. } | Task::LookingUpEffect(_) => self.stops(Stop::Unanswered),
            Task::Publishing(_) if job.mechanism.no_reply == NoReply::Failed => {
                let stopped = self.ends_operation(job);
                Heard::Concluded(Conclusion::Failed, stopped)
            }
            Task::Publishing(then) | Task::LookingUp(then) if job.allows(then.attempt) => {
                let then = then.next();
                let looks_up = job.mechanism.no_reply == NoReply::LookUp;
                self.set_task(if looks_up { Task::LookUp(then) } else { Task::again(then, job) });
                Heard::GoesOn
            }
            Task::Publishing(_) | Task::LookingUp(_) | Task::Effecting(_) => {
                *self = Worker::Gone;
                Heard::Concluded(Conclusion::Unknown, Some(Stop::Unanswered))
            }
            Task::Register { .. }
            | Task::Read { .. }
            | Task::ReleaseEarly(_)
            | Task::Check { .. }
            | Task::CheckEffect(_)
            | Task::LookUpEffect(_)
            | Task::Effect(_)
            | Task::Publish(_)
            | Task::LookUp(_)
            | Task::Release => unreachable!("only a worker that waits can time out"),
        }
    }

    /// It hears from the destination about the registration of `grant`.
    pub fn heard_of_registration(&mut self, grant: GrantId, answer: Answer, job: Job<'_>) -> Heard {
        let Worker::Owner(Tenure { grant: own, task, .. }) = *self else {
            return Heard::Ignored;
        };
        let (Task::Register { attempt, then } | Task::Registering { attempt, then }) = task else {
            return Heard::Ignored;
        };
        match answer {
            _ if own != grant => Heard::Ignored,
            Answer::Recognized => {
                match then {
                    Some(then) => self.has_computed(then, job),
                    None => self.set_task(Task::Read { attempt: Attempt::FIRST }),
                }
                Heard::GoesOn
            }
            Answer::Refused { rejection } if self.declares(rejection, job) && job.allows(attempt) => {
                self.set_task(Task::Register { attempt: attempt.next(), then });
                Heard::Declares
            }
            _ => self.stops(Stop::Fenced),
        }
    }

    /// It hears from the destination about an attempt at its operation `index` under `grant`.
    ///
    /// A refusal answers one attempt. If others are unanswered, one of them may have been applied, so the worker does not
    /// know, and says so.
    pub fn heard_of_write(
        &mut self,
        grant: GrantId,
        index: u8,
        attempt: Attempt,
        answer: Answer,
        job: Job<'_>,
    ) -> Heard {
        let Worker::Owner(tenure) = self else {
            return Heard::Ignored;
        };
        if (tenure.grant, tenure.index) != (grant, index) || !tenure.open.contains(attempt) {
            return Heard::Ignored;
        }
        match answer {
            Answer::Applied => {
                let stopped = self.ends_operation(job);
                Heard::Concluded(Conclusion::Done, stopped)
            }
            Answer::Refused { rejection } => {
                tenure.open.remove(attempt);
                let conclusion = if tenure.open.is_empty() { Conclusion::Refused } else { Conclusion::Unknown };
                let waits_for_it = match tenure.task {
                    Task::Publishing(then) => Some(then).filter(|then| then.attempt == attempt),
                    _ => None,
                };
                self.refused(rejection, conclusion, waits_for_it, job)
            }
            _ => Heard::Ignored,
        }
    }

    /// Its attempt was refused; `then` is that attempt, if it is the latest and the worker waits for it.
    fn refused(&mut self, rejection: Rejection, conclusion: Conclusion, then: Option<Try>, job: Job<'_>) -> Heard {
        let again = then.filter(|then| job.allows(then.attempt)).map(Try::next);
        if let Some(then) = again {
            match rejection {
                Rejection::VersionConflict if job.mechanism.on_conflict == OnConflict::Redo => {
                    self.set_task(Task::Read { attempt: then.attempt });
                    return Heard::GoesOn;
                }
                Rejection::RowAbsent if job.mechanism.control_row == Durability::ReRegistered => {
                    self.set_task(Task::Register { attempt: Attempt::FIRST, then: Some(then) });
                    return Heard::GoesOn;
                }
                _ if self.declares(rejection, job) => {
                    self.set_task(if job.mechanism.guard.registers() {
                        Task::Register { attempt: Attempt::FIRST, then: Some(then) }
                    } else {
                        Task::again(then, job)
                    });
                    return Heard::Declares;
                }
                _ => {}
            }
        }
        if rejection == Rejection::VersionConflict {
            let stopped = self.ends_operation(job);
            return Heard::Concluded(conclusion, stopped);
        }
        *self = Worker::Gone;
        let reason = if rejection == Rejection::DeadlinePassed { Stop::LeaseLost } else { Stop::Fenced };
        Heard::Concluded(conclusion, Some(reason))
    }

    /// Whether it answers a refusal by declaring a higher epoch.
    fn declares(&self, rejection: Rejection, job: Job<'_>) -> bool {
        job.mechanism.token == TokenKind::Declared && matches!(rejection, Rejection::StaleEpoch | Rejection::OtherGrant)
    }

    /// It hears what became of its operation `index` under `grant`, as the answer to the look-up that goes with `attempt`.
    pub fn heard_of_look_up(
        &mut self,
        grant: GrantId,
        index: u8,
        attempt: Attempt,
        applied: bool,
        job: Job<'_>,
    ) -> Heard {
        let Worker::Owner(Tenure { grant: own, index: at, task: Task::LookingUp(then), .. }) = *self else {
            return Heard::Ignored;
        };
        if (own, at, then.attempt) != (grant, index, attempt) {
            return Heard::Ignored;
        }
        if applied {
            let stopped = self.ends_operation(job);
            return Heard::Concluded(Conclusion::Done, stopped);
        }
        self.set_task(Task::again(then, job));
        Heard::GoesOn
    }

    /// It hears about the effect of its operation `index` under `grant`.
    pub fn heard_of_effect(&mut self, grant: GrantId, index: u8, effected: bool) -> Heard {
        let Worker::Owner(Tenure { grant: own, index: at, open, task, .. }) = *self else {
            return Heard::Ignored;
        };
        let then = match task {
            Task::Effecting(then) => then,
            Task::Effect(then) | Task::CheckEffect(then) | Task::LookUpEffect(then) | Task::LookingUpEffect(then)
                if !open.is_empty() =>
            {
                then
            }
            _ => return Heard::Ignored,
        };
        if (own, at) != (grant, index) {
            return Heard::Ignored;
        }
        if effected {
            self.has_effected(then);
            return Heard::GoesOn;
        }
        // What was refused is this attempt: an earlier one may have come about.
        let conclusion = if then.attempt == Attempt::FIRST { Conclusion::Refused } else { Conclusion::Unknown };
        *self = Worker::Gone;
        Heard::Concluded(conclusion, Some(Stop::Fenced))
    }

    /// It hears whether the effect of its operation `index` under `grant` has come about, as the answer to the look-up that
    /// goes with `attempt`.
    pub fn heard_of_effect_look_up(
        &mut self,
        grant: GrantId,
        index: u8,
        attempt: Attempt,
        of: Sought,
        effected: bool,
    ) -> Heard {
        let Worker::Owner(Tenure { grant: own, index: at, open, task: Task::LookingUpEffect(then), .. }) = *self else {
            return Heard::Ignored;
        };
        if (own, at, then.attempt, open.sought(then.attempt)) != (grant, index, attempt, of) {
            return Heard::Ignored;
        }
        if effected {
            self.has_effected(then);
        } else if of == Sought::EffectAtLast {
            // An attempt may still be on its way.
            return self.stops(Stop::Unanswered);
        } else {
            self.set_task(Task::Effect(then));
        }
        Heard::GoesOn
    }

    /// It knows that its effect has come about. The attempts at the effect are its own: the write begins with its first.
    fn has_effected(&mut self, then: Try) {
        if let Worker::Owner(tenure) = self {
            tenure.open = Attempts::default();
        }
        self.set_task(Task::Publish(Try { attempt: Attempt::FIRST, ..then }));
    }

    /// It hears that its release of `grant` has been noted.
    pub fn heard_of_release(&mut self, grant: GrantId) -> Heard {
        match *self {
            Worker::Releasing { grant: own } if own == grant => {
                *self = Worker::Gone;
                Heard::GoesOn
            }
            _ => Heard::Ignored,
        }
    }

    /// What it would have to say of the operation that it is at, if it stopped now; nothing where it has begun none.
    pub fn would_conclude(&self) -> Option<Conclusion> {
        let Worker::Owner(Tenure { open, task, .. }) = *self else {
            return None;
        };
        let (attempt, effect) = match task {
            Task::Register { then, .. } | Task::Registering { then, .. } => (then?.attempt, false),
            Task::Check { then, effect } => (then.attempt, effect),
            Task::CheckEffect(then)
            | Task::LookUpEffect(then)
            | Task::LookingUpEffect(then)
            | Task::Effect(then)
            | Task::Effecting(then) => (then.attempt, true),
            Task::Read { attempt } => (attempt, false),
            Task::ReleaseEarly(then)
            | Task::Publish(then)
            | Task::Publishing(then)
            | Task::LookUp(then)
            | Task::LookingUp(then) => (then.attempt, false),
            Task::Release => return None,
        };
        Some(if !open.is_empty() {
            Conclusion::Unknown
        } else if effect || attempt == Attempt::FIRST {
            // As to an effect, it may have asked what became of it, and not for it.
            Conclusion::NotSent
        } else {
            // Every attempt at the write was answered, and none was applied.
            Conclusion::Refused
        })
    }

    /// It stops believing that it owns the lock, whatever it is at.
    fn stops(&mut self, reason: Stop) -> Heard {
        let conclusion = self.would_conclude();
        *self = Worker::Gone;
        conclusion.map_or(Heard::Stopped(reason), |conclusion| Heard::Concluded(conclusion, Some(reason)))
    }

    /// It goes on to its next operation, or gives the lock back. If it has done that already, it is finished.
    fn ends_operation(&mut self, job: Job<'_>) -> Option<Stop> {
        let Worker::Owner(tenure) = self else { unreachable!("only a believer has operations") };
        if tenure.index + 1 < job.operations {
            tenure.index += 1;
            tenure.open = Attempts::default();
            tenure.task = Task::Read { attempt: Attempt::FIRST };
        } else if tenure.released {
            *self = Worker::Gone;
            return Some(Stop::Finished);
        } else {
            tenure.open = Attempts::default();
            tenure.task = Task::Release;
        }
        None
    }

    pub(crate) fn set_task(&mut self, task: Task) {
        match self {
            Worker::Owner(tenure) => tenure.task = task,
            _ => unreachable!("only a believer has a task"),
        }
    }
}

impl Task {
    /// About to ask for the effect, by way of its look-up or its check where the program has one.
    fn about_to_effect(then: Try, job: Job<'_>) -> Task {
        match job.program() {
            Program { looks_up_effect: true, .. } => Task::LookUpEffect(then),
            Program { checks_effect: true, .. } => Task::CheckEffect(then),
            _ => Task::Effect(then),
        }
    }

    /// About to send the write again, by way of the check where the program has one.
    fn again(then: Try, job: Job<'_>) -> Task {
        if job.program().checks { Task::Check { then, effect: false } } else { Task::Publish(then) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::destination::Guard;
    use crate::mechanism::{Effect, Switched};

    const GRANT: GrantId = GrantId(0);
    const REFUSED: Answer = Answer::Refused { rejection: Rejection::StaleEpoch };

    fn job(operations: u8, attempts: u8) -> Job<'static> {
        Job { mechanism: &Mechanism::UNGUARDED, operations, attempts }
    }

    /// An owner that has sent this many attempts.
    fn owner(sent: u8, task: Task) -> Worker {
        let mut open = Attempts::default();
        for attempt in 1..=sent {
            open.insert(Attempt(attempt));
        }
        let (term, lost, released) = (Term::FIRST, false, false);
        Worker::Owner(Tenure { grant: GRANT, term, lost, released, index: 0, open, task })
    }

    fn publishing(attempt: u8) -> Worker {
        owner(attempt, Task::Publishing(Try { snapshot: Version(0), attempt: Attempt(attempt) }))
    }

    fn about_to_publish(attempt: u8) -> Worker {
        about_to_publish_after(attempt - 1, attempt)
    }

    fn about_to_publish_after(sent: u8, attempt: u8) -> Worker {
        owner(sent, Task::Publish(Try { snapshot: Version(0), attempt: Attempt(attempt) }))
    }

    #[test]
    fn a_refusal_counts_only_while_no_other_attempt_is_unanswered() {
        let fenced = |conclusion| Heard::Concluded(conclusion, Some(Stop::Fenced));
        for (mut worker, expected) in [
            (publishing(1), fenced(Conclusion::Refused)),
            (publishing(2), fenced(Conclusion::Unknown)),
            // The answer to the first attempt comes after its patience was over: the only attempt made so far.
            (about_to_publish(2), fenced(Conclusion::Refused)),
            (about_to_publish(3), fenced(Conclusion::Unknown)),
        ] {
            let before = worker;
            assert_eq!(worker.heard_of_write(GRANT, 0, Attempt::FIRST, REFUSED, job(1, 2)), expected, "{before:?}");
            assert_eq!(worker, Worker::Gone);
        }
    }

    /// The first attempt was answered, and the work done anew for the second.
    #[test]
    fn a_refusal_of_the_only_unanswered_attempt_counts_whichever_it_is() {
        for attempt in (1..=4).map(Attempt) {
            let Worker::Owner(tenure) = publishing(attempt.0) else { unreachable!("it owns the lock") };
            let mut open = Attempts::default();
            open.insert(attempt);
            let mut worker = Worker::Owner(Tenure { open, ..tenure });
            let concluded = Heard::Concluded(Conclusion::Refused, Some(Stop::Fenced));
            assert_eq!(worker.heard_of_write(GRANT, 0, attempt, REFUSED, job(1, 4)), concluded, "{attempt:?}");
        }
    }

    #[test]
    fn an_effect_refused_at_the_first_attempt_has_not_come_about_and_later_nobody_knows() {
        for (attempt, conclusion) in [(1, Conclusion::Refused), (2, Conclusion::Unknown)] {
            let then = Try { snapshot: Version(0), attempt: Attempt(attempt) };
            let mut worker = owner(attempt, Task::Effecting(then));
            let concluded = Heard::Concluded(conclusion, Some(Stop::Fenced));
            assert_eq!(worker.heard_of_effect(GRANT, 0, false), concluded);
            assert_eq!(worker, Worker::Gone);
        }
    }

    #[test]
    fn an_answer_about_an_effect_that_it_has_not_asked_for_is_ignored() {
        let first = Try { snapshot: Version(0), attempt: Attempt::FIRST };
        for task in [Task::Effect(first), Task::CheckEffect(first), Task::LookUpEffect(first)] {
            let before = owner(0, task);
            let mut worker = before;
            assert_eq!(worker.heard_of_effect(GRANT, 0, true), Heard::Ignored);
            assert_eq!(worker, before);
        }
    }

    #[test]
    fn who_registers_to_write_once_more_has_set_out_to_try_again() {
        let then = Try { snapshot: Version(0), attempt: Attempt(2) };
        let again = owner(1, Task::Register { attempt: Attempt::FIRST, then: Some(then) });
        assert!(again.tries() > publishing(1).tries());
    }

    #[test]
    fn an_answer_to_any_attempt_concludes_the_operation() {
        for mut worker in [publishing(1), publishing(2), about_to_publish(2)] {
            assert_eq!(
                worker.heard_of_write(GRANT, 0, Attempt::FIRST, Answer::Applied, job(1, 2)),
                Heard::Concluded(Conclusion::Done, None)
            );
            assert_eq!(worker.next(), Some(Point::Release));
        }
    }

    #[test]
    fn an_answer_about_something_else_is_ignored() {
        for (grant, index) in [(GrantId(1), 0), (GRANT, 1)] {
            let mut worker = publishing(1);
            assert_eq!(worker.heard_of_write(grant, index, Attempt::FIRST, Answer::Applied, job(2, 2)), Heard::Ignored);
            assert_eq!(worker, publishing(1));
        }
        let mut unsent = about_to_publish(1);
        assert_eq!(unsent.heard_of_write(GRANT, 0, Attempt::FIRST, Answer::Applied, job(1, 2)), Heard::Ignored);
    }

    #[test]
    fn what_a_look_up_found_earlier_is_no_answer_to_the_next() {
        let looking_up = owner(1, Task::LookingUp(Try { snapshot: Version(0), attempt: Attempt(3) }));
        let mut worker = looking_up;
        assert_eq!(worker.heard_of_look_up(GRANT, 0, Attempt(2), false, job(1, 3)), Heard::Ignored);
        assert_eq!(worker, looking_up);
        assert_eq!(worker.heard_of_look_up(GRANT, 0, Attempt(3), false, job(1, 3)), Heard::GoesOn);
        assert_eq!(worker, about_to_publish_after(1, 3));
    }

    #[test]
    fn what_it_would_say_of_its_operation_is_what_it_can_know() {
        let then = |attempt| Try { snapshot: Version(0), attempt: Attempt(attempt) };
        for (worker, expected) in [
            (owner(0, Task::Register { attempt: Attempt::FIRST, then: None }), None),
            (owner(0, Task::Read { attempt: Attempt::FIRST }), Some(Conclusion::NotSent)),
            (owner(0, Task::Check { then: then(1), effect: false }), Some(Conclusion::NotSent)),
            // The attempts that were sent have been answered, by refusals.
            (owner(0, Task::Read { attempt: Attempt(2) }), Some(Conclusion::Refused)),
            (owner(0, Task::Register { attempt: Attempt::FIRST, then: Some(then(2)) }), Some(Conclusion::Refused)),
            (owner(1, Task::Check { then: then(2), effect: false }), Some(Conclusion::Unknown)),
            (owner(1, Task::Publishing(then(1))), Some(Conclusion::Unknown)),
            // An effect that was asked for may have come about.
            (owner(0, Task::Effect(then(1))), Some(Conclusion::NotSent)),
            (owner(1, Task::Effect(then(2))), Some(Conclusion::Unknown)),
            (owner(1, Task::Effecting(then(1))), Some(Conclusion::Unknown)),
            (owner(1, Task::LookingUpEffect(then(1))), Some(Conclusion::Unknown)),
            (owner(1, Task::LookUpEffect(then(2))), Some(Conclusion::Unknown)),
            // One that was only asked after has not been asked for.
            (owner(0, Task::LookingUpEffect(then(2))), Some(Conclusion::NotSent)),
            (owner(0, Task::Release), None),
            (Worker::Gone, None),
        ] {
            assert_eq!(worker.would_conclude(), expected, "{worker:?}");
        }
    }

    #[test]
    fn it_asks_what_became_of_its_effect_before_each_try_and_after_the_last() {
        let (effect, effect_outcome) = (Effect::Payment, EffectOutcome::LookedUp);
        let mechanism = Mechanism { effect, effect_outcome, ..Mechanism::UNGUARDED };
        let job = Job { mechanism: &mechanism, ..job(1, 2) };
        let then = |attempt| Try { snapshot: Version(0), attempt: Attempt(attempt) };
        let mut worker = owner(0, Task::Read { attempt: Attempt::FIRST });
        worker.has_read(Version(0), job);
        let mut asked = Vec::new();
        for attempt in [1, 2] {
            assert_eq!(worker.next(), Some(Point::EffectLookUp));
            worker.set_task(Task::LookingUpEffect(then(attempt)));
            let found = |worker: &mut Worker, of| worker.heard_of_effect_look_up(GRANT, 0, Attempt(attempt), of, false);
            // An answer to the last look-up of all is none to this one.
            assert_eq!(found(&mut worker, Sought::EffectAtLast), Heard::Ignored);
            assert_eq!(found(&mut worker, Sought::Effect), Heard::GoesOn);
            assert_eq!(worker, owner(attempt - 1, Task::Effect(then(attempt))));
            worker.has_asked_for_effect(then(attempt));
            asked.push(worker.timed_out(job));
        }
        assert_eq!(asked, [Heard::GoesOn; 2]);
        let at_last = owner(2, Task::LookingUpEffect(then(2)));
        assert_eq!(worker, owner(2, Task::LookUpEffect(then(2))));
        for (effected, heard, after) in [
            (true, Heard::GoesOn, about_to_publish_after(0, 1)),
            (false, Heard::Concluded(Conclusion::Unknown, Some(Stop::Unanswered)), Worker::Gone),
        ] {
            let mut worker = at_last;
            assert_eq!(worker.heard_of_effect_look_up(GRANT, 0, Attempt(2), Sought::Effect, effected), Heard::Ignored);
            assert_eq!(worker.heard_of_effect_look_up(GRANT, 0, Attempt(2), Sought::EffectAtLast, effected), heard);
            assert_eq!(worker, after);
        }
        // The answer to an attempt given up ends the question; without any, it does not know.
        let mut worker = at_last;
        assert_eq!(worker.heard_of_effect(GRANT, 0, true), Heard::GoesOn);
        assert_eq!(worker, about_to_publish_after(0, 1));
        let mut worker = at_last;
        assert_eq!(worker.timed_out(job), Heard::Concluded(Conclusion::Unknown, Some(Stop::Unanswered)));
    }

    #[test]
    fn an_effect_without_answer_can_be_taken_for_failed_and_the_next_operation_begins() {
        let mechanism = Mechanism { effect_outcome: EffectOutcome::Failed, ..Mechanism::UNGUARDED };
        let job = Job { mechanism: &mechanism, ..job(2, 2) };
        let mut worker = owner(1, Task::Effecting(Try { snapshot: Version(0), attempt: Attempt::FIRST }));
        assert_eq!(worker.timed_out(job), Heard::Concluded(Conclusion::EffectFailed, None));
        assert_eq!(worker.next(), Some(Point::Read));
        assert_eq!(worker.progress().0, 1);
    }

    #[test]
    fn it_passes_its_program_in_order() {
        let (effect, switched) = (Effect::File, Switched::InTwoSteps);
        let mechanism = Mechanism { guard: Guard::Registered, effect, switched, ..Mechanism::UNGUARDED };
        let job = Job { mechanism: &mechanism, ..job(1, 2) };
        let mut worker = Worker::Acquiring { attempt: Attempt::FIRST, minted: None };
        worker.acquired(GRANT, job);
        assert_eq!(worker.next(), Some(Point::Register));
        worker.heard_of_registration(GRANT, Answer::Recognized, job);
        assert_eq!(worker.next(), Some(Point::Read));
        worker.has_read(Version(0), job);
        assert_eq!(worker.next(), Some(Point::Check));
    }

    #[test]
    fn its_last_unanswered_attempt_leaves_it_not_knowing() {
        let mut worker = publishing(1);
        assert_eq!(worker.timed_out(job(1, 2)), Heard::GoesOn);
        assert_eq!(worker, about_to_publish(2));
        let mut worker = publishing(2);
        assert_eq!(worker.timed_out(job(1, 2)), Heard::Concluded(Conclusion::Unknown, Some(Stop::Unanswered)));
    }
}
