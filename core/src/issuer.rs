//! The lock service: it grants ownership under a lease and makes the token.
//!
//! It knows nothing of the destination. Whether a lease has ended is told to it: it has no clock.

use crate::epoch::TokenPlace;
use crate::id::{Attempt, GrantId, Incarnation, MAX_WORKERS, Term, WorkerId};
use crate::mechanism::{Mechanism, TokenKind};
use crate::message::{Call, Request};

/// The lock service's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Issuer {
    /// What its counter hands out next.
    pub(crate) next: TokenPlace,
    pub(crate) live: Option<Live>,
    pub(crate) queue: [Option<Waiting>; MAX_WORKERS],
    /// The owner, as far as its replica knows.
    pub(crate) replica: Option<GrantId>,
}

/// The grant whose lease runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Live {
    pub(crate) grant: GrantId,
    pub(crate) worker: WorkerId,
    pub(crate) incarnation: Incarnation,
    pub(crate) term: Term,
}

/// Who waits for the lock: what its request says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Waiting {
    pub(crate) worker: WorkerId,
    pub(crate) attempt: Attempt,
    pub(crate) incarnation: Incarnation,
    pub(crate) minted: Option<TokenPlace>,
}

impl Waiting {
    fn of(request: Request) -> Option<Waiting> {
        let Request { worker, attempt, call } = request;
        match call {
            Call::Acquire { incarnation, minted } => Some(Waiting { worker, attempt, incarnation, minted }),
            _ => None,
        }
    }

    fn request(self) -> Request {
        let Waiting { worker, attempt, incarnation, minted } = self;
        Request { worker, attempt, call: Call::Acquire { incarnation, minted } }
    }
}

/// What the issuer does with a request for the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acquisition {
    /// A new grant, with its token.
    Granted(TokenPlace),
    /// The worker owns the lock already: the same grant again.
    Again(GrantId),
    /// The lock is taken, or no more grants may be made: the worker waits.
    Queued,
    /// The lock is taken, or no more grants may be made: the worker is to ask again.
    Taken,
}

impl Issuer {
    /// A lock service that has granted nothing yet.
    pub const NEW: Issuer = Issuer { next: TokenPlace(0), live: None, queue: [None; MAX_WORKERS], replica: None };

    /// The grant whose lease runs, if any.
    pub fn live(&self) -> Option<GrantId> {
        self.live.map(|live| live.grant)
    }

    /// The grant whose lease runs as far as the issuer's replica knows.
    pub fn live_in_replica(&self) -> Option<GrantId> {
        self.replica
    }

    /// The term that the running lease is in.
    pub fn term(&self) -> Term {
        self.live.map_or(Term::FIRST, |live| live.term)
    }

    /// Whether this very request, or an earlier attempt at it, waits for the lock.
    pub fn has_queued(&self, request: Request) -> bool {
        let same = |waiting: &Waiting| (waiting.worker, waiting.incarnation) == (request.worker, request.incarnation());
        request.call.is_acquire() && self.queue.iter().flatten().any(same)
    }

    /// Whether anybody waits for the lock.
    pub fn has_queue(&self) -> bool {
        self.queue[0].is_some()
    }

    /// A token made before the lock is asked for.
    pub fn mint(&mut self, mechanism: &Mechanism) -> TokenPlace {
        if mechanism.token == TokenKind::Unchecked { self.next } else { self.count() }
    }

    /// A request for the lock. `next` is the grant that would be made now; none where the run's grants are used up.
    pub fn acquire(&mut self, request: Request, next: Option<GrantId>, mechanism: &Mechanism) -> Acquisition {
        match (self.live, next) {
            (Some(live), _) if (live.worker, live.incarnation) == (request.worker, request.incarnation()) => {
                Acquisition::Again(live.grant)
            }
            (None, Some(grant)) => Acquisition::Granted(self.grant(request, grant)),
            _ if mechanism.polls() => Acquisition::Taken,
            _ => {
                self.enqueue(request);
                Acquisition::Queued
            }
        }
    }

    /// A renewal of `grant`. False if it has ended before.
    pub fn renew(&mut self, grant: GrantId, term: Term) -> bool {
        match &mut self.live {
            Some(live) if live.grant == grant => {
                live.term = live.term.max(term);
                true
            }
            _ => false,
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
    pub fn grant_to_waiting(&mut self, next: Option<GrantId>) -> Option<(Request, TokenPlace)> {
        let (None, Some(grant)) = (self.live, next) else {
            return None;
        };
        let request = self.queue[0]?.request();
        self.queue.copy_within(1.., 0);
        self.queue[MAX_WORKERS - 1] = None;
        Some((request, self.grant(request, grant)))
    }

    /// It has crashed and come back: who waited has to ask again.
    pub fn restart(&mut self) {
        self.queue = [None; MAX_WORKERS];
    }

    /// It goes on with what a copy of it knew: no lease runs, nobody waits, and its counter is at `next`, if it is not to
    /// go on from where it was.
    pub fn restore(&mut self, next: Option<TokenPlace>) {
        self.restart();
        self.live = None;
        self.replica = None;
        if let Some(next) = next {
            self.next = next;
        }
    }

    /// Its replica takes over what it knows.
    pub fn catch_up(&mut self) {
        self.replica = self.live();
    }

    /// Its wall clock is set back: tokens that are times are lower than the latest, for a while.
    pub fn set_clock_back(&mut self) {
        self.next = TokenPlace(self.next.0.saturating_sub(2));
    }

    fn grant(&mut self, request: Request, grant: GrantId) -> TokenPlace {
        self.live = Some(Live { grant, worker: request.worker, incarnation: request.incarnation(), term: Term::FIRST });
        match request.call {
            Call::Acquire { minted: Some(token), .. } => {
                self.next = self.next.max(TokenPlace(token.0 + 1));
                token
            }
            _ => self.count(),
        }
    }

    fn count(&mut self) -> TokenPlace {
        let token = self.next;
        self.next = TokenPlace(token.0 + 1);
        token
    }

    /// A repeat by a worker that waits already keeps its place.
    fn enqueue(&mut self, request: Request) {
        let place = self
            .queue
            .iter()
            .position(|waiting| waiting.is_none_or(|waiting| waiting.worker == request.worker))
            .expect("the queue has room for every worker");
        self.queue[place] = Waiting::of(request);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Attempt;
    use crate::message::Call;

    fn request(worker: u8, attempt: u8) -> Request {
        let call = Call::Acquire { incarnation: Incarnation::default(), minted: None };
        Request { worker: WorkerId(worker), attempt: Attempt(attempt), call }
    }

    fn acquire(issuer: &mut Issuer, request: Request, next: Option<GrantId>) -> Acquisition {
        issuer.acquire(request, next, &Mechanism::UNGUARDED)
    }

    #[test]
    fn grants_have_increasing_epochs_and_one_is_live_at_a_time() {
        let mut issuer = Issuer::NEW;
        let Acquisition::Granted(first) = acquire(&mut issuer, request(0, 1), Some(GrantId(0))) else {
            panic!("the lock is free")
        };
        assert_eq!((first.0, issuer.live()), (0, Some(GrantId(0))));
        assert_eq!(acquire(&mut issuer, request(1, 1), Some(GrantId(1))), Acquisition::Queued);
        assert!(issuer.end(GrantId(0)));
        let (granted, second) = issuer.grant_to_waiting(Some(GrantId(1))).expect("a worker waits");
        assert_eq!((granted, second.0, issuer.live()), (request(1, 1), 1, Some(GrantId(1))));
    }

    #[test]
    fn an_owner_that_asks_again_has_the_same_grant() {
        let mut issuer = Issuer::NEW;
        acquire(&mut issuer, request(0, 1), Some(GrantId(0)));
        assert_eq!(acquire(&mut issuer, request(0, 2), Some(GrantId(1))), Acquisition::Again(GrantId(0)));
    }

    #[test]
    fn a_worker_that_asks_again_while_it_waits_keeps_its_place() {
        let mut issuer = Issuer::NEW;
        acquire(&mut issuer, request(0, 1), Some(GrantId(0)));
        for waiting in [request(1, 1), request(2, 1), request(1, 2)] {
            assert_eq!(acquire(&mut issuer, waiting, Some(GrantId(1))), Acquisition::Queued);
        }
        issuer.end(GrantId(0));
        assert_eq!(issuer.grant_to_waiting(Some(GrantId(1))).map(|(request, _)| request), Some(request(1, 2)));
        assert!(issuer.has_queued(request(2, 1)) && !issuer.has_queued(request(1, 2)));
    }

    #[test]
    fn a_grant_ends_once_and_a_former_one_ends_nothing() {
        let mut issuer = Issuer::NEW;
        acquire(&mut issuer, request(0, 1), Some(GrantId(0)));
        assert!(issuer.end(GrantId(0)));
        assert!(!issuer.end(GrantId(0)));
        acquire(&mut issuer, request(1, 1), Some(GrantId(1)));
        assert!(!issuer.end(GrantId(0)));
        assert_eq!(issuer.live(), Some(GrantId(1)));
    }

    #[test]
    fn a_run_out_of_grants_keeps_everybody_waiting() {
        let mut issuer = Issuer::NEW;
        assert_eq!(acquire(&mut issuer, request(0, 1), None), Acquisition::Queued);
        assert_eq!(issuer.grant_to_waiting(None), None);
    }
}
