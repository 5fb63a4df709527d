//! The bounds of a search, in words.

use crate::scenario::Bounds;
use crate::system::Budget;

/// What there may be within `bounds`, a part each, without what there is none of: “2 grants”, “1 crash”.
pub fn bounds(bounds: &Bounds) -> Vec<String> {
    let Bounds { workers, grants, operations, budget } = *bounds;
    let Budget { retries, losses, duplicates, crashes, failovers, suspends, skews, renewals, prunes } = budget;
    let mut parts = Vec::new();
    let mut part = |number: u8, one: &str, several: &str| match number {
        0 => {}
        1 => parts.push(format!("1 {one}")),
        more => parts.push(format!("{more} {several}")),
    };
    part(workers, "worker", "workers");
    part(grants, "grant", "grants");
    part(operations, "operation a grant", "operations a grant");
    part(retries, "request sent again", "requests sent again");
    part(losses, "message lost", "messages lost");
    part(duplicates, "message carried twice", "messages carried twice");
    part(crashes, "crash", "crashes");
    part(failovers, "failover", "failovers");
    part(suspends, "suspended machine", "suspended machines");
    part(skews, "clock that is off", "clocks that are off");
    part(renewals, "renewal of each lease", "renewals of each lease");
    part(prunes, "key forgotten", "keys forgotten");
    parts
}
