//! Any scenario that the language can express.

use std::sync::OnceLock;

use fencepost_core::destination::Stage;
use fencepost_core::epoch::MAX_TOKENS;
use fencepost_core::id::{GrantId, MAX_ATTEMPTS, MAX_GRANTS, MAX_OPERATIONS, MAX_RENEWALS, MAX_WORKERS, WorkerId};
use fencepost_core::invariant::Invariant;
use fencepost_core::mechanism::{
    Asks, Atomicity, EffectOutcome, Key, Mechanism, NoReply, OnConflict, OnLoss, OperationIds, Renewal, Replicas,
    Sharing, Storage, Switch, Through, TokenKind,
};
use fencepost_core::observation::Situation;
use fencepost_core::program::Point;
use fencepost_core::replication::Replica;
use fencepost_core::scenario::{
    Bounds, CORPUS, CallKind, ClockOf, DestinationWhen, Expectation, Expected, Fault, Leg, MAX_BUDGET,
    MAX_EXPECTATIONS, MAX_FAULTS, MAX_NAME, MAX_OCCURRENCE, MAX_PARAMETERS, MAX_ROWS, MessagePattern, Occasion,
    Parameter, Partner, Pause, Quantity, Retry, Row, Scenario, Side, Start, When, Worker, WriteStep, parse,
};
use fencepost_core::system::Budget;
use fencepost_core::time::{Clock, Duration};

use super::Draw;

/// Names that mean something elsewhere in the language.
const NAMES: [&str; 16] = [
    "A",
    "at",
    "of",
    "all",
    "by",
    "to",
    "in",
    "on",
    "reply",
    "operation",
    "clock",
    "start",
    "faults",
    "replication",
    "before",
    "s",
];

/// Any scenario: every statement, switch, fault and bound may stand in it, with any value that it may have.
pub fn any(draw: &mut Draw<'_>) -> Scenario {
    // What a scenario says that says nothing.
    let scenario = parse("scenario drawn\nworkers A\nlease 10s\n").expect("it is the least scenario");
    let mut any = Any { draw, scenario };
    any.workers();
    any.rows();
    any.statements();
    any.faults();
    any.expectations();
    any.scenario.bounds = any.bounds();
    any.scenario
}

struct Any<'d, 'b> {
    draw: &'d mut Draw<'b>,
    scenario: Scenario,
}

impl Any<'_, '_> {
    fn some_row(&self, has: impl Fn(&Mechanism) -> bool) -> bool {
        self.scenario.rows.iter().any(|row| has(&row.mechanism))
    }

    /// A name that none of `others` has.
    fn name(&mut self, others: usize, reserved: &[&str]) -> String {
        let name = self.draw.one_of(&NAMES);
        let is_free = others == 0 && !reserved.contains(&name);
        match self.draw.below(4) {
            // The longest that there is.
            3 => format!("n{others}-{}", "x".repeat(MAX_NAME - 3)),
            _ if is_free => name.to_owned(),
            _ => format!("{name}-{others}"),
        }
    }

    /// A length of time from `least` on.
    fn duration(&mut self, least: Duration) -> Duration {
        let units = [1_000_000, 1, 1_000, 500_000, 60_000_000, 3_600_000_000];
        let micros = match self.draw.below(8) {
            // Any number of microseconds, and the ends.
            7 => self.draw.any() % (Duration::MAX.micros() + 1),
            6 => self.draw.one_of(&[Duration::MAX.micros(), Duration::MAX.micros() - 1, 1, 0]),
            _ => self.draw.below(40) as u64 * self.draw.one_of(&units),
        };
        Duration::from_micros(micros).max(least)
    }

    /// A length of time in place, or a parameter: a new one or one that there is.
    fn quantity(&mut self, least: Duration) -> Quantity {
        let parameters = &self.scenario.parameters;
        let fits = |parameter: &Parameter| parameter.range.map_or(parameter.value, |(low, _)| low) >= least;
        let known: Vec<usize> = (0..parameters.len()).filter(|&index| fits(&parameters[index])).collect();
        let count = parameters.len();
        match self.draw.below(6) {
            4 if !known.is_empty() => Quantity::Parameter(self.draw.one_of(&known)),
            5 if count < MAX_PARAMETERS => {
                let name = self.name(count, &[]).to_lowercase();
                let value = self.duration(least);
                let range = self.draw.often().then(|| {
                    let one = self.duration(least);
                    let other = self.duration(least);
                    (one.min(other).min(value), one.max(other).max(value))
                });
                let range = range.filter(|(low, high)| low < high);
                self.scenario.parameters.push(Parameter { name, value, range });
                Quantity::Parameter(count)
            }
            _ => Quantity::Fixed(self.duration(least)),
        }
    }

    fn length(&mut self) -> Quantity {
        self.quantity(Duration::ZERO)
    }

    /// A length that cannot be nothing.
    fn positive(&mut self) -> Quantity {
        self.quantity(Duration::from_micros(1))
    }

    fn clock(&mut self) -> Clock {
        if !self.draw.seldom() {
            return Clock::TRUE;
        }
        let offset = self.duration(Duration::ZERO).micros() as i64 * self.draw.one_of(&[1, -1]);
        let most = Clock::MAX_RATE_PPM;
        let rate_ppm = match self.draw.below(4) {
            0 => 0,
            1 => most,
            2 => -most,
            _ => self.draw.below(2 * most as usize + 1) as i32 - most,
        };
        Clock { offset, rate_ppm }
    }

    fn workers(&mut self) {
        let count = usize::from(self.draw.one_to(MAX_WORKERS));
        self.scenario.workers.clear();
        for index in 0..count {
            let start = match self.draw.below(4) {
                3 if index > 0 => Start::OnExpiry,
                _ => Start::At(self.length()),
            };
            let worker = Worker {
                name: self.name(index, &[]),
                compute: self.length(),
                operations: self.draw.one_to(MAX_OPERATIONS),
                start,
                clock: self.clock(),
            };
            self.scenario.workers.push(worker);
        }
        // One starts at a time, whichever.
        let first = self.draw.below(count);
        self.scenario.workers.swap(0, first);
    }

    fn rows(&mut self) {
        let count = if self.draw.often() { 1 } else { usize::from(self.draw.one_to(MAX_ROWS)) };
        self.scenario.rows.clear();
        for index in 0..count {
            let name = if count == 1 && self.draw.often() { "run".to_owned() } else { self.name(index, &["all"]) };
            let mechanism = self.mechanism();
            self.scenario.rows.push(Row { name, mechanism });
        }
    }

    /// A mechanism that makes sense: anything, or something near one that somebody has thought of.
    fn mechanism(&mut self) -> Mechanism {
        static KNOWN: OnceLock<Vec<Mechanism>> = OnceLock::new();
        let known = KNOWN.get_or_init(|| {
            let scenarios = CORPUS.iter().filter_map(|entry| parse(entry.text).ok());
            scenarios.flat_map(|scenario| scenario.rows.into_iter().map(|row| row.mechanism)).collect()
        });
        let mut mechanism = Mechanism::UNGUARDED;
        let mut changes = self.draw.below(12);
        if self.draw.often() {
            mechanism = self.draw.one_of(known);
            changes /= 3;
        }
        for _ in 0..changes {
            let switch = self.draw.one_of(Switch::ALL);
            mechanism.set(switch, self.draw.below(switch.words().len()));
        }
        while let Some((switch, _)) = mechanism.unmet() {
            mechanism.set(switch, 0);
        }
        mechanism
    }

    fn statements(&mut self) {
        let scenario = &mut self.scenario;
        scenario.name = self.draw.one_of(&["drawn", "0", "7-drawn", "scenario", "workers"]).to_owned();
        let lines = ["A comment.", "", " Indented, with a # in it.", "Source: https://example.org", "#", "Größe 🔒"];
        scenario.comment = (0..self.draw.below(4)).map(|_| self.draw.one_of(&lines).to_owned()).collect();
        scenario.result = self.draw.one_of(&["write", "report", "result", "x-2"]).to_owned();
        scenario.sharing = self.draw.one_of(&[Sharing::Own, Sharing::Shared]);
        let most = u64::MAX - MAX_TOKENS as u64;
        let epochs = [1, 0, 2, 9, 99, 33, most, most - 1, u64::from(u32::MAX), 1 << 53];
        scenario.first_epoch = self.draw.one_of(&epochs);
        let first = scenario.first_epoch;
        if self.some_row(|mechanism| mechanism.token == TokenKind::Wrapping) {
            let last = first.saturating_add(self.draw.below(20) as u64).min(most);
            self.scenario.last_epoch = Some(if self.draw.seldom() { most } else { last });
        }
        self.scenario.lease = self.positive();
        if self.draw.often() {
            self.scenario.latency = self.length();
        }
        if self.draw.often() {
            self.scenario.retry =
                Retry { after: self.positive(), attempts: self.draw.one_to(usize::from(MAX_ATTEMPTS)) };
        }
        if self.some_row(|mechanism| mechanism.renewal != Renewal::Off) && self.draw.often() {
            self.scenario.renew_every = Some(self.positive());
        }
        if self.some_row(Mechanism::consults_owners_clock) && self.draw.often() {
            self.scenario.margin = self.length();
        }
        if self.some_row(Mechanism::polls) && self.draw.often() {
            self.scenario.poll_every = self.positive();
            if self.draw.often() {
                self.scenario.poll_jitter = self.length();
            }
        }
        if self.some_row(|mechanism| mechanism.token == TokenKind::Random) || self.scenario.has_jitter() {
            self.scenario.seed = self.draw.often().then(|| self.draw.one_of(&[7, 0, u64::MAX, first]));
        }
        if self.some_row(|mechanism| mechanism.on_loss == OnLoss::Slow) && self.draw.often() {
            self.scenario.stop_after = self.length();
        }
        let replicas =
            |mechanism: &Mechanism| mechanism.replicas != Replicas::One || mechanism.asks == Asks::LockReplica;
        if self.some_row(replicas) && self.draw.often() {
            self.scenario.replicate_after = self.length();
        }
        if self.some_row(|mechanism| mechanism.through == Through::Outbox) && self.draw.often() {
            self.scenario.relay_after = self.length();
        }
        self.scenario.lock_clock = self.clock();
        self.scenario.destination_clock = self.clock();
        self.scenario.stop_at = self.draw.seldom().then(|| self.draw.one_of(Invariant::ALL));
    }

    fn faults(&mut self) {
        let count = if self.draw.seldom() { MAX_FAULTS } else { 4 };
        for _ in 0..self.draw.below(count + 1) {
            let parameters = self.scenario.parameters.len();
            let fault = self.fault().filter(|&fault| self.scenario.faults.iter().all(|&other| !meet(fault, other)));
            match fault {
                Some(fault) => self.scenario.faults.push(fault),
                // Every parameter is used.
                None => self.scenario.parameters.truncate(parameters),
            }
        }
    }

    /// Some fault, unless no row has what it befalls.
    fn fault(&mut self) -> Option<Fault> {
        let worker = WorkerId(self.draw.below(self.scenario.workers.len()) as u8);
        let fault = match self.draw.below(16) {
            0 | 1 => Fault::Pause {
                kind: self.draw.one_of(&[Pause::Freeze, Pause::Suspend, Pause::Stick]),
                worker,
                length: self.length(),
                from: self.when(worker),
            },
            2 => Fault::Crash { worker, down: self.length(), from: self.when(worker) },
            3 => Fault::Lose(self.message(worker)),
            4 => Fault::Delay { message: self.message(worker), by: self.length() },
            5 => Fault::Duplicate { message: self.message(worker), by: self.length() },
            6 => Fault::Cut {
                worker,
                from: self.draw.one_of(&[Partner::LockService, Partner::Destination]),
                at: self.length(),
                length: self.length(),
            },
            7 => Fault::SetClock {
                of: self.draw.one_of(&[ClockOf::Worker(worker), ClockOf::LockService, ClockOf::Destination]),
                by: self.length(),
                back: self.draw.below(2) == 1,
                at: self.length(),
            },
            8 => Fault::CrashLockService { at: self.length() },
            9 => Fault::CrashDestination { from: DestinationWhen::Time(self.length()) },
            10 => Fault::CrashDestination { from: DestinationWhen::Step(self.write_step(worker)?) },
            11 => Fault::HoldWrite { length: self.length(), step: self.write_step(worker)? },
            12 => {
                let to = self.draw.one_of(&Replica::ALL);
                if !self.some_row(|mechanism| to.is_part_of(mechanism)) {
                    return None;
                }
                Fault::DelayReplication { to, occurrence: self.occurrence(), by: self.length() }
            }
            13 if self.some_row(|mechanism| mechanism.storage != Storage::Durable) => {
                Fault::Forget { grant: self.grant(), at: self.length() }
            }
            14 if self.some_row(|mechanism| mechanism.key == Key::Pruned) => {
                Fault::Prune { worker, operation: self.operation(worker), at: self.length() }
            }
            _ => return None,
        };
        Some(fault)
    }

    fn operation(&mut self, worker: WorkerId) -> u8 {
        let operations = self.scenario.workers[worker.index()].operations;
        self.draw.one_to(operations.into())
    }

    fn grant(&mut self) -> GrantId {
        GrantId(self.draw.below(MAX_GRANTS) as u8)
    }

    fn occurrence(&mut self) -> u8 {
        match self.draw.below(4) {
            3 => self.draw.one_to(MAX_OCCURRENCE.into()),
            few => few as u8 + 1,
        }
    }

    /// Which of several, told apart by what may stand there.
    fn occasion(&mut self, worker: WorkerId, operation: bool, attempt: bool, grant: bool) -> Occasion {
        let attempts = self.scenario.retry.attempts;
        Occasion {
            operation: if operation { self.operation(worker) } else { 1 },
            attempt: if attempt { self.draw.one_to(attempts.into()) } else { 1 },
            grant: (grant && self.draw.seldom()).then(|| self.grant()),
            occurrence: if self.draw.seldom() { self.occurrence() } else { 1 },
        }
    }

    fn when(&mut self, worker: WorkerId) -> When {
        let side = self.draw.one_of(&[Side::Before, Side::After]);
        let points: Vec<Point> = Point::ALL.into_iter().filter(|&point| self.has(point)).collect();
        if self.draw.seldom() {
            return When::Time(self.length());
        }
        let point = self.draw.one_of(&points);
        let redoes = self.some_row(|mechanism| mechanism.on_conflict == OnConflict::Redo);
        let (operation, attempt, grant) = match point {
            Point::Mint | Point::Acquire => (false, true, false),
            Point::Register => (false, true, true),
            Point::Release => (false, false, true),
            Point::Read | Point::Compute => (true, redoes, true),
            Point::Check | Point::EffectLookUp | Point::Effect | Point::Publish | Point::LookUp => (true, true, true),
        };
        When::Point { side, point, occasion: self.occasion(worker, operation, attempt, grant) }
    }

    /// Whether the program of some row has this point.
    fn has(&self, point: Point) -> bool {
        self.some_row(|mechanism| {
            let program = mechanism.program();
            match point {
                Point::Mint => program.mints,
                Point::Register => program.registers,
                Point::Check => program.checks || program.checks_effect,
                Point::EffectLookUp => mechanism.effect_outcome == EffectOutcome::LookedUp,
                Point::Effect => program.effect,
                Point::LookUp => mechanism.no_reply == NoReply::LookUp,
                Point::Acquire | Point::Read | Point::Compute | Point::Publish | Point::Release => true,
            }
        })
    }

    fn message(&mut self, worker: WorkerId) -> MessagePattern {
        let sent = |call: &CallKind| match call {
            CallKind::Mint => self.has(Point::Mint),
            CallKind::Renew => self.some_row(|mechanism| mechanism.renewal != Renewal::Off),
            CallKind::Register => self.has(Point::Register),
            CallKind::LookUp => self.has(Point::LookUp),
            CallKind::EffectLookUp => self.has(Point::EffectLookUp),
            CallKind::Effect => self.has(Point::Effect),
            CallKind::Acquire | CallKind::Write | CallKind::Release => true,
        };
        let calls: Vec<CallKind> = CallKind::ALL.into_iter().filter(sent).collect();
        let call = self.draw.one_of(&calls);
        let (operation, attempt, grant) = match call {
            CallKind::Mint | CallKind::Acquire => (false, true, false),
            CallKind::Register => (false, true, true),
            CallKind::Renew | CallKind::Release => (false, false, true),
            CallKind::Write | CallKind::LookUp | CallKind::EffectLookUp | CallKind::Effect => (true, true, true),
        };
        let leg = self.draw.one_of(&[Leg::Request, Leg::Reply]);
        MessagePattern { worker, call, leg, occasion: self.occasion(worker, operation, attempt, grant) }
    }

    fn write_step(&mut self, worker: WorkerId) -> Option<WriteStep> {
        let splits = self.some_row(|mechanism| mechanism.transaction == Atomicity::Split);
        let records = splits || self.some_row(|mechanism| mechanism.operation_ids == OperationIds::AfterTransaction);
        let mut stages = Vec::new();
        stages.extend(splits.then_some(Stage::Apply));
        stages.extend(records.then_some(Stage::Record));
        if stages.is_empty() {
            return None;
        }
        Some(WriteStep { stage: self.draw.one_of(&stages), worker, occasion: self.occasion(worker, true, true, true) })
    }

    fn expectations(&mut self) {
        let count = if self.draw.seldom() { MAX_EXPECTATIONS } else { 4 };
        for _ in 0..self.draw.below(count + 1) {
            let row = if self.draw.often() { Some(self.draw.below(self.scenario.rows.len())) } else { None };
            let invariant = self.draw.one_of(Invariant::ALL);
            let situation = self.draw.one_of(&Situation::ALL);
            let outcome = self.draw.one_of(&[
                Expected::Holds(invariant),
                Expected::Spared(invariant),
                Expected::Violated(invariant),
                Expected::Sometimes(situation),
                Expected::Never(situation),
            ]);
            let contradicts = |other: &Expectation| {
                let meets = other.row == row || other.row.is_none() || row.is_none();
                let repeats = other.row != row && other.outcome == outcome;
                meets && !repeats && is_of_the_same(other.outcome, outcome)
            };
            if !self.scenario.expectations.iter().any(contradicts) {
                self.scenario.expectations.push(Expectation { row, outcome, line: 0 });
            }
        }
    }

    fn bounds(&mut self) -> Bounds {
        let scenario = &self.scenario;
        let workers = scenario.workers.len() as u8;
        let renews = self.some_row(|mechanism| mechanism.renewal != Renewal::Off);
        let forgets = self.some_row(|mechanism| mechanism.storage != Storage::Durable);
        let prunes = self.some_row(|mechanism| mechanism.key == Key::Pruned);
        let retries = scenario.retry.attempts > 1;
        // As they are where no line says anything.
        let mut bounds = Bounds {
            workers,
            grants: workers,
            operations: scenario.workers.iter().map(|worker| worker.operations).max().unwrap_or(1),
            budget: Budget { retries: retries.into(), renewals: renews.into(), ..Budget::default() },
        };
        let most = usize::from(MAX_BUDGET);
        let draw = &mut *self.draw;
        if draw.often() {
            bounds.workers = draw.one_to(workers.into());
            bounds.grants = draw.one_to(MAX_GRANTS);
            bounds.operations = draw.one_to(MAX_OPERATIONS);
        }
        if draw.often() {
            bounds.budget = Budget {
                retries: if retries { draw.up_to(most) } else { 0 },
                losses: draw.up_to(most),
                duplicates: draw.up_to(most),
                crashes: draw.up_to(most),
                failovers: if forgets { draw.up_to(most) } else { 0 },
                suspends: draw.up_to(most),
                skews: draw.up_to(most),
                renewals: if renews { draw.up_to(MAX_RENEWALS.into()) } else { 0 },
                prunes: if prunes { draw.up_to(most) } else { 0 },
            };
        }
        bounds
    }
}

/// Whether two faults befall the same thing in the same place, of which a scenario has only one.
fn meet(one: Fault, other: Fault) -> bool {
    let message = |fault| match fault {
        Fault::Lose(message) | Fault::Delay { message, .. } | Fault::Duplicate { message, .. } => Some(message),
        _ => None,
    };
    let of_worker = |fault| match fault {
        Fault::Pause { worker, from, .. } | Fault::Crash { worker, from, .. } => Some((worker, from)),
        _ => None,
    };
    let of_destination = |fault| match fault {
        Fault::HoldWrite { step, .. } => Some(DestinationWhen::Step(step)),
        Fault::CrashDestination { from } => Some(from),
        _ => None,
    };
    let same = |one: bool, equal: bool| one && equal;
    same(message(one).is_some(), message(one) == message(other))
        || same(of_worker(one).is_some(), of_worker(one) == of_worker(other))
        || same(of_destination(one).is_some(), of_destination(one) == of_destination(other))
        || match (one, other) {
            (Fault::CrashLockService { at }, Fault::CrashLockService { at: then })
            | (Fault::Forget { at, .. }, Fault::Forget { at: then, .. }) => at == then,
            (Fault::Cut { worker, from, at, .. }, Fault::Cut { worker: other, from: partner, at: then, .. }) => {
                (worker, from, at) == (other, partner, then)
            }
            (Fault::SetClock { of, at, .. }, Fault::SetClock { of: other, at: then, .. }) => (of, at) == (other, then),
            (
                Fault::DelayReplication { to, occurrence, .. },
                Fault::DelayReplication { to: other, occurrence: time, .. },
            ) => (to, occurrence) == (other, time),
            (Fault::Prune { .. }, Fault::Prune { .. }) => one == other,
            _ => false,
        }
}

/// Whether two expectations are about the same invariant or the same situation.
fn is_of_the_same(one: Expected, other: Expected) -> bool {
    let invariant = |expected| match expected {
        Expected::Holds(invariant) | Expected::Spared(invariant) | Expected::Violated(invariant) => Some(invariant),
        Expected::Sometimes(_) | Expected::Never(_) => None,
    };
    let situation = |expected| match expected {
        Expected::Sometimes(situation) | Expected::Never(situation) => Some(situation),
        Expected::Holds(_) | Expected::Spared(_) | Expected::Violated(_) => None,
    };
    (invariant(one).is_some() && invariant(one) == invariant(other))
        || (situation(one).is_some() && situation(one) == situation(other))
}
