//! A destination's lane: the epochs it goes by, and what became of each write.

use super::{Fate, Mark, RowLane, Sign, Split, Step, Teller, effects, events};
use std::fmt::Write as _;

use crate::destination::Guard;
use crate::epoch::Claim;
use crate::event::Process;
use crate::fact::Fact;
use crate::id::{GrantId, OperationId, WorkerId};
use crate::message::{Call, Message, Rejection};
use crate::observation::Situation;
use crate::time::Instant;
use crate::words;

pub(super) fn row(teller: &Teller<'_>) -> RowLane {
    let verdict = teller.narrator.verdict();
    let mut marks = marks(teller);
    // The fact that decides may be what a worker concludes: then the write it concludes about decides.
    // What has no mark, and speaks of no write, has its moment.
    let mut decided = None;
    let mut outside = effects::outside(teller);
    if let Some(fact) = verdict.fact {
        let effects = outside.iter_mut().flat_map(|outside| &mut outside.marks);
        let own = effects.filter(|mark| mark.fact.fact == fact);
        let concludes = matches!(teller.run.facts[fact].fact, Fact::Concluded { .. } | Fact::Stopped { .. });
        let before = marks.iter_mut().filter(|mark| mark.fact.fact == fact || concludes && mark.fact.fact < fact);
        match before.chain(own).last() {
            Some(mark) => mark.decisive = true,
            None => decided = Some(teller.run.facts[fact].at),
        }
    }
    let mut events = events::of_destination(teller);
    // What the verdict says that stands there is not said twice.
    for event in events.iter_mut().filter(|event| event.sign <= Sign::Impaired && Some(event.at) == decided) {
        event.text.clear();
    }
    RowLane {
        name: teller.run.name.clone(),
        mechanism: words::mechanism(&teller.run.mechanism),
        verdict,
        steps: steps(teller),
        marks,
        splits: splits(teller),
        events,
        outside,
        decided,
    }
}

fn marks(teller: &Teller<'_>) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    // Epochs may repeat; grants do not.
    let mut grants: Vec<GrantId> = Vec::new();
    for (index, entry) in teller.run.facts.iter().enumerate() {
        let harm = teller.run.violations_at(index).find(|violation| teller.narrator.harms(violation));
        let (fate, claim, operation) = match entry.fact {
            Fact::Applied { claim, operation, .. } => {
                let late = teller
                    .run
                    .sightings
                    .iter()
                    .any(|sighting| sighting.fact == index && sighting.situation == Situation::LateWriteApplied);
                (if late { Fate::Late } else { Fate::Applied }, claim, Some(operation))
            }
            Fact::Rejected { claim, operation, .. } => (Fate::Rejected, claim, Some(operation)),
            Fact::Replayed { claim, operation, .. } => (Fate::Replayed, claim, Some(operation)),
            Fact::Checked { claim, owns: false, .. } => (Fate::NotSent, claim, None),
            Fact::Checked { worker, claim, owns: true } if !sends_at_once(teller, index, worker) => {
                (Fate::Asked, claim, None)
            }
            _ => {
                // What is concluded shows what a write has done: the last one of the grant that the evidence names.
                if let (Some(violation), Fact::Concluded { .. }) = (harm, entry.fact) {
                    let of = grants.iter().rposition(|grant| *grant == violation.evidence.by);
                    if let Some(mark) = of.and_then(|mark| marks.get_mut(mark)) {
                        mark.fate = Fate::Violating;
                    }
                }
                continue;
            }
        };
        let worker = owner(teller, claim);
        grants.push(claim.grant);
        marks.push(Mark {
            at: entry.at,
            fate: if harm.is_some() { Fate::Violating } else { fate },
            worker,
            epoch: claim.epoch,
            texts: texts(teller, index, fate, worker, claim, operation),
            short: matches!(fate, Fate::Applied | Fate::Late)
                .then(|| format!("{}, {}", teller.name(worker), claim.epoch)),
            decisive: false,
            label: teller.narrator.fact(index),
            fact: teller.fact(index),
        });
    }
    marks
}

/// Whether the fact of this index breaks an invariant and is neither a write, nor an effect, nor a conclusion about a write.
pub(super) fn has_own_sign(teller: &Teller<'_>, index: usize) -> bool {
    let has_mark = matches!(
        teller.run.facts[index].fact,
        Fact::Applied { .. }
            | Fact::Rejected { .. }
            | Fact::Replayed { .. }
            | Fact::Checked { .. }
            | Fact::Concluded { .. }
            | Fact::Effected { .. }
            | Fact::EffectRepeated { .. }
            | Fact::EffectRefused { .. }
            | Fact::EffectLookedUp { .. }
    );
    !has_mark && teller.run.violations_at(index).next().is_some()
}

/// What stands beside a write that does not decide its row.
fn texts(
    teller: &Teller<'_>,
    index: usize,
    fate: Fate,
    worker: WorkerId,
    claim: Claim,
    operation: Option<OperationId>,
) -> Vec<String> {
    let epoch = claim.epoch;
    let sharing = teller.comparison.scenario.sharing;
    let result = teller.result(worker, operation.map_or(0, |operation| sharing.index(operation)));
    match fate {
        Fate::Applied | Fate::Violating => {
            vec![format!("{result}, epoch {epoch}"), format!("{result}, {epoch}"), result]
        }
        Fate::Late => {
            vec![format!("{result}, epoch {epoch}, late"), format!("{result}, late"), result]
        }
        Fate::Rejected => {
            let Fact::Rejected { rejection: Rejection::StaleEpoch, current: Some(current), .. } =
                teller.run.facts[index].fact
            else {
                return vec!["refused".to_owned()];
            };
            vec![format!("refused: {epoch} < {current}"), "refused".to_owned()]
        }
        Fate::Replayed => vec![format!("{result}, replayed"), "replayed".to_owned()],
        Fate::NotSent => vec![format!("{result} is not sent"), "not sent".to_owned()],
        // Effects have words of their own.
        Fate::Effected | Fate::LookedUp => Vec::new(),
        Fate::Asked => {
            let name = teller.name(worker);
            vec![format!("{name} asks: still the owner"), format!("{name} asks: yes"), "asks".to_owned()]
        }
    }
}

/// Writes that were carried out in several steps, as far as these lie apart.
fn splits(teller: &Teller<'_>) -> Vec<Split> {
    let facts = &teller.run.facts;
    let mut splits = Vec::new();
    for (index, entry) in facts.iter().enumerate() {
        let (claim, operation, attempt, checked) = match entry.fact {
            Fact::Admitted { claim, operation, attempt } => (claim, operation, attempt, Some(entry.at)),
            // Those that were admitted before have been seen with that.
            Fact::Applied { claim, operation, attempt, .. }
                if !facts[..index].iter().any(|before| before.fact == Fact::Admitted { claim, operation, attempt }) =>
            {
                (claim, operation, attempt, None)
            }
            _ => continue,
        };
        let (mut applied, mut recorded, mut to) = (None, None, entry.at);
        for later in &facts[index..] {
            match later.fact {
                Fact::Applied { claim: of, operation: what, attempt: which, .. }
                    if (of, what, which) == (claim, operation, attempt) && applied.is_none() =>
                {
                    applied = Some(later.at);
                }
                Fact::Recorded { claim: of, operation: what, attempt: which }
                    if (of, what, which) == (claim, operation, attempt) =>
                {
                    recorded = Some(later.at);
                }
                Fact::Crashed { process: Process::Destination } if checked.is_some() && recorded.is_none() => {}
                _ => continue,
            }
            to = later.at;
            if recorded.is_some() || matches!(later.fact, Fact::Crashed { .. }) {
                break;
            }
        }
        if to <= entry.at {
            continue;
        }
        let what = teller.result(owner(teller, claim), teller.comparison.scenario.sharing.index(operation));
        let mut label = format!("{what} takes {} in the destination", words::span(to.since(entry.at)));
        for (step, at) in [("checked", checked), ("applied", applied), ("recorded", recorded)] {
            if let Some(at) = at {
                let _ = write!(label, ", {step} at {}", words::span(at.since(Instant::START)));
            }
        }
        label.push('.');
        let (worker, fact) = (owner(teller, claim), teller.fact(index));
        splits.push(Split { worker, checked, applied, recorded, to, label, fact });
    }
    splits
}

/// Whether the worker sends its write in the very instant of its check, which is the fact of this index.
fn sends_at_once(teller: &Teller<'_>, index: usize, worker: WorkerId) -> bool {
    let at = teller.run.facts[index].at;
    teller.run.facts[index..].iter().take_while(|entry| entry.at == at).any(|entry| match entry.fact {
        Fact::Sent { message: Message::Request(request) } => {
            request.worker == worker && matches!(request.call, Call::Write { .. })
        }
        _ => false,
    })
}

fn steps(teller: &Teller<'_>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (index, entry) in teller.run.facts.iter().enumerate() {
        let (claim, registered) = match entry.fact {
            Fact::Recognized { claim, .. } => (claim, true),
            Fact::Applied { claim, .. }
                if matches!(teller.run.mechanism.guard, Guard::MaxSeen | Guard::GreaterThan) =>
            {
                (claim, false)
            }
            _ => continue,
        };
        if !registered && steps.iter().any(|step| step.epoch >= claim.epoch && step.lost.is_none_or(|at| at > entry.at))
        {
            continue;
        }
        steps.push(Step {
            from: entry.at,
            lost: teller.run.facts[index..].iter().find(|later| later.fact == Fact::ControlRowLost).map(|lost| lost.at),
            worker: owner(teller, claim),
            epoch: claim.epoch,
            registered,
            label: if registered {
                teller.narrator.fact(index)
            } else {
                format!("{} is the highest epoch the destination has seen on a write.", claim.epoch)
            },
            fact: teller.fact(index),
        });
    }
    steps
}

/// The worker that a claim's grant went to.
pub(super) fn owner(teller: &Teller<'_>, claim: Claim) -> WorkerId {
    let granted = teller.run.facts.iter().find_map(|entry| match entry.fact {
        Fact::Granted { worker, claim: granted } if granted == claim => Some(worker),
        _ => None,
    });
    granted.unwrap_or(WorkerId(0))
}
