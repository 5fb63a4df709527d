//! Where the program meets the explorer.

use fencepost_core::explore::{Bounds, Report, Search, Status};
use fencepost_core::system::Config;

/// So many states at a time: a fraction of a second, so that a terminal hears how far it is.
const SLICE: usize = 50_000;

/// Searches everything that may happen under `config`, up to `max_states`. From time to time `tell` hears how many states
/// there are, and how deep it is.
pub fn search(config: &Config, max_states: Option<usize>, mut tell: impl FnMut(usize, usize)) -> Report {
    let states = max_states.map_or(Bounds::MAX.states, |states| states.min(Bounds::MAX.states));
    let mut search = Search::within(config, Bounds { states, ..Bounds::MAX });
    loop {
        let progress = search.advance(SLICE);
        if progress.status != Status::Searching {
            return search.report();
        }
        tell(progress.states, progress.depth);
    }
}
