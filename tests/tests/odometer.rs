//! Every pair of a freeze and a message fault, under every mechanism: what a mechanism promises, it keeps on all of them.

use fencepost_core::compare::compare;
use fencepost_core::destination::Guard;
use fencepost_core::fact::Fact;
use fencepost_core::id::MAX_GRANTS;
use fencepost_core::invariant::Invariant;
use fencepost_core::mechanism::{LookUp, Mechanism, OperationIds};
use fencepost_core::run::Run;
use fencepost_core::scenario::{Row, Scenario, parse};
use fencepost_core::story::story;
use fencepost_core::words::headline;

/// Every mechanism there is, a row each.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for guard in Guard::ALL {
        for (operation_ids, look_up) in [
            (OperationIds::Off, LookUp::BeforeGuard),
            (OperationIds::InTransaction, LookUp::BeforeGuard),
            (OperationIds::InTransaction, LookUp::AfterGuard),
        ] {
            let mechanism = Mechanism { guard: *guard, operation_ids, look_up, ..Mechanism::UNGUARDED };
            rows.push(Row { name: format!("{} {operation_ids:?} {look_up:?}", guard.name()), mechanism });
        }
    }
    rows
}

/// The faults that a scenario can be given: nothing, or one freeze and one message fault.
fn schedules() -> Vec<String> {
    let mut freezes = vec![String::new()];
    for length in ["1s", "8s", "15s"] {
        freezes.push(format!("  A freezes {length} at 1s\n"));
        for point in ["acquire", "register", "read", "compute", "check", "publish", "release"] {
            for side in ["before", "after"] {
                freezes.push(format!("  A freezes {length} {side} {point}\n"));
            }
        }
        freezes.push(format!("  A freezes {length} before publish attempt 2\n"));
        freezes.push(format!("  A freezes {length} before publish of operation 2\n"));
    }
    for when in ["at 0s", "at 10s", "before read", "after publish"] {
        freezes.push(format!("  B freezes 15s {when}\n"));
    }
    let mut messages = vec![String::new()];
    for message in ["acquire of A", "register of A", "write of A", "write of A operation 2", "release of A"] {
        for leg in ["", "reply to "] {
            messages.push(format!("  network loses {leg}{message}\n"));
            messages.push(format!("  network delays {leg}{message} by 3s\n"));
            messages.push(format!("  network delays {leg}{message} by 16s\n"));
        }
    }
    let pairs = freezes.iter().flat_map(|freeze| messages.iter().map(move |message| format!("{freeze}{message}")));
    pairs.collect()
}

/// Two workers that do two operations each; B waits at the lock service, or stands by until a lease expires.
fn scenario(faults: &str, start: &str) -> Scenario {
    let faults = if faults.is_empty() { String::new() } else { format!("faults\n{faults}") };
    // A row with every step, so that every step may be named; the rows of the test take its place.
    let text = format!(
        "scenario odometer\nworkers A B\nlease 10s\nepochs from 33\nwork A compute 3s operations 2\nwork B compute 4s\n\
         start B {start}\nretry after 2s, 3 attempts\n{faults}compare\n  steps guard registered\n  checks guard client-check\n"
    );
    let mut scenario = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    scenario.rows = rows();
    scenario
}

/// What a mechanism promises, whatever happens.
fn promises(Mechanism { guard, operation_ids, look_up, .. }: &Mechanism) -> Vec<Invariant> {
    let mut promises = vec![Invariant::EpochsIncrease, Invariant::RecognizedNeverDecreases];
    if matches!(guard, Guard::MaxSeen | Guard::Registered) {
        promises.push(Invariant::NoStaleOverwrite);
    }
    if *operation_ids == OperationIds::InTransaction {
        promises.push(Invariant::AppliedOnce);
        if *guard == Guard::Registered {
            promises.push(Invariant::NoLostUpdate);
        }
        if *look_up == LookUp::BeforeGuard {
            promises.push(Invariant::SameAnswer);
        }
    }
    promises
}

/// Whether no worker takes a lease of 10 s, by a clock that shows true time, for longer than it is.
fn reckons_on_the_safe_side(run: &Run) -> bool {
    let mut ends = [0; MAX_GRANTS];
    run.facts.iter().all(|entry| match entry.fact {
        Fact::Granted { claim, .. } => {
            ends[claim.grant.index()] = entry.at.micros() + 10_000_000;
            true
        }
        Fact::Reckoned { claim, expiry, .. } => {
            u64::try_from(expiry.micros()).is_ok_and(|at| at <= ends[claim.grant.index()])
        }
        _ => true,
    })
}

#[test]
fn every_mechanism_keeps_what_it_promises_on_every_schedule() {
    let mut broken = std::collections::BTreeSet::new();
    for start in ["on expiry", "at 500ms"] {
        for faults in schedules() {
            for run in compare(&scenario(&faults, start)).runs {
                let Run { name, mechanism, stopped_at, .. } = &run;
                assert_eq!(*stopped_at, None, "{name}, B {start}:\n{faults}");
                for invariant in promises(mechanism) {
                    assert!(run.holds(invariant), "{name} breaks {}, B {start}:\n{faults}", invariant.name());
                }
                assert!(reckons_on_the_safe_side(&run), "{name}, B {start}:\n{faults}");
                for violation in &run.violations {
                    broken.insert(violation.evidence.invariant);
                }
            }
        }
    }
    let expected =
        [Invariant::NoStaleOverwrite, Invariant::NoLostUpdate, Invariant::AppliedOnce, Invariant::SameAnswer];
    assert!(expected.iter().all(|invariant| broken.contains(invariant)), "the schedules reach too little: {broken:?}");
}

/// One schedule in eleven, told and drawn.
#[test]
fn every_schedule_can_be_told_and_drawn() {
    use fencepost_core::plot::{self, Options};
    for faults in schedules().iter().step_by(11) {
        let comparison = compare(&scenario(faults, "on expiry"));
        assert!(!story(&comparison).is_empty() && !headline(&comparison).is_empty());
        let timeline = plot::timeline(&comparison);
        for width in [328, 1072] {
            assert!(!plot::layout(&timeline, Options::width(width)).items.is_empty());
        }
    }
}
