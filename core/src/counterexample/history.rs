//! What a path makes happen, and what each of its choices waits for.

use crate::command::Command;
use crate::destination::Pending;
use crate::event::{Event, Process};
use crate::fact::Fact;
use crate::id::{Attempt, GrantId, MAX_OPERATION_IDS, OperationId, Term, WorkerId};
use crate::mechanism::Through;
use crate::message::{Call, Message, Request, Sought};
use crate::program::Point;
use crate::replication::Replica;
use crate::scenario::{MessagePattern, Occasion};
use crate::system::{Config, Driver, State};

/// What one choice told.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    pub(super) facts: Vec<Fact>,
    pub(super) commands: Vec<Command>,
}

impl Driver for Told {
    fn fact(&mut self, fact: Fact) {
        self.facts.push(fact);
    }
    fn command(&mut self, command: Command) {
        self.commands.push(command);
    }
}

/// A message on its way: by which choice it was sent, and by which it arrived or was lost; none if it is still under way
/// at the end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flight {
    pub(super) message: Message,
    pub(super) sent: usize,
    pub(super) ended: Option<usize>,
    pub(super) lost: bool,
    /// Whether it is the second copy of one.
    pub(super) copy: bool,
    /// Which message of its kind it is, from 1.
    pub(super) occurrence: u8,
}

/// A stretch in which a worker has a step to take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    pub(super) worker: WorkerId,
    /// The step that it comes to first. A reply may change it.
    pub(super) point: Point,
    pub(super) place: Occasion,
    /// By which choice it came to it; none for its start.
    pub(super) from: Option<usize>,
    /// Whether it computes before.
    pub(super) computes: bool,
    /// Whether it polls for the lock.
    pub(super) polls: bool,
    /// By which choice it took the step, or the turn ended otherwise.
    pub(super) to: Option<usize>,
    /// Whether that choice is its own step.
    pub(super) stepped: bool,
    /// Whether messages reach it meanwhile.
    pub(super) hears: bool,
}

/// A stretch in which a worker waits for a reply.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    pub(super) request: Request,
    pub(super) point: Point,
    pub(super) place: Occasion,
    /// By which choice it sent its request, or from which on it waits impatiently.
    pub(super) from: usize,
    pub(super) to: Option<usize>,
    pub(super) timed_out: bool,
    /// Whether it waits in the issuer's queue, so that its patience has no end.
    pub(super) patient: bool,
}

/// A change that a replica is to hear of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Replication {
    pub(super) to: Replica,
    /// By which choice it came about.
    pub(super) from: usize,
    /// Which of the changes that this replica is to hear of it is, from 1.
    pub(super) occurrence: u8,
}

/// What a path makes happen.
#[derive(Debug)]
pub(super) struct History {
    pub(super) config: Config,
    pub(super) path: Vec<Event>,
    pub(super) told: Vec<Told>,
    pub(super) states: Vec<State>,
    pub(super) flights: Vec<Flight>,
    pub(super) turns: Vec<Turn>,
    pub(super) waits: Vec<Waiting>,
    pub(super) replications: Vec<Replication>,
}

/// The same path with what is lost lost as soon as it is sent, what is doubled doubled as soon as it is sent, and clocks
/// that are off noticed as late as possible: that is when a clock brings these about, and it makes no difference to
/// anything else.
pub(super) fn in_order_of_time(config: &Config, path: &[Event]) -> Vec<Event> {
    let mut path = path.to_vec();
    for index in 0..path.len() {
        if matches!(path[index], Event::Lose { .. } | Event::Duplicate { .. }) {
            let (states, _) = replay(config, &path);
            let mut at = index;
            while at > 0 && states[at - 1].is_enabled(config, path[index]) && !is_of_this_kind(path[at - 1]) {
                at -= 1;
            }
            let moved = moved(&path, index, at);
            if is_path(config, &moved) {
                path = moved;
            }
        }
    }
    for index in (0..path.len()).rev() {
        if path[index] == Event::SkewClock
            && let Some(expiry) = path[index..].iter().position(|event| matches!(event, Event::Expire { .. }))
        {
            let moved = moved(&path, index, index + expiry - 1);
            if is_path(config, &moved) {
                path = moved;
            }
        }
    }
    path
}

/// Carries `path` out from the beginning: the state before each choice, and at the end; and what each choice told.
fn replay(config: &Config, path: &[Event]) -> (Vec<State>, Vec<Told>) {
    let mut state = State::new(config);
    let (mut states, mut told) = (vec![state], Vec::new());
    for &event in path {
        assert!(state.is_enabled(config, event), "a path is made of choices that are enabled: {event:?}");
        let mut step = Told::default();
        state.step(config, event, &mut step).expect("a path does not stop at a limit");
        states.push(state);
        told.push(step);
    }
    (states, told)
}

fn is_of_this_kind(event: Event) -> bool {
    matches!(event, Event::Lose { .. } | Event::Duplicate { .. })
}

fn moved(path: &[Event], from: usize, to: usize) -> Vec<Event> {
    let mut moved = path.to_vec();
    let event = moved.remove(from);
    moved.insert(to, event);
    moved
}

fn is_path(config: &Config, path: &[Event]) -> bool {
    let mut state = State::new(config);
    path.iter().all(|&event| state.is_enabled(config, event) && state.step(config, event, &mut Told::default()).is_ok())
}

impl History {
    pub(super) fn of(config: &Config, path: &[Event]) -> Self {
        let (states, told) = replay(config, path);
        let mut history = History {
            config: *config,
            path: path.to_vec(),
            told,
            states,
            flights: Vec::new(),
            turns: Vec::new(),
            waits: Vec::new(),
            replications: Vec::new(),
        };
        history.find_flights();
        history.find_replications();
        for worker in config.worker_ids() {
            history.find_turns(worker);
            history.find_waits(worker);
        }
        history
    }

    fn find_flights(&mut self) {
        let sharing = self.config.sharing;
        for (index, &event) in self.path.iter().enumerate() {
            match event {
                Event::Deliver { message } | Event::Lose { message } => {
                    let flight = self
                        .flights
                        .iter_mut()
                        .find(|flight| flight.message == message && flight.ended.is_none())
                        .expect("only a message under way arrives");
                    flight.ended = Some(index);
                    flight.lost = matches!(event, Event::Lose { .. });
                }
                _ => {}
            }
            for command in &self.told[index].commands {
                if let Command::Send(message) = *command {
                    let copy = matches!(event, Event::Duplicate { .. });
                    let pattern = MessagePattern::of(message, sharing);
                    let grant = message.request().call.grant();
                    let like = |flight: &&Flight| {
                        MessagePattern::of(flight.message, sharing) == pattern
                            && flight.message.request().call.grant() == grant
                    };
                    let occurrence = self.flights.iter().filter(like).count() as u8 + 1;
                    self.flights.push(Flight { message, sent: index, ended: None, lost: false, copy, occurrence });
                }
            }
        }
    }

    fn find_replications(&mut self) {
        for (from, &event) in self.path.iter().enumerate() {
            for to in Replica::ALL {
                if to.is_to_hear(&self.config, &self.states[from], event, &self.states[from + 1]) {
                    let earlier = self.replications.iter().filter(|earlier| earlier.to == to).count();
                    self.replications.push(Replication { to, from, occurrence: earlier as u8 + 1 });
                }
            }
        }
    }

    /// Where `worker` is in the state before choice `index`.
    fn place(&self, index: usize, worker: WorkerId) -> (Option<Point>, u8, Attempt, Option<GrantId>) {
        let state = self.states[index].worker(worker);
        let (operation, attempt) = state.progress();
        (state.next(), operation + 1, attempt, state.believes())
    }

    fn find_turns(&mut self, worker: WorkerId) {
        let mut from = None;
        let mut computes = false;
        let mut polls = false;
        let mut open: Option<Turn> = None;
        for index in 0..=self.path.len() {
            let (next, operation, attempt, grant) = self.place(index, worker);
            match (&mut open, next) {
                (None, Some(point)) => {
                    let like = |turn: &&Turn| {
                        turn.worker == worker
                            && turn.point == point
                            && (turn.place.operation, turn.place.attempt, turn.place.grant)
                                == (operation, attempt.0, grant)
                    };
                    let occurrence = self.turns.iter().filter(like).count() as u8 + 1;
                    let place = Occasion { operation, attempt: attempt.0, grant, occurrence };
                    open = Some(Turn {
                        worker,
                        point,
                        place,
                        from,
                        computes,
                        polls,
                        to: None,
                        stepped: false,
                        hears: false,
                    });
                }
                (Some(turn), None) => {
                    turn.to = Some(index - 1);
                    self.turns.push(*turn);
                    open = None;
                }
                (None, None) | (Some(_), Some(_)) => {}
            }
            let Some(&event) = self.path.get(index) else { break };
            computes = false;
            polls = false;
            if event == (Event::Step { worker }) {
                if let Some(mut turn) = open.take() {
                    turn.to = Some(index);
                    turn.stepped = true;
                    self.turns.push(turn);
                }
                computes = next == Some(Point::Read);
            }
            if let Event::Deliver { message: Message::Reply(reply) } = event
                && reply.request.worker == worker
            {
                if let Some(turn) = &mut open {
                    turn.hears = true;
                }
                polls = reply.answer == crate::message::Answer::Taken;
            }
            from = Some(index);
        }
        if let Some(turn) = open {
            self.turns.push(turn);
        }
    }

    fn find_waits(&mut self, worker: WorkerId) {
        let mut open: Option<Waiting> = None;
        for index in 0..=self.path.len() {
            let state = &self.states[index];
            let awaited = state.awaited(&self.config, worker);
            let patient = awaited.is_some_and(|request| state.is_queued(request));
            if open.is_some_and(|wait| Some(wait.request) != awaited || wait.patient != patient) {
                let mut wait = open.take().expect("it is there");
                let last = index - 1;
                wait.to = Some(last);
                wait.timed_out = self.path[last] == (Event::TimeOut { worker });
                self.waits.push(wait);
            }
            if open.is_none()
                && let Some(request) = awaited
            {
                let from = index.checked_sub(1).expect("a request is sent by a step");
                let (_, operation, attempt, grant) = self.place(from, worker);
                let point = point_of(request.call);
                let grant = if matches!(point, Point::Mint | Point::Acquire) { None } else { grant };
                let like = |wait: &&Waiting| {
                    wait.request.worker == worker
                        && wait.point == point
                        && (wait.place.operation, wait.place.attempt, wait.place.grant) == (operation, attempt.0, grant)
                };
                let occurrence = self.waits.iter().filter(like).count() as u8 + 1;
                let place = Occasion { operation, attempt: attempt.0, grant, occurrence };
                open = Some(Waiting { request, point, place, from, to: None, timed_out: false, patient });
            }
        }
        self.waits.extend(open);
    }

    /// By which choice a term of a lease began.
    pub(super) fn held(&self, grant: GrantId, term: Term) -> Option<usize> {
        self.told.iter().position(|told| told.commands.contains(&Command::HoldLease(grant, term)))
    }

    /// The grant and the term that run at the end, if any do.
    pub(super) fn live(&self) -> Option<(GrantId, Term)> {
        let state = self.states.last()?;
        Some((state.live()?, state.term()))
    }

    /// By which choice the request was sent that a term of a lease is counted from by its owner.
    pub(super) fn asked(&self, grant: GrantId, term: Term) -> Option<usize> {
        let held = self.held(grant, term)?;
        let granted_to = |command: &Command| match *command {
            Command::Send(Message::Reply(reply)) if reply.answer == (crate::message::Answer::Granted { grant }) => {
                Some(reply.request)
            }
            _ => None,
        };
        let request = if term == Term::FIRST {
            self.told[held].commands.iter().find_map(granted_to)?
        } else {
            let worker = self.states[held].owner(grant);
            Request { worker, attempt: Attempt::FIRST, call: Call::Renew { grant, term } }
        };
        self.flights.iter().find(|flight| flight.message == Message::Request(request)).map(|flight| flight.sent)
    }

    /// By which choice the owner heard of a term of its lease.
    pub(super) fn heard(&self, grant: GrantId, term: Term) -> Option<usize> {
        let tells = |fact: &Fact| match *fact {
            Fact::Acquired { claim, .. } => claim.grant == grant && term == Term::FIRST,
            Fact::Extended { claim, term: extended, .. } => (claim.grant, extended) == (grant, term),
            _ => false,
        };
        self.told.iter().position(|told| told.facts.iter().any(tells))
    }

    /// To whom choice `held` grants the lock.
    pub(super) fn owner(&self, grant: GrantId, held: usize) -> WorkerId {
        self.states[held + 1].owner(grant)
    }

    /// By which choice `worker` last asked for the lock before choice `held`, if it still knows of that; and from which on
    /// it could ask.
    pub(super) fn last_asked(&self, worker: WorkerId, held: usize) -> Option<(usize, &Turn)> {
        let crashes = Event::Crash { process: Process::Worker { worker } };
        let since = self.path[..held].iter().rposition(|event| *event == crashes).unwrap_or_default();
        let asks = |turn: &&Turn| turn.worker == worker && turn.stepped && turn.point == Point::Acquire;
        let asked = self.turns.iter().filter(asks).filter_map(|turn| Some((turn.to?, turn)));
        asked.filter(|(asked, _)| (since..held).contains(asked)).max_by_key(|(asked, _)| *asked)
    }

    /// From which choice on the request that is granted by choice `held` stood in the issuer's queue, if it did.
    pub(super) fn queued(&self, worker: WorkerId, held: usize) -> Option<usize> {
        let stands = |wait: &&Waiting| wait.patient && wait.request.worker == worker && wait.to == Some(held);
        self.waits.iter().find(stands).map(|wait| wait.from)
    }

    /// The first change that the replica had not heard of which choice `index` brings up to date.
    pub(super) fn news(&self, index: usize) -> Option<&Replication> {
        let event = self.path[index];
        let to = Replica::brought_up_by(event)?;
        let since = self.path[..index].iter().rposition(|earlier| *earlier == event).map_or(0, |at| at + 1);
        self.replications.iter().find(|change| change.to == to && (since..index).contains(&change.from))
    }

    /// The choice from which on the relay could make choice `index`.
    pub(super) fn relayed_from(&self, index: usize) -> Option<usize> {
        let event = self.path[index];
        // It has two things to do with each row, one after the other.
        let before = self.path[..index].iter().rposition(|earlier| *earlier == event);
        before.or_else(|| (0..index).find(|&at| self.leaves_to_the_relay(at, event)))
    }

    /// What the relay still has to do at the end of the path: from which choices on.
    pub(super) fn left_to_the_relay(&self) -> Vec<usize> {
        let mut left = Vec::new();
        if self.config.mechanism.through != Through::Outbox {
            return left;
        }
        for operation in (0..MAX_OPERATION_IDS as u8).map(OperationId) {
            let event = Event::Relay { operation };
            match self.path.iter().rposition(|earlier| *earlier == event) {
                Some(last) => {
                    let busy = self.states.last().is_some_and(|state| state.is_enabled(&self.config, event));
                    left.extend(busy.then_some(last));
                }
                None => left.extend((0..self.path.len()).find(|&at| self.leaves_to_the_relay(at, event))),
            }
        }
        left
    }

    /// Whether choice `at` leaves the row in the outbox for which `event` stands.
    fn leaves_to_the_relay(&self, at: usize, event: Event) -> bool {
        let Event::Relay { operation } = event else { return false };
        self.told[at].facts.iter().any(|fact| matches!(*fact, Fact::Applied { operation: of, .. } if of == operation))
    }

    /// By which choice a write came to the step before which it waits now.
    pub(super) fn came_to(&self, pending: Pending, before: usize) -> usize {
        (0..before)
            .rev()
            .find(|&index| self.states[index].place_of(pending.request, pending.stage).is_none())
            .unwrap_or_default()
    }
}

fn point_of(call: Call) -> Point {
    match call {
        Call::Mint { .. } => Point::Mint,
        Call::Acquire { .. } => Point::Acquire,
        Call::Renew { .. } => unreachable!("nobody waits for a renewal"),
        Call::Register { .. } => Point::Register,
        Call::Write { .. } => Point::Publish,
        Call::LookUp { of: Sought::Write, .. } => Point::LookUp,
        Call::LookUp { of: Sought::Effect | Sought::EffectAtLast, .. } => Point::EffectLookUp,
        Call::Effect { .. } => Point::Effect,
        Call::Release { .. } => Point::Release,
    }
}
