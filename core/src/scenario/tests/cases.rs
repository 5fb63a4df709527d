//! What people met in production and the corpus does not tell yet.

use super::super::print;
use super::parsed;
use crate::compare::compare;
use crate::expect::{failures, unspoken};

/// What happened, and how it is said.
const CASES: &[(&str, &str)] = &[
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
