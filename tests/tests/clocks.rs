//! Time without clocks: what goes by a clock is ordered, and what may go wrong with clocks lifts that order. For each rule
//! something that can come about because of it, and something that cannot.

use fencepost_core::destination::Guard;
use fencepost_core::event::Event;
use fencepost_core::fact::{Fact, Stop};
use fencepost_core::id::{GrantId, Term, WorkerId};
use fencepost_core::invariant::Invariant;
use fencepost_core::mechanism::{Candidates, CountedFrom, LeaseBy, Mechanism, OnLoss, Release, Renewal, TokenKind};
use fencepost_core::message::{Call, Message, Rejection};
use fencepost_core::system::{Budget, Config, State};
use fencepost_core::worker::{Tenure, Worker};
use fencepost_tests::walk::{Moment, after, find, for_each, without_faults};

/// A kind of moment, by name.
type Kind = (&'static str, fn(&Moment<'_>) -> bool);

/// Whether the latest renewal that `worker` has heard of opened this term or a later one.
fn is_renewed(state: &State, worker: WorkerId) -> bool {
    matches!(state.worker(worker), Worker::Owner(Tenure { term, .. }) if *term > Term::default())
}

/// A worker finds by its own clock that it owns the lock, after its lease has ended.
const TRUSTS_A_LEASE_THAT_IS_OVER: Kind = ("trusts a lease that is over", |moment| {
    let over = |claim: GrantId| moment.before.live() != Some(claim);
    moment.facts.iter().any(|fact| matches!(fact, Fact::Checked { claim, owns: true, .. } if over(claim.grant)))
});

/// A worker finds by its own clock that its lease is over, while it runs.
const GIVES_UP_A_LEASE_THAT_RUNS: Kind = ("gives up a lease that runs", |moment| {
    let runs = |claim: GrantId| moment.before.live() == Some(claim);
    moment.facts.iter().any(|fact| matches!(fact, Fact::Checked { claim, owns: false, .. } if runs(claim.grant)))
});

/// A worker finds that it owns the lock in a term that it has by a renewal.
const TRUSTS_A_RENEWAL: Kind = ("trusts a renewal", |moment| {
    let renewed = |worker| is_renewed(moment.before, worker);
    moment.facts.iter().any(|fact| matches!(fact, Fact::Checked { worker, owns: true, .. } if renewed(*worker)))
});

/// The destination applies a write after the lease it was written under has ended.
const APPLIED_AFTER_THE_END: Kind = ("applied after the end", |moment| {
    let over = |claim: GrantId| moment.before.live() != Some(claim);
    moment.facts.iter().any(|fact| matches!(fact, Fact::Applied { claim, .. } if over(claim.grant)))
});

/// The destination refuses a write for its deadline while the lease it was written under runs.
const REFUSED_BEFORE_THE_END: Kind = ("refused before the end", |moment| {
    let runs = |claim: GrantId| moment.before.live() == Some(claim);
    moment.facts.iter().any(
        |fact| matches!(fact, Fact::Rejected { claim, rejection: Rejection::DeadlinePassed, .. } if runs(claim.grant)),
    )
});

/// A worker takes note that its lease is lost.
const TAKES_NOTE: Kind = ("takes note", |moment| {
    moment.facts.iter().any(|fact| matches!(fact, Fact::Stopped { reason: Stop::LeaseLost, .. }))
});

/// Two grants have tokens that do not increase.
const TOKENS_GO_BACK: Kind = ("tokens go back", |moment| moment.broken.contains(&Invariant::EpochsIncrease));

const NOTHING: Budget = Budget {
    retries: 0,
    losses: 0,
    duplicates: 0,
    crashes: 0,
    failovers: 0,
    suspends: 0,
    skews: 0,
    renewals: 0,
    prunes: 0,
};
const A_SUSPEND: Budget = Budget { suspends: 1, ..NOTHING };
const A_SKEW: Budget = Budget { skews: 1, ..NOTHING };
const A_RENEWAL: Budget = Budget { renewals: 1, ..NOTHING };

const NONE: Mechanism = Mechanism::UNGUARDED;
const SELF_CHECK: Mechanism = Mechanism { guard: Guard::SelfCheck, ..NONE };
const DEADLINE: Mechanism = Mechanism { guard: Guard::Deadline, ..NONE };

#[test]
fn what_goes_by_a_clock_is_ordered_unless_that_clock_goes_wrong() {
    let renewed = |mechanism| Mechanism { renewal: Renewal::Worker, ..mechanism };
    let from_reply = Mechanism { counted_from: CountedFrom::Reply, ..SELF_CHECK };
    let session = Mechanism { candidates: Candidates::Session, ..SELF_CHECK };
    let written = Mechanism { lease_by: LeaseBy::Written, ..SELF_CHECK };
    let early = Mechanism { release: Release::Early, ..DEADLINE };
    let ignoring = Mechanism { on_loss: OnLoss::Ignore, ..renewed(NONE) };
    let timestamp = Mechanism { token: TokenKind::Timestamp, ..NONE };
    // What the mechanism is, what may go wrong, a kind of moment, and in how many steps it can come about.
    let table: &[(Mechanism, Budget, Kind, Option<usize>)] = &[
        // Without a clock that anybody goes by, a lease may end at any time.
        (NONE, NOTHING, APPLIED_AFTER_THE_END, Some(7)),
        // The owner's own clock comes first: it gives up too early, and never too late.
        (SELF_CHECK, NOTHING, TRUSTS_A_LEASE_THAT_IS_OVER, None),
        (SELF_CHECK, NOTHING, GIVES_UP_A_LEASE_THAT_RUNS, Some(6)),
        (SELF_CHECK, A_SUSPEND, TRUSTS_A_LEASE_THAT_IS_OVER, Some(7)),
        (SELF_CHECK, A_SKEW, TRUSTS_A_LEASE_THAT_IS_OVER, Some(7)),
        // But it protects nothing: the write is late.
        (SELF_CHECK, NOTHING, APPLIED_AFTER_THE_END, Some(9)),
        // A lease that is counted from the reply is too long by itself.
        (from_reply, NOTHING, TRUSTS_A_LEASE_THAT_IS_OVER, Some(6)),
        // So is one that has run while its owner waited.
        (session, NOTHING, TRUSTS_A_LEASE_THAT_IS_OVER, Some(10)),
        // The deadline that a candidate goes by waits for the owner's, unless their clocks differ.
        (written, NOTHING, TRUSTS_A_LEASE_THAT_IS_OVER, None),
        (written, A_SKEW, TRUSTS_A_LEASE_THAT_IS_OVER, Some(7)),
        // A renewal moves both ends, the owner's by its reply and the true one by its arrival.
        (renewed(SELF_CHECK), NOTHING, TRUSTS_A_RENEWAL, None),
        (renewed(SELF_CHECK), A_RENEWAL, TRUSTS_A_RENEWAL, Some(8)),
        (renewed(SELF_CHECK), A_RENEWAL, TRUSTS_A_LEASE_THAT_IS_OVER, None),
        (renewed(SELF_CHECK), Budget { suspends: 1, ..A_RENEWAL }, TRUSTS_A_LEASE_THAT_IS_OVER, Some(7)),
        // An owner that goes by its own clock for its renewals takes note of the end, or does not care.
        (renewed(NONE), A_RENEWAL, TAKES_NOTE, Some(5)),
        (ignoring, A_RENEWAL, TAKES_NOTE, None),
        (NONE, A_RENEWAL, TAKES_NOTE, None),
        // The destination's clock comes before the true end, and after the owner's.
        (DEADLINE, NOTHING, APPLIED_AFTER_THE_END, None),
        (DEADLINE, NOTHING, REFUSED_BEFORE_THE_END, Some(7)),
        (DEADLINE, A_SKEW, APPLIED_AFTER_THE_END, Some(8)),
        // It is not the owner's clock that matters then.
        (DEADLINE, A_SUSPEND, APPLIED_AFTER_THE_END, None),
        (renewed(DEADLINE), Budget { suspends: 1, ..A_RENEWAL }, APPLIED_AFTER_THE_END, None),
        (renewed(DEADLINE), A_RENEWAL, REFUSED_BEFORE_THE_END, Some(8)),
        // A lock that is given back early has its deadline still to come.
        (early, NOTHING, APPLIED_AFTER_THE_END, Some(8)),
        // Tokens that are times increase as long as nobody sets the clock back.
        (timestamp, NOTHING, TOKENS_GO_BACK, None),
        (timestamp, A_SKEW, TOKENS_GO_BACK, Some(6)),
    ];
    let found = for_each(table, |(mechanism, budget, (_, wanted), _)| {
        // One worker shows it all where a renewal and a fault together make many states.
        let workers = if *budget == (Budget { suspends: 1, ..A_RENEWAL }) { 1 } else { 2 };
        let config = Config { workers, grants: workers, budget: *budget, ..without_faults(*mechanism) };
        find(&config, State::new(&config), wanted).map(|path| path.len())
    });
    for ((mechanism, budget, (kind, _), expected), found) in table.iter().zip(found) {
        assert_eq!(found, *expected, "{kind}, under {mechanism:?} with {budget:?}");
    }
}

/// What lifts the order lifts it for the grants that live then.
#[test]
fn a_later_grant_is_sound_again() {
    let trusts = |grant| {
        move |moment: &Moment<'_>| {
            let (_, wrong) = TRUSTS_A_LEASE_THAT_IS_OVER;
            let own = |fact: &Fact| matches!(fact, Fact::Checked { claim, owns: true, .. } if claim.grant == grant);
            wrong(moment) && moment.facts.iter().any(own)
        }
    };
    for (budget, fault) in [(A_SUSPEND, Event::Suspend { worker: WorkerId(0) }), (A_SKEW, Event::SkewClock)] {
        let config = Config { budget, ..without_faults(SELF_CHECK) };
        let start = State::new(&config);
        // It strikes while the first grant runs.
        let strikes = |moment: &Moment<'_>| {
            moment.event == fault && moment.before.live() == Some(GrantId(0)) && moment.before.grants() == 1
        };
        let path = find(&config, start, strikes).expect("it may strike then");
        let struck = after(&config, start, &path);
        assert!(find(&config, struck, trusts(GrantId(0))).is_some(), "{fault:?}");
        assert!(find(&config, struck, trusts(GrantId(1))).is_none(), "{fault:?}");
        // Where it has not struck yet, the second grant is not safe from it.
        assert!(find(&config, start, trusts(GrantId(1))).is_some(), "{fault:?}");
    }
}

/// A machine that is suspended while the answer to its request is on its way counts from too late a time, too.
#[test]
fn a_suspend_matters_before_the_grant_has_been_heard_of() {
    let config = Config { budget: A_SUSPEND, ..without_faults(SELF_CHECK) };
    let start = State::new(&config);
    let unheard = |moment: &Moment<'_>| matches!(moment.event, Event::Suspend { worker } if moment.before.worker(worker).believes().is_none());
    let path = find(&config, start, unheard).expect("it may strike then");
    let (_, trusts) = TRUSTS_A_LEASE_THAT_IS_OVER;
    assert!(find(&config, after(&config, start, &path), trusts).is_some());
}

/// A renewal that is lost does not keep the next one from being sent; an answer that is lost keeps only its owner from
/// knowing.
#[test]
fn a_lost_renewal_is_followed_by_the_next() {
    let mechanism = Mechanism { renewal: Renewal::Thread, ..SELF_CHECK };
    let budget = Budget { renewals: 2, losses: 1, ..NOTHING };
    let config = Config { workers: 1, grants: 1, budget, ..without_faults(mechanism) };
    let start = State::new(&config);
    let loses = |reply: bool| {
        move |moment: &Moment<'_>| match moment.event {
            Event::Lose { message } => {
                matches!(message.request().call, Call::Renew { .. }) && matches!(message, Message::Reply(_)) == reply
            }
            _ => false,
        }
    };
    let extended = |moment: &Moment<'_>| moment.facts.iter().any(|fact| matches!(fact, Fact::Extended { .. }));
    let (_, gives_up) = GIVES_UP_A_LEASE_THAT_RUNS;
    for reply in [false, true] {
        let path = find(&config, start, loses(reply)).expect("it can be lost");
        let lost = after(&config, start, &path);
        assert!(find(&config, lost, extended).is_some());
        assert!(find(&config, lost, gives_up).is_some());
    }
}
