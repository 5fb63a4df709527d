//! What a search finds comes back as a scenario: it takes the same path by the clock, and can be printed and read again.

use fencepost_core::counterexample::{Counterexample, timed};
use fencepost_core::explore::Search;
use fencepost_core::invariant::Invariant;
use fencepost_core::scenario::{Scenario, parse, print};
use fencepost_core::simulate::{search_config, simulate};

/// Guards, each alone and with operation IDs in either order.
const GUARDS: [&str; 10] = [
    "none",
    "client-check",
    "self-check",
    "max-seen",
    "greater-than",
    "row-version",
    "deadline",
    "holder",
    "promise",
    "registered",
];
const IDS: [&str; 3] = ["", ", operation-ids in-transaction", ", operation-ids in-transaction, look-up after-guard"];

/// Other settings, with what may go wrong beside a loss and a retry.
const OTHERS: [(&str, &str); 46] = [
    ("guard client-check, asks lock-replica", ""),
    ("guard client-check, asks destination", ""),
    ("guard max-seen, counts reads-too", ""),
    ("guard row-version, on-conflict redo, operation-ids in-transaction, look-up after-guard", ""),
    ("guard holder, holder-id worker", ""),
    ("guard none, no-reply failed", ""),
    ("guard none, no-reply new-id, operation-ids in-transaction", ""),
    ("guard registered, no-reply look-up, operation-ids in-transaction", ""),
    ("guard registered, transaction split, operation-ids in-transaction", ""),
    ("guard registered, operation-ids after-transaction", ""),
    ("guard registered, control-row fails-open, operation-ids in-transaction", ", crashes 1"),
    ("guard registered, control-row re-registered, operation-ids in-transaction", ", crashes 1"),
    ("guard registered, control-row fails-closed, operation-ids in-transaction", ", crashes 1"),
    ("guard registered, reads before-registering, operation-ids in-transaction", ""),
    ("guard registered, issuer restored, operation-ids in-transaction", ", failovers 1"),
    ("guard registered, issuer fails-over, operation-ids in-transaction", ", failovers 1"),
    ("guard self-check, operation-ids in-transaction", ", suspends 1"),
    ("guard deadline, operation-ids in-transaction", ", skews 1"),
    ("guard deadline, operation-ids in-transaction, release early", ""),
    ("guard none, release unconditional", ""),
    ("guard none, effect mail", ""),
    ("guard none, effect payment, key kept", ""),
    ("guard none, effect payment, effect-outcome looked-up", ""),
    ("guard none, effect payment, key kept, effect-outcome failed", ""),
    ("guard none, effect payment, key pruned, effect-outcome looked-up", ", prunes 1"),
    ("guard registered, operation-ids in-transaction, effect payment, effect-outcome looked-up", ", crashes 1"),
    ("guard registered, operation-ids in-transaction, effect mail, through outbox", ", crashes 1"),
    ("guard none, effect file", ""),
    ("guard none, effect file, switched in-two-steps", ""),
    ("guard none, renewal thread", ", renewals 1"),
    ("guard registered, token timestamp, operation-ids in-transaction", ", skews 1"),
    ("guard max-seen, token unchecked, operation-ids in-transaction", ""),
    ("guard registered, token declared, operation-ids in-transaction", ""),
    ("guard max-seen, token random, operation-ids in-transaction", ""),
    ("guard none, candidates poll", ""),
    ("guard self-check, candidates poll", ""),
    ("guard none, replicas last-write, operation-ids in-transaction", ""),
    ("guard none, replicas highest-epoch, operation-ids in-transaction", ""),
    ("guard max-seen, replicas last-write, operation-ids in-transaction", ""),
    ("guard max-seen, replicas highest-epoch, operation-ids in-transaction", ""),
    ("guard registered, replicas last-write, operation-ids in-transaction", ""),
    ("guard registered, replicas highest-epoch, operation-ids in-transaction", ""),
    ("guard row-version, on-conflict redo, replicas highest-epoch", ""),
    ("guard client-check, asks lock-replica, replicas last-write", ""),
    ("guard none, operation-ids in-transaction", ", duplicates 1"),
    ("guard none, operation-ids in-transaction", ", crashes 1"),
];

fn scenario(settings: &str, more: &str) -> Scenario {
    let text = format!(
        "scenario searched\nworkers A B\nlease 10s\nepochs from 33\nwork A compute 3s\nwork B compute 4s\n\
         compare\n  row {settings}\nexplore workers 2, grants 2, losses 1{more}\n"
    );
    parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Everything that can be broken, timed; and how many steps each takes.
fn found(scenario: &Scenario) -> Vec<(Invariant, Counterexample)> {
    let row = &scenario.rows[0];
    let config = search_config(scenario, &row.mechanism);
    let report = Search::new(&config).run();
    let time = |invariant, path: &[_]| match timed(scenario, row, &config, path, invariant) {
        Ok(counterexample) => counterexample,
        Err(error) => panic!("{:?} breaks {}: {error}", row.mechanism, invariant.name()),
    };
    let broken = report.broken.iter().map(|found| (found.evidence.invariant, &found.path));
    broken.map(|(invariant, path)| (invariant, time(invariant, path))).collect()
}

#[track_caller]
fn check(settings: &str, more: &str) -> usize {
    let all = found(&scenario(settings, more));
    for (invariant, counterexample) in &all {
        let text = print(&counterexample.scenario);
        let read = parse(&text).unwrap_or_else(|error| panic!("{settings}: {error}\n{text}"));
        let run = simulate(&read, &read.rows[0]);
        let made: Vec<_> = run.choices.iter().map(|choice| choice.event).collect();
        assert_eq!(made, counterexample.path, "{settings}: {}\n{text}", invariant.name());
        assert!(!run.holds(*invariant), "the run stops where it is broken\n{text}");
    }
    all.len()
}

#[test]
fn what_a_search_finds_under_each_guard_runs_by_the_clock() {
    let found: usize = GUARDS.iter().flat_map(|guard| IDS.map(|ids| check(&format!("guard {guard}{ids}"), ""))).sum();
    assert!(found > 50, "{found}");
}

#[test]
fn what_a_search_finds_under_other_settings_runs_by_the_clock() {
    let found: usize = OTHERS.iter().map(|(settings, more)| check(settings, more)).sum();
    assert!(found > 80, "{found}");
}

/// The scenario's own lease and work are kept where they can be.
#[test]
fn the_scenarios_own_durations_are_kept() {
    for (invariant, counterexample) in found(&scenario("guard none", "")) {
        assert_eq!(counterexample.changed, Vec::<&str>::new(), "{}", invariant.name());
    }
}
