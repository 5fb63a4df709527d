//! What a run amounts to, counted and timed: no faults, but what a choice of lease or mechanism costs. A lock cannot prevent two
//! believers, and work done twice is acceptable while only one valid result is published.

use serde::Serialize;

use crate::event::Process;
use crate::fact::{Conclusion, Fact};
use crate::id::{OperationSet, WorkerId};
use crate::message::Rejection;
use crate::run::Run;
use crate::time::{Duration, Instant};

/// Counts and times of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Tally {
    /// Grants that followed on a lease that had expired.
    pub handovers: u32,
    /// Those of them whose former owner was alive: it still believed that it owned the lock.
    pub false_handovers: u32,
    /// The longest time from the end of a lease until the next owner knew of its grant.
    pub longest_handover: Duration,
    /// How long nobody was granted the lock, between grants.
    pub without_owner: Duration,
    /// How long two workers or more believed at once that they owned it.
    pub two_believers: Duration,
    /// Computations of an operation that had been computed before.
    pub computed_again: u32,
    /// Writes that were refused for a stale epoch.
    pub stale_writes_refused: u32,
    /// Operations whose worker ended without knowing what became of them.
    pub unknown_outcomes: u32,
}

/// What has to be remembered while counting.
#[derive(Default)]
struct Counting {
    tally: Tally,
    /// When the last grant ended, while no other has been made.
    free_since: Option<Instant>,
    /// Whether it ended by expiry.
    expired: bool,
    /// When the lease ended that the latest grant followed on, until its owner knows.
    handed_over_at: Option<Instant>,
    last_owner: Option<WorkerId>,
    believers: u8,
    two_since: Option<Instant>,
    computed: OperationSet,
}

impl Tally {
    /// Counts what happened in `run`.
    pub fn of(run: &Run) -> Self {
        let mut counting = Counting::default();
        for entry in &run.facts {
            counting.count(entry.at, &entry.fact);
        }
        counting.settle(run.end());
        counting.tally
    }
}

impl Counting {
    fn count(&mut self, at: Instant, fact: &Fact) {
        match *fact {
            Fact::LeaseExpired { .. } => self.is_free(at, true),
            Fact::Released { .. } | Fact::ReleasedByAnother { .. } => self.is_free(at, false),
            Fact::Granted { worker, .. } => {
                if let Some(since) = self.free_since.take() {
                    self.tally.without_owner = self.tally.without_owner + at.since(since);
                    if self.expired {
                        self.tally.handovers += 1;
                        let alive = self.last_owner.is_some_and(|owner| self.believers & (1 << owner.0) != 0);
                        self.tally.false_handovers += u32::from(alive);
                        self.handed_over_at = Some(since);
                    }
                }
                self.last_owner = Some(worker);
            }
            Fact::Acquired { worker, .. } => {
                if let Some(since) = self.handed_over_at.take() {
                    self.tally.longest_handover = self.tally.longest_handover.max(at.since(since));
                }
                self.believe(at, self.believers | 1 << worker.0);
            }
            Fact::Stopped { worker, .. } | Fact::Crashed { process: Process::Worker { worker } } => {
                self.believe(at, self.believers & !(1 << worker.0));
            }
            Fact::ComputeEnded { operation, .. } => {
                self.tally.computed_again += u32::from(!self.computed.insert(operation));
            }
            Fact::Rejected { rejection: Rejection::StaleEpoch, .. } => self.tally.stale_writes_refused += 1,
            Fact::Concluded { conclusion: Conclusion::Unknown, .. } => self.tally.unknown_outcomes += 1,
            _ => {}
        }
    }

    fn is_free(&mut self, at: Instant, expired: bool) {
        self.free_since = Some(at);
        self.expired = expired;
    }

    fn believe(&mut self, at: Instant, believers: u8) {
        self.settle(at);
        self.believers = believers;
        self.two_since = (believers.count_ones() > 1).then_some(at);
    }

    /// Counts the time of two believers up to `at`.
    fn settle(&mut self, at: Instant) {
        if let Some(since) = self.two_since.take() {
            self.tally.two_believers = self.tally.two_believers + at.since(since);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::compare;
    use crate::scenario::parse;

    fn tally(lines: &str) -> Tally {
        let text = format!("scenario x\nworkers A B\nlease 10s\nlatency 10ms\n{lines}");
        Tally::of(&compare(&parse(&text).expect("it can be read")).runs[0])
    }

    #[test]
    fn a_paused_owner_is_alive_when_its_lock_is_handed_over() {
        let counted =
            tally("work A compute 3s\nwork B compute 4s\nguard registered\nfaults\n  A freezes 15s before publish\n");
        let expected = Tally {
            handovers: 1,
            false_handovers: 1,
            longest_handover: Duration::from_millis(10),
            // From B's being told at 10.02 s until it has its answer, 4.05 s later.
            two_believers: counted.two_believers,
            stale_writes_refused: 1,
            ..Tally::default()
        };
        assert_eq!(counted, expected);
        assert!(counted.two_believers > Duration::from_secs(4) && counted.two_believers < Duration::from_secs(5));
    }

    #[test]
    fn a_crashed_owner_is_not_and_a_polled_lock_is_nobodys_for_a_while() {
        let counted =
            tally("work A compute 3s\ncandidates poll\npoll every 3s\nfaults\n  A crashes 1h before publish\n");
        assert_eq!((counted.handovers, counted.false_handovers), (1, 0));
        // As long as it takes until B asks again.
        assert!(
            counted.longest_handover > Duration::from_secs(1)
                && counted.longest_handover < Duration::from_millis(3_100)
        );
        assert!(counted.without_owner > Duration::from_secs(3_000), "until A is back");
        assert_eq!(counted.two_believers, Duration::ZERO);
    }

    #[test]
    fn shared_work_done_by_both_is_computed_again() {
        let shared = "operations shared\nwork A compute 1s\nwork B compute 1s\n";
        assert_eq!(tally(shared).computed_again, 1);
        assert_eq!(tally("work A compute 1s\nwork B compute 1s\n").computed_again, 0);
    }
}
