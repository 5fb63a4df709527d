//! What the language accepts, and that the corpus and the description keep to it.

use std::collections::BTreeSet;

use expect_test::{Expect, expect};

use super::corpus::QUESTIONS;
use super::parse::all_words;
use super::*;
use crate::compare::compare;
use crate::destination::Guard;
use crate::expect::failures;
use crate::mechanism::{LookUp, OperationIds, Switch};

mod cases;
mod print;
mod refused;

/// What describes the language to its users.
const DESCRIPTION: &str = include_str!("../../../docs/scenario-language.md");

#[track_caller]
fn parsed(text: &str) -> Scenario {
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[track_caller]
fn parsed_lines(lines: &str) -> Scenario {
    parsed(&format!("scenario example\nworkers A B\nlease 10s\n{lines}\n"))
}

// What is accepted.

/// A scenario, a line for each thing in it.
fn shown(scenario: &Scenario) -> Vec<String> {
    let Scenario { name, comment, result, workers, lease, latency, first_epoch, last_epoch, sharing, retry, .. } =
        scenario;
    let Scenario {
        renew_every,
        margin,
        poll_every,
        poll_jitter,
        seed,
        stop_after,
        replicate_after,
        relay_after,
        lock_clock,
        ..
    } = scenario;
    let Scenario { destination_clock, parameters, faults, rows, expectations, stop_at, bounds, .. } = scenario;
    let mut lines = vec![
        format!("{name} {comment:?}"),
        format!("lease {lease:?} latency {latency:?}"),
        format!("epochs {first_epoch} {last_epoch:?}"),
        format!("result {result} operations {sharing:?}"),
        format!("{retry:?}"),
        format!("renew {renew_every:?}"),
        format!("margin {margin:?}"),
        format!("poll {poll_every:?} jitter {poll_jitter:?}"),
        format!("seed {seed:?}"),
        format!("stop {stop_after:?}"),
        format!("replicate {replicate_after:?}"),
        format!("relay {relay_after:?}"),
        format!("lock-service {lock_clock:?}"),
        format!("destination {destination_clock:?}"),
        format!("stop at {stop_at:?}"),
    ];
    lines.extend(parameters.iter().map(|parameter| format!("{parameter:?}")));
    lines.extend(workers.iter().map(|worker| format!("{worker:?}")));
    lines.extend(faults.iter().map(|fault| format!("{fault:?}")));
    lines.extend(rows.iter().map(|row| format!("{row:?}")));
    lines.extend(expectations.iter().map(|expectation| format!("{expectation:?}")));
    lines.push(format!("{bounds:?}"));
    lines
}

/// Compares what lines say, beyond what goes without saying, with what is expected.
#[track_caller]
fn check_said(lines: &str, expected: Expect) {
    let unsaid = shown(&parsed_lines(""));
    let said: Vec<String> = shown(&parsed_lines(lines)).into_iter().filter(|line| !unsaid.contains(line)).collect();
    expected.assert_eq(&(said.join("\n") + "\n"));
}

#[test]
fn the_least_scenario_has_defaults() {
    expect![[r#"
        least []
        lease Fixed(Duration(10000000)) latency Fixed(Duration(20000))
        epochs 1 None
        result write operations Own
        Retry { after: Fixed(Duration(2000000)), attempts: 2 }
        renew None
        margin Fixed(Duration(0))
        poll Fixed(Duration(2000000)) jitter Fixed(Duration(0))
        seed None
        stop Fixed(Duration(5000000))
        replicate Fixed(Duration(100000))
        relay Fixed(Duration(100000))
        lock-service Clock { offset: 0, rate_ppm: 0 }
        destination Clock { offset: 0, rate_ppm: 0 }
        stop at None
        Worker { name: "A", compute: Fixed(Duration(0)), operations: 1, start: At(Fixed(Duration(0))), clock: Clock { offset: 0, rate_ppm: 0 } }
        Row { name: "run", mechanism: ["guard none"] }
        Bounds { workers: 1, grants: 1, operations: 1, budget: Budget { retries: 1, losses: 0, duplicates: 0, crashes: 0, failovers: 0, suspends: 0, skews: 0, renewals: 0, prunes: 0 } }
    "#]].assert_eq(&(shown(&parsed("scenario least\nworkers A\nlease 10s")).join("\n") + "\n"));
}

#[test]
fn a_full_scenario() {
    expect![[r#"
        everything ["Everything at once.", "", "A second", "paragraph.", "Source: https://example.org/one", "Source: https://example.org/two"]
        lease Parameter(1) latency Fixed(Duration(5000))
        epochs 33 None
        result report operations Shared
        Retry { after: Fixed(Duration(1000000)), attempts: 3 }
        renew None
        margin Fixed(Duration(0))
        poll Fixed(Duration(2000000)) jitter Fixed(Duration(0))
        seed None
        stop Fixed(Duration(5000000))
        replicate Fixed(Duration(100000))
        relay Fixed(Duration(100000))
        lock-service Clock { offset: 0, rate_ppm: 0 }
        destination Clock { offset: 0, rate_ppm: 0 }
        stop at None
        Parameter { name: "pause", value: Duration(1500000), range: Some((Duration(0), Duration(60000000))) }
        Parameter { name: "term", value: Duration(10000000), range: None }
        Worker { name: "A", compute: Fixed(Duration(3000000)), operations: 2, start: At(Fixed(Duration(0))), clock: Clock { offset: 500000, rate_ppm: -200 } }
        Worker { name: "standby-1", compute: Fixed(Duration(0)), operations: 1, start: OnExpiry, clock: Clock { offset: 0, rate_ppm: 0 } }
        Pause { kind: Freeze, worker: WorkerId(0), length: Parameter(0), from: Point { side: Before, point: Publish, occasion: Occasion { operation: 2, attempt: 3, grant: None, occurrence: 1 } } }
        Pause { kind: Freeze, worker: WorkerId(0), length: Fixed(Duration(5000000)), from: Time(Fixed(Duration(2000000))) }
        Lose(MessagePattern { worker: WorkerId(0), call: Write, leg: Reply, occasion: Occasion { operation: 2, attempt: 1, grant: None, occurrence: 1 } })
        Delay { message: MessagePattern { worker: WorkerId(1), call: Register, leg: Request, occasion: Occasion { operation: 1, attempt: 1, grant: None, occurrence: 1 } }, by: Parameter(0) }
        Row { name: "default", mechanism: ["guard registered", "operation-ids in-transaction"] }
        Row { name: "other", mechanism: ["guard max-seen", "operation-ids in-transaction", "look-up after-guard"] }
        Expectation { row: None, outcome: Holds(NoLostUpdate), line: 30 }
        Expectation { row: Some(0), outcome: Violated(AppliedOnce), line: 31 }
        Expectation { row: Some(1), outcome: Sometimes(TwoBelievers), line: 32 }
        Expectation { row: Some(1), outcome: Never(Handover), line: 33 }
        Bounds { workers: 1, grants: 3, operations: 2, budget: Budget { retries: 1, losses: 1, duplicates: 0, crashes: 0, failovers: 0, suspends: 0, skews: 0, renewals: 0, prunes: 0 } }
    "#]].assert_eq(&(shown(&parsed(FULL)).join("\n") + "\n"));
}

const FULL: &str = "\
# Everything at once.
#
# A second
# paragraph.
# Source: https://example.org/one
#Source: https://example.org/two
scenario everything
workers  A standby-1
lease    term
epochs   from 33
latency  5ms
result   report
let      pause = 1.5s in 0s..1m   # draggable
let      term = 10s
work     A compute 3s operations 2
start    standby-1 on expiry
clock    A ahead 500ms slow 200ppm
operations shared
retry    after 1s, 3 attempts
guard    registered, operation-ids in-transaction
faults
  A freezes pause before publish of operation 2 attempt 3
  A freezes 5s at 2s
  network loses reply to write of A operation 2 attempt 1
  network delays register of standby-1 by pause
compare
  default
  other      guard max-seen, look-up after-guard
expect
  all        no-lost-update holds
  default    applied-once violated
  other      sometimes two-believers
  other      never handover
explore  workers 1, grants 3, losses 1
";

#[test]
fn epochs_of_a_counter_that_wraps() {
    check_said(
        "epochs from 2 to 3\ntoken wrapping",
        expect![[r#"
        epochs 2 Some(3)
        Row { name: "run", mechanism: ["guard none", "token wrapping"] }
    "#]],
    );
}

#[test]
fn lengths_of_what_a_mechanism_does() {
    check_said(
        "renewal thread, on-loss slow\nrenew every 3s\nmargin 2s\nstop after 20s",
        expect![[r#"
            renew Some(Fixed(Duration(3000000)))
            margin Fixed(Duration(2000000))
            stop Fixed(Duration(20000000))
            Row { name: "run", mechanism: ["guard none", "renewal thread", "on-loss slow"] }
            Bounds { workers: 2, grants: 2, operations: 1, budget: Budget { retries: 1, losses: 0, duplicates: 0, crashes: 0, failovers: 0, suspends: 0, skews: 0, renewals: 1, prunes: 0 } }
        "#]],
    );
    check_said(
        "let rest = 2s in 1s..9s\npoll every rest\ncandidates watch",
        expect![[r#"
            poll Parameter(0) jitter Fixed(Duration(0))
            Parameter { name: "rest", value: Duration(2000000), range: Some((Duration(1000000), Duration(9000000))) }
            Row { name: "run", mechanism: ["guard none", "candidates watch"] }
        "#]],
    );
    check_said(
        "let spread = 2.4s in 0s..5s\npoll every 3s jitter spread\nseed 7\ncandidates poll",
        expect![[r#"
        poll Fixed(Duration(3000000)) jitter Parameter(0)
        seed Some(7)
        Parameter { name: "spread", value: Duration(2400000), range: Some((Duration(0), Duration(5000000))) }
        Row { name: "run", mechanism: ["guard none", "candidates poll"] }
    "#]],
    );
    check_said(
        "poll every 2s jitter 0s\ncandidates poll",
        expect![[r#"
        Row { name: "run", mechanism: ["guard none", "candidates poll"] }
    "#]],
    );
    check_said(
        "seed 18446744073709551615\ntoken random",
        expect![[r#"
        seed Some(18446744073709551615)
        Row { name: "run", mechanism: ["guard none", "token random"] }
    "#]],
    );
    check_said(
        "replicate after 500ms\nreplicas last-write",
        expect![[r#"
        replicate Fixed(Duration(500000))
        Row { name: "run", mechanism: ["guard none", "replicas last-write"] }
    "#]],
    );
    check_said(
        "replicate after 0s\nguard client-check, asks lock-replica",
        expect![[r#"
        replicate Fixed(Duration(0))
        Row { name: "run", mechanism: ["guard client-check", "asks lock-replica"] }
    "#]],
    );
    check_said(
        "relay after 1s\neffect mail, through outbox",
        expect![[r#"
        relay Fixed(Duration(1000000))
        Row { name: "run", mechanism: ["guard none", "effect mail", "through outbox"] }
    "#]],
    );
}

#[test]
fn clocks_of_all() {
    check_said(
        "clock lock-service ahead 1s fast 200ppm\nclock destination behind 1s\nclock B slow 5ppm",
        expect![[r#"
        lock-service Clock { offset: 1000000, rate_ppm: 200 }
        destination Clock { offset: -1000000, rate_ppm: 0 }
        Worker { name: "B", compute: Fixed(Duration(0)), operations: 1, start: At(Fixed(Duration(0))), clock: Clock { offset: 0, rate_ppm: -5 } }
    "#]],
    );
}

#[test]
fn an_end_of_every_run() {
    check_said(
        "stop at no-stale-overwrite",
        expect![[r#"
        stop at Some(NoStaleOverwrite)
    "#]],
    );
    check_said(
        "stop at applied-once\nstop after 1s\nrenewal worker, on-loss slow",
        expect![[r#"
        stop Fixed(Duration(1000000))
        stop at Some(AppliedOnce)
        Row { name: "run", mechanism: ["guard none", "renewal worker", "on-loss slow"] }
        Bounds { workers: 2, grants: 2, operations: 1, budget: Budget { retries: 1, losses: 0, duplicates: 0, crashes: 0, failovers: 0, suspends: 0, skews: 0, renewals: 1, prunes: 0 } }
    "#]],
    );
}

#[test]
fn faults_of_workers() {
    check_said(
        "work B compute 0s operations 2\nguard row-version, on-conflict redo\nfaults
  A freezes 5s at 2s
  A suspends 1h before acquire attempt 2 occurrence 3
  A sticks 5s after compute attempt 2
  A crashes 1s before publish under grant 3
  A crashes 1s at 3s
  B freezes 5s before publish of operation 2 attempt 2 under grant 4 occurrence 99
  B freezes 5s before release under grant 1
  B clock jumps ahead 1h at 2s
  B clock jumps behind 1s at 3s",
        expect![[r#"
            Worker { name: "B", compute: Fixed(Duration(0)), operations: 2, start: At(Fixed(Duration(0))), clock: Clock { offset: 0, rate_ppm: 0 } }
            Pause { kind: Freeze, worker: WorkerId(0), length: Fixed(Duration(5000000)), from: Time(Fixed(Duration(2000000))) }
            Pause { kind: Suspend, worker: WorkerId(0), length: Fixed(Duration(3600000000)), from: Point { side: Before, point: Acquire, occasion: Occasion { operation: 1, attempt: 2, grant: None, occurrence: 3 } } }
            Pause { kind: Stick, worker: WorkerId(0), length: Fixed(Duration(5000000)), from: Point { side: After, point: Compute, occasion: Occasion { operation: 1, attempt: 2, grant: None, occurrence: 1 } } }
            Crash { worker: WorkerId(0), down: Fixed(Duration(1000000)), from: Point { side: Before, point: Publish, occasion: Occasion { operation: 1, attempt: 1, grant: Some(GrantId(2)), occurrence: 1 } } }
            Crash { worker: WorkerId(0), down: Fixed(Duration(1000000)), from: Time(Fixed(Duration(3000000))) }
            Pause { kind: Freeze, worker: WorkerId(1), length: Fixed(Duration(5000000)), from: Point { side: Before, point: Publish, occasion: Occasion { operation: 2, attempt: 2, grant: Some(GrantId(3)), occurrence: 99 } } }
            Pause { kind: Freeze, worker: WorkerId(1), length: Fixed(Duration(5000000)), from: Point { side: Before, point: Release, occasion: Occasion { operation: 1, attempt: 1, grant: Some(GrantId(0)), occurrence: 1 } } }
            SetClock { of: Worker(WorkerId(1)), by: Fixed(Duration(3600000000)), back: false, at: Fixed(Duration(2000000)) }
            SetClock { of: Worker(WorkerId(1)), by: Fixed(Duration(1000000)), back: true, at: Fixed(Duration(3000000)) }
            Row { name: "run", mechanism: ["guard row-version", "on-conflict redo"] }
            Bounds { workers: 2, grants: 2, operations: 2, budget: Budget { retries: 1, losses: 0, duplicates: 0, crashes: 0, failovers: 0, suspends: 0, skews: 0, renewals: 0, prunes: 0 } }
        "#]],
    );
}

#[test]
fn faults_of_services() {
    check_said(
        "work B compute 0s operations 2\nlet t = 9s\nguard registered, issuer restored, effect payment, key pruned, transaction split\nfaults
  lock-service crashes at t
  lock-service forgets grant 1 at 5s
  lock-service clock jumps behind 1h at 5s
  destination crashes at 1s
  destination crashes before apply of A
  destination crashes before record of B operation 2 attempt 2 under grant 2 occurrence 2
  destination freezes 5s before record of A
  destination clock jumps ahead 1s at 2s
  provider forgets key of A at 8s
  provider forgets key of B operation 2 at 8s",
        expect![[r#"
            Parameter { name: "t", value: Duration(9000000), range: None }
            Worker { name: "B", compute: Fixed(Duration(0)), operations: 2, start: At(Fixed(Duration(0))), clock: Clock { offset: 0, rate_ppm: 0 } }
            CrashLockService { at: Parameter(0) }
            Forget { grant: GrantId(0), at: Fixed(Duration(5000000)) }
            SetClock { of: LockService, by: Fixed(Duration(3600000000)), back: true, at: Fixed(Duration(5000000)) }
            CrashDestination { from: Time(Fixed(Duration(1000000))) }
            CrashDestination { from: Step(WriteStep { stage: Apply, worker: WorkerId(0), occasion: Occasion { operation: 1, attempt: 1, grant: None, occurrence: 1 } }) }
            CrashDestination { from: Step(WriteStep { stage: Record, worker: WorkerId(1), occasion: Occasion { operation: 2, attempt: 2, grant: Some(GrantId(1)), occurrence: 2 } }) }
            HoldWrite { length: Fixed(Duration(5000000)), step: WriteStep { stage: Record, worker: WorkerId(0), occasion: Occasion { operation: 1, attempt: 1, grant: None, occurrence: 1 } } }
            SetClock { of: Destination, by: Fixed(Duration(1000000)), back: false, at: Fixed(Duration(2000000)) }
            Prune { worker: WorkerId(0), operation: 1, at: Fixed(Duration(8000000)) }
            Prune { worker: WorkerId(1), operation: 2, at: Fixed(Duration(8000000)) }
            Row { name: "run", mechanism: ["guard registered", "transaction split", "issuer restored", "effect payment", "key pruned"] }
            Bounds { workers: 2, grants: 2, operations: 2, budget: Budget { retries: 1, losses: 0, duplicates: 0, crashes: 0, failovers: 0, suspends: 0, skews: 0, renewals: 0, prunes: 0 } }
        "#]],
    );
}

#[test]
fn faults_of_the_network() {
    check_said(
        "work B compute 0s operations 2
guard registered, operation-ids after-transaction, no-reply look-up, mint before-grant, renewal worker, effect mail
faults
  network loses mint of A
  network delays reply to acquire of A attempt 2 occurrence 2 by 5s
  network duplicates renew of A under grant 2 occurrence 3 by 5s
  network loses register of A attempt 2 under grant 2
  network duplicates write of B operation 2 attempt 2 under grant 1 by 0s
  network loses reply to look-up of B operation 2
  network loses effect of A attempt 2
  network loses release of A under grant 1 occurrence 2
  network cuts A from lock-service at 2s for 10s
  network cuts A from destination at 2s for 10s",
        expect![[r#"
            Worker { name: "B", compute: Fixed(Duration(0)), operations: 2, start: At(Fixed(Duration(0))), clock: Clock { offset: 0, rate_ppm: 0 } }
            Lose(MessagePattern { worker: WorkerId(0), call: Mint, leg: Request, occasion: Occasion { operation: 1, attempt: 1, grant: None, occurrence: 1 } })
            Delay { message: MessagePattern { worker: WorkerId(0), call: Acquire, leg: Reply, occasion: Occasion { operation: 1, attempt: 2, grant: None, occurrence: 2 } }, by: Fixed(Duration(5000000)) }
            Duplicate { message: MessagePattern { worker: WorkerId(0), call: Renew, leg: Request, occasion: Occasion { operation: 1, attempt: 1, grant: Some(GrantId(1)), occurrence: 3 } }, by: Fixed(Duration(5000000)) }
            Lose(MessagePattern { worker: WorkerId(0), call: Register, leg: Request, occasion: Occasion { operation: 1, attempt: 2, grant: Some(GrantId(1)), occurrence: 1 } })
            Duplicate { message: MessagePattern { worker: WorkerId(1), call: Write, leg: Request, occasion: Occasion { operation: 2, attempt: 2, grant: Some(GrantId(0)), occurrence: 1 } }, by: Fixed(Duration(0)) }
            Lose(MessagePattern { worker: WorkerId(1), call: LookUp, leg: Reply, occasion: Occasion { operation: 2, attempt: 1, grant: None, occurrence: 1 } })
            Lose(MessagePattern { worker: WorkerId(0), call: Effect, leg: Request, occasion: Occasion { operation: 1, attempt: 2, grant: None, occurrence: 1 } })
            Lose(MessagePattern { worker: WorkerId(0), call: Release, leg: Request, occasion: Occasion { operation: 1, attempt: 1, grant: Some(GrantId(0)), occurrence: 2 } })
            Cut { worker: WorkerId(0), from: LockService, at: Fixed(Duration(2000000)), length: Fixed(Duration(10000000)) }
            Cut { worker: WorkerId(0), from: Destination, at: Fixed(Duration(2000000)), length: Fixed(Duration(10000000)) }
            Row { name: "run", mechanism: ["guard registered", "operation-ids after-transaction", "no-reply look-up", "mint before-grant", "renewal worker", "effect mail"] }
            Bounds { workers: 2, grants: 2, operations: 2, budget: Budget { retries: 1, losses: 0, duplicates: 0, crashes: 0, failovers: 0, suspends: 0, skews: 0, renewals: 1, prunes: 0 } }
        "#]],
    );
}

#[test]
fn faults_between_replicas() {
    check_said(
        "replicas last-write\nlet late = 5s\nfaults
  network delays replication to replica-1 by late
  network delays replication to replica-2 occurrence 2 by 1s",
        expect![[r#"
            Parameter { name: "late", value: Duration(5000000), range: None }
            DelayReplication { to: First, occurrence: 1, by: Parameter(0) }
            DelayReplication { to: Second, occurrence: 2, by: Fixed(Duration(1000000)) }
            Row { name: "run", mechanism: ["guard none", "replicas last-write"] }
        "#]],
    );
    check_said(
        "guard client-check, asks lock-replica\nfaults
  network delays replication to lock-replica occurrence 99 by 1s",
        expect![[r#"
            DelayReplication { to: Lock, occurrence: 99, by: Fixed(Duration(1000000)) }
            Row { name: "run", mechanism: ["guard client-check", "asks lock-replica"] }
        "#]],
    );
}

#[test]
fn bounds_of_a_search() {
    check_said(
        "explore workers 1, grants 3, operations 2, losses 4, duplicates 1, crashes 1",
        expect![[r#"
        Bounds { workers: 1, grants: 3, operations: 2, budget: Budget { retries: 1, losses: 4, duplicates: 1, crashes: 1, failovers: 0, suspends: 0, skews: 0, renewals: 0, prunes: 0 } }
    "#]],
    );
    check_said(
        "explore suspends 1, skews 1, failovers 1\nissuer fails-over",
        expect![[r#"
        Row { name: "run", mechanism: ["guard none", "issuer fails-over"] }
        Bounds { workers: 2, grants: 2, operations: 1, budget: Budget { retries: 1, losses: 0, duplicates: 0, crashes: 0, failovers: 1, suspends: 1, skews: 1, renewals: 0, prunes: 0 } }
    "#]],
    );
    check_said(
        "explore renewals 3, prunes 1\nrenewal worker, effect payment, key pruned",
        expect![[r#"
        Row { name: "run", mechanism: ["guard none", "renewal worker", "effect payment", "key pruned"] }
        Bounds { workers: 2, grants: 2, operations: 1, budget: Budget { retries: 1, losses: 0, duplicates: 0, crashes: 0, failovers: 0, suspends: 0, skews: 0, renewals: 3, prunes: 1 } }
    "#]],
    );
    check_said(
        "renewal worker",
        expect![[r#"
        Row { name: "run", mechanism: ["guard none", "renewal worker"] }
        Bounds { workers: 2, grants: 2, operations: 1, budget: Budget { retries: 1, losses: 0, duplicates: 0, crashes: 0, failovers: 0, suspends: 0, skews: 0, renewals: 1, prunes: 0 } }
    "#]],
    );
    check_said(
        "retry after 2s, 1 attempt",
        expect![[r#"
        Retry { after: Fixed(Duration(2000000)), attempts: 1 }
        Bounds { workers: 2, grants: 2, operations: 1, budget: Budget { retries: 0, losses: 0, duplicates: 0, crashes: 0, failovers: 0, suspends: 0, skews: 0, renewals: 0, prunes: 0 } }
    "#]],
    );
    check_said(
        "explore retries 0",
        expect![[r#"
        Bounds { workers: 2, grants: 2, operations: 1, budget: Budget { retries: 0, losses: 0, duplicates: 0, crashes: 0, failovers: 0, suspends: 0, skews: 0, renewals: 0, prunes: 0 } }
    "#]],
    );
}

#[test]
fn blanks_tabs_line_ends_and_indentation_do_not_matter() {
    let plain = parsed(FULL);
    let variants = [
        FULL.replace('\n', "\r\n"),
        FULL.replace("  ", "\t"),
        FULL.replace("    ", "\u{a0} "),
        FULL.replace(" = ", "=").replace(", ", ","),
        FULL.lines().map(|line| format!("    {line}\n")).collect(),
        FULL.replace('\n', "  # a remark\n\n"),
        format!("\u{feff}{FULL}"),
    ];
    for text in variants {
        let mut scenario = parsed(&text);
        scenario.comment = plain.comment.clone();
        for (expectation, known) in scenario.expectations.iter_mut().zip(&plain.expectations) {
            expectation.line = known.line;
        }
        assert_eq!(scenario, plain, "{text}");
    }
}

#[test]
fn the_comment_has_sources_and_paragraphs() {
    let scenario = parsed(FULL);
    assert_eq!(scenario.sources().collect::<Vec<_>>(), ["https://example.org/one", "https://example.org/two"]);
    assert_eq!(scenario.description(), ["Everything at once.", "A second paragraph."]);
}

#[test]
fn switches_not_set_in_a_row_come_from_the_top() {
    let scenario =
        parsed_lines("guard max-seen\ncompare\n  a\n  b guard none, operation-ids in-transaction, look-up after-guard");
    let [a, b] = scenario.rows.as_slice() else { panic!("two rows") };
    assert_eq!((a.mechanism.guard, a.mechanism.operation_ids), (Guard::MaxSeen, OperationIds::Off));
    assert_eq!(b.mechanism.guard, Guard::None);
    assert_eq!((b.mechanism.operation_ids, b.mechanism.look_up), (OperationIds::InTransaction, LookUp::AfterGuard));
}

#[test]
fn durations_are_exact() {
    let micros = |text: &str| {
        let scenario = parsed_lines(&format!("latency {text}"));
        scenario.duration(scenario.latency).micros()
    };
    let cases = [
        ("0s", 0),
        ("15s", 15_000_000),
        ("1.5s", 1_500_000),
        ("20ms", 20_000),
        ("500us", 500),
        ("2m", 120_000_000),
        ("1h", 3_600_000_000),
        ("0.1s", 100_000),
        ("0.000001s", 1),
        ("1.50000000000000000000s", 1_500_000),
        ("0.0000000025h", 9),
        ("9600h", Duration::MAX.micros()),
    ];
    for (text, expected) in cases {
        assert_eq!(micros(text), expected, "{text}");
    }
}

// Edits.

#[test]
fn setting_a_parameter_changes_its_value_and_nothing_else() {
    let minutes = FULL.replace("1.5s", "0.5m");
    let cases = [
        (FULL, Duration::from_secs(20), "1.5s", "20s"),
        (FULL, Duration::from_millis(2_250), "1.5s", "2.25s"),
        (FULL, Duration::from_secs(60), "1.5s", "60s"),
        (FULL, Duration::ZERO, "1.5s", "0s"),
        (FULL, Duration::from_micros(1_000_001), "1.5s", "1000.001ms"),
        (minutes.as_str(), Duration::from_secs(45), "0.5m", "0.75m"),
    ];
    for (text, value, before, after) in cases {
        for text in [text.to_string(), text.replace('\n', "\r\n"), format!("\u{feff}{text}")] {
            let changed = set_parameter(&text, "pause", value).unwrap();
            assert_eq!(changed, text.replacen(before, after, 1));
            assert_eq!(parsed(&changed).parameter("pause").unwrap().value, value);
        }
    }
}

/// The `explore` lines of all that a text can be widened to; the rest is as it was.
#[track_caller]
fn widened(text: &str) -> Vec<String> {
    let is_explore = |line: &&str| line.trim_start().starts_with("explore");
    let rest = |text: &str| text.lines().filter(|line| !is_explore(line)).map(str::to_owned).collect::<Vec<_>>();
    let line = |Widened { text: wider, bounds }: Widened| {
        assert_eq!(rest(&wider), rest(text));
        assert_eq!(parsed(&wider).bounds, bounds);
        wider.lines().find(is_explore).expect("it says its bounds").to_owned()
    };
    widen(text).unwrap_or_else(|error| panic!("{error}")).into_iter().map(line).collect()
}

#[test]
fn a_search_is_widened_bound_by_bound() {
    let lines = "scenario example\nworkers A B\nlease 10s\n";
    expect![[r#"
        explore  grants 3
        explore  operations 2
        explore  retries 2
        explore  losses 1
        explore  duplicates 1
        explore  crashes 1
        explore  suspends 1
        explore  skews 1
    "#]]
    .assert_eq(&(widened(lines).join("\n") + "\n"));
    expect![[r#"
        explore workers 2, grants 4, renewals 3 # far
        explore workers 1, grants 4, renewals 3, operations 2 # far
        explore workers 1, grants 4, renewals 3, losses 1 # far
        explore workers 1, grants 4, renewals 3, duplicates 1 # far
        explore workers 1, grants 4, renewals 3, crashes 1 # far
        explore workers 1, grants 4, renewals 3, failovers 1 # far
        explore workers 1, grants 4, renewals 3, suspends 1 # far
        explore workers 1, grants 4, renewals 3, skews 1 # far
        explore workers 1, grants 4, renewals 3, prunes 1 # far
    "#]]
    .assert_eq(
        &(widened(&format!(
            "{lines}retry after 1s, 1 attempt\nissuer restored\nrenewal thread\neffect payment\nkey pruned\n\
             explore workers 1, grants 4, renewals 3 # far\n"
        ))
        .join("\n")
            + "\n"),
    );
    let most =
        "explore workers 2, grants 4, operations 2, retries 4, losses 4, duplicates 4, crashes 4, suspends 4, skews 4";
    assert_eq!(widened(&format!("{lines}{most}")), [""; 0]);
    for text in [lines.trim_end().to_string(), lines.replace('\n', "\r\n"), format!("\u{feff}{lines}")] {
        assert_eq!(widened(&text)[0], "explore  grants 3");
    }
    assert_eq!(widen("scenario example\nworkers A\nlease 0s").unwrap_err().line, 3);
}

#[test]
fn setting_a_parameter_can_fail() {
    let check = |name: &str, seconds: u64, expected: Expect| {
        let error = set_parameter(FULL, name, Duration::from_secs(seconds)).unwrap_err();
        expected.assert_eq(&format!("{error}\n"));
    };
    check(
        "pause",
        61,
        expect![[r#"
        13:18: `pause` goes from 0s to 1m; 61s is outside.
    "#]],
    );
    check(
        "paus",
        1,
        expect![[r#"
        1:1: There is no parameter `paus`. Did you mean `pause`?
    "#]],
    );
    check(
        "lease",
        1,
        expect![[r#"
        1:1: There is no parameter `lease`: expected `pause` or `term`.
    "#]],
    );
}

#[test]
fn steps_are_those_that_people_choose() {
    let parameter = |range: Option<(u64, u64)>| Parameter {
        name: "p".to_string(),
        value: Duration::from_secs(5),
        range: range.map(|(low, high)| (Duration::from_micros(low), Duration::from_micros(high))),
    };
    let cases = [
        (Some((0, 30_000_000)), "100ms"),
        (Some((0, 20_000_000)), "100ms"),
        (Some((0, 10_000_000)), "50ms"),
        (Some((10_000_000, 11_000_000)), "5ms"),
        (Some((0, 60_000_000)), "200ms"),
        (Some((0, 3_600_000_000)), "10s"),
        (Some((0, 1)), "1us"),
        (None, "50ms"),
    ];
    for (range, expected) in cases {
        assert_eq!(step(&parameter(range)).to_string(), expected, "{range:?}");
    }
    let odd = parameter(Some((30_000, 29_970_000)));
    let snapped = |micros: u64| snap(&odd, Duration::from_micros(micros)).to_string();
    assert_eq!(snapped(0), "30ms");
    assert_eq!(snapped(40_000), "30ms");
    assert_eq!(snapped(80_000), "100ms");
    assert_eq!(snapped(1_234_567), "1.2s");
    assert_eq!(snapped(29_960_000), "29.97s");
    assert_eq!(snapped(40_000_000), "29.97s");
}

// The corpus.

#[test]
fn every_scenario_of_the_corpus_is_complete() {
    for entry in CORPUS {
        let path = entry.path;
        let scenario = parse(entry.text).unwrap_or_else(|error| panic!("{path}:{error}"));
        assert_eq!(scenario.name, entry.name(), "{path}");
        assert_eq!(find(entry.name()), Some(entry), "{path}: its name is not its own");
        let description = scenario.description();
        assert_eq!(description[0], format!("{}.", entry.title()), "{path}: its first paragraph is its title");
        assert!(description.len() > 1, "{path}: says nothing beyond its title");
        assert!(scenario.sources().all(|source| source.starts_with("https://")), "{path}");
        assert!(!entry.question().is_empty(), "{path}: its folder answers no question");
        let has = |wanted: fn(&Expected) -> bool| scenario.expectations.iter().any(|line| wanted(&line.outcome));
        assert!(has(|outcome| matches!(outcome, Expected::Holds(_) | Expected::Spared(_))), "{path}: nothing holds");
        let fails = |outcome: &Expected| matches!(outcome, Expected::Violated(_) | Expected::Spared(_));
        assert!(has(fails), "{path}: nothing fails, on no schedule");
        assert!(has(|outcome| matches!(outcome, Expected::Sometimes(_) | Expected::Never(_))), "{path}: no situation");
        assert!(entry.text.contains("\nexplore "), "{path}: has no bounds");
        for parameter in &scenario.parameters {
            let value = parameter.value;
            assert_eq!(snap(parameter, value), value, "{path}: {} is not on a step", parameter.name);
            assert_eq!(set_parameter(entry.text, &parameter.name, value).as_deref(), Ok(entry.text), "{path}");
        }
    }
}

#[test]
fn the_corpus_is_in_the_order_of_its_questions() {
    let told: Vec<&str> = CORPUS.chunk_by(|a, b| a.question() == b.question()).map(|part| part[0].question()).collect();
    let questions: Vec<&str> = QUESTIONS.iter().map(|(_, question)| *question).collect();
    assert_eq!(told, questions, "each has scenarios, all in one place");
}

// The description.

/// Each fenced example: the words after the fence, the text, and the line it begins at.
fn examples(markdown: &str) -> Vec<(&str, String, usize)> {
    let mut examples = Vec::new();
    let mut lines = markdown.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(kind) = line.strip_prefix("```fence") {
            let body = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
            examples.push((kind.trim(), body.flat_map(|line| [line, "\n"]).collect(), number + 2));
        }
    }
    examples
}

/// The same with what a fragment takes for granted: the line it begins at, and a text.
fn whole_examples() -> Vec<(usize, String)> {
    let whole = |(kind, example, line): (&str, String, usize)| match kind {
        "" => (line, example),
        "fragment" => {
            let missing = |keyword: &str| !example.lines().any(|line| line.split(' ').next() == Some(keyword));
            let workers = if missing("workers") { "workers A B\n" } else { "" };
            let lease = if missing("lease") { "lease 10s\n" } else { "" };
            (line, format!("scenario fragment\n{workers}{lease}{example}"))
        }
        other => panic!("line {line}: no kind of example is called {other}"),
    };
    examples(DESCRIPTION).into_iter().map(whole).collect()
}

#[test]
fn every_example_of_the_description_parses() {
    let examples = whole_examples();
    assert!(examples.len() > 5, "the examples are found");
    for (line, text) in examples {
        parse(&text).unwrap_or_else(|error| panic!("the example at line {line}: {error}\n{text}"));
    }
}

/// What is a scenario of its own comes out as it says; fragments only show how things are written.
#[test]
fn every_whole_example_of_the_description_comes_out_as_it_expects() {
    let whole: Vec<_> = examples(DESCRIPTION).into_iter().filter(|(kind, ..)| kind.is_empty()).collect();
    assert!(whole.len() > 2, "the examples are found");
    for (_, text, line) in whole {
        let failures = failures(&compare(&parsed(&text)));
        assert!(failures.is_empty(), "the example at line {line}: {failures:?}");
    }
}

#[test]
fn the_description_mentions_every_word() {
    let words: BTreeSet<&str> = DESCRIPTION.split(|c: char| !(c.is_alphanumeric() || c == '-')).collect();
    let missing: Vec<&str> = all_words().into_iter().filter(|word| !words.contains(word)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn switches_have_the_same_words_in_traces() {
    for &switch in Switch::ALL {
        for (value, word) in switch.words().iter().enumerate() {
            let mut mechanism = Mechanism::UNGUARDED;
            mechanism.set(switch, value);
            let json = serde_json::to_value(mechanism).unwrap();
            assert!(value == 0 || json[switch.name()] == *word, "{json}");
            assert_eq!(serde_json::from_value::<Mechanism>(json).unwrap(), mechanism);
        }
    }
}

// Whatever the text.

/// A small generator of numbers, the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Parses `text`; an error has to point into it.
fn survive(text: &str) {
    let Err(error) = parse(text) else { return };
    let lines: Vec<&str> = text.split('\n').collect();
    let line = lines.get(error.line as usize - 1).unwrap_or_else(|| panic!("{error} is outside of\n{text}"));
    assert!(error.column as usize <= line.chars().count() + 1, "{error} is outside of\n{text}");
    assert!(error.message.ends_with(['.', '?']), "{error} is no sentence");
}

#[test]
fn no_text_makes_the_parser_panic() {
    let mut numbers = Numbers(1);
    let examples = whole_examples();
    let examples = examples.iter().map(|(_, text)| text.as_str());
    let texts: Vec<&str> = CORPUS.iter().map(|entry| entry.text).chain([FULL]).chain(examples).collect();
    let strange = ["", "0", "-1s", "..", "=", ",", "#", "\u{feff}", "\u{1f512}", "all", "99999999999999999999h", "\t"];
    for text in &texts {
        for (end, _) in text.char_indices() {
            survive(&text[..end]);
        }
        let words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
        for _ in 0..500 {
            let mut words = words.clone();
            for _ in 0..=numbers.below(3) {
                let (one, other) = (numbers.below(words.len()), numbers.below(words.len()));
                match numbers.below(4) {
                    0 => words.swap(one, other),
                    1 => words[one] = words[other],
                    2 => words[one] = strange[numbers.below(strange.len())],
                    _ => drop(words.remove(one)),
                }
            }
            survive(&words.concat());
        }
    }
}
