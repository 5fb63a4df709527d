//! Inputs drawn by a fixed seed: whatever they say, what must hold of them does. `cargo fuzz` looks for others, for as long
//! as it is let (`tests/fuzz`).

use std::panic::{self, AssertUnwindSafe};

use fencepost_tests::drawn::{PUT_TOGETHER, any_scenario, any_scenario_is_read_back, scenario_text, trace_text};
use fencepost_tests::walk::for_each;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

/// Has `check` look at `count` inputs of at most so many bytes, of which the first says how they are meant, if anything
/// does. Fails with the least input of its kind that fails.
#[track_caller]
fn all_hold(count: usize, seed: u64, most: u32, first: Option<u8>, check: fn(&[u8])) {
    let mut random = Pcg32::seed_from_u64(seed);
    let input = |_| {
        let length = random.next_u32() % most;
        let bytes = (0..length).map(|_| random.next_u32() as u8);
        first.into_iter().chain(bytes).collect::<Vec<u8>>()
    };
    let inputs: Vec<Vec<u8>> = (0..count).map(input).collect();
    let holds = |bytes: &[u8]| panic::catch_unwind(AssertUnwindSafe(|| check(bytes))).is_ok();
    let held = for_each(&inputs, |bytes| holds(bytes));
    let failed = held.iter().zip(&inputs).find(|(held, _)| !**held);
    if let Some((_, bytes)) = failed {
        let least = least(bytes, first.is_some().into(), &holds);
        println!("the least input that fails: {least:?}");
        check(&least);
        panic!("what failed does not fail again: {bytes:?}");
    }
}

/// The input without all that it fails without: an end that is cut off, bytes that are as good as 0. The first `kept` stay.
fn least(bytes: &[u8], kept: usize, holds: &dyn Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut least = bytes.to_vec();
    let mut cut = least.len() / 2;
    while cut > 0 {
        let end = least.len() - cut;
        if end >= kept && !holds(&least[..end]) {
            least.truncate(end);
        } else {
            cut /= 2;
        }
    }
    for index in kept..least.len() {
        let mut other = least.clone();
        other[index] = 0;
        if other != least && !holds(&other) {
            least = other;
        }
    }
    least
}

#[test]
fn any_scenario_of_the_language_is_printed_and_read_again_and_edited() {
    all_hold(2_000, 1, 400, None, any_scenario_is_read_back);
}

#[test]
fn any_scenario_of_the_language_runs_and_is_searched_and_told() {
    all_hold(200, 2, 400, None, any_scenario);
}

#[test]
fn a_text_put_together_of_others_is_refused_at_its_place_or_runs() {
    all_hold(1_000, 3, 40, Some(PUT_TOGETHER), scenario_text);
}

#[test]
fn a_trace_put_together_of_others_is_refused_at_its_place_or_comes_back() {
    all_hold(1_000, 4, 60, Some(PUT_TOGETHER), trace_text);
}
