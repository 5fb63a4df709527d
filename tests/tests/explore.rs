//! The explorer, held against other searches over the same transition system: a plain walk, stateright, and one that
//! takes every path there is.

mod peer;

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use fencepost_core::destination::Guard;
use fencepost_core::event::Event;
use fencepost_core::explore::{Report, Search, Status};
use fencepost_core::invariant::{Evidence, Invariant};
use fencepost_core::mechanism::{LookUp, Mechanism, OperationIds, Sharing};
use fencepost_core::observation::Situation;
use fencepost_core::system::{Budget, Config, Driver, State};
use fencepost_tests::walk::{config, walk};
use stateright::Checker;

/// Every mechanism there is.
fn mechanisms() -> Vec<Mechanism> {
    let mut mechanisms = Vec::new();
    for guard in Guard::ALL {
        for (operation_ids, look_up) in [
            (OperationIds::Off, LookUp::BeforeGuard),
            (OperationIds::InTransaction, LookUp::BeforeGuard),
            (OperationIds::InTransaction, LookUp::AfterGuard),
        ] {
            mechanisms.push(Mechanism { guard: *guard, operation_ids, look_up, ..Mechanism::UNGUARDED });
        }
    }
    mechanisms
}

/// Few enough choices that slow searches take little time: nothing is lost.
fn small() -> impl Iterator<Item = Config> {
    let bounds = [(Sharing::Own, 1, 1), (Sharing::Shared, 1, 1), (Sharing::Own, 0, 2)];
    mechanisms().into_iter().flat_map(move |mechanism| {
        bounds.map(|(sharing, retries, operations)| Config {
            budget: Budget { retries, ..Budget::default() },
            operations: [operations; 3],
            sharing,
            ..config(mechanism)
        })
    })
}

fn complete(config: &Config) -> Report {
    let report = Search::new(config).run();
    assert_eq!(report.progress.status, Status::Complete, "{config:?}");
    report
}

/// How many steps each invariant that breaks and each situation that is reached takes at the least.
fn depths(report: &Report) -> (BTreeMap<Invariant, u32>, BTreeMap<Situation, u32>) {
    let broken = report.broken.iter().map(|found| (found.evidence.invariant, found.path.len() as u32));
    let reached = report.reached.iter().map(|found| (found.situation, found.path.len() as u32));
    (broken.collect(), reached.collect())
}

#[test]
fn a_plain_walk_finds_the_same() {
    for config in small() {
        let (report, found) = (complete(&config), walk(&config, true));
        assert_eq!(report.progress.states, found.extent.states, "{config:?}");
        assert_eq!(report.progress.transitions, found.extent.transitions, "{config:?}");
        assert_eq!(depths(&report), (found.broken, found.reached), "{config:?}");
    }
}

#[test]
fn the_parts_of_a_report_agree() {
    for config in small() {
        let report = complete(&config);
        assert_eq!(report.states_by_depth.iter().sum::<usize>(), report.progress.states);
        assert_eq!(report.states_by_depth.len(), report.progress.depth + 1);
        assert_eq!((report.states_by_depth[0], report.progress.frontier), (1, 0));
        assert!(report.cut.is_empty(), "a complete search followed every path to its end");
    }
}

#[test]
fn stateright_reaches_as_many_states_by_as_many_transitions() {
    let mut configs: Vec<Config> = small().collect();
    configs.extend(Guard::ALL.iter().map(|guard| config(Mechanism { guard: *guard, ..Mechanism::UNGUARDED })));
    for config in configs {
        let (report, checker) = (complete(&config), peer::search(&config));
        assert_eq!(report.progress.states, checker.unique_state_count(), "{config:?}");
        // It counts the first state as generated, too.
        assert_eq!(report.progress.transitions + 1, checker.state_count() as u64, "{config:?}");
        assert_eq!(report.progress.depth + 1, checker.max_depth(), "{config:?}");
    }
}

#[test]
fn stateright_breaks_the_same_invariants_no_sooner_and_no_later() {
    for config in small() {
        let found = peer::shallowest_violations(&config);
        assert_eq!(depths(&complete(&config)).0, found, "{config:?}");
    }
}

/// What the last step of a path told.
#[derive(Default)]
struct Told {
    reached: Vec<Situation>,
    broken: Vec<Evidence>,
}

impl Driver for Told {
    fn situation(&mut self, situation: Situation) {
        self.reached.push(situation);
    }

    fn violation(&mut self, evidence: Evidence) {
        self.broken.push(evidence);
    }
}

/// Replays `path` without forgetting anything, and returns what its steps told.
fn replay(config: &Config, path: &[Event]) -> Vec<Told> {
    let mut state = State::new(config);
    let step = |event: &Event| {
        assert!(state.is_enabled(config, *event), "{event:?} is not enabled");
        let mut told = Told::default();
        state.step(config, *event, &mut told).expect("the path stays within the model's limits");
        told
    };
    path.iter().map(step).collect()
}

#[test]
fn every_path_replays_and_its_last_step_is_the_one_that_counts() {
    for config in small() {
        let report = complete(&config);
        for found in &report.broken {
            let told = replay(&config, &found.path);
            let (last, before) = told.split_last().expect("nothing is broken to begin with");
            assert!(last.broken.contains(&found.evidence), "{found:?}");
            let earlier = before.iter().flat_map(|told| &told.broken);
            assert!(earlier.into_iter().all(|broken| broken.invariant != found.evidence.invariant), "{found:?}");
        }
        for found in &report.reached {
            let told = replay(&config, &found.path);
            let (last, before) = told.split_last().expect("nothing is reached to begin with");
            assert!(last.reached.contains(&found.situation), "{found:?}");
            assert!(before.iter().all(|told| !told.reached.contains(&found.situation)), "{found:?}");
        }
    }
}

/// Takes every path of at most `steps` steps, one after another, remembering no state, and counts how many break
/// `invariant`.
fn paths_that_break(invariant: Invariant, config: &Config, state: State, steps: usize) -> usize {
    let mut count = 0;
    if steps > 0 {
        state.enabled(config, |event| {
            let (mut next, mut told) = (state, Told::default());
            if next.step(config, event, &mut told).is_ok() {
                let here = told.broken.iter().any(|evidence| evidence.invariant == invariant);
                count += usize::from(here) + paths_that_break(invariant, config, next, steps - 1);
            }
        });
    }
    count
}

#[test]
fn nothing_shorter_exists() {
    let unguarded = |operation_ids| Mechanism { operation_ids, ..Mechanism::UNGUARDED };
    for (invariant, config) in [
        (Invariant::AppliedOnce, config(unguarded(OperationIds::Off))),
        (
            Invariant::NoStaleOverwrite,
            Config { budget: Budget::default(), ..config(unguarded(OperationIds::InTransaction)) },
        ),
    ] {
        let report = complete(&config);
        let shortest = report.counterexample(invariant).expect("it breaks").path.len();
        let start = State::new(&config);
        assert_eq!(paths_that_break(invariant, &config, start, shortest - 1), 0);
        assert!(paths_that_break(invariant, &config, start, shortest) > 0);
    }
}

#[test]
fn forgetting_changes_no_verdict_and_no_depth() {
    for config in small() {
        let (forgetting, all) = (complete(&config), Search::without_forgetting(&config).run());
        assert!(forgetting.progress.states <= all.progress.states, "{config:?}");
        assert_eq!(depths(&forgetting), depths(&all), "{config:?}");
    }
}

#[track_caller]
fn check(config: &Config, expected: &Expect) {
    let report = complete(config);
    let progress = report.progress;
    let mut text = format!("{} states, {} transitions\n", progress.states, progress.transitions);
    text += &format!("by depth: {:?}\n", report.states_by_depth);
    for found in &report.broken {
        text += &format!("{} broken in {} steps\n", found.evidence.invariant.name(), found.path.len());
    }
    expected.assert_eq(&text);
}

#[test]
fn what_it_finds_is_always_the_same() {
    check(
        &config(Mechanism::UNGUARDED),
        &expect![[r#"
            46233 states, 175952 transitions
            by depth: [1, 2, 7, 18, 44, 96, 184, 327, 524, 778, 1046, 1284, 1586, 1982, 2374, 2860, 3662, 4518, 5004, 5440, 5340, 4120, 2776, 1672, 540, 48]
            no-stale-overwrite broken in 13 steps
            no-lost-update broken in 14 steps
            applied-once broken in 9 steps
            no-interleaving broken in 13 steps
        "#]],
    );
    let guard = Guard::Registered;
    check(
        &config(Mechanism { guard, operation_ids: OperationIds::InTransaction, ..Mechanism::UNGUARDED }),
        &expect![[r#"
            55799 states, 226724 transitions
            by depth: [1, 2, 7, 18, 44, 100, 200, 371, 614, 920, 1248, 1554, 1906, 2226, 2536, 2868, 3168, 3454, 3832, 4010, 3806, 3694, 3742, 3576, 3360, 3156, 2492, 1534, 888, 400, 72]
        "#]],
    );
}
