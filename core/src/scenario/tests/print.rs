//! What is printed is read again as the same scenario.

use expect_test::expect;

use super::super::parse::defaults;
use super::{CORPUS, FULL, Numbers, parsed};
use crate::destination::Stage;
use crate::id::{GrantId, MAX_ATTEMPTS, MAX_GRANTS, MAX_OPERATIONS, MAX_RENEWALS, MAX_WORKERS, WorkerId};
use crate::invariant::Invariant;
use crate::mechanism::{Mechanism, Sharing, Switch};
use crate::observation::Situation;
use crate::program::Point;
use crate::replication::Replica;
use crate::scenario::{
    Bounds, CallKind, ClockOf, DestinationWhen, Expectation, Expected, Fault, Leg, MAX_BUDGET, MAX_FAULTS,
    MessagePattern, Occasion, Parameter, Partner, Pause, Quantity, Retry, Row, Scenario, Side, Start, When, Worker,
    WriteStep, print,
};
use crate::system::Budget;
use crate::time::{Clock, Duration};

/// Prints a scenario and reads it again. Only the numbers of the lines may differ.
#[track_caller]
fn check(scenario: &Scenario) {
    let printed = print(scenario);
    let again = parsed(&printed);
    let known = scenario.clone();
    let unnumbered = |mut scenario: Scenario| {
        scenario.expectations.iter_mut().for_each(|expectation| expectation.line = 0);
        scenario
    };
    assert_eq!(unnumbered(again.clone()), unnumbered(known), "{printed}");
    assert_eq!(print(&again), printed);
}

#[test]
fn a_full_scenario_is_printed_as_people_write_it() {
    expect![[r#"
        # Everything at once.
        #
        # A second
        # paragraph.
        # Source: https://example.org/one
        # Source: https://example.org/two
        scenario everything
        workers  A standby-1
        epochs   from 33
        result   report
        let      pause = 1.5s in 0s..1m
        let      term = 10s
        lease    term
        latency  5ms
        retry    after 1s, 3 attempts
        operations shared
        work     A compute 3s operations 2
        start    standby-1 on expiry
        clock    A ahead 500ms slow 200ppm
        faults
          A freezes pause before publish of operation 2 attempt 3
          A freezes 5s at 2s
          network loses reply to write of A operation 2
          network delays register of standby-1 by pause
        operation-ids in-transaction
        compare
          default  guard registered
          other    guard max-seen, look-up after-guard
        expect
          all      no-lost-update holds
          default  applied-once violated
          other    sometimes two-believers
          other    never handover
        explore  workers 1, grants 3, losses 1
    "#]]
    .assert_eq(&print(&parsed(FULL)));
    expect![[r#"
        scenario least
        workers  A
        lease    10s
        guard    none
    "#]]
    .assert_eq(&print(&parsed("scenario least\nworkers A\nlease 10s")));
    expect![[r#"
        scenario other-statements
        workers  A B
        epochs   from 2 to 3
        lease    10s
        renew    every 3s
        poll     every 2s jitter 2.4s
        stop     after 20s
        seed     7
        clock    lock-service ahead 1s fast 200ppm
        clock    destination behind 1s
        faults
          A sticks 5s after acquire attempt 2
          lock-service forgets grant 2 at 2s
          network duplicates renew of A under grant 1 occurrence 2 by 1s
          network cuts B from destination at 1s for 2s
        guard    registered
        token    wrapping
        issuer   restored
        candidates watch
        renewal  thread
        on-loss  slow
        stop     at same-answer
        explore  grants 3, retries 0, failovers 1
    "#]]
    .assert_eq(&print(&parsed(STATEMENTS)));
}

/// What the first full scenario leaves out.
const STATEMENTS: &str = "\
scenario other-statements
workers A B
lease 10s
epochs from 2 to 3
token wrapping
renewal thread
on-loss slow
renew every 3s
poll every 2s jitter 2.4s
candidates watch
seed 7
stop after 20s
stop at same-answer
clock destination behind 1s
clock lock-service ahead 1s fast 200ppm
issuer restored
guard registered
faults
  A sticks 5s after acquire attempt 2
  lock-service forgets grant 2 at 2s
  network duplicates renew of A under grant 1 occurrence 2 by 1s
  network cuts B from destination at 1s for 2s
explore workers 2, grants 3, retries 0, failovers 1
";

#[test]
fn the_corpus_is_printed_and_read_again() {
    for entry in CORPUS {
        check(&parsed(entry.text));
    }
    check(&parsed(FULL));
    check(&parsed(STATEMENTS));
}

#[test]
fn any_scenario_is_printed_and_read_again() {
    let mut any = Any { numbers: Numbers(7), most_parameters: 3, parameters: 0 };
    for _ in 0..2_000 {
        check(&any.scenario());
    }
}

#[test]
fn what_no_row_has_any_use_for_is_not_printed() {
    let mut any = Any { numbers: Numbers(8), most_parameters: 0, parameters: 0 };
    for _ in 0..500 {
        let mut scenario = any.scenario();
        let row = any.below(scenario.rows.len());
        scenario.rows = vec![scenario.rows[row].clone()];
        scenario.faults.clear();
        scenario.expectations.clear();
        let printed = print(&scenario);
        let again = parsed(&printed);
        assert_eq!((&again.rows, &again.workers), (&scenario.rows, &scenario.workers), "{printed}");
        assert_eq!(print(&again), printed);
    }
}

/// Makes scenarios of all kinds.
struct Any {
    numbers: Numbers,
    /// How many parameters a scenario has at most.
    most_parameters: usize,
    /// How many parameters the scenario has.
    parameters: usize,
}

/// Rows that together have all that a statement can refer to.
const ROWS: [&[(&str, &str)]; 3] = [
    &[
        ("guard", "client-check"),
        ("asks", "lock-replica"),
        ("operation-ids", "in-transaction"),
        ("no-reply", "look-up"),
        ("transaction", "split"),
        ("token", "wrapping"),
        ("mint", "before-grant"),
        ("issuer", "restored"),
        ("candidates", "poll"),
        ("renewal", "thread"),
        ("on-loss", "slow"),
        ("effect", "payment"),
        ("key", "pruned"),
        ("effect-outcome", "looked-up"),
    ],
    &[("guard", "registered"), ("effect", "mail"), ("through", "outbox")],
    &[("guard", "row-version"), ("on-conflict", "redo"), ("replicas", "last-write")],
];

impl Any {
    fn below(&mut self, end: usize) -> usize {
        self.numbers.below(end)
    }

    fn often(&mut self) -> bool {
        self.below(3) > 0
    }

    fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    fn up_to(&mut self, most: usize) -> u8 {
        self.below(most + 1) as u8
    }

    fn one_to(&mut self, most: usize) -> u8 {
        self.below(most) as u8 + 1
    }

    fn duration(&mut self) -> Duration {
        let unit = self.one_of(&[1, 1_000, 500_000, 1_000_000, 60_000_000, 3_600_000_000]);
        Duration::from_micros((self.below(2_000) as u64 + 1) * unit)
    }

    fn quantity(&mut self) -> Quantity {
        if self.parameters > 0 && self.below(4) == 0 {
            Quantity::Parameter(self.below(self.parameters))
        } else {
            Quantity::Fixed(self.duration())
        }
    }

    fn clock(&mut self) -> Clock {
        if self.often() {
            return Clock::TRUE;
        }
        let offset = self.duration().micros() as i64 * self.one_of(&[-1, 0, 1]);
        Clock { offset, rate_ppm: self.below(1_000_001) as i32 - Clock::MAX_RATE_PPM }
    }

    fn scenario(&mut self) -> Scenario {
        self.parameters = self.below(self.most_parameters + 1);
        let rich = self.often();
        let mut scenario = defaults();
        scenario.name = format!("any-{}", self.below(100));
        scenario.comment = ["A comment.", "", "  Indented, with a #.", "Source: https://example.org"][self.below(4)..]
            .iter()
            .map(ToString::to_string)
            .collect();
        scenario.result = self.one_of(&["write", "report"]).to_string();
        for index in 0..self.parameters {
            let value = self.duration();
            let range = self.often().then(|| (Duration::from_micros(1), value + self.duration()));
            scenario.parameters.push(Parameter { name: format!("p-{index}"), value, range });
        }
        scenario.workers = (0..self.one_to(MAX_WORKERS)).map(|index| self.worker(index)).collect();
        // Each parameter is used somewhere.
        let mut lengths = [self.quantity(), self.quantity(), self.quantity()];
        for (index, length) in lengths.iter_mut().take(self.parameters).enumerate() {
            *length = Quantity::Parameter(index);
        }
        [scenario.lease, scenario.latency, scenario.workers[0].compute] = lengths;
        scenario.first_epoch = self.below(3) as u64;
        scenario.sharing = self.one_of(&[Sharing::Own, Sharing::Shared]);
        if self.often() {
            scenario.retry = Retry { after: self.quantity(), attempts: self.one_to(MAX_ATTEMPTS.into()) };
        }
        scenario.lock_clock = self.clock();
        scenario.destination_clock = self.clock();
        scenario.stop_at = (!self.often()).then(|| self.one_of(Invariant::ALL));
        self.mechanisms(&mut scenario, rich);
        for _ in 0..self.below(MAX_FAULTS + 1) {
            let fault = self.fault(&scenario, rich);
            scenario.faults.push(fault);
        }
        self.expectations(&mut scenario);
        scenario.bounds = self.bounds(&scenario, rich);
        scenario
    }

    fn worker(&mut self, index: u8) -> Worker {
        let start = if index > 0 && self.below(2) == 0 { Start::OnExpiry } else { Start::At(self.quantity()) };
        Worker {
            name: format!("W{index}"),
            compute: self.quantity(),
            operations: self.one_to(MAX_OPERATIONS),
            start,
            clock: self.clock(),
        }
    }

    fn mechanisms(&mut self, scenario: &mut Scenario, rich: bool) {
        if rich {
            scenario.rows.extend(ROWS.iter().enumerate().map(|(index, settings)| {
                let mut mechanism = Mechanism::UNGUARDED;
                for &(name, word) in *settings {
                    let switch = Switch::ALL.iter().copied().find(|switch| switch.name() == name).unwrap();
                    mechanism.set(switch, switch.words().iter().position(|known| *known == word).unwrap());
                }
                assert_eq!(mechanism.unmet(), None);
                Row { name: format!("rich-{index}"), mechanism }
            }));
            scenario.last_epoch = Some(scenario.first_epoch + self.below(4) as u64);
            scenario.renew_every = self.often().then(|| self.quantity());
            scenario.margin = self.quantity();
            scenario.poll_every = self.quantity();
            scenario.poll_jitter = self.quantity();
            scenario.seed = self.often().then(|| u64::MAX - self.below(3) as u64);
            scenario.stop_after = self.quantity();
            scenario.replicate_after = self.quantity();
            scenario.relay_after = self.quantity();
        }
        let (more, common) = (self.below(5), self.mechanism());
        for index in 0..more {
            let mechanism = if self.often() { self.mechanism() } else { common };
            scenario.rows.push(Row { name: format!("row_{index}"), mechanism });
        }
        if scenario.rows.is_empty() {
            let name = self.one_of(&["run", "only"]).to_string();
            scenario.rows.push(Row { name, mechanism: common });
        }
    }

    /// Some mechanism that makes sense.
    fn mechanism(&mut self) -> Mechanism {
        let mut mechanism = Mechanism::UNGUARDED;
        for _ in 0..self.below(8) {
            let switch = self.one_of(Switch::ALL);
            mechanism.set(switch, self.below(switch.words().len()));
        }
        // What needs a statement of its own is left to other rows.
        let wraps = Switch::ALL.iter().copied().find(|switch| switch.name() == "token").unwrap();
        mechanism.set(wraps, 0);
        while let Some((switch, _)) = mechanism.unmet() {
            mechanism.set(switch, 0);
        }
        mechanism
    }

    /// Some fault, none at the place of another: if by nothing else, they are told apart by time or occurrence.
    fn fault(&mut self, scenario: &Scenario, rich: bool) -> Fault {
        let number = scenario.faults.len() as u8 + 1;
        let at = Quantity::Fixed(Duration::from_secs(number.into()));
        let worker = WorkerId(self.below(scenario.workers.len()) as u8);
        let (length, by) = (self.quantity(), self.quantity());
        let step = WriteStep {
            stage: self.one_of(&[Stage::Apply, Stage::Record]),
            worker,
            occasion: self.occasion(scenario, worker, number, (true, true, true)),
        };
        let message = self.message(scenario, worker, number, rich);
        match self.below(if rich { 17 } else { 12 }) {
            0 => Fault::Pause {
                kind: self.one_of(&[Pause::Freeze, Pause::Suspend]),
                worker,
                length,
                from: When::Time(at),
            },
            1 => Fault::Pause { kind: Pause::Stick, worker, length, from: self.point(scenario, worker, number, rich) },
            2 => Fault::Crash { worker, down: length, from: self.point(scenario, worker, number, rich) },
            3 => Fault::Crash { worker, down: length, from: When::Time(at) },
            4 => Fault::CrashLockService { at },
            5 => Fault::CrashDestination { from: DestinationWhen::Time(at) },
            6 => Fault::Lose(message),
            7 => Fault::Delay { message, by },
            8 => Fault::Duplicate { message, by },
            9 => {
                let from = self.one_of(&[Partner::LockService, Partner::Destination]);
                Fault::Cut { worker, from, at, length }
            }
            10 | 11 => {
                let of = self.one_of(&[ClockOf::Worker(worker), ClockOf::LockService, ClockOf::Destination]);
                Fault::SetClock { of, by, back: self.often(), at }
            }
            12 => Fault::CrashDestination { from: DestinationWhen::Step(step) },
            13 => Fault::HoldWrite { length, step },
            14 => Fault::DelayReplication { to: self.one_of(&Replica::ALL), occurrence: number, by },
            15 => Fault::Forget { grant: GrantId(self.below(MAX_GRANTS) as u8), at },
            _ => Fault::Prune { worker, operation: self.operation(scenario, worker), at },
        }
    }

    fn operation(&mut self, scenario: &Scenario, worker: WorkerId) -> u8 {
        self.one_to(scenario.workers[worker.index()].operations.into())
    }

    fn occasion(&mut self, scenario: &Scenario, worker: WorkerId, number: u8, has: (bool, bool, bool)) -> Occasion {
        let (operation, attempt, grant) = has;
        Occasion {
            operation: if operation { self.operation(scenario, worker) } else { 1 },
            attempt: if attempt { self.one_to(scenario.retry.attempts.into()) } else { 1 },
            grant: (grant && self.often()).then(|| GrantId(self.below(MAX_GRANTS) as u8)),
            occurrence: number,
        }
    }

    fn point(&mut self, scenario: &Scenario, worker: WorkerId, number: u8, rich: bool) -> When {
        use Point::{Acquire, Check, Compute, Effect, EffectLookUp, LookUp, Mint, Publish, Read, Register, Release};
        let side = self.one_of(&[Side::Before, Side::After]);
        let plain = [Acquire, Publish, Release];
        let point = self.one_of(if rich { &Point::ALL } else { &plain });
        let has = match point {
            Mint | Acquire => (false, true, false),
            Register => (false, true, true),
            Read | Compute | Check | EffectLookUp | Effect | Publish | LookUp => (true, true, true),
            Release => (false, false, true),
        };
        When::Point { side, point, occasion: self.occasion(scenario, worker, number, has) }
    }

    fn message(&mut self, scenario: &Scenario, worker: WorkerId, number: u8, rich: bool) -> MessagePattern {
        use CallKind::{Acquire, Effect, EffectLookUp, LookUp, Mint, Register, Release, Renew, Write};
        let plain = [Acquire, Write, Release];
        let call = self.one_of(if rich { &CallKind::ALL } else { &plain });
        let has = match call {
            Mint | Acquire => (false, true, false),
            Register => (false, true, true),
            Write | LookUp | EffectLookUp | Effect => (true, true, true),
            Renew | Release => (false, false, true),
        };
        let leg = self.one_of(&[Leg::Request, Leg::Reply]);
        MessagePattern { worker, call, leg, occasion: self.occasion(scenario, worker, number, has) }
    }

    fn expectations(&mut self, scenario: &mut Scenario) {
        // What is said of all rows and of one may contradict.
        let rows: Vec<Option<usize>> =
            if self.often() { (0..scenario.rows.len()).map(Some).collect() } else { vec![None] };
        for row in rows {
            let (invariant, situation) = (self.one_of(Invariant::ALL), self.one_of(&Situation::ALL));
            for outcome in [
                self.one_of(&[Expected::Holds(invariant), Expected::Violated(invariant)]),
                self.one_of(&[Expected::Sometimes(situation), Expected::Never(situation)]),
            ] {
                if self.often() {
                    scenario.expectations.push(Expectation { row, outcome, line: 0 });
                }
            }
        }
    }

    fn bounds(&mut self, scenario: &Scenario, rich: bool) -> Bounds {
        if !self.often() {
            return super::super::parse::default_bounds(scenario);
        }
        let most = usize::from(MAX_BUDGET);
        let when = |condition: bool, number: u8| if condition { number } else { 0 };
        Bounds {
            workers: self.one_to(scenario.workers.len()),
            grants: self.one_to(MAX_GRANTS),
            operations: self.one_to(MAX_OPERATIONS),
            budget: Budget {
                retries: when(scenario.retry.attempts > 1, self.up_to(most)),
                losses: self.up_to(most),
                duplicates: self.up_to(most),
                crashes: self.up_to(most),
                failovers: when(rich, self.up_to(most)),
                suspends: self.up_to(most),
                skews: self.up_to(most),
                renewals: when(rich, self.up_to(MAX_RENEWALS.into())),
                prunes: when(rich, self.up_to(most)),
            },
        }
    }
}
