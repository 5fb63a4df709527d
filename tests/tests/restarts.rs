//! What a process that starts again has forgotten, and what is on its way to it from before.

use std::ops::ControlFlow;

use fencepost_core::destination::Guard;
use fencepost_core::event::{Event, Process};
use fencepost_core::fact::Fact;
use fencepost_core::id::{GrantId, WorkerId};
use fencepost_core::invariant::Invariant;
use fencepost_core::mechanism::{Durability, Effect, Key, Mechanism, OperationIds, Through};
use fencepost_core::message::{Call, Message};
use fencepost_core::system::{Budget, Config, State};
use fencepost_tests::walk::{Moment, after, every_choice, find, without_faults};

const CRASH: Budget = Budget {
    retries: 0,
    losses: 0,
    duplicates: 0,
    crashes: 1,
    failovers: 0,
    suspends: 0,
    skews: 0,
    renewals: 0,
    prunes: 0,
};

fn config(mechanism: Mechanism, workers: u8) -> Config {
    Config { workers, grants: 2, budget: CRASH, ..without_faults(mechanism) }
}

fn crashes(process: Process) -> impl Fn(&Moment<'_>) -> bool {
    move |moment| moment.event == Event::Crash { process }
}

/// The lock that a worker asked for before it crashed is not its own: it has to wait until that lease has ended.
#[test]
fn a_worker_that_starts_again_does_not_take_its_former_grant() {
    let config = config(Mechanism::UNGUARDED, 1);
    let (mut answered, mut heard, mut taken) = (false, false, false);
    let extent = every_choice(&config, State::new(&config), false, |moment| {
        if let Event::Deliver { message } = moment.event
            && let Call::Acquire { incarnation, .. } = message.request().call
            && let Some(Call::Acquire { incarnation: now, .. }) =
                moment.before.awaited(&config, WorkerId(0)).map(|request| request.call)
            && incarnation != now
        {
            answered |= matches!(message, Message::Reply(_));
            heard |= moment.facts.iter().any(|fact| matches!(fact, Fact::ReplyIgnored { .. }));
            taken |= moment.facts.iter().any(|fact| matches!(fact, Fact::Acquired { .. }));
        }
        ControlFlow::Continue(())
    });
    assert!(extent.is_complete());
    assert!(answered && heard && !taken);
    // It has the lock again, under a new grant.
    let again = |moment: &Moment<'_>| {
        moment.facts.iter().any(|fact| matches!(fact, Fact::Acquired { claim, .. } if claim.grant == GrantId(1)))
    };
    assert!(find(&config, State::new(&config), again).is_some());
}

/// What a worker sent before it crashed still arrives, and what answers it finds nobody.
#[test]
fn a_write_from_before_a_crash_arrives_and_nobody_concludes_anything_from_it() {
    let mechanism =
        Mechanism { guard: Guard::Registered, operation_ids: OperationIds::InTransaction, ..Mechanism::UNGUARDED };
    let config = config(mechanism, 1);
    let start = State::new(&config);
    let published = |moment: &Moment<'_>| {
        moment.event == Event::Step { worker: WorkerId(0) }
            && moment.facts.iter().any(
                |fact| matches!(fact, Fact::Sent { message } if matches!(message.request().call, Call::Write { .. })),
            )
    };
    let path = find(&config, start, published).expect("it writes");
    let mut state = after(&config, start, &path);
    state = after(&config, state, &[Event::Crash { process: Process::Worker { worker: WorkerId(0) } }]);
    let first = |claim: GrantId| claim == GrantId(0);
    let applied = |moment: &Moment<'_>| {
        moment.facts.iter().any(|fact| matches!(fact, Fact::Applied { claim, .. } if first(claim.grant)))
    };
    let concluded = |moment: &Moment<'_>| {
        moment.facts.iter().any(|fact| matches!(fact, Fact::Concluded { claim, .. } if first(claim.grant)))
    };
    assert!(find(&config, state, applied).is_some());
    assert!(find(&config, state, concluded).is_none());
    // Once it has registered its new grant, the former one's write is refused.
    let after_registration = |moment: &Moment<'_>| {
        let registered = moment.before.worker(WorkerId(0)).next() == Some(fencepost_core::program::Point::Read);
        registered && applied(moment)
    };
    assert!(find(&config, state, after_registration).is_none());
}

/// Who waits in the lock service's queue when it crashes has to ask again.
#[test]
fn a_lock_service_that_starts_again_has_forgotten_who_waits() {
    let config = Config { attempts: 2, budget: Budget { retries: 1, ..CRASH }, ..config(Mechanism::UNGUARDED, 2) };
    let start = State::new(&config);
    let path = find(&config, start, crashes(Process::LockService)).expect("somebody waits");
    let state = after(&config, start, &path);
    let waits =
        |worker: &WorkerId| matches!(state.awaited(&config, *worker), Some(request) if request.call.is_acquire());
    let waiting: Vec<_> = config.worker_ids().filter(waits).collect();
    assert!(!waiting.is_empty());
    for waiting in waiting {
        assert!(state.is_enabled(&config, Event::TimeOut { worker: waiting }));
        let again = |moment: &Moment<'_>| {
            moment.facts.iter().any(|fact| matches!(fact, Fact::Acquired { worker, .. } if *worker == waiting))
        };
        assert!(find(&config, state, again).is_some());
    }
}

/// The relay that has sent and not noted it sends again: a key makes that one payment.
#[test]
fn a_relay_that_crashes_before_it_notes_what_it_has_sent_sends_again() {
    for (effect, key, broken, again) in [
        (Effect::Mail, Key::Off, true, false),
        (Effect::Payment, Key::Off, true, false),
        (Effect::Payment, Key::Kept, false, true),
    ] {
        let mechanism = Mechanism { effect, key, through: Through::Outbox, ..Mechanism::UNGUARDED };
        let config = config(mechanism, 1);
        let twice = |moment: &Moment<'_>| moment.broken.contains(&Invariant::EffectOnce);
        let repeated =
            |moment: &Moment<'_>| moment.facts.iter().any(|fact| matches!(fact, Fact::EffectRepeated { .. }));
        assert_eq!(find(&config, State::new(&config), twice).is_some(), broken, "{mechanism:?}");
        assert_eq!(find(&config, State::new(&config), repeated).is_some(), again, "{mechanism:?}");
        let whole = Config { budget: Budget::default(), ..config };
        assert!(find(&whole, State::new(&whole), twice).is_none(), "{mechanism:?}");
    }
}

/// A row that is lost is not empty of former owners: a registration that was on its way all the time is the first there.
#[test]
fn a_lost_control_row_takes_a_former_owners_registration() {
    for (control_row, broken) in [
        (Durability::Durable, false),
        (Durability::FailsClosed, true),
        (Durability::FailsOpen, true),
        (Durability::ReRegistered, true),
    ] {
        let mechanism = Mechanism {
            guard: Guard::Registered,
            operation_ids: OperationIds::InTransaction,
            control_row,
            ..Mechanism::UNGUARDED
        };
        let config = config(mechanism, 2);
        for invariant in [Invariant::RecognizedNeverDecreases, Invariant::NoStaleOverwrite] {
            let breaks = |moment: &Moment<'_>| moment.broken.contains(&invariant);
            let found = find(&config, State::new(&config), breaks);
            assert_eq!(found.is_some(), broken, "{control_row:?}: {}", invariant.name());
        }
    }
}
