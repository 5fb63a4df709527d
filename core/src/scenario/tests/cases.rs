//! What people met in production, each told in the language.

use super::super::print;
use super::parsed;
use crate::compare::compare;
use crate::expect::{failures, unspoken};

/// What happened, and how it is said.
const CASES: &[(&str, &str)] = &[
    (
        "a former leader takes longer to shut down than its lease has left",
        "\
workers A B
lease 15s
renew every 2s
stop after 20s
work A compute 18s
start B on expiry
renewal thread
faults
  network cuts A from lock-service at 1s for 60s
compare
  slow     on-loss slow
  at-once  on-loss stop
  fenced   on-loss slow, guard registered
expect
  slow     no-stale-overwrite violated
  at-once  no-stale-overwrite holds
  fenced   no-stale-overwrite holds",
    ),
    (
        "a leader whose renewals fail is never told",
        "\
workers A B
lease 10s
renew every 3s
work A compute 20s
start B on expiry
renewal thread
faults
  network cuts A from lock-service at 2s for 10s
compare
  never-told  on-loss ignore
  told        on-loss stop
expect
  never-told  no-stale-overwrite violated
  told        never two-believers",
    ),
    (
        "a starved process misses its renewals, and so does its successor",
        "\
workers A B
lease 5s
renew every 2s
work A compute 8s
work B compute 8s
renewal worker
candidates poll
poll every 500ms
faults
  A freezes 6s at 1s
  B freezes 6s after register
guard registered
expect
  all  sometimes two-believers
  all  sometimes lease-lost
  all  no-stale-overwrite holds",
    ),
    (
        "the lock is granted to one whose session has ended while it waited",
        "\
workers A B C
lease 5s
work A compute 4s
work B compute 2s
start B at 500ms
start C at 1s
compare
  session    candidates session
  notified   candidates notified
  versioned  candidates session, guard row-version
expect
  session    no-stale-overwrite violated
  notified   never two-believers
  versioned  no-lost-update holds",
    ),
    (
        "the end of the lease is computed before the store is called",
        "\
workers A B
lease 5s
let pause = 6s in 0s..10s
work A compute 1s
start B at 6s
retry after 1m, 1 attempt
faults
  network delays acquire of A by pause
compare
  caller  lease-by before-call
  store   lease-by monotonic
expect
  caller  sometimes two-believers
  store   never two-believers",
    ),
    (
        "a job waits longer than it stays invisible",
        "\
workers A B
lease 2s
work A compute 5s
work B compute 2s
start B on expiry
operations shared
compare
  mail     effect mail
  payment  effect payment, key kept
  renewed  effect mail, renewal thread
expect
  mail     effect-once violated
  payment  effect-once holds
  renewed  effect-once holds",
    ),
    (
        "a lease follows a wall clock that is set",
        "\
workers A B
lease 30s
work A compute 10s
start B at 1s
faults
  lock-service clock jumps ahead 1h at 2s
compare
  wall       lease-by wall
  monotonic  lease-by monotonic
expect
  wall       sometimes two-believers
  monotonic  never two-believers",
    ),
    (
        "a deadline is written on one clock and read on another",
        "\
workers A B
lease 10s
let skew = 1s in 0s..5s
work A compute 9.5s
start B at 1s
candidates poll
poll every 100ms
faults
  B clock jumps ahead skew at 0s
compare
  written   lease-by written
  observed  candidates watch
expect
  written   sometimes two-believers
  observed  never two-believers",
    ),
    (
        "a clock that stood still says that there is time left",
        "\
workers A B
lease 10s
start B on expiry
guard self-check
faults
  A suspends 1h before check
expect
  all  no-stale-overwrite violated",
    ),
    (
        "a clock that ran on says that the lease is over",
        "\
workers A B
lease 10s
start B on expiry
guard self-check
faults
  A freezes 1h before check
expect
  all  sometimes check-failed
  all  no-stale-overwrite holds",
    ),
    (
        "a release ends the grant of another",
        "\
workers A B C
lease 5s
work A compute 6s
work B compute 6s
start C at 1s
compare
  whichever  release unconditional
  own        release own
expect
  whichever  release-own violated
  own        release-own holds",
    ),
    (
        "the lock is taken, and the answer lost",
        "\
workers A B
lease 10s
start B at 1s
retry after 1s, 2 attempts
mint before-grant
faults
  network loses reply to acquire of A
  network loses reply to mint of B
expect
  all  never two-believers",
    ),
    (
        "the lock service is restored from a backup",
        "\
workers A B C
lease 10s
epochs from 33
guard registered
work A compute 20s
start C at 15s
faults
  lock-service forgets grant 2 at 12s
compare
  plain   issuer restored
  bumped  issuer restored-with-bump
  failed  issuer fails-over
expect
  plain   newest-admitted violated
  plain   epochs-increase violated
  bumped  epochs-increase holds
  failed  epochs-increase violated",
    ),
    (
        "two winners have the same epoch",
        "\
workers A B
lease 5s
token unchecked
faults
  A freezes 10s before publish
compare
  highest  guard max-seen
  fenced   guard registered
expect
  highest  no-stale-overwrite violated
  fenced   newest-admitted violated",
    ),
    (
        "the range of epochs is exhausted",
        "\
workers A B
lease 5s
epochs from 15 to 15
guard max-seen
token wrapping
faults
  A freezes 10s before publish
expect
  all  no-stale-overwrite violated",
    ),
    (
        "epochs are compared as text",
        "\
workers A B
lease 5s
epochs from 9
guard max-seen
token text
expect
  all  newest-admitted violated",
    ),
    (
        "a check, a long wait, and then the write",
        "\
workers A B
lease 10s
start B on expiry
faults
  A freezes 15s before publish
compare
  checked    guard client-check
  versioned  guard row-version
expect
  checked    no-lost-update violated
  versioned  no-lost-update holds",
    ),
    (
        "the first copy of a repeated write lands after the handover",
        "\
workers A B
lease 10s
start B at 1s
retry after 2s, 2 attempts
faults
  network delays write of A by 30s
compare
  neither     guard none
  ids-only    operation-ids in-transaction
  epoch-only  guard registered
  both        guard registered, operation-ids in-transaction
expect
  neither     no-stale-overwrite violated
  ids-only    no-stale-overwrite holds
  epoch-only  no-stale-overwrite holds
  both        same-answer holds",
    ),
    (
        "a former leader answers reads",
        "\
workers A B
lease 10s
replicate after 5s
start B on expiry
faults
  A freezes 12s before read
  network cuts A from lock-service at 1s for 30s
compare
  own-copy  replicas last-write
  current   guard registered, reads current
expect
  own-copy  no-stale-read violated
  current   no-stale-read holds",
    ),
    (
        "who owns the lock is asked of a replica that is behind",
        "\
workers A B
lease 10s
replicate after 5s
start B on expiry
guard client-check
effect mail
faults
  A freezes 11s before check
compare
  replica  asks lock-replica
  lock     asks lock
expect
  replica  sometimes effect-seen
  lock     sometimes check-failed",
    ),
    (
        "a new owner trusts what a dying one leaves",
        "\
workers A B
lease 10s
start B on expiry
work B compute 4s
faults
  A freezes 10.1s before publish
expect
  all  no-interleaving violated",
    ),
    (
        "the lock is given back before the work has ended",
        "\
workers A B
lease 10s
start B at 1s
effect mail
operations shared
faults
  A freezes 2s before effect
compare
  early  release early
  own    release own
expect
  early  sometimes two-believers
  own    never two-believers",
    ),
    (
        "a crash leaves the lock taken",
        "\
workers A B
lease 1h
start B at 1s
faults
  A crashes 30s before publish
expect
  all  never two-believers",
    ),
    (
        "a writer that was deposed declares a higher epoch",
        "\
workers A B
lease 5s
start B on expiry
guard max-seen
token declared
faults
  A freezes 10s before publish
expect
  all  no-stale-overwrite violated",
    ),
    (
        "a session of 3 s and a garbage collection of 10 s",
        "\
workers A B
lease 3s
start B on expiry
faults
  A freezes 10s before publish
expect
  all  no-stale-overwrite violated",
    ),
    (
        "a destination crashes between the change and its record",
        "\
workers A
lease 10s
retry after 1s, 2 attempts
operation-ids after-transaction
faults
  destination crashes before record of A
expect
  all  applied-once violated",
    ),
    (
        "a provider forgets a key before the payment is repeated",
        "\
workers A
lease 1h
retry after 30s, 2 attempts
effect payment
key pruned
faults
  network loses reply to effect of A
  provider forgets key of A at 20s
stop at effect-once
expect
  all  effect-once violated",
    ),
];

#[test]
fn every_case_can_be_told_and_comes_out_as_it_did() {
    for (happens, lines) in CASES {
        let scenario = parsed(&format!("# In short: {happens}.\nscenario case\n{lines}\n"));
        assert_eq!(parsed(&print(&scenario)).faults, scenario.faults, "{happens}");
        let failures: Vec<String> = failures(&compare(&scenario)).iter().map(ToString::to_string).collect();
        assert!(failures.is_empty(), "{happens}: {failures:?}");
        assert_eq!(unspoken(&scenario), Vec::<&str>::new(), "{happens}: nothing is expected of these rows");
    }
}
