//! When each choice of a path is made: at its earliest, in the order of the path.

use super::history::{History, Turn};
use crate::event::{Event, Process};
use crate::id::{GrantId, Term};
use crate::mechanism::{CountedFrom, Renewal};
use crate::replication::Replica;
use crate::scenario::Scenario;
use crate::simulate::{self, Asked, Counted};
use crate::time::{Duration, Instant};

/// How far apart two choices are that do not follow from one another: enough to be seen.
const GAP: Duration = Duration::from_millis(10);
/// How often a schedule is tried with a longer lease, a later grant, or a destination's clock further ahead.
const MAX_ROUNDS: usize = 100;

/// When each choice is made, and the durations that make this possible.
#[derive(Debug)]
pub(super) struct Schedule<'a> {
    scenario: &'a Scenario,
    pub(super) at: Vec<Instant>,
    pub(super) lease: Duration,
    /// How far the destination's clock has to be ahead, for its deadlines to pass before leases end.
    pub(super) destination_ahead: Duration,
    pub(super) renew_every: Option<Duration>,
    replicate_after: Duration,
    pub(super) relay_after: Duration,
}

impl<'a> Schedule<'a> {
    pub(super) fn of(scenario: &'a Scenario, history: &History) -> Self {
        let mut schedule = Schedule {
            scenario,
            at: Vec::new(),
            lease: scenario.duration(scenario.lease),
            destination_ahead: Duration::ZERO,
            renew_every: None,
            replicate_after: scenario.duration(scenario.replicate_after),
            relay_after: scenario.duration(scenario.relay_after),
        };
        // Not before these times, by index.
        let mut not_before = vec![Instant::START; history.path.len()];
        let mut lengthened = vec![false; history.path.len()];
        let mut lengthened_at_end = false;
        for _ in 0..MAX_ROUNDS {
            schedule.at = schedule.earliest(history, &not_before);
            if schedule.lengthens_relay(history) {
                continue;
            }
            if let Some((asked, late)) = schedule.outlived_locally(history) {
                not_before[asked] = schedule.at[asked] + late;
                continue;
            }
            let Some((index, late)) = schedule.late(history) else { break };
            match history.path.get(index) {
                Some(Event::Expire { grant }) if schedule.deadline_is_close(history, index, *grant) => {
                    schedule.destination_ahead = schedule.destination_ahead + late;
                }
                Some(Event::Expire { grant }) if lengthened[index] => {
                    let term = history.states[index].term();
                    if let Some(begun) = schedule.begun(history, *grant, term) {
                        not_before[begun] = schedule.at[begun] + late;
                    }
                }
                Some(Event::Relay { .. }) => schedule.relay_after = schedule.relay_after + late,
                None if schedule.outlived(history) => {
                    schedule.destination_ahead = schedule.destination_ahead + late;
                }
                None if lengthened_at_end => {
                    if let Some(begun) = history.live().and_then(|(grant, term)| schedule.begun(history, grant, term)) {
                        not_before[begun] = schedule.at[begun] + late;
                    }
                }
                _ => {
                    lengthened_at_end |= index == history.path.len();
                    schedule.lease = schedule.lease + late;
                    if let Some(lengthened) = lengthened.get_mut(index) {
                        *lengthened = true;
                    }
                }
            }
        }
        schedule.find_periods(history);
        schedule
    }

    fn earliest(&self, history: &History, not_before: &[Instant]) -> Vec<Instant> {
        let scenario = self.scenario;
        let latency = scenario.duration(scenario.latency);
        let mut at: Vec<Instant> = Vec::new();
        for (index, &event) in history.path.iter().enumerate() {
            let previous = index.checked_sub(1).map(|before| at[before]);
            let gap = if self.follows_at_once(history, index) { Duration::ZERO } else { GAP };
            let ordered = previous.map_or(Instant::START, |previous| previous + gap);
            let sent_at = |sent: usize| at.get(sent).copied().unwrap_or(Instant::START);
            let caused = match event {
                Event::Step { worker } => history
                    .turns
                    .iter()
                    .find(|turn| turn.worker == worker && turn.to == Some(index) && turn.stepped)
                    .and_then(|turn| turn.from.map(|from| sent_at(from) + self.before(turn))),
                Event::Deliver { .. } | Event::Lose { .. } => history
                    .flights
                    .iter()
                    .find(|flight| flight.ended == Some(index))
                    .map(|flight| sent_at(flight.sent) + latency),
                Event::TimeOut { worker } => history
                    .waits
                    .iter()
                    .find(|wait| wait.request.worker == worker && wait.to == Some(index))
                    .map(|wait| sent_at(wait.from) + scenario.duration(scenario.retry.after)),
                Event::Expire { .. }
                | Event::PassLocalDeadline { .. }
                | Event::PassDeadline { .. }
                | Event::CatchUp
                | Event::Merge { .. }
                | Event::Relay { .. } => self.due(history, index, &at),
                _ => None,
            };
            at.push([Some(ordered), caused, Some(not_before[index])].into_iter().flatten().max().unwrap_or(ordered));
        }
        at
    }

    /// When a clock brings choice `index` about, if that is not for anybody to choose.
    fn due(&self, history: &History, index: usize, at: &[Instant]) -> Option<Instant> {
        let time = |index: usize| at.get(index).copied();
        match history.path[index] {
            Event::Expire { grant } => self.ends(history, grant, history.states[index].term(), at),
            Event::PassDeadline { grant } => {
                let term = Term(history.states[index].ended_there(grant));
                let due = self.ends(history, grant, term, at)?;
                Some(Instant::from_micros(due.micros().saturating_sub(self.destination_ahead.micros())))
            }
            Event::PassLocalDeadline { grant } => {
                self.ends_locally(history, grant, Term(history.states[index].ended_locally(grant)), at)
            }
            Event::CatchUp | Event::Merge { .. } => Some(time(history.news(index)?.from)? + self.replicate_after),
            Event::Relay { .. } => Some(time(history.relayed_from(index)?)? + self.relay_after),
            _ => None,
        }
    }

    /// Lengthens what the relay takes, if it would come to something that it does not come to in the path.
    fn lengthens_relay(&mut self, history: &History) -> bool {
        let Some(&end) = self.at.last() else { return false };
        let longest = history.left_to_the_relay().into_iter().map(|from| end.since(self.at[from]) + GAP).max();
        match longest {
            Some(needed) if self.relay_after < needed => {
                self.relay_after = needed;
                true
            }
            _ => false,
        }
    }

    /// When a term of a lease is over by the clock that it ends by.
    fn ends(&self, history: &History, grant: GrantId, term: Term, at: &[Instant]) -> Option<Instant> {
        let time = |index: usize| at.get(index).copied();
        let held = history.held(grant, term)?;
        let (now, owner) = (time(held)?, history.owner(grant, held));
        let mechanism = &history.config.mechanism;
        let asked = history.last_asked(owner, held).filter(|_| term == Term::FIRST);
        let begins = match asked {
            Some((asked, turn)) => {
                let sent = time(asked)?;
                let asked = Asked { sent, arrived: self.came_to(history, turn, at).unwrap_or(sent) };
                Counted::by(mechanism).since(asked, self.waited(history, grant, term, at), now)
            }
            None => now,
        };
        Some(simulate::ends(self.scenario, mechanism, owner, begins, self.lease).max(now))
    }

    /// The choice that a term of a lease begins with: the later that is, the later the lease ends.
    fn begun(&self, history: &History, grant: GrantId, term: Term) -> Option<usize> {
        let held = history.held(grant, term)?;
        let owner = history.owner(grant, held);
        match Counted::by(&history.config.mechanism) {
            _ if term != Term::FIRST => Some(held),
            Counted::TurnOfRequest | Counted::TurnOfAsking if history.queued(owner, held).is_some() => Some(held),
            Counted::Request | Counted::TurnOfRequest => history.last_asked(owner, held).map(|(asked, _)| asked),
            Counted::TurnOfAsking => history.last_asked(owner, held).map(|(asked, turn)| turn.from.unwrap_or(asked)),
            Counted::Grant => Some(held),
        }
    }

    /// When a worker has come to a step that it takes later. One that begins, or begins anew, comes to it then.
    fn came_to(&self, history: &History, turn: &Turn, at: &[Instant]) -> Option<Instant> {
        let from = turn.from?;
        if matches!(history.path[from], Event::Crash { process: Process::Worker { worker } } if worker == turn.worker) {
            return None;
        }
        Some(*at.get(from)? + self.before(turn))
    }

    /// What a worker has to do in a turn before it comes to its step.
    pub(super) fn before(&self, turn: &Turn) -> Duration {
        let scenario = self.scenario;
        let computing = scenario.duration(scenario.workers[turn.worker.index()].compute);
        let polling = scenario.duration(scenario.poll_every);
        let takes = [(turn.computes, computing), (turn.polls, polling)];
        takes.into_iter().filter(|(does, _)| *does).fold(Duration::ZERO, |sum, (_, length)| sum + length)
    }

    /// When a term of a lease is over by its owner's clock.
    fn ends_locally(&self, history: &History, grant: GrantId, term: Term, at: &[Instant]) -> Option<Instant> {
        let time = |index: usize| at.get(index).copied();
        let owner = history.owner(grant, history.held(grant, term)?);
        let from = match history.config.mechanism.counted_from {
            CountedFrom::Request => time(history.asked(grant, term)?)? + self.waited(history, grant, term, at),
            CountedFrom::Reply => time(history.heard(grant, term)?)?,
        };
        let clock = self.scenario.workers[owner.index()].clock;
        Some(clock.when(clock.read(owner, from) + self.lease))
    }

    /// How long a request stood in the issuer's queue before it was granted.
    fn waited(&self, history: &History, grant: GrantId, term: Term, at: &[Instant]) -> Duration {
        let queued = || {
            let held = history.held(grant, term).filter(|_| term == Term::FIRST)?;
            let queued = history.queued(history.owner(grant, held), held)?;
            Some(at.get(held)?.since(*at.get(queued)?))
        };
        queued().unwrap_or(Duration::ZERO)
    }

    /// The first choice that is later than a clock allows for, and by how much; beyond the path stands a lease that would
    /// have ended before its end.
    fn late(&self, history: &History) -> Option<(usize, Duration)> {
        for index in 0..history.path.len() {
            // A replica that would hear of something too soon is kept waiting for that alone.
            if Replica::brought_up_by(history.path[index]).is_none()
                && let Some(due) = self.due(history, index, &self.at)
                && self.at[index] > due
            {
                return Some((index, self.at[index].since(due)));
            }
        }
        let end = *self.at.last()?;
        let (grant, term) = history.live()?;
        let ends = self.ends(history, grant, term, &self.at)?;
        (ends <= end).then(|| (history.path.len(), end.since(ends) + GAP))
    }

    /// The request of a lease that would be over by its owner's clock before the end of the path, and not in the path: the
    /// first of them, and how much later it has to be.
    fn outlived_locally(&self, history: &History) -> Option<(usize, Duration)> {
        let (end, last) = (*self.at.last()?, history.states.last()?);
        (0..last.grants()).map(GrantId).find_map(|grant| {
            if !last.is_enabled(&history.config, Event::PassLocalDeadline { grant }) {
                return None;
            }
            let term = Term(last.ended_locally(grant));
            let due = self.ends_locally(history, grant, term, &self.at)?;
            let from = match history.config.mechanism.counted_from {
                CountedFrom::Request => history.asked(grant, term)?,
                CountedFrom::Reply => history.heard(grant, term)?,
            };
            (due <= end).then(|| (from, end.since(due) + GAP))
        })
    }

    /// Whether a lease that runs at the end has passed its deadline at the destination by then.
    fn outlived(&self, history: &History) -> bool {
        let live = history.states.last().and_then(|state| Some((state.live()?, state.term(), state)));
        live.is_some_and(|(grant, term, state)| state.ended_there(grant) > term.0)
    }

    /// Whether the destination's deadline of the same term is what keeps a lease from ending in time.
    fn deadline_is_close(&self, history: &History, expiry: usize, grant: GrantId) -> bool {
        let passes = |event: &Event| *event == Event::PassDeadline { grant };
        let Some(passed) = history.path[..expiry].iter().rposition(passes) else { return false };
        self.due(history, passed, &self.at) == Some(self.at[passed])
            && self.at[passed] + self.destination_ahead == self.due(history, expiry, &self.at).unwrap_or_default()
    }

    /// Whether choice `index` follows by itself from the one before it, in the same instant.
    fn follows_at_once(&self, history: &History, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else { return true };
        match history.path[index] {
            Event::Step { worker } => history.turns.iter().any(|turn| {
                turn.worker == worker && turn.to == Some(index) && turn.stepped && turn.from == Some(before)
            }),
            Event::Proceed { place } => {
                let pending = history.states[index].pending().nth(usize::from(place));
                pending.is_some_and(|pending| history.came_to(pending, index) == before)
            }
            Event::Duplicate { .. } | Event::Notice { .. } => true,
            // A clock that is off shows it in the instant in which a lease ends too early. And what is over at one instant
            // is over first by the owner's clock, then by the destination's, then truly.
            Event::Expire { .. } => matches!(
                history.path[before],
                Event::SkewClock | Event::PassLocalDeadline { .. } | Event::PassDeadline { .. }
            ),
            Event::PassDeadline { .. } | Event::PassLocalDeadline { .. } => {
                matches!(history.path[before], Event::PassLocalDeadline { .. })
            }
            Event::Crash { process: Process::Destination } => history.states[index].pending().next().is_some(),
            _ => false,
        }
    }

    /// The period of renewals that the path asks for.
    fn find_periods(&mut self, history: &History) {
        let end = self.at.last().copied().unwrap_or_default();
        let beyond = end.since(Instant::START) + Duration::from_secs(60);
        let mechanism = &history.config.mechanism;
        if mechanism.renewal != Renewal::Off {
            let renewed = history.path.iter().enumerate().find_map(|(index, event)| match *event {
                Event::Renew { worker } => {
                    let acquired =
                        (0..index).rev().find(|&before| history.states[before].worker(worker).believes().is_none())?;
                    Some(self.at[index].since(self.at[acquired]))
                }
                _ => None,
            });
            self.renew_every = Some(renewed.unwrap_or(beyond));
        }
    }
}
