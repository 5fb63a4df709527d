//! Every choice, not only the timed ones: a plain breadth-first walk over the transition system. It is slow and simple on
//! purpose, so that it can be read as the definition of what a search must find.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use expect_test::{Expect, expect};
use fencepost_core::command::Command;
use fencepost_core::destination::Guard;
use fencepost_core::event::Event;
use fencepost_core::fact::Fact;
use fencepost_core::invariant::{Evidence, Invariant};
use fencepost_core::mechanism::{LookUp, Mechanism, OperationIds, Sharing};
use fencepost_core::observation::{Situation, Watch};
use fencepost_core::run::Limit;
use fencepost_core::system::{Config, Driver, State};

/// What one step told.
#[derive(Default)]
struct Told {
    facts: Vec<Fact>,
    broken: Vec<Invariant>,
}

impl Driver for Told {
    fn fact(&mut self, fact: Fact) {
        self.facts.push(fact);
    }

    fn violation(&mut self, evidence: Evidence) {
        self.broken.push(evidence.invariant);
    }

    fn command(&mut self, _command: Command) {}
}

/// What a walk found.
struct Found {
    states: usize,
    /// The fewest steps to each violation.
    broken: BTreeMap<Invariant, u32>,
    /// The fewest steps to each situation.
    reached: BTreeMap<Situation, u32>,
    limits: HashSet<Limit>,
}

fn walk(config: &Config, forgetting: bool) -> Found {
    let start = (State::new(config), Watch::default());
    let mut depths = HashMap::from([(start, 0)]);
    let mut frontier = VecDeque::from([start]);
    let mut found = Found { states: 0, broken: BTreeMap::new(), reached: BTreeMap::new(), limits: HashSet::new() };
    while let Some(here) = frontier.pop_front() {
        let depth = depths[&here] + 1;
        let mut choices: Vec<Event> = Vec::new();
        here.0.enabled(config, |event| choices.push(event));
        for event in choices {
            let (mut state, mut watch) = here;
            let mut told = Told::default();
            if let Err(limit) = state.step(config, event, &mut told) {
                found.limits.insert(limit);
                continue;
            }
            for invariant in told.broken {
                found.broken.entry(invariant).or_insert(depth);
            }
            for situation in told.facts.iter().filter_map(|fact| watch.observe(fact)) {
                found.reached.entry(situation).or_insert(depth);
            }
            if forgetting {
                state.forget(config);
            }
            depths.entry((state, watch)).or_insert_with(|| {
                frontier.push_back((state, watch));
                depth
            });
        }
    }
    found.states = depths.len();
    found
}

fn mechanism(guard: Guard, operation_ids: OperationIds, look_up: LookUp) -> Mechanism {
    Mechanism { guard, operation_ids, look_up }
}

/// Two workers, two grants, one operation each, one request sent again, one message lost.
fn config(mechanism: Mechanism) -> Config {
    Config {
        workers: 2,
        operations: [1; 3],
        grants: 2,
        losses: 1,
        attempts: 2,
        retries: 1,
        first_epoch: 33,
        sharing: Sharing::Own,
        mechanism,
    }
}

#[track_caller]
fn check(config: &Config, expected: &Expect) {
    let found = walk(config, true);
    assert!(found.limits.is_empty(), "the walk is not complete: {:?}", found.limits);
    let mut text = format!("{} states\n", found.states);
    for (invariant, depth) in &found.broken {
        text += &format!("{} broken in {depth} steps\n", invariant.name());
    }
    for (situation, depth) in &found.reached {
        text += &format!("{} reached in {depth} steps\n", situation.name());
    }
    expected.assert_eq(&text);
}

#[test]
fn without_a_guard_and_without_operation_ids_everything_breaks() {
    check(
        &config(mechanism(Guard::None, OperationIds::Off, LookUp::BeforeGuard)),
        &expect![[r#"
            52093 states
            no-stale-overwrite broken in 13 steps
            no-lost-update broken in 14 steps
            applied-once broken in 9 steps
            two-believers reached in 7 steps
            handover reached in 5 steps
            late-write-applied reached in 9 steps
            reply-lost reached in 7 steps
            unknown-outcome reached in 7 steps
        "#]],
    );
}

#[test]
fn operation_ids_alone_do_not_stop_a_stale_write() {
    check(
        &config(mechanism(Guard::None, OperationIds::InTransaction, LookUp::BeforeGuard)),
        &expect![[r#"
            45405 states
            no-stale-overwrite broken in 13 steps
            no-lost-update broken in 14 steps
            two-believers reached in 7 steps
            handover reached in 5 steps
            late-write-applied reached in 9 steps
            write-replayed reached in 9 steps
            reply-lost reached in 7 steps
            unknown-outcome reached in 7 steps
        "#]],
    );
}

#[test]
fn a_check_by_the_client_only_takes_longer_to_break() {
    check(
        &config(mechanism(Guard::ClientCheck, OperationIds::InTransaction, LookUp::BeforeGuard)),
        &expect![[r#"
            41345 states
            no-stale-overwrite broken in 15 steps
            no-lost-update broken in 16 steps
            two-believers reached in 7 steps
            handover reached in 5 steps
            late-write-applied reached in 10 steps
            write-replayed reached in 11 steps
            reply-lost reached in 8 steps
            unknown-outcome reached in 8 steps
            check-passed reached in 5 steps
            check-failed reached in 6 steps
        "#]],
    );
}

#[test]
fn the_highest_epoch_seen_lets_a_late_write_under_a_new_owner_that_has_read() {
    check(
        &config(mechanism(Guard::MaxSeen, OperationIds::InTransaction, LookUp::BeforeGuard)),
        &expect![[r#"
            35061 states
            no-lost-update broken in 14 steps
            two-believers reached in 7 steps
            handover reached in 5 steps
            stale-write-rejected reached in 13 steps
            late-write-applied reached in 9 steps
            write-replayed reached in 9 steps
            reply-lost reached in 7 steps
            unknown-outcome reached in 7 steps
        "#]],
    );
}

#[test]
fn registration_alone_does_not_tell_two_tries_apart() {
    check(
        &config(mechanism(Guard::Registered, OperationIds::Off, LookUp::BeforeGuard)),
        &expect![[r#"
            58235 states
            applied-once broken in 12 steps
            same-answer broken in 18 steps
            two-believers reached in 7 steps
            handover reached in 5 steps
            stale-write-rejected reached in 15 steps
            late-write-applied reached in 12 steps
            reply-lost reached in 10 steps
            unknown-outcome reached in 10 steps
        "#]],
    );
}

#[test]
fn looking_up_after_the_guard_calls_an_applied_write_refused() {
    check(
        &config(mechanism(Guard::Registered, OperationIds::InTransaction, LookUp::AfterGuard)),
        &expect![[r#"
            54783 states
            same-answer broken in 18 steps
            two-believers reached in 7 steps
            handover reached in 5 steps
            stale-write-rejected reached in 15 steps
            late-write-applied reached in 12 steps
            write-replayed reached in 12 steps
            reply-lost reached in 10 steps
            unknown-outcome reached in 10 steps
        "#]],
    );
}

#[test]
fn registration_and_operation_ids_looked_up_first_hold() {
    check(
        &config(mechanism(Guard::Registered, OperationIds::InTransaction, LookUp::BeforeGuard)),
        &expect![[r#"
            54511 states
            two-believers reached in 7 steps
            handover reached in 5 steps
            stale-write-rejected reached in 15 steps
            late-write-applied reached in 12 steps
            write-replayed reached in 12 steps
            reply-lost reached in 10 steps
            unknown-outcome reached in 10 steps
        "#]],
    );
}

/// Forgetting replies that nobody awaits makes the walk shorter and changes nothing that it finds.
#[test]
fn forgetting_changes_no_verdict_and_no_depth() {
    for (guard, losses) in Guard::ALL.iter().map(|guard| (*guard, 0)).chain([(Guard::MaxSeen, 1)]) {
        let config = Config { losses, ..config(mechanism(guard, OperationIds::Off, LookUp::BeforeGuard)) };
        let (all, forgetting) = (walk(&config, false), walk(&config, true));
        assert!(forgetting.states < all.states, "{} forgets nothing", guard.name());
        assert_eq!(forgetting.broken, all.broken, "{}", guard.name());
        assert_eq!(forgetting.reached, all.reached, "{}", guard.name());
    }
}
