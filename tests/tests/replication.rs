//! Replicas hear of changes after a while, which a fault can make longer for each change by itself.

use expect_test::{Expect, expect};
use fencepost_core::fact::Fact;
use fencepost_core::run::Run;
use fencepost_core::scenario::parse;
use fencepost_core::simulate::simulate;

/// A holds the lock first and works on the first replica, then B on the second.
fn run(lines: &str, faults: &str) -> Run {
    let faults = if faults.is_empty() { String::new() } else { format!("faults\n{faults}\n") };
    let text = format!(
        "scenario s\nworkers A B\nlease 60s\nlatency 0s\nwork A compute 1s\nwork B compute 1s operations 2\n\
         replicate after 500ms\n{lines}\n{faults}"
    );
    let scenario = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    simulate(&scenario, &scenario.rows[0])
}

/// When a replica heard of something, and what is done before.
#[track_caller]
fn check(lines: &str, faults: &str, expected: &Expect) {
    let run = run(lines, faults);
    assert!(run.struck.iter().all(|struck| *struck), "{:?}", run.struck);
    let mut told = String::new();
    for entry in &run.facts {
        let what = match entry.fact {
            Fact::Granted { claim, .. } => format!("grant {}", claim.grant.0 + 1),
            Fact::Released { claim } => format!("grant {} released", claim.grant.0 + 1),
            Fact::Applied { replica, version, .. } => format!("version {} in replica-{}", version.0, replica.0 + 1),
            Fact::Merged { into, version, .. } => format!("replica-{} hears of version {}", into.0 + 1, version.0),
            Fact::Recognized { claim, replica } => format!("epoch {} in replica-{}", claim.epoch, replica.0 + 1),
            Fact::ReplicaCaughtUp => "lock-replica hears of it".to_owned(),
            _ => continue,
        };
        told += &format!("{} ms: {what}\n", entry.at.micros() / 1_000);
    }
    expected.assert_eq(&told);
}

#[test]
fn without_a_fault_every_change_takes_the_same_time() {
    check(
        "replicas last-write",
        "",
        &expect![[r#"
            0 ms: grant 1
            1000 ms: version 1 in replica-1
            1000 ms: grant 1 released
            1000 ms: grant 2
            1500 ms: replica-2 hears of version 1
            2000 ms: version 2 in replica-2
            2500 ms: replica-1 hears of version 2
            3000 ms: version 3 in replica-2
            3000 ms: grant 2 released
            3500 ms: replica-1 hears of version 3
        "#]],
    );
}

#[test]
fn each_direction_can_take_a_time_of_its_own() {
    check(
        "replicas last-write",
        "  network delays replication to replica-2 by 100ms\n  network delays replication to replica-1 by 400ms",
        &expect![[r#"
            0 ms: grant 1
            1000 ms: version 1 in replica-1
            1000 ms: grant 1 released
            1000 ms: grant 2
            1600 ms: replica-2 hears of version 1
            2000 ms: version 2 in replica-2
            2900 ms: replica-1 hears of version 2
            3000 ms: version 3 in replica-2
            3000 ms: grant 2 released
            3500 ms: replica-1 hears of version 3
        "#]],
    );
}

#[test]
fn the_second_change_can_be_late_alone() {
    check(
        "replicas last-write",
        "  network delays replication to replica-1 occurrence 2 by 5s",
        &expect![[r#"
            0 ms: grant 1
            1000 ms: version 1 in replica-1
            1000 ms: grant 1 released
            1000 ms: grant 2
            1500 ms: replica-2 hears of version 1
            2000 ms: version 2 in replica-2
            2500 ms: replica-1 hears of version 2
            3000 ms: version 3 in replica-2
            3000 ms: grant 2 released
            8500 ms: replica-1 hears of version 3
        "#]],
    );
}

/// What arrives is all that the other replica has by then.
#[test]
fn a_later_change_brings_an_earlier_one() {
    check(
        "replicas last-write",
        "  network delays replication to replica-1 by 1s",
        &expect![[r#"
            0 ms: grant 1
            1000 ms: version 1 in replica-1
            1000 ms: grant 1 released
            1000 ms: grant 2
            1500 ms: replica-2 hears of version 1
            2000 ms: version 2 in replica-2
            3000 ms: version 3 in replica-2
            3000 ms: grant 2 released
            3500 ms: replica-1 hears of version 3
        "#]],
    );
}

#[test]
fn a_registration_is_a_change_too() {
    check(
        "replicas last-write, guard registered",
        "",
        &expect![[r#"
            0 ms: grant 1
            0 ms: epoch 1 in replica-1
            500 ms: replica-2 hears of version 0
            500 ms: epoch 1 in replica-2
            1000 ms: version 1 in replica-1
            1000 ms: grant 1 released
            1000 ms: grant 2
            1000 ms: epoch 2 in replica-2
            1500 ms: replica-2 hears of version 1
            1500 ms: replica-1 hears of version 1
            1500 ms: epoch 2 in replica-1
            2000 ms: version 2 in replica-2
            2500 ms: replica-1 hears of version 2
            3000 ms: version 3 in replica-2
            3000 ms: grant 2 released
            3500 ms: replica-1 hears of version 3
        "#]],
    );
}

/// The older write came later and is the lower one: replica 1 hears again of what it had before.
#[test]
fn a_replica_that_falls_behind_by_its_own_change_hears_of_the_other_again() {
    let text = "scenario s\nworkers A B\nlease 2s\nlatency 0s\nreplicate after 500ms\nwork A compute 5s\nwork B compute 1s\n\
                replicas highest-epoch\n";
    let scenario = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let run = simulate(&scenario, &scenario.rows[0]);
    let merged = |entry: &fencepost_core::run::Entry| match entry.fact {
        Fact::Merged { into, version, .. } => Some((entry.at.micros() / 1_000, into.0 + 1, version.0)),
        _ => None,
    };
    let merged: Vec<_> = run.facts.iter().filter_map(merged).collect();
    expect!["[(3500, 1, 1), (5500, 1, 1)]"].assert_eq(&format!("{merged:?}"));
}

#[test]
fn the_lock_services_replica_hears_of_owners() {
    check(
        "guard client-check, asks lock-replica",
        "",
        &expect![[r#"
            0 ms: grant 1
            500 ms: lock-replica hears of it
            1000 ms: version 1 in replica-1
            1000 ms: grant 1 released
            1000 ms: grant 2
            1500 ms: lock-replica hears of it
            2000 ms: version 2 in replica-1
            3000 ms: version 3 in replica-1
            3000 ms: grant 2 released
            3500 ms: lock-replica hears of it
        "#]],
    );
    check(
        "guard client-check, asks lock-replica",
        "  network delays replication to lock-replica by 700ms",
        &expect![[r#"
            0 ms: grant 1
            1200 ms: lock-replica hears of it
            60000 ms: grant 2
            60500 ms: lock-replica hears of it
            61000 ms: version 1 in replica-1
            62000 ms: version 2 in replica-1
            62000 ms: grant 2 released
            62500 ms: lock-replica hears of it
        "#]],
    );
}

/// A change that never comes cannot be late.
#[test]
fn a_delay_of_a_change_that_does_not_come_does_not_strike() {
    let run = run("replicas last-write", "  network delays replication to replica-2 occurrence 9 by 5s");
    assert_eq!(run.struck, [false]);
}
