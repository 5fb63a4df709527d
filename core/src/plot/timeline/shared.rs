//! What is told once for all rows: the lock service's grants and the workers.

use super::{
    Band, Belief, Bracket, Elsewhere, Lease, LeaseEnd, Moment, Passed, Stretch, Teller, Wait, WorkerLane, end,
};
use super::{events, halts};
use crate::event::Process;
use crate::fact::Fact;
use crate::id::{GrantId, WorkerId};
use crate::message::{Call, Message, Request, Sought};
use crate::program::Point;
use crate::scenario::Start;
use crate::time::Instant;
use crate::words::span;

/// The grants of a run.
pub(super) fn leases(teller: &Teller<'_>) -> Vec<Lease> {
    let length = teller.comparison.scenario.duration(teller.comparison.scenario.lease);
    let mut leases = Vec::new();
    for (index, entry) in teller.run.facts.iter().enumerate() {
        let Fact::Granted { worker, claim } = entry.fact else { continue };
        let (to, end) = lease_end(teller, claim.grant);
        let how = match end {
            LeaseEnd::Expired => "ends",
            LeaseEnd::Released => "is given back",
            LeaseEnd::TakenAway => "is ended by another’s release",
            LeaseEnd::Forgotten => "is forgotten by the lock service",
            LeaseEnd::Open => "still runs",
        };
        let label = format!("{} It {how} at {}.", teller.narrator.fact(index), span(to.since(Instant::START)));
        let name = teller.name(worker).to_owned();
        let fact = teller.fact(index);
        let renewals = renewals(teller, claim.grant);
        leases.push(Lease { worker, name, epoch: claim.epoch, length, from: entry.at, to, end, renewals, label, fact });
    }
    leases
}

fn renewals(teller: &Teller<'_>, grant: GrantId) -> Vec<Moment> {
    let facts = teller.run.facts.iter().enumerate();
    let of_grant = facts.filter(|(_, entry)| matches!(entry.fact, Fact::Renewed { claim, .. } if claim.grant == grant));
    of_grant
        .map(|(index, entry)| Moment { at: entry.at, label: teller.narrator.fact(index), fact: teller.fact(index) })
        .collect()
}

fn lease_end(teller: &Teller<'_>, grant: GrantId) -> (Instant, LeaseEnd) {
    let mut granted = false;
    let ended = teller.run.facts.iter().find_map(|entry| match entry.fact {
        Fact::Granted { claim, .. } if claim.grant == grant => {
            granted = true;
            None
        }
        Fact::LeaseExpired { claim } if claim.grant == grant => Some((entry.at, LeaseEnd::Expired)),
        Fact::Released { claim } if claim.grant == grant => Some((entry.at, LeaseEnd::Released)),
        Fact::ReleasedByAnother { claim, .. } if claim.grant == grant => Some((entry.at, LeaseEnd::TakenAway)),
        // What it does not know of runs no longer: neither does a lease from before, whose owner it does not know.
        Fact::IssuerRestored { .. } if granted => Some((entry.at, LeaseEnd::Forgotten)),
        _ => None,
    });
    ended.unwrap_or((teller.run.end(), LeaseEnd::Open))
}

/// The workers as the row `main` has them, with what the others add.
pub(super) fn workers(tellers: &[Teller<'_>], main: usize) -> Vec<WorkerLane> {
    let first = &tellers[main];
    let count = first.comparison.scenario.workers.len() as u8;
    (0..count)
        .map(WorkerId)
        .map(|worker| {
            let beliefs = beliefs(first, worker);
            WorkerLane {
                worker,
                name: first.name(worker).to_owned(),
                waits: waits(first, worker),
                computes: computes(first, worker),
                halts: halts::halts(first, worker),
                events: events::of_worker(first, worker),
                points: points(first, worker),
                elsewhere: elsewhere(tellers, main, worker, &beliefs),
                beliefs,
            }
        })
        .collect()
}

fn beliefs(teller: &Teller<'_>, worker: WorkerId) -> Vec<Belief> {
    let clock = teller.comparison.scenario.workers[worker.index()].clock;
    let facts = &teller.run.facts;
    let mut beliefs = Vec::new();
    for (index, entry) in facts.iter().enumerate() {
        let Fact::Acquired { worker: who, claim } = entry.fact else { continue };
        if who != worker {
            continue;
        }
        let stopped = facts[index..].iter().find_map(|entry| match entry.fact {
            Fact::Stopped { claim: stopped, reason, .. } if stopped == claim => Some((entry.at, Some(reason))),
            Fact::Crashed { process: Process::Worker { worker: who } } if who == worker => Some((entry.at, None)),
            _ => None,
        });
        let reckoned = facts[index..].iter().find_map(|entry| match entry.fact {
            Fact::Reckoned { claim: of, expiry, .. } if of == claim => Some(clock.when(expiry)),
            _ => None,
        });
        let to = stopped.map_or(teller.run.end(), |(at, _)| at);
        let (end, how) = lease_end(teller, claim.grant);
        let lost = !matches!(how, LeaseEnd::Released | LeaseEnd::Open);
        let outlasts = (lost && end < to).then_some(end);
        let name = teller.name(worker);
        let length = span(to.since(entry.at));
        let label = match outlasts {
            Some(end) => format!(
                "{name} believes for {length} that it owns the lock under epoch {}, the last {} of it after the lease \
                 has ended.",
                claim.epoch,
                span(to.since(end))
            ),
            None => format!("{name} believes for {length} that it owns the lock under epoch {}.", claim.epoch),
        };
        let stop = stopped.and_then(|(_, reason)| reason);
        let fact = teller.fact(index);
        beliefs.push(Belief { epoch: claim.epoch, from: entry.at, to, stop, outlasts, reckoned, label, fact });
    }
    beliefs
}

fn waits(teller: &Teller<'_>, worker: WorkerId) -> Vec<Wait> {
    let name = teller.name(worker);
    let facts = &teller.run.facts;
    // Who has not been granted the lock when the run ends still waits when the last of the runs does.
    let end = end(teller.comparison);
    let acquired = |from: usize| {
        let at = facts[from..].iter().find_map(|entry| match entry.fact {
            Fact::Acquired { worker: who, .. }
            | Fact::GaveUp { worker: who }
            | Fact::Crashed { process: Process::Worker { worker: who } }
                if who == worker =>
            {
                Some(entry.at)
            }
            _ => None,
        });
        at.unwrap_or(end)
    };
    let mut waits = Vec::new();
    if teller.comparison.scenario.workers[worker.index()].start == Start::OnExpiry {
        let label = format!("{name} stands by. It asks for the lock when a lease has expired.");
        waits.push(Wait { from: Instant::START, to: acquired(0), asked: false, label });
    }
    for (index, entry) in facts.iter().enumerate() {
        if entry.fact == (Fact::Queued { worker }) {
            let label = format!("{name} has asked for the lock and waits for it.");
            waits.push(Wait { from: entry.at, to: acquired(index), asked: true, label });
        }
    }
    waits
}

fn computes(teller: &Teller<'_>, worker: WorkerId) -> Vec<Stretch> {
    let mut computes: Vec<Stretch> = Vec::new();
    let mut busy = false;
    for (index, entry) in teller.run.facts.iter().enumerate() {
        match entry.fact {
            Fact::ComputeBegan { worker: who, .. } if who == worker => {
                busy = true;
                let to = teller.run.end();
                computes.push(Stretch { from: entry.at, to, label: String::new(), fact: teller.fact(index) });
            }
            Fact::ComputeEnded { worker: who, .. }
            | Fact::Stopped { worker: who, .. }
            | Fact::Crashed { process: Process::Worker { worker: who } }
                if who == worker && busy =>
            {
                busy = false;
                if let Some(last) = computes.last_mut() {
                    last.to = entry.at;
                }
            }
            _ => {}
        }
    }
    for compute in &mut computes {
        let length = span(compute.to.since(compute.from));
        compute.label = format!("{} computes for {length}.", teller.name(worker));
    }
    computes
}

/// The points of the program that the worker passes as a believer.
fn points(teller: &Teller<'_>, worker: WorkerId) -> Vec<Passed> {
    let mut passed = Vec::new();
    for (index, entry) in teller.run.facts.iter().enumerate() {
        let (who, point) = match entry.fact {
            Fact::Read { worker, .. } => (worker, Point::Read),
            Fact::Checked { worker, .. } | Fact::EffectChecked { worker, .. } => (worker, Point::Check),
            Fact::Sent { message: Message::Request(Request { worker, call, .. }) } => match call {
                Call::Mint { .. } | Call::Acquire { .. } | Call::Renew { .. } => continue,
                Call::LookUp { of: Sought::Write, .. } => (worker, Point::LookUp),
                Call::LookUp { of: Sought::Effect | Sought::EffectAtLast, .. } => (worker, Point::EffectLookUp),
                Call::Effect { .. } => (worker, Point::Effect),
                Call::Register { .. } => (worker, Point::Register),
                Call::Write { .. } => (worker, Point::Publish),
                Call::Release { .. } => (worker, Point::Release),
            },
            _ => continue,
        };
        if who == worker {
            passed.push(Passed { at: entry.at, point, label: teller.narrator.fact(index), fact: teller.fact(index) });
        }
    }
    passed
}

/// Beliefs of the other rows that outlast those of the row `main`, or that it does not have.
fn elsewhere(tellers: &[Teller<'_>], main: usize, worker: WorkerId, first: &[Belief]) -> Vec<Elsewhere> {
    let mut found: Vec<Elsewhere> = Vec::new();
    for teller in tellers.iter().filter(|teller| teller.row != main) {
        for belief in beliefs(teller, worker) {
            let same = first.iter().find(|known| known.from <= belief.to && belief.from <= known.to);
            let from = same.map_or(belief.from, |same| same.to.max(belief.from));
            if from >= belief.to {
                continue;
            }
            match found.iter_mut().find(|known| known.from == from && known.to == belief.to) {
                Some(known) => known.rows.push(teller.row),
                None => {
                    let label = format!(
                        "In {}, {} believes until {} that it owns the lock.",
                        teller.run.name,
                        teller.name(worker),
                        span(belief.to.since(Instant::START))
                    );
                    found.push(Elsewhere { from, to: belief.to, rows: vec![teller.row], label });
                }
            }
        }
    }
    found
}

/// Where two or more believe at once.
pub(super) fn bands(teller: &Teller<'_>, workers: &[WorkerLane]) -> Vec<Band> {
    let beliefs: Vec<&Belief> = workers.iter().flat_map(|lane| &lane.beliefs).collect();
    let mut edges: Vec<Instant> = Vec::new();
    for belief in &beliefs {
        for at in [belief.from, belief.to] {
            if let Err(place) = edges.binary_search(&at) {
                edges.insert(place, at);
            }
        }
    }
    let mut bands: Vec<Band> = Vec::new();
    for pair in edges.windows(2) {
        let &[from, to] = pair else { continue };
        // The fact with which the last of them began to believe.
        let (mut believers, mut fact) = (0, teller.fact(0));
        for belief in &beliefs {
            if belief.from <= from && to <= belief.to {
                believers += 1;
                fact.fact = fact.fact.max(belief.fact.fact);
            }
        }
        match bands.last_mut() {
            _ if believers < 2 => {}
            Some(last) if last.to == from && last.believers == believers => last.to = to,
            _ => bands.push(Band { from, to, believers, label: String::new(), fact }),
        }
    }
    for band in &mut bands {
        let number = if band.believers == 2 { "Two" } else { "Three" };
        band.label =
            format!("{number} believe at once that they own the lock, for {}.", span(band.to.since(band.from)));
    }
    bands
}

/// From the end of each lease that expired until the next owner knows of its grant.
pub(super) fn handovers(teller: &Teller<'_>) -> Vec<Bracket> {
    let facts = &teller.run.facts;
    let mut brackets = Vec::new();
    for (index, entry) in facts.iter().enumerate() {
        let Fact::LeaseExpired { claim } = entry.fact else { continue };
        let next = facts[index..].iter().find_map(|entry| match entry.fact {
            Fact::Acquired { worker, claim: next } if next.grant > claim.grant => Some((worker, entry.at)),
            _ => None,
        });
        let Some((worker, acquired)) = next else { continue };
        let asked = facts[..].iter().rev().find_map(|sent| match sent.fact {
            Fact::Sent { message: Message::Request(Request { worker: who, call: Call::Acquire { .. }, .. }) }
                if who == worker && sent.at <= acquired =>
            {
                Some(sent.at)
            }
            _ => None,
        });
        let detected = asked.map_or(entry.at, |at| at.max(entry.at));
        let mut parts = vec![("detection", detected), ("communication", acquired)];
        if detected == entry.at {
            parts.remove(0);
        }
        let label = format!(
            "{} after the lease under epoch {} has ended, {} learns that the lock is its own.",
            span(acquired.since(entry.at)),
            claim.epoch,
            teller.name(worker)
        );
        brackets.push(Bracket { from: entry.at, parts, label, fact: teller.fact(index) });
    }
    brackets
}
