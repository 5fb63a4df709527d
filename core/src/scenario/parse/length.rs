//! The lines that give one length of time each.

use super::mechanism::{Lack, some_row};
use super::name::Names;
use super::outline::{Outline, Statement};
use super::vocabulary::Keyword;
use crate::mechanism::{Asks, Mechanism, OnLoss, Renewal, Replicas, Through};
use crate::scenario::error::Result;
use crate::scenario::{Quantity, Scenario};

/// One of these lines.
pub(in crate::scenario) struct Length {
    pub keyword: Keyword,
    /// What stands between the keyword and the length, if anything does.
    pub preposition: Option<&'static str>,
    /// What it is, with its article.
    what: &'static str,
    /// Why it cannot be nothing, if it cannot.
    positive: Option<&'static str>,
    /// Whether a mechanism goes by it.
    pub used: fn(&Mechanism) -> bool,
    /// What a scenario says of it; nothing where it is left open.
    pub get: fn(&Scenario) -> Option<Quantity>,
    set: fn(&mut Scenario, Quantity),
    /// What it may be longer by.
    pub jitter: Option<Jitter>,
}

/// By how much one of these lengths is longer at most, each time by as much as is drawn.
pub(in crate::scenario) struct Jitter {
    pub get: fn(&Scenario) -> Quantity,
    set: fn(&mut Scenario, Quantity),
}

/// The word before it.
pub(in crate::scenario) const JITTER: &str = "jitter";

/// All of them, in the order in which they are written.
pub(in crate::scenario) static LENGTHS: [Length; 7] = [
    Length {
        keyword: Keyword::Latency,
        preposition: None,
        what: "the latency",
        positive: None,
        used: |_| true,
        get: |scenario| Some(scenario.latency),
        set: |scenario, latency| scenario.latency = latency,
        jitter: None,
    },
    Length {
        keyword: Keyword::Renew,
        preposition: Some("every"),
        what: "the time between renewals",
        positive: Some("it would renew without end"),
        used: |mechanism| mechanism.renewal != Renewal::Off,
        get: |scenario| scenario.renew_every,
        set: |scenario, every| scenario.renew_every = Some(every),
        jitter: None,
    },
    Length {
        keyword: Keyword::Margin,
        preposition: None,
        what: "the margin before the end of a lease",
        positive: None,
        used: Mechanism::consults_owners_clock,
        get: |scenario| Some(scenario.margin),
        set: |scenario, margin| scenario.margin = margin,
        jitter: None,
    },
    Length {
        keyword: Keyword::Poll,
        preposition: Some("every"),
        what: "the time between two requests",
        positive: Some("it would ask without end"),
        used: Mechanism::polls,
        get: |scenario| Some(scenario.poll_every),
        set: |scenario, every| scenario.poll_every = every,
        jitter: Some(Jitter {
            get: |scenario| scenario.poll_jitter,
            set: |scenario, jitter| scenario.poll_jitter = jitter,
        }),
    },
    Length {
        keyword: Keyword::Stop,
        preposition: Some("after"),
        what: "the time that it takes to stop",
        positive: None,
        used: |mechanism| mechanism.on_loss == OnLoss::Slow,
        get: |scenario| Some(scenario.stop_after),
        set: |scenario, after| scenario.stop_after = after,
        jitter: None,
    },
    Length {
        keyword: Keyword::Replicate,
        preposition: Some("after"),
        what: "the delay of a replica",
        positive: None,
        used: |mechanism| mechanism.replicas != Replicas::One || mechanism.asks == Asks::LockReplica,
        get: |scenario| Some(scenario.replicate_after),
        set: |scenario, after| scenario.replicate_after = after,
        jitter: None,
    },
    Length {
        keyword: Keyword::Relay,
        preposition: Some("after"),
        what: "the delay of the relay",
        positive: None,
        used: |mechanism| mechanism.through == Through::Outbox,
        get: |scenario| Some(scenario.relay_after),
        set: |scenario, after| scenario.relay_after = after,
        jitter: None,
    },
];

/// Reads all of them, and `stop at INVARIANT` with them.
pub(super) fn read<'t>(outline: &mut Outline<'t>, names: &mut Names<'t>, scenario: &mut Scenario) -> Result<()> {
    for length in &LENGTHS {
        // In which lines its two forms stand.
        let mut lines = [None; 2];
        for Statement { word, line, .. } in outline.all(length.keyword) {
            let ends_runs = length.keyword == Keyword::Stop && line.accept("at");
            if ends_runs {
                scenario.stop_at = Some(line.choose()?);
            } else {
                if let Some(preposition) = length.preposition {
                    line.expect(preposition)?;
                }
                some_row(&scenario.rows, *word, Lack::Meaning, length.used)?;
                let quantity = match length.positive {
                    Some(why) => names.positive(line, length.what, why)?,
                    None => names.quantity(line, length.what)?,
                };
                (length.set)(scenario, quantity);
                if let Some(jitter) = &length.jitter
                    && line.accept(JITTER)
                {
                    (jitter.set)(scenario, names.quantity(line, "the jitter")?);
                }
            }
            if let Some(earlier) = lines[usize::from(ends_runs)].replace(word.place.line) {
                return Err(word.error(format_args!("Line {earlier} says this already; it may stand once.")));
            }
            line.end()?;
        }
    }
    Ok(())
}
