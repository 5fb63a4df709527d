//! A worker: the lock client and the job it does under the lock.
//!
//! There is no "paused" in here: a process that stands still cannot know it. It takes its steps late, that is all.

use crate::fact::{Conclusion, Stop};
use crate::id::{Attempt, GrantId, Version};
use crate::message::{Answer, Rejection};
use crate::program::{Point, Program};

/// What a worker is at. Each state holds what it needs and nothing else, so that equal situations are equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Worker {
    /// It will ask for the lock, for the first time or again.
    Outside {
        /// Which try comes next.
        attempt: Attempt,
    },
    /// It has asked for the lock.
    Acquiring {
        /// Which try was sent last.
        attempt: Attempt,
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
    /// Which of its operations it is at, from 0.
    pub index: u8,
    /// What it is at within the operation.
    pub task: Task,
}

/// What a believer is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Task {
    /// It will register its epoch.
    Register {
        /// Which try comes next.
        attempt: Attempt,
    },
    /// It has asked the destination to recognize its epoch.
    Registering {
        /// Which try was sent last.
        attempt: Attempt,
    },
    /// It will read the row.
    Read,
    /// It will ask the lock service whether it still owns the lock.
    Check {
        /// What it read.
        snapshot: Version,
        /// Which try of the write comes next.
        attempt: Attempt,
    },
    /// It will send its write.
    Publish {
        /// What it read.
        snapshot: Version,
        /// Which try comes next.
        attempt: Attempt,
    },
    /// It has sent its write.
    Publishing {
        /// What it read.
        snapshot: Version,
        /// Which try was sent last.
        attempt: Attempt,
    },
    /// Its work is done: it will give the lock back.
    Release,
}

/// What a worker makes of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// It goes on with its program.
    GoesOn,
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
    /// A worker that has not asked for the lock yet.
    pub const NEW: Worker = Worker::Outside { attempt: Attempt::FIRST };

    /// The point of the program that it passes next by itself; none while it waits, or is gone.
    pub fn next(&self) -> Option<Point> {
        match *self {
            Worker::Outside { .. } => Some(Point::Acquire),
            Worker::Owner(tenure) => match tenure.task {
                Task::Register { .. } => Some(Point::Register),
                Task::Read => Some(Point::Read),
                Task::Check { .. } => Some(Point::Check),
                Task::Publish { .. } => Some(Point::Publish),
                Task::Release => Some(Point::Release),
                Task::Registering { .. } | Task::Publishing { .. } => None,
            },
            Worker::Acquiring { .. } | Worker::Releasing { .. } | Worker::Gone => None,
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
            Worker::Outside { attempt } | Worker::Acquiring { attempt } => (0, attempt),
            Worker::Releasing { .. } | Worker::Gone => (0, Attempt::FIRST),
            Worker::Owner(Tenure { index, task, .. }) => match task {
                Task::Register { attempt } | Task::Registering { attempt } => (0, attempt),
                Task::Check { attempt, .. } | Task::Publish { attempt, .. } | Task::Publishing { attempt, .. } => {
                    (index, attempt)
                }
                Task::Read => (index, Attempt::FIRST),
                Task::Release => (0, Attempt::FIRST),
            },
        }
    }

    /// It hears that `grant` is its own: from here on it believes so.
    pub fn acquired(&mut self, grant: GrantId, program: Program) -> Heard {
        let (Worker::Acquiring { .. } | Worker::Outside { attempt: Attempt(2..) }) = *self else {
            return Heard::Ignored;
        };
        let task = if program.registers { Task::Register { attempt: Attempt::FIRST } } else { Task::Read };
        *self = Worker::Owner(Tenure { grant, index: 0, task });
        Heard::GoesOn
    }

    /// It has read the row: it computes, and will check or publish.
    pub fn has_read(&mut self, snapshot: Version, program: Program) {
        self.set_task(Task::ready(snapshot, Attempt::FIRST, program));
    }

    /// It has no reply to its request, and stops waiting for one: it tries again while it has tries left.
    pub fn timed_out(&mut self, attempts: u8, program: Program) -> Heard {
        let again = |attempt: Attempt| (attempt.0 < attempts).then(|| attempt.next());
        match *self {
            Worker::Acquiring { attempt } => match again(attempt) {
                Some(attempt) => {
                    *self = Worker::Outside { attempt };
                    Heard::GoesOn
                }
                None => {
                    *self = Worker::Gone;
                    Heard::GaveUp
                }
            },
            Worker::Releasing { .. } => {
                *self = Worker::Gone;
                Heard::GoesOn
            }
            Worker::Owner(tenure) => match tenure.task {
                Task::Registering { attempt } => match again(attempt) {
                    Some(attempt) => {
                        self.set_task(Task::Register { attempt });
                        Heard::GoesOn
                    }
                    None => {
                        *self = Worker::Gone;
                        Heard::Stopped(Stop::Unanswered)
                    }
                },
                Task::Publishing { snapshot, attempt } => match again(attempt) {
                    Some(attempt) => {
                        self.set_task(Task::ready(snapshot, attempt, program));
                        Heard::GoesOn
                    }
                    None => {
                        *self = Worker::Gone;
                        Heard::Concluded(Conclusion::Unknown, Some(Stop::Unanswered))
                    }
                },
                _ => unreachable!("only a worker that waits can time out"),
            },
            _ => unreachable!("only a worker that waits can time out"),
        }
    }

    /// It hears from the destination about the registration of `grant`.
    pub fn heard_of_registration(&mut self, grant: GrantId, answer: Answer) -> Heard {
        let Worker::Owner(Tenure { grant: own, task: Task::Register { .. } | Task::Registering { .. }, .. }) = *self
        else {
            return Heard::Ignored;
        };
        match answer {
            _ if own != grant => Heard::Ignored,
            Answer::Recognized => {
                self.set_task(Task::Read);
                Heard::GoesOn
            }
            _ => {
                *self = Worker::Gone;
                Heard::Stopped(Stop::Fenced)
            }
        }
    }

    /// It hears from the destination about the write of its operation `index` under `grant`.
    ///
    /// A refusal answers one attempt. If others are unanswered, one of them may have been applied, so the worker does not
    /// know, and says so.
    pub fn heard_of_write(&mut self, grant: GrantId, index: u8, answer: Answer, operations: u8) -> Heard {
        let Worker::Owner(tenure) = *self else {
            return Heard::Ignored;
        };
        let sent = match tenure.task {
            Task::Publishing { attempt, .. } => attempt.0,
            Task::Check { attempt, .. } | Task::Publish { attempt, .. } => attempt.0 - 1,
            _ => 0,
        };
        if sent == 0 || (tenure.grant, tenure.index) != (grant, index) {
            return Heard::Ignored;
        }
        match answer {
            Answer::Applied => {
                let next = index + 1;
                *self = Worker::Owner(if next < operations {
                    Tenure { index: next, task: Task::Read, ..tenure }
                } else {
                    Tenure { task: Task::Release, ..tenure }
                });
                Heard::Concluded(Conclusion::Done, None)
            }
            Answer::Refused { rejection } => {
                let reason = match rejection {
                    Rejection::StaleEpoch | Rejection::EpochAhead | Rejection::OtherGrant | Rejection::RowAbsent => {
                        Stop::Fenced
                    }
                };
                *self = Worker::Gone;
                let conclusion = if sent == 1 { Conclusion::Refused } else { Conclusion::Unknown };
                Heard::Concluded(conclusion, Some(reason))
            }
            Answer::Granted { .. } | Answer::Recognized | Answer::Released => Heard::Ignored,
        }
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

    pub(crate) fn set_task(&mut self, task: Task) {
        match self {
            Worker::Owner(tenure) => tenure.task = task,
            _ => unreachable!("only a believer has a task"),
        }
    }
}

impl Task {
    /// About to send the write, by way of the check where the program has one.
    fn ready(snapshot: Version, attempt: Attempt, program: Program) -> Task {
        if program.checks { Task::Check { snapshot, attempt } } else { Task::Publish { snapshot, attempt } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRANT: GrantId = GrantId(0);
    const REFUSED: Answer = Answer::Refused { rejection: Rejection::StaleEpoch };

    fn publishing(attempt: u8) -> Worker {
        let task = Task::Publishing { snapshot: Version(0), attempt: Attempt(attempt) };
        Worker::Owner(Tenure { grant: GRANT, index: 0, task })
    }

    fn about_to_publish(attempt: u8) -> Worker {
        let task = Task::Publish { snapshot: Version(0), attempt: Attempt(attempt) };
        Worker::Owner(Tenure { grant: GRANT, index: 0, task })
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
            assert_eq!(worker.heard_of_write(GRANT, 0, REFUSED, 1), expected, "{before:?}");
            assert_eq!(worker, Worker::Gone);
        }
    }

    #[test]
    fn an_answer_to_any_attempt_concludes_the_operation() {
        for mut worker in [publishing(1), publishing(2), about_to_publish(2)] {
            assert_eq!(worker.heard_of_write(GRANT, 0, Answer::Applied, 1), Heard::Concluded(Conclusion::Done, None));
            assert_eq!(worker.next(), Some(Point::Release));
        }
    }

    #[test]
    fn an_answer_about_something_else_is_ignored() {
        for (grant, index) in [(GrantId(1), 0), (GRANT, 1)] {
            let mut worker = publishing(1);
            assert_eq!(worker.heard_of_write(grant, index, Answer::Applied, 2), Heard::Ignored);
            assert_eq!(worker, publishing(1));
        }
        let mut unsent = about_to_publish(1);
        assert_eq!(unsent.heard_of_write(GRANT, 0, Answer::Applied, 1), Heard::Ignored);
    }

    #[test]
    fn it_passes_its_program_in_order() {
        let program = Program { registers: true, checks: true };
        let mut worker = Worker::Acquiring { attempt: Attempt::FIRST };
        worker.acquired(GRANT, program);
        assert_eq!(worker.next(), Some(Point::Register));
        worker.heard_of_registration(GRANT, Answer::Recognized);
        assert_eq!(worker.next(), Some(Point::Read));
        worker.has_read(Version(0), program);
        assert_eq!(worker.next(), Some(Point::Check));
    }

    #[test]
    fn its_last_unanswered_attempt_leaves_it_not_knowing() {
        let mut worker = publishing(1);
        assert_eq!(worker.timed_out(2, Program::PLAIN), Heard::GoesOn);
        assert_eq!(worker, about_to_publish(2));
        let mut worker = publishing(2);
        assert_eq!(worker.timed_out(2, Program::PLAIN), Heard::Concluded(Conclusion::Unknown, Some(Stop::Unanswered)));
    }
}
