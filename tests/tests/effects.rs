//! What a look-up of an effect can tell, and what it cannot: every order of the messages is tried.

use fencepost_core::event::{Event, Process};
use fencepost_core::fact::{Conclusion, Fact};
use fencepost_core::id::WorkerId;
use fencepost_core::invariant::Invariant;
use fencepost_core::mechanism::{Effect, EffectOutcome, Key, Mechanism, OperationIds, Sharing};
use fencepost_core::message::{Call, Message, Sought};
use fencepost_core::observation::Situation;
use fencepost_core::system::{Budget, Config, State};
use fencepost_tests::walk::{Moment, after, find, walk, without_faults};

fn paying(key: Key, effect_outcome: EffectOutcome) -> Mechanism {
    Mechanism {
        effect: Effect::Payment,
        key,
        effect_outcome,
        operation_ids: OperationIds::InTransaction,
        ..Mechanism::UNGUARDED
    }
}

/// One request may be sent again.
fn retried(key: Key, effect_outcome: EffectOutcome) -> Config {
    let budget = Budget { retries: 1, ..Budget::default() };
    Config { workers: 1, grants: 1, attempts: 2, budget, ..without_faults(paying(key, effect_outcome)) }
}

/// A worker may crash, and carries the same operation out once more.
fn crashing(key: Key, effect_outcome: EffectOutcome) -> Config {
    let budget = Budget { crashes: 1, ..Budget::default() };
    let sharing = Sharing::Shared;
    Config { workers: 1, grants: 2, budget, sharing, ..without_faults(paying(key, effect_outcome)) }
}

fn twice(moment: &Moment<'_>) -> bool {
    moment.broken.contains(&Invariant::EffectOnce)
}

/// Which kind of request is delivered to the provider, if one is.
fn delivered(event: Event) -> Option<&'static str> {
    let Event::Deliver { message: Message::Request(request) } = event else { return None };
    Some(match request.call {
        Call::Effect { .. } => "payment",
        Call::LookUp { of: Sought::Effect | Sought::EffectAtLast, .. } => "look-up",
        _ => return None,
    })
}

/// Without a key a look-up leaves a gap, whoever asks: it overtakes the payment, finds nothing, and the next payment is the
/// second one. A key closes it.
#[test]
fn a_look_up_that_overtakes_the_payment_pays_twice_unless_there_is_a_key() {
    for (name, config) in [
        ("retried", retried as fn(Key, EffectOutcome) -> Config),
        ("restarted", crashing as fn(Key, EffectOutcome) -> Config),
    ] {
        let unkeyed = config(Key::Off, EffectOutcome::LookedUp);
        let path =
            find(&unkeyed, State::new(&unkeyed), twice).unwrap_or_else(|| panic!("{name}: the gap is not found"));
        let order: Vec<_> = path.iter().filter_map(|event| delivered(*event)).collect();
        // Each question comes before either payment, and is truly answered: nothing has been paid yet.
        assert_eq!(order, ["look-up", "look-up", "payment", "payment"], "{name}");

        let keyed = config(Key::Kept, EffectOutcome::LookedUp);
        let walked = walk(&keyed, true);
        assert!(walked.extent.is_complete(), "{name}: {:?}", walked.extent.limits);
        assert!(!walked.broken.contains_key(&Invariant::EffectOnce), "{name}");
        // It gets there: the payment is overtaken and repeated, and it is found.
        assert!(walked.reached.contains_key(&Situation::EffectRepeated), "{name}");
        assert!(walked.reached.contains_key(&Situation::EffectFound), "{name}");
    }
}

/// The gap is all that is left: once the payment has arrived, its worker can crash, and finds it when it is back. Who does not
/// ask pays again.
#[test]
fn a_payment_that_has_arrived_is_found_after_a_crash() {
    let crash = Event::Crash { process: Process::Worker { worker: WorkerId(0) } };
    let paid = |moment: &Moment<'_>| moment.facts.iter().any(|fact| matches!(fact, Fact::Effected { .. }));
    for (key, effect_outcome, broken, found) in [
        (Key::Off, EffectOutcome::Unknown, true, false),
        (Key::Off, EffectOutcome::LookedUp, false, true),
        (Key::Kept, EffectOutcome::LookedUp, false, true),
    ] {
        let config = crashing(key, effect_outcome);
        let start = State::new(&config);
        let path = find(&config, start, paid).expect("it pays");
        let state = after(&config, after(&config, start, &path), &[crash]);
        let name = format!("{key:?} {effect_outcome:?}");
        assert_eq!(find(&config, state, twice).is_some(), broken, "{name}");
        let learns = |moment: &Moment<'_>| moment.reached.contains(&Situation::EffectFound);
        assert_eq!(find(&config, state, learns).is_some(), found, "{name}");
        // It comes to its write without having paid again.
        let unpaid = |moment: &Moment<'_>| moment.reached.contains(&Situation::EffectSeen);
        assert_eq!(find(&config, state, unpaid).is_some(), broken, "{name}");
    }
}

/// What the provider has forgotten it does not find, and that alone breaks the invariant, before anybody pays again.
#[test]
fn a_forgotten_payment_is_not_found() {
    let config = crashing(Key::Pruned, EffectOutcome::LookedUp);
    let config = Config { budget: Budget { prunes: 1, ..config.budget }, ..config };
    let missed = |moment: &Moment<'_>| {
        let looked_up = |fact: &Fact| matches!(fact, Fact::EffectLookedUp { effected: false, .. });
        twice(moment) && moment.facts.iter().any(looked_up)
    };
    let path = find(&config, State::new(&config), missed).expect("it is forgotten");
    assert!(path.iter().any(|event| matches!(event, Event::Prune { .. })));
    let kept = Config { budget: Budget { prunes: 0, ..config.budget }, ..config };
    assert!(find(&kept, State::new(&kept), twice).is_none());
}

/// A worker whose tries are used up asks once more, and knows less often that it does not know. It never takes a payment for
/// failed that has been made, or is made later.
#[test]
fn a_worker_that_may_not_pay_again_asks_what_became_of_it() {
    let unanswered = |effect_outcome| {
        let config = retried(Key::Kept, effect_outcome);
        Config { attempts: 1, budget: Budget { losses: 1, ..Budget::default() }, ..config }
    };
    let concludes = |conclusion: Conclusion| {
        move |moment: &Moment<'_>| {
            moment.facts.iter().any(|fact| matches!(fact, Fact::Concluded { conclusion: of, .. } if *of == conclusion))
        }
    };
    for (effect_outcome, broken) in
        [(EffectOutcome::Unknown, false), (EffectOutcome::Failed, true), (EffectOutcome::LookedUp, false)]
    {
        let config = unanswered(effect_outcome);
        let start = State::new(&config);
        assert_eq!(find(&config, start, twice).is_some(), broken, "{effect_outcome:?}");
        let failed = find(&config, start, concludes(Conclusion::EffectFailed)).is_some();
        assert_eq!(failed, effect_outcome == EffectOutcome::Failed, "{effect_outcome:?}");
    }
    // Once its answer is lost, only who asks comes to know, and writes.
    let lost = |moment: &Moment<'_>| {
        matches!(moment.event, Event::Lose { message: Message::Reply(reply) }
            if matches!(reply.request.call, Call::Effect { .. }))
    };
    for (effect_outcome, done) in [(EffectOutcome::Unknown, false), (EffectOutcome::LookedUp, true)] {
        let config = unanswered(effect_outcome);
        let start = State::new(&config);
        let state = after(&config, start, &find(&config, start, lost).expect("an answer is lost"));
        assert_eq!(find(&config, state, concludes(Conclusion::Done)).is_some(), done, "{effect_outcome:?}");
    }
}
