//! The lock service: it grants ownership under a lease and allocates the epoch.
//!
//! It knows nothing of the destination. Whether a lease has ended is told to it: it has no clock.

use crate::epoch::{Epoch, EpochAllocator};
use crate::id::{GrantId, MAX_WORKERS, WorkerId};
use crate::message::Request;

/// The lock service's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Issuer {
    allocator: EpochAllocator,
    live: Option<Live>,
    queue: [Option<Request>; MAX_WORKERS],
}

/// The grant whose lease runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Live {
    grant: GrantId,
    worker: WorkerId,
}

/// What the issuer does with a request for the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acquisition {
    /// A new grant, with its epoch.
    Granted(Epoch),
    /// The worker owns the lock already: the same grant again.
    Again(GrantId),
    /// The lock is taken, or no more grants may be made: the worker waits.
    Queued,
}

impl Issuer {
    /// A lock service that has granted nothing yet.
    pub fn new(allocator: EpochAllocator) -> Self {
        Self { allocator, live: None, queue: [None; MAX_WORKERS] }
    }

    /// The grant whose lease runs, if any.
    pub fn live(&self) -> Option<GrantId> {
        self.live.map(|live| live.grant)
    }

    /// Whether `worker` waits for the lock.
    pub fn has_queued(&self, worker: WorkerId) -> bool {
        self.queue.iter().flatten().any(|request| request.worker == worker)
    }

    /// A request for the lock. `next` is the grant that would be made now; none where the run's grants are used up.
    pub fn acquire(&mut self, request: Request, next: Option<GrantId>) -> Acquisition {
        match (self.live, next) {
            (Some(live), _) if live.worker == request.worker => Acquisition::Again(live.grant),
            (None, Some(grant)) => Acquisition::Granted(self.grant(request.worker, grant)),
            _ => {
                self.enqueue(request);
                Acquisition::Queued
            }
        }
    }

    /// The lease of `grant` has ended by the issuer's clock, or its owner has given it back. False if it had ended before.
    pub fn end(&mut self, grant: GrantId) -> bool {
        let ends = self.live() == Some(grant);
        if ends {
            self.live = None;
        }
        ends
    }

    /// Grants the free lock to the worker that has waited longest, as `next`.
    pub fn grant_to_waiting(&mut self, next: Option<GrantId>) -> Option<(Request, Epoch)> {
        let (None, Some(grant)) = (self.live, next) else {
            return None;
        };
        let request = self.queue[0]?;
        self.queue.copy_within(1.., 0);
        self.queue[MAX_WORKERS - 1] = None;
        Some((request, self.grant(request.worker, grant)))
    }

    fn grant(&mut self, worker: WorkerId, grant: GrantId) -> Epoch {
        self.live = Some(Live { grant, worker });
        self.allocator.allocate()
    }

    /// A repeat by a worker that waits already keeps its place.
    fn enqueue(&mut self, request: Request) {
        let place = self
            .queue
            .iter()
            .position(|waiting| waiting.is_none_or(|waiting| waiting.worker == request.worker))
            .expect("the queue has room for every worker");
        self.queue[place] = Some(request);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Attempt;
    use crate::message::Call;

    fn request(worker: u8, attempt: u8) -> Request {
        Request { worker: WorkerId(worker), attempt: Attempt(attempt), call: Call::Acquire }
    }

    fn issuer() -> Issuer {
        Issuer::new(EpochAllocator::starting_at(33))
    }

    #[test]
    fn grants_have_increasing_epochs_and_one_is_live_at_a_time() {
        let mut issuer = issuer();
        let Acquisition::Granted(first) = issuer.acquire(request(0, 1), Some(GrantId(0))) else {
            panic!("the lock is free")
        };
        assert_eq!((first.number(), issuer.live()), (33, Some(GrantId(0))));
        assert_eq!(issuer.acquire(request(1, 1), Some(GrantId(1))), Acquisition::Queued);
        assert!(issuer.end(GrantId(0)));
        let (granted, second) = issuer.grant_to_waiting(Some(GrantId(1))).expect("a worker waits");
        assert_eq!((granted, second.number(), issuer.live()), (request(1, 1), 34, Some(GrantId(1))));
    }

    #[test]
    fn an_owner_that_asks_again_has_the_same_grant() {
        let mut issuer = issuer();
        issuer.acquire(request(0, 1), Some(GrantId(0)));
        assert_eq!(issuer.acquire(request(0, 2), Some(GrantId(1))), Acquisition::Again(GrantId(0)));
    }

    #[test]
    fn a_worker_that_asks_again_while_it_waits_keeps_its_place() {
        let mut issuer = issuer();
        issuer.acquire(request(0, 1), Some(GrantId(0)));
        for waiting in [request(1, 1), request(2, 1), request(1, 2)] {
            assert_eq!(issuer.acquire(waiting, Some(GrantId(1))), Acquisition::Queued);
        }
        issuer.end(GrantId(0));
        assert_eq!(issuer.grant_to_waiting(Some(GrantId(1))).map(|(request, _)| request), Some(request(1, 2)));
        assert!(issuer.has_queued(WorkerId(2)) && !issuer.has_queued(WorkerId(1)));
    }

    #[test]
    fn a_grant_ends_once_and_a_former_one_ends_nothing() {
        let mut issuer = issuer();
        issuer.acquire(request(0, 1), Some(GrantId(0)));
        assert!(issuer.end(GrantId(0)));
        assert!(!issuer.end(GrantId(0)));
        issuer.acquire(request(1, 1), Some(GrantId(1)));
        assert!(!issuer.end(GrantId(0)));
        assert_eq!(issuer.live(), Some(GrantId(1)));
    }

    #[test]
    fn a_run_out_of_grants_keeps_everybody_waiting() {
        let mut issuer = issuer();
        assert_eq!(issuer.acquire(request(0, 1), None), Acquisition::Queued);
        assert_eq!(issuer.grant_to_waiting(None), None);
    }
}
