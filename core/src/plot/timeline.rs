//! What a comparison shows, in instants.

use serde::Serialize;

use crate::compare::Comparison;
use crate::time::Instant;

/// What is drawn of a comparison, without places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Timeline {
    /// The whole figure in one or two sentences.
    pub label: String,
    /// When the last fact happened.
    pub end: Instant,
}

/// Derives what is drawn of `comparison`.
pub fn timeline(comparison: &Comparison) -> Timeline {
    let end = comparison.runs.iter().map(crate::run::Run::end).max().unwrap_or(Instant::START);
    Timeline { label: crate::words::headline(comparison), end }
}
