//! The bounds of a search: the `explore` line.

use super::line::Line;
use super::mechanism::{Lack, some_row};
use super::vocabulary::Bound;
use crate::id::{MAX_GRANTS, MAX_OPERATIONS, MAX_RENEWALS};
use crate::mechanism::{Key, Mechanism, Renewal, Storage};
use crate::scenario::error::Result;
use crate::scenario::{Bounds, MAX_BUDGET, Scenario};
use crate::system::Budget;

impl Bound {
    /// The number that it bounds.
    pub(in crate::scenario) fn of(self, bounds: &mut Bounds) -> &mut u8 {
        let budget = &mut bounds.budget;
        match self {
            Bound::Workers => &mut bounds.workers,
            Bound::Grants => &mut bounds.grants,
            Bound::Operations => &mut bounds.operations,
            Bound::Retries => &mut budget.retries,
            Bound::Losses => &mut budget.losses,
            Bound::Duplicates => &mut budget.duplicates,
            Bound::Crashes => &mut budget.crashes,
            Bound::Failovers => &mut budget.failovers,
            Bound::Suspends => &mut budget.suspends,
            Bound::Skews => &mut budget.skews,
            Bound::Renewals => &mut budget.renewals,
            Bound::Prunes => &mut budget.prunes,
        }
    }

    /// The least and the most that it can be.
    fn limits(self, workers: usize) -> (u64, u64) {
        match self {
            Bound::Workers => (1, workers as u64),
            Bound::Grants => (1, MAX_GRANTS as u64),
            Bound::Operations => (1, MAX_OPERATIONS as u64),
            Bound::Renewals => (0, MAX_RENEWALS.into()),
            _ => (0, MAX_BUDGET.into()),
        }
    }

    /// Whether something in a mechanism could go beyond 0.
    pub(in crate::scenario) fn used(self) -> fn(&Mechanism) -> bool {
        match self {
            Bound::Failovers => |mechanism| mechanism.storage != Storage::Durable,
            Bound::Renewals => |mechanism| mechanism.renewal != Renewal::Off,
            Bound::Prunes => |mechanism| mechanism.key == Key::Pruned,
            _ => |_| true,
        }
    }
}

/// Reads `grants 2, losses 1` and the like.
pub(super) fn read(line: &mut Line<'_>, scenario: &mut Scenario) -> Result<()> {
    let mut named: Vec<Bound> = Vec::new();
    loop {
        let (bound, word) = line.choose_word()?;
        if named.contains(&bound) {
            return Err(word.error(format_args!("{} is bounded a second time.", word.quoted())));
        }
        named.push(bound);
        let (least, most) = bound.limits(scenario.workers.len());
        let number = line.number(format_args!("the number of {}", word.text), least, most)? as u8;
        if number > 0 {
            some_row(&scenario.rows, word, Lack::Meaning, bound.used())?;
            if bound == Bound::Retries && scenario.retry.attempts == 1 {
                return Err(word.error(format_args!("There are no retries: `retry` allows for 1 attempt.")));
            }
        }
        *bound.of(&mut scenario.bounds) = number;
        if !line.comma()? {
            return Ok(());
        }
    }
}

/// What bounds a search where the text does not say: a grant for each worker, its work, one retry and one renewal where
/// there are such, and nothing that goes wrong.
pub(in crate::scenario) fn default_bounds(scenario: &Scenario) -> Bounds {
    let workers = scenario.workers.len() as u8;
    let renews = scenario.rows.iter().any(|row| row.mechanism.renewal != Renewal::Off);
    let (retries, renewals) = (u8::from(scenario.retry.attempts > 1), u8::from(renews));
    Bounds {
        workers,
        grants: workers,
        operations: scenario.workers.iter().map(|worker| worker.operations).max().unwrap_or(1),
        budget: Budget { retries, renewals, ..Budget::default() },
    }
}
