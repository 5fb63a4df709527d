//! What comes about outside the destination, where no transaction reaches it.

use super::rows::owner;
use super::{Fate, Mark, Outside, Teller, events};
use crate::epoch::Claim;
use crate::fact::Fact;
use crate::id::OperationId;
use crate::invariant::Invariant;
use crate::mechanism::{Effect, Through};

/// The world outside, where the mechanism has effects there.
pub(super) fn outside(teller: &Teller<'_>) -> Option<Outside> {
    let mechanism = &teller.run.mechanism;
    let name = match mechanism.effect {
        Effect::None => return None,
        Effect::Mail => "mails, outside",
        Effect::Payment => "payments, outside",
        Effect::File => "file, outside",
    };
    let relayed = mechanism.through == Through::Outbox;
    Some(Outside { name: name.to_owned(), relayed, marks: marks(teller), events: events::outside(teller) })
}

fn marks(teller: &Teller<'_>) -> Vec<Mark> {
    let mut marks = Vec::new();
    let what = match teller.run.mechanism.effect {
        Effect::None | Effect::Mail => "mail",
        Effect::Payment => "payment",
        Effect::File => "file",
    };
    for (index, entry) in teller.run.facts.iter().enumerate() {
        let broken = |invariant| teller.run.violations_at(index).any(|one| one.evidence.invariant == invariant);
        let result = |claim: Claim, operation: OperationId| {
            teller.result(owner(teller, claim), teller.comparison.scenario.sharing.index(operation))
        };
        let (mut fate, claim, mut texts) = match entry.fact {
            Fact::Effected { claim, operation, .. } => {
                let result = result(claim, operation);
                (Fate::Effected, claim, vec![format!("{what} for {result}"), format!("{what}, {}", claim.epoch)])
            }
            Fact::EffectRepeated { claim, .. } => {
                (Fate::Replayed, claim, vec!["known: same answer".to_owned(), "known".to_owned()])
            }
            Fact::EffectRefused { claim, .. } => {
                (Fate::Rejected, claim, vec![format!("{what} refused"), "refused".to_owned()])
            }
            Fact::EffectLookedUp { claim, effected, .. } => {
                let found = if effected { "found" } else { "not found" };
                (Fate::LookedUp, claim, vec![format!("looked up: {found}"), found.to_owned()])
            }
            _ => continue,
        };
        if teller.run.violations_at(index).any(|violation| teller.narrator.harms(violation)) {
            fate = Fate::Violating;
            let (again, old) = (broken(Invariant::EffectOnce), broken(Invariant::NoStaleEffect));
            let told: &[&str] = match (again, old) {
                (true, true) => &["again, and based on an old read", "again, on an old read"],
                (true, false) => &["a second time"],
                (false, true) => &["based on an old read"],
                (false, false) => &[],
            };
            let longer: Vec<String> = told.iter().map(|told| format!("{what} {told}")).collect();
            if !told.is_empty() {
                texts = longer.into_iter().chain(told.iter().map(|told| (*told).to_owned())).collect();
            }
        }
        marks.push(Mark {
            at: entry.at,
            fate,
            worker: owner(teller, claim),
            epoch: claim.epoch,
            texts,
            short: None,
            decisive: false,
            label: teller.narrator.fact(index),
            fact: teller.fact(index),
        });
    }
    marks
}
