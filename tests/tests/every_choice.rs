//! The verdicts of a few mechanisms over every choice, not only the timed ones, pinned with all that a walk finds.

use expect_test::{Expect, expect};
use fencepost_core::destination::Guard;
use fencepost_core::mechanism::{LookUp, Mechanism, OperationIds};
use fencepost_core::system::{Budget, Config};
use fencepost_tests::walk::{config, walk};

fn mechanism(guard: Guard, operation_ids: OperationIds, look_up: LookUp) -> Mechanism {
    Mechanism { guard, operation_ids, look_up, ..Mechanism::UNGUARDED }
}

#[track_caller]
fn check(config: &Config, expected: &Expect) {
    let found = walk(config, true);
    assert!(found.extent.is_complete(), "the walk is not complete: {:?}", found.extent.limits);
    let mut text = format!("{} states\n", found.extent.states);
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
            46233 states
            no-stale-overwrite broken in 13 steps
            no-lost-update broken in 14 steps
            applied-once broken in 9 steps
            no-interleaving broken in 13 steps
            two-believers reached in 7 steps
            handover reached in 5 steps
            late-write-applied reached in 9 steps
            expired-write-applied reached in 7 steps
            reply-lost reached in 7 steps
            unknown-outcome reached in 7 steps
            late-release reached in 10 steps
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
            no-interleaving broken in 13 steps
            two-believers reached in 7 steps
            handover reached in 5 steps
            late-write-applied reached in 9 steps
            expired-write-applied reached in 7 steps
            write-replayed reached in 9 steps
            reply-lost reached in 7 steps
            unknown-outcome reached in 7 steps
            late-release reached in 10 steps
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
            no-interleaving broken in 15 steps
            two-believers reached in 7 steps
            handover reached in 5 steps
            late-write-applied reached in 10 steps
            expired-write-applied reached in 8 steps
            write-replayed reached in 11 steps
            reply-lost reached in 8 steps
            unknown-outcome reached in 8 steps
            check-passed reached in 5 steps
            check-failed reached in 6 steps
            late-release reached in 11 steps
        "#]],
    );
}

#[test]
fn the_highest_epoch_seen_lets_a_late_write_under_a_new_owner_that_has_read() {
    check(
        &config(mechanism(Guard::MaxSeen, OperationIds::InTransaction, LookUp::BeforeGuard)),
        &expect![[r#"
            35593 states
            no-lost-update broken in 14 steps
            no-interleaving broken in 13 steps
            two-believers reached in 7 steps
            handover reached in 5 steps
            stale-write-rejected reached in 13 steps
            late-write-applied reached in 9 steps
            expired-write-applied reached in 7 steps
            write-replayed reached in 9 steps
            reply-lost reached in 7 steps
            unknown-outcome reached in 7 steps
            late-release reached in 10 steps
        "#]],
    );
}

#[test]
fn registration_alone_does_not_tell_two_tries_apart() {
    check(
        &config(mechanism(Guard::Registered, OperationIds::Off, LookUp::BeforeGuard)),
        &expect![[r#"
            56371 states
            applied-once broken in 12 steps
            same-answer broken in 18 steps
            two-believers reached in 7 steps
            handover reached in 5 steps
            stale-write-rejected reached in 15 steps
            late-write-applied reached in 12 steps
            expired-write-applied reached in 10 steps
            reply-lost reached in 10 steps
            unknown-outcome reached in 10 steps
            late-release reached in 13 steps
        "#]],
    );
}

#[test]
fn looking_up_after_the_guard_calls_an_applied_write_refused() {
    check(
        &config(mechanism(Guard::Registered, OperationIds::InTransaction, LookUp::AfterGuard)),
        &expect![[r#"
            56071 states
            same-answer broken in 18 steps
            two-believers reached in 7 steps
            handover reached in 5 steps
            stale-write-rejected reached in 15 steps
            late-write-applied reached in 12 steps
            expired-write-applied reached in 10 steps
            write-replayed reached in 12 steps
            reply-lost reached in 10 steps
            unknown-outcome reached in 10 steps
            late-release reached in 13 steps
        "#]],
    );
}

#[test]
fn registration_and_operation_ids_looked_up_first_hold() {
    check(
        &config(mechanism(Guard::Registered, OperationIds::InTransaction, LookUp::BeforeGuard)),
        &expect![[r#"
            55799 states
            two-believers reached in 7 steps
            handover reached in 5 steps
            stale-write-rejected reached in 15 steps
            late-write-applied reached in 12 steps
            expired-write-applied reached in 10 steps
            write-replayed reached in 12 steps
            reply-lost reached in 10 steps
            unknown-outcome reached in 10 steps
            late-release reached in 13 steps
        "#]],
    );
}

/// Forgetting replies that nobody awaits makes the walk shorter and changes nothing that it finds.
#[test]
fn forgetting_changes_no_verdict_and_no_depth() {
    for (guard, losses) in Guard::ALL.iter().map(|guard| (*guard, 0)).chain([(Guard::MaxSeen, 1)]) {
        let budget = Budget { retries: 1, losses, ..Budget::default() };
        let config = Config { budget, ..config(mechanism(guard, OperationIds::Off, LookUp::BeforeGuard)) };
        let (all, forgetting) = (walk(&config, false), walk(&config, true));
        assert!(forgetting.extent.states < all.extent.states, "{} forgets nothing", guard.name());
        assert_eq!(forgetting.broken, all.broken, "{}", guard.name());
        assert_eq!(forgetting.reached, all.reached, "{}", guard.name());
    }
}
