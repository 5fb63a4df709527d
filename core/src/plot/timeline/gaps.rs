//! Stretches of nothing that are left out of the axis.

use super::{Length, end};
use crate::compare::Comparison;
use crate::plot::scene::{Break, MAX_BREAKS};
use crate::time::{Duration, Instant};

/// A stretch is left out if it is longer than all that stays together by so much.
const LONGER: u64 = 6;
/// A part of what stays, on each side of a stretch that is left out: bars are seen to go on.
const EDGE: u64 = 12;
/// What takes less than this is never broken: it is what figures are about.
const LEAST: Duration = Duration::from_secs(60);

/// The fewest stretches, the longest first, of which each is much longer than all that stays; none if there are none such.
pub(super) fn gaps(comparison: &Comparison, lengths: &[Length]) -> Vec<Break> {
    let mut instants: Vec<Instant> = vec![Instant::START, end(comparison)];
    instants.extend(lengths.iter().map(|length| length.zero + length.value));
    for run in &comparison.runs {
        instants.extend(run.facts.iter().map(|entry| entry.at));
    }
    instants.sort_unstable();
    let mut stretches: Vec<Break> = instants
        .windows(2)
        .map(|pair| Break { from: pair[0], to: pair[1] })
        .filter(|one| length(*one) > LEAST)
        .collect();
    stretches.sort_by_key(|one| std::cmp::Reverse(length(*one)));
    stretches.truncate(MAX_BREAKS);
    let mut stays = instants.last().map_or(Duration::ZERO, |last| last.since(Instant::START));
    let mut enough = 0;
    for (number, stretch) in stretches.iter().enumerate() {
        stays = stays - length(*stretch);
        if length(*stretch).micros() / LONGER > stays.micros() {
            enough = number + 1;
            break;
        }
    }
    stretches.truncate(enough);
    let edge = Duration::from_micros((stays.micros() / EDGE).max(1));
    for one in &mut stretches {
        *one = Break { from: one.from + edge, to: Instant::from_micros(one.to.micros() - edge.micros()) };
    }
    stretches.sort_by_key(|one| one.from);
    stretches
}

fn length(one: Break) -> Duration {
    one.to.since(one.from)
}
