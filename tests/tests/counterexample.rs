//! What a search finds comes back as a scenario: it takes the same path by the clock, and can be printed and read again.

use fencepost_core::counterexample::{Counterexample, Untimed, timed};
use fencepost_core::event::Event;
use fencepost_core::explore::Search;
use fencepost_core::fact::Fact;
use fencepost_core::invariant::Invariant;
use fencepost_core::message::{Call, Message};
use fencepost_core::scenario::{MAX_FAULTS, Scenario, parse, print};
use fencepost_core::simulate::{config, search_config, simulate};
use fencepost_core::system::{Config, Driver, State};

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
const OTHERS: [(&str, &str); 54] = [
    ("guard client-check, asks lock-replica", ""),
    ("guard client-check, asks lock-replica, lease-by written", ", skews 1"),
    ("guard client-check, asks lock-replica, lease-by before-call", ""),
    ("guard client-check, asks lock-replica, candidates session", ", crashes 1"),
    ("guard client-check, asks lock-replica, renewal thread", ", renewals 1"),
    ("guard client-check, renewal thread, lease-from reply", ", renewals 1"),
    ("guard self-check, candidates session", ""),
    ("guard deadline, candidates session", ""),
    ("guard deadline, lease-by written", ""),
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
    scenario_with("lease 10s\nwork A compute 3s\nwork B compute 4s", settings, more)
}

fn scenario_with(lines: &str, settings: &str, more: &str) -> Scenario {
    let text = format!(
        "scenario searched\nworkers A B\nepochs from 33\n{lines}\ncompare\n  row {settings}\nexplore workers 2, grants \
         2, losses 1{more}\n"
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
    check_all(settings, &found(&scenario(settings, more)))
}

#[track_caller]
fn check_all(settings: &str, all: &[(Invariant, Counterexample)]) -> usize {
    for (invariant, counterexample) in all {
        let text = print(&counterexample.scenario);
        let read = parse(&text).unwrap_or_else(|error| panic!("{settings}: {error}\n{text}"));
        let run = simulate(&read, &read.rows[0]);
        let made: Vec<_> = run.choices.iter().map(|choice| choice.event).collect();
        assert_eq!(made, counterexample.path, "{settings}: {}\n{text}", invariant.name());
        assert!(!run.holds(*invariant), "the run stops where it is broken\n{text}");
        assert_eq!(run.not_struck(&read).count(), 0, "no fault is named in vain\n{text}");
    }
    all.len()
}

/// A lease of nearly the longest duration leaves no room for a fault that lasts longer.
#[test]
fn a_path_whose_times_no_text_can_say_is_not_timed() {
    let text = "scenario long\nworkers A B\nlease 9600h\nwork A compute 9000h\nwork B compute 9000h\n\
                explore workers 2, grants 2\n";
    let scenario = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let row = &scenario.rows[0];
    let config = search_config(&scenario, &row.mechanism);
    let report = Search::new(&config).run();
    let found = report.counterexample(Invariant::NoStaleOverwrite).expect("nothing guards the row");
    let timed = timed(&scenario, row, &config, &found.path, found.evidence.invariant);
    assert!(matches!(timed, Err(Untimed::Unsayable(_))), "{timed:?}");
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

/// Leases, deadlines and patience go by clocks that are fast or slow, where the scenario has such.
#[test]
fn the_scenarios_own_clocks_are_gone_by() {
    let clocks = "lease 10s\nwork A compute 3s\nwork B compute 4s\nclock A fast 20000ppm\nclock B slow 10000ppm\n\
                  clock lock-service fast 20000ppm";
    for settings in [
        "guard client-check, asks lock-replica, lease-by wall",
        "guard client-check, asks lock-replica, lease-by written",
        "guard self-check, lease-by wall",
        "guard deadline, lease-by wall",
    ] {
        let all = found(&scenario_with(clocks, settings, ""));
        assert!(check_all(settings, &all) > 0, "{settings}");
        for (invariant, Counterexample { scenario, .. }) in all {
            assert_eq!(scenario.workers[0].clock.rate_ppm, 20_000, "{settings}: {}", invariant.name());
        }
    }
}

/// Whoever works for longer than its lease, and renews it, has to work faster and to be slow to stop at once.
#[test]
fn several_durations_are_given_up_where_it_takes_that() {
    let lines = "lease 5s\nwork A compute 8s\nwork B compute 8s\nrenew every 2s";
    let settings = "guard none, renewal thread, candidates poll";
    let all = found(&scenario_with(lines, settings, ", retries 0, renewals 1"));
    check_all(settings, &all);
    let overwritten = all.iter().find(|(invariant, _)| *invariant == Invariant::NoLostUpdate).expect("it is broken");
    assert_eq!(overwritten.1.changed, ["work", "retry", "renewal", "stop"]);
}

/// A path on which an owner hears nothing of its write and makes it twice, after as many requests of everybody were lost as
/// `losses` says.
fn path_with_losses(config: &Config, mut losses: u8) -> Vec<Event> {
    let mut state = State::new(config);
    let (mut path, mut applied) = (Vec::new(), Vec::new());
    loop {
        let mut enabled = Vec::new();
        state.enabled(config, |event| enabled.push(event));
        let is_write = |call| matches!(call, Call::Write { .. });
        let is_lost = |message: &Message| match *message {
            // The last try comes through.
            Message::Request(request) => losses > 0 && request.attempt.0 < config.attempts && !is_write(request.call),
            Message::Reply(reply) => is_write(reply.request.call),
        };
        let turn = |event: &Event| match event {
            Event::Lose { message } if is_lost(message) => Some(0),
            Event::Deliver { .. } => Some(1),
            Event::Step { .. } => Some(2),
            Event::TimeOut { .. } => Some(3),
            _ => None,
        };
        let next = enabled.into_iter().filter(|event| turn(event).is_some()).min_by_key(turn).expect("it goes on");
        losses -= u8::from(matches!(next, Event::Lose { message: Message::Request(_) }));
        let mut told = Told::default();
        state.step(config, next, &mut told).expect("no limit is met");
        path.push(next);
        for fact in told.0 {
            let Fact::Applied { operation, .. } = fact else { continue };
            if applied.contains(&operation) {
                assert_eq!(losses, 0, "there are not so many requests");
                return path;
            }
            applied.push(operation);
        }
    }
}

/// So much may have to go wrong for a path that no scenario may say it. Then there is none, rather than one that nobody can
/// read.
#[test]
fn a_path_on_which_too_much_is_lost_has_no_scenario() {
    let text = "scenario lossy\nworkers A B C\nlease 10m\nretry after 2s, 4 attempts\neffect payment\ncompare\n  row guard \
                registered, mint before-grant, effect-outcome looked-up\n";
    let base = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let row = &base.rows[0];
    let config = config(&base, &row.mechanism);
    let time = |losses| timed(&base, row, &config, &path_with_losses(&config, losses), Invariant::AppliedOnce);
    let all = time(4).map(|counterexample| vec![(Invariant::AppliedOnce, counterexample)]);
    assert_eq!(check_all("lossy", &all.expect("there is room for these")), 1);
    // Besides, the answer to the write is lost, and those stand still whose turn it is not.
    let outcome = time(MAX_FAULTS as u8 - 2);
    let Err(Untimed::Unsayable(error)) = outcome else { panic!("there is no room for one more: {outcome:?}") };
    assert!(error.to_string().contains(&format!("at most {MAX_FAULTS}")), "{error}");
}

/// What a choice tells.
#[derive(Default)]
struct Told(Vec<Fact>);

impl Driver for Told {
    fn fact(&mut self, fact: Fact) {
        self.0.push(fact);
    }
}
