//! What happens to processes and clocks, and what else is no bar, write or message: a sign in the lane of whom it befalls.

use super::rows::has_own_sign;
use super::{Happening, Lane, Sign, Teller, roughly};
use crate::event::Process;
use crate::fact::Fact;
use crate::id::WorkerId;
use crate::mechanism::Storage;
use crate::scenario::{ClockOf, Fault};
use crate::time::Instant;

/// What befalls the lock service.
pub(super) fn of_lock_service(teller: &Teller<'_>) -> Vec<Happening> {
    happenings(teller, Lane::Lock, |fact| {
        let (sign, text) = match *fact {
            Fact::Crashed { process: Process::LockService } => (Sign::Crash, "crashes and restarts".to_owned()),
            Fact::IssuerRestored { grant } => (Sign::Restored, restored(teller, grant.0)),
            Fact::RenewalRefused { .. } => (Sign::Refused, "renewal refused".to_owned()),
            Fact::ReleasedByAnother { by, .. } => {
                (Sign::Refused, format!("ended by {}’s release", teller.narrator.owner(by.grant)))
            }
            Fact::ReleaseIgnored { .. } => (Sign::Noted, "release ignored".to_owned()),
            Fact::GrantedAgain { claim, .. } => (Sign::Noted, format!("{} again", claim.epoch)),
            Fact::Denied { .. } => (Sign::Noted, "taken".to_owned()),
            Fact::Minted { epoch, .. } => (Sign::Noted, format!("token {epoch}")),
            Fact::ReplicaCaughtUp => (Sign::Noted, "replica catches up".to_owned()),
            _ => return None,
        };
        Some((sign, text))
    })
}

/// What the lock service knows after it was restored, or its replica took over.
fn restored(teller: &Teller<'_>, first_unknown: u8) -> String {
    let how = match teller.run.mechanism.storage {
        Storage::FailsOver => "replica takes over",
        Storage::Durable | Storage::Restored | Storage::RestoredWithBump => "restored",
    };
    if teller.run.mechanism.storage == Storage::RestoredWithBump {
        return format!("{how}, counter raised");
    }
    match teller.run.facts.iter().find_map(|entry| match entry.fact {
        Fact::Granted { claim, .. } if claim.grant.0 + 1 == first_unknown => Some(claim.epoch),
        _ => None,
    }) {
        Some(epoch) => format!("{how}, back to {epoch}"),
        None => format!("{how}, knows none"),
    }
}

/// What befalls a worker, but for its halts.
pub(super) fn of_worker(teller: &Teller<'_>, worker: WorkerId) -> Vec<Happening> {
    happenings(teller, Lane::Worker(worker), |fact| {
        let (sign, text) = match *fact {
            Fact::LocalDeadlinePassed { worker: who, .. } if who == worker => {
                (Sign::Noted, "over by its own clock".to_owned())
            }
            Fact::Declared { worker: who, claim } if who == worker => {
                (Sign::Noted, format!("calls itself {}", claim.epoch))
            }
            Fact::GaveUp { worker: who } if who == worker => (Sign::Refused, "gives up".to_owned()),
            _ => return None,
        };
        Some((sign, text))
    })
}

/// What befalls a row's destination.
pub(super) fn of_destination(teller: &Teller<'_>) -> Vec<Happening> {
    let mut found = happenings(teller, Lane::Row(teller.row), |fact| {
        let (sign, text) = match *fact {
            Fact::Crashed { process: Process::Destination } => (Sign::Crash, "crashes".to_owned()),
            Fact::ControlRowLost => (Sign::Lost, "control row lost".to_owned()),
            Fact::RegistrationRefused { claim, .. } => (Sign::Refused, format!("{} not recognized", claim.epoch)),
            Fact::ReadRefused { worker, .. } => (Sign::Refused, format!("{}’s read refused", teller.name(worker))),
            Fact::RecognizedAgain { claim, .. } => (Sign::Noted, format!("{} again", claim.epoch)),
            Fact::LookedUp { applied: true, .. } => (Sign::Noted, "looked up: applied".to_owned()),
            Fact::LookedUp { applied: false, .. } => (Sign::Noted, "looked up: not applied".to_owned()),
            Fact::DeadlinePassed { claim } => (Sign::Noted, format!("deadline of {} over", claim.epoch)),
            Fact::Merged { into, .. } => (Sign::Noted, format!("replica {} catches up", into.0 + 1)),
            _ => return None,
        };
        Some((sign, text))
    });
    // What breaks an invariant and is no write is seen here too, since here the row's verdict stands.
    for index in (0..teller.run.facts.len()).filter(|index| has_own_sign(teller, *index)) {
        let (at, fact) = (teller.run.facts[index].at, Some(teller.fact(index)));
        let names = teller.run.violations_at(index).map(|violation| violation.evidence.invariant.name());
        let text = names.collect::<Vec<_>>().join(", ");
        found.retain(|known| known.fact != fact);
        let harms = teller.run.violations_at(index).any(|violation| teller.narrator.harms(violation));
        let sign = if harms { Sign::Broken } else { Sign::Impaired };
        found.push(Happening { at, sign, text, label: teller.narrator.fact(index), fact });
    }
    found.sort_by_key(|one| one.at);
    found
}

/// What befalls the world outside, but for the effects.
pub(super) fn outside(teller: &Teller<'_>) -> Vec<Happening> {
    let noted = |fact: &Fact| {
        let (sign, text) = match *fact {
            Fact::KeyPruned { .. } => (Sign::Lost, "key forgotten".to_owned()),
            Fact::OutboxCleared { .. } => (Sign::Noted, "noted as done".to_owned()),
            _ => return None,
        };
        Some((sign, text))
    };
    signs(teller, noted)
}

/// The signs of a lane, with the clocks that are set.
fn happenings(teller: &Teller<'_>, lane: Lane, told: impl Fn(&Fact) -> Option<(Sign, String)>) -> Vec<Happening> {
    let mut found = signs(teller, told);
    clocks(teller, lane, &mut found);
    found.sort_by_key(|one| one.at);
    found
}

fn signs(teller: &Teller<'_>, told: impl Fn(&Fact) -> Option<(Sign, String)>) -> Vec<Happening> {
    let facts = teller.run.facts.iter().enumerate();
    let told = facts.filter_map(|(index, entry)| {
        let (sign, text) = told(&entry.fact)?;
        let (label, fact) = (teller.narrator.fact(index), Some(teller.fact(index)));
        Some(Happening { at: entry.at, sign, text, label, fact })
    });
    told.collect()
}

/// Clocks are set by the scenario. The run has a fact of its own only where something comes of it at once.
fn clocks(teller: &Teller<'_>, lane: Lane, found: &mut Vec<Happening>) {
    let scenario = &teller.comparison.scenario;
    for fault in &scenario.faults {
        let Fault::SetClock { of, by, back, at } = *fault else { continue };
        let at = Instant::START + scenario.duration(at);
        let (of, whose) = match of {
            ClockOf::LockService => (Lane::Lock, "The lock service’s clock".to_owned()),
            ClockOf::Worker(worker) => (Lane::Worker(worker), format!("{}’s clock", teller.name(worker))),
            ClockOf::Destination => (Lane::Row(teller.row), "The destination’s clock".to_owned()),
        };
        if of != lane || at > teller.run.end() {
            continue;
        }
        let by = roughly(scenario.duration(by));
        let (sign, way) = if back { ("−", "back") } else { ("+", "ahead") };
        let fact = teller.run.facts.iter().position(|entry| entry.at == at && entry.fact == Fact::ClockSkewed);
        found.push(Happening {
            at,
            sign: Sign::Clock,
            text: format!("clock {sign}{by}"),
            label: format!("{whose} is set {way} by {by}."),
            fact: fact.map(|fact| teller.fact(fact)),
        });
    }
}
