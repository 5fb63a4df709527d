//! Polls that are drawn apart: within bounds, the same for the same seed, each worker's for itself; and what they make of
//! the time until a crashed owner is followed.

use std::collections::BTreeSet;

use expect_test::expect;
use fencepost_core::compare::compare;
use fencepost_core::fact::Fact;
use fencepost_core::id::WorkerId;
use fencepost_core::message::{Call, Message, Request};
use fencepost_core::run::Run;
use fencepost_core::scenario::{parse, set_parameter};
use fencepost_core::simulate::{config, simulate};
use fencepost_core::system::State;
use fencepost_core::time::{Duration, Instant};
use fencepost_tests::walk::after;

/// How many crashes are looked at.
const SEEDS: u64 = 5_000;

const LATENCY: Duration = Duration::from_millis(20);
const EVERY: Duration = Duration::from_secs(2);
const JITTER: Duration = Duration::from_millis(2_400);

/// The first worker holds the lock for a hundred seconds, and the others poll for it.
fn polling(workers: &str, lines: &str) -> Run {
    let text = format!("scenario s\nworkers {workers}\nlease 100s\nwork A compute 99s\ncandidates poll\n{lines}\n");
    run(&text)
}

#[track_caller]
fn run(text: &str) -> Run {
    let scenario = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    simulate(&scenario, &scenario.rows[0])
}

/// When `worker` asked for the lock.
fn asked(run: &Run, worker: u8) -> Vec<Instant> {
    let asks = |fact: &Fact| match *fact {
        Fact::Sent { message: Message::Request(Request { worker: who, call: Call::Acquire { .. }, .. }) } => {
            who == WorkerId(worker)
        }
        _ => false,
    };
    run.facts.iter().filter(|entry| asks(&entry.fact)).map(|entry| entry.at).collect()
}

/// How long `worker` waited each time between a refusal and its next request.
fn waits(run: &Run, worker: u8) -> Vec<Duration> {
    let asked = asked(run, worker);
    // A request and the reply to it take a latency each.
    asked.windows(2).map(|pair| pair[1].since(pair[0]) - (LATENCY + LATENCY)).collect()
}

#[test]
fn without_jitter_every_wait_is_the_period() {
    let waits = waits(&polling("A B", "poll every 2s"), 1);
    assert!(waits.len() > 40 && waits.iter().all(|wait| *wait == EVERY), "{waits:?}");
    assert_eq!(polling("A B", "poll every 2s jitter 0s").facts, polling("A B", "poll every 2s").facts);
}

#[test]
fn waits_lie_between_the_period_and_the_jitter_beyond_it_and_come_near_both() {
    let mut all = Vec::new();
    for seed in 0..50 {
        all.extend(waits(&polling("A B", &format!("poll every 2s jitter 2.4s\nseed {seed}")), 1));
    }
    let (least, most) = (all.iter().min().copied(), all.iter().max().copied());
    let (least, most) = (least.expect("it polls"), most.expect("it polls"));
    assert!(EVERY <= least && least < EVERY + Duration::from_millis(20), "{least}");
    assert!(EVERY + JITTER - Duration::from_millis(20) < most && most <= EVERY + JITTER, "{most}");
    // Each tenth of the jitter is drawn about as often as the others.
    let mut tenths = [0_usize; 10];
    for wait in &all {
        tenths[((*wait - EVERY).micros() * 10 / (JITTER.micros() + 1)) as usize] += 1;
    }
    let even = all.len() / 10;
    assert!(all.len() > 1_000 && tenths.iter().all(|drawn| drawn.abs_diff(even) < even / 3), "{tenths:?}");
}

/// The very numbers: a generator that goes another way is seen here.
#[test]
fn what_is_drawn_is_drawn_again() {
    let lines = "poll every 2s jitter 2.4s\nseed 7";
    let first = polling("A B C", lines);
    assert_eq!(first.facts, polling("A B C", lines).facts);
    let told = |run: &Run, worker| {
        let waits: Vec<String> = waits(run, worker).iter().take(4).map(ToString::to_string).collect();
        waits.join(", ")
    };
    expect!["2224.469ms, 2936.137ms, 2944.786ms, 3350.43ms"].assert_eq(&told(&first, 1));
    expect!["2317.185ms, 2216.209ms, 2391.623ms, 4091.828ms"].assert_eq(&told(&first, 2));
}

#[test]
fn the_seed_is_the_first_epoch_unless_it_is_given() {
    let lines = |more: &str| format!("poll every 2s jitter 2.4s\n{more}");
    let waits = |more: &str| waits(&polling("A B", &lines(more)), 1);
    assert_eq!(waits("epochs from 33"), waits("epochs from 34\nseed 33"));
    assert_ne!(waits("epochs from 33"), waits("epochs from 34"));
    let seeds: BTreeSet<Vec<Duration>> = (0..50).map(|seed| waits(&format!("seed {seed}"))).collect();
    assert_eq!(seeds.len(), 50, "every seed draws other numbers");
}

/// Random tokens are drawn from the same seed.
#[test]
fn a_seed_draws_other_tokens() {
    let tokens = |lines: &str| {
        let run = run(&format!("scenario s\nworkers A\nlease 10s\ntoken random\n{lines}\n"));
        run.facts.iter().find_map(|entry| match entry.fact {
            Fact::Granted { claim, .. } => Some(claim.epoch.number()),
            _ => None,
        })
    };
    assert_eq!(tokens("epochs from 33"), tokens("seed 33"));
    assert_ne!(tokens("epochs from 33"), tokens("epochs from 33\nseed 34"));
}

#[test]
fn another_worker_does_not_change_when_one_polls() {
    let lines = "poll every 2s jitter 2.4s\nseed 7";
    let (two, three) = (polling("A B", lines), polling("A B C", lines));
    assert_eq!(asked(&two, 1), asked(&three, 1));
    assert_ne!(asked(&three, 1), asked(&three, 2), "they poll apart");
}

/// Rows are the same schedule under several mechanisms: what one draws does not change what another does.
#[test]
fn every_row_draws_the_same() {
    let text = "scenario s\nworkers A B\nlease 100s\nwork A compute 99s\ncandidates poll\npoll every 2s jitter 2.4s\n\
                compare\n  one guard none\n  other guard max-seen\n";
    let comparison = compare(&parse(text).unwrap_or_else(|error| panic!("{error}")));
    let [one, other] = comparison.runs.as_slice() else { panic!("two rows") };
    assert_eq!(asked(one, 1), asked(other, 1));
}

/// The jitter is a length as any other: a parameter can be it, and people can drag that.
#[test]
fn a_parameter_can_be_the_jitter() {
    let text = "scenario s\nworkers A B\nlease 100s\nlet spread = 2.4s in 0s..5s\nwork A compute 99s\ncandidates poll\n\
                poll every 2s jitter spread\n";
    let none = set_parameter(text, "spread", Duration::ZERO).unwrap_or_else(|error| panic!("{error}"));
    assert!(waits(&run(&none), 1).iter().all(|wait| *wait == EVERY));
    assert_eq!(asked(&run(text), 1), asked(&polling("A B", "poll every 2s jitter 2.4s"), 1));
}

/// A leader with the durations of client-go that crashes, and a standby that polls.
///
/// Source: https://pkg.go.dev/k8s.io/client-go/tools/leaderelection: a lease of 15 s, a retry period of 2 s, and a jitter factor
/// of 1.2, by which a candidate waits for up to 2 × 1.2 s more.
fn failover(seed: u64) -> Run {
    run(&format!(
        "scenario failover\nworkers leader standby\nlease 15s\nwork leader compute 1m\nstart standby at 1s\n\
         renewal thread\nrenew every 2s\ncandidates watch\npoll every 2s jitter 2.4s\nseed {seed}\n\
         faults\n  leader crashes 1h at 21s\n"
    ))
}

/// A crashed leader is followed after a lease at the earliest, and not much later than a lease and two polls.
///
/// Let s be when the lock service takes the leader's last renewal. From then on the record stays as it is.
///
/// - The standby sees it so when its next request arrives, at o. It had one at or before s, or else it has none before o
///   that counts. Between the arrivals of two requests lie the way of the reply, the wait (2 s to 4.4 s) and the way of the
///   next request. So s <= o <= s + 4.4 s + 2 × latency.
/// - It takes the record for over at the first request that arrives a lease after o or later, at g. So
///   o + 15 s <= g <= o + 15 s + 4.4 s + 2 × latency.
///
/// Together, 15 s <= g - s <= 15 s + 2 × (4.4 s + 2 × 20 ms) = 23.88 s. A lease and a retry period, 17 s, is no bound.
#[test]
fn a_crashed_leader_is_followed_within_a_lease_and_two_polls() {
    let lease = Duration::from_secs(15);
    let poll = EVERY + JITTER + LATENCY + LATENCY;
    let mut handovers = Vec::new();
    for seed in 0..SEEDS {
        let run = failover(seed);
        let followed =
            run.facts.iter().position(|entry| matches!(entry.fact, Fact::Granted { worker: WorkerId(1), .. }));
        let followed = followed.unwrap_or_else(|| panic!("seed {seed}: nobody follows"));
        let renewed = run.facts[..followed].iter().rev().find(|entry| matches!(entry.fact, Fact::Renewed { .. }));
        let renewed = renewed.unwrap_or_else(|| panic!("seed {seed}: the leader renews its lease"));
        let (renewed, granted) = (renewed.at, run.facts[followed].at);
        let handover = granted.since(renewed);
        assert!(lease <= handover && handover <= lease + poll + poll, "seed {seed}: {handover}");
        handovers.push(handover);
    }
    handovers.sort_unstable();
    let (least, most) = (handovers[0], handovers[handovers.len() - 1]);
    assert!(least < lease + Duration::from_millis(100), "{least}");
    assert!(most > lease + poll + poll - Duration::from_secs(1), "{most}");
    let beyond = handovers.iter().filter(|handover| **handover > lease + EVERY).count();
    assert!(beyond > handovers.len() / 2, "{beyond} take longer than a lease and a retry period");
}

/// A search lets candidates poll whenever it likes, so what is drawn is one of its paths.
#[test]
fn runs_with_jitter_are_paths_of_the_search() {
    for seed in 0..100 {
        for candidates in ["poll", "watch"] {
            let text = format!(
                "scenario s\nworkers A B C\nlease 10s\nwork A compute 12s\nwork B compute 1s\nstart C at 1s\n\
                 candidates {candidates}\npoll every 500ms jitter 3s\nseed {seed}\nfaults\n  A crashes 5s at 4s\n"
            );
            let scenario = parse(&text).unwrap_or_else(|error| panic!("{error}"));
            let run = simulate(&scenario, &scenario.rows[0]);
            assert_eq!(run.stopped_at, None);
            let config = config(&scenario, &run.mechanism);
            let mut state = State::new(&config);
            for choice in &run.choices {
                assert!(state.is_enabled(&config, choice.event), "seed {seed}: {:?}", choice.event);
                state = after(&config, state, &[choice.event]);
            }
        }
    }
}
