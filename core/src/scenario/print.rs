//! [`Scenario`] → text: what [`super::parse()`] reads again as the same scenario.

use std::fmt::{self, Write};

use super::parse::{
    Bound, ClockFault, Frequency, JITTER, Keyword, LENGTHS, ONLY_ROW, REPLICATION, Verdict, Victim, Vocabulary,
    default_bounds, defaults,
};
use super::{
    ClockOf, DestinationWhen, Expected, Fault, Leg, MessagePattern, Occasion, Quantity, Row, Scenario, Start, When,
    WriteStep,
};
use crate::id::WorkerId;
use crate::mechanism::{Mechanism, Switch, TokenKind};
use crate::time::{Clock, Duration};

/// The scenario as a text. It says nothing that goes without saying, nor what no row has any use for; comments are those
/// before `scenario`, and lines stand in an order of their own. For a scenario that was read, only
/// [`super::Expectation::line`] is another where the text is read again.
pub fn print(scenario: &Scenario) -> String {
    let mut printer = Printer { scenario, text: String::new() };
    printer.beginning();
    printer.workers();
    printer.faults();
    printer.rows();
    printer.expectations();
    printer.search();
    printer.text
}

/// One of the scenario's faults, as its entry stands in the text.
pub fn print_fault(scenario: &Scenario, fault: &Fault) -> String {
    Printer { scenario, text: String::new() }.fault(fault)
}

struct Printer<'s> {
    scenario: &'s Scenario,
    text: String,
}

impl Printer<'_> {
    /// Adds a line.
    fn line(&mut self, keyword: Keyword, rest: fmt::Arguments<'_>) {
        self.push(format_args!("{:<8} {rest}\n", keyword.word()));
    }

    fn push(&mut self, text: fmt::Arguments<'_>) {
        self.text.write_fmt(text).expect("a string takes everything");
    }

    fn beginning(&mut self) {
        let (scenario, default) = (self.scenario, defaults());
        for line in &scenario.comment {
            self.push(format_args!("{}\n", format!("# {line}").trim_end()));
        }
        self.line(Keyword::Scenario, format_args!("{}", scenario.name));
        let names: Vec<&str> = scenario.workers.iter().map(|worker| worker.name.as_str()).collect();
        self.line(Keyword::Workers, format_args!("{}", names.join(" ")));
        match scenario.last_epoch.filter(|_| self.some_row(|mechanism| mechanism.token == TokenKind::Wrapping)) {
            Some(last) => self.line(Keyword::Epochs, format_args!("from {} to {last}", scenario.first_epoch)),
            None if scenario.first_epoch == default.first_epoch => {}
            None => self.line(Keyword::Epochs, format_args!("from {}", scenario.first_epoch)),
        }
        if scenario.result != default.result {
            self.line(Keyword::Result, format_args!("{}", scenario.result));
        }
        for parameter in &scenario.parameters {
            let range = parameter.range.map_or(String::new(), |(low, high)| format!(" in {low}..{high}"));
            self.line(Keyword::Let, format_args!("{} = {}{range}", parameter.name, parameter.value));
        }
        self.line(Keyword::Lease, format_args!("{}", self.quantity(scenario.lease)));
        let mut draws = self.some_row(|mechanism| mechanism.token == TokenKind::Random);
        for length in &LENGTHS {
            let said = |of| ((length.get)(of), length.jitter.as_ref().map(|jitter| (jitter.get)(of)));
            let (given, unsaid) = (said(scenario), said(&default));
            if let (Some(quantity), jitter) = given
                && given != unsaid
                && self.some_row(length.used)
            {
                let preposition = length.preposition.map_or(String::new(), |word| format!("{word} "));
                let jitter = jitter.filter(|_| given.1 != unsaid.1);
                let jitter = jitter.map_or(String::new(), |jitter| format!(" {JITTER} {}", self.quantity(jitter)));
                self.line(length.keyword, format_args!("{preposition}{}{jitter}", self.quantity(quantity)));
                draws |= !jitter.is_empty();
            }
        }
        if let Some(seed) = scenario.seed.filter(|_| draws) {
            self.line(Keyword::Seed, format_args!("{seed}"));
        }
        if scenario.retry != default.retry {
            let (after, attempts) = (self.quantity(scenario.retry.after), scenario.retry.attempts);
            let plural = if attempts == 1 { "" } else { "s" };
            self.line(Keyword::Retry, format_args!("after {after}, {attempts} attempt{plural}"));
        }
        if scenario.sharing != default.sharing {
            self.line(Keyword::Operations, format_args!("{}", scenario.sharing.word()));
        }
    }

    fn workers(&mut self) {
        let scenario = self.scenario;
        let nothing = Quantity::Fixed(Duration::ZERO);
        for worker in scenario.workers.iter().filter(|worker| (worker.compute, worker.operations) != (nothing, 1)) {
            let operations = match worker.operations {
                1 => String::new(),
                several => format!(" operations {several}"),
            };
            let compute = self.quantity(worker.compute);
            self.line(Keyword::Work, format_args!("{} compute {compute}{operations}", worker.name));
        }
        for worker in scenario.workers.iter().filter(|worker| worker.start != Start::At(nothing)) {
            let start = match worker.start {
                Start::At(time) => format!("at {}", self.quantity(time)),
                Start::OnExpiry => "on expiry".to_string(),
            };
            self.line(Keyword::Start, format_args!("{} {start}", worker.name));
        }
        let others = [(Victim::LockService, scenario.lock_clock), (Victim::Destination, scenario.destination_clock)];
        let workers = scenario.workers.iter().map(|worker| (worker.name.as_str(), worker.clock));
        for (name, clock) in workers.chain(others.map(|(other, clock)| (other.word(), clock))) {
            if clock != Clock::TRUE {
                self.line(Keyword::Clock, format_args!("{name}{}", clock_faults(clock)));
            }
        }
    }

    fn faults(&mut self) {
        if !self.scenario.faults.is_empty() {
            self.push(format_args!("{}\n", Keyword::Faults.word()));
        }
        for fault in &self.scenario.faults {
            self.push(format_args!("  {}\n", self.fault(fault)));
        }
    }

    /// The rows; what they have in common, beside the guard, stands before them.
    fn rows(&mut self) {
        let rows = &self.scenario.rows;
        let only = rows.len() == 1 && rows[0].name == ONLY_ROW;
        let common = |switch: Switch| {
            let same = rows.windows(2).all(|pair| pair[0].mechanism.get(switch) == pair[1].mechanism.get(switch));
            only || same && rows.len() > 1 && switch != Switch::Guard
        };
        for (switch, value) in rows[0].mechanism.settings().filter(|(switch, _)| common(*switch)) {
            self.line(Keyword::Set(switch), format_args!("{value}"));
        }
        if only {
            return;
        }
        let width = rows.iter().map(|row| row.name.len()).max().unwrap_or_default();
        self.push(format_args!("{}\n", Keyword::Compare.word()));
        for Row { name, mechanism } in rows {
            let settings = mechanism.settings().filter(|(switch, _)| !common(*switch));
            let settings: Vec<String> = settings.map(|(switch, value)| format!("{} {value}", switch.word())).collect();
            self.push(format_args!("  {name:<width$}  {}\n", settings.join(", ")));
        }
    }

    fn expectations(&mut self) {
        let Scenario { expectations, rows, .. } = self.scenario;
        if expectations.is_empty() {
            return;
        }
        self.push(format_args!("{}\n", Keyword::Expect.word()));
        let name = |row: Option<usize>| row.map_or("all", |row| rows[row].name.as_str());
        let width = expectations.iter().map(|expectation| name(expectation.row).len()).max().unwrap_or_default();
        for expectation in expectations {
            let (first, second) = match expectation.outcome {
                Expected::Holds(invariant) => (invariant.word(), Verdict::Holds.word()),
                Expected::Spared(invariant) => (invariant.word(), Verdict::Spared.word()),
                Expected::Violated(invariant) => (invariant.word(), Verdict::Violated.word()),
                Expected::Sometimes(situation) => (Frequency::Sometimes.word(), situation.word()),
                Expected::Never(situation) => (Frequency::Never.word(), situation.word()),
            };
            self.push(format_args!("  {:<width$}  {first} {second}\n", name(expectation.row)));
        }
    }

    fn search(&mut self) {
        let scenario = self.scenario;
        if let Some(invariant) = scenario.stop_at {
            self.line(Keyword::Stop, format_args!("at {}", invariant.word()));
        }
        let (mut bounds, mut default) = (scenario.bounds, default_bounds(scenario));
        let mut told = Vec::new();
        for &bound in Bound::VALUES {
            let (number, default) = (*bound.of(&mut bounds), *bound.of(&mut default));
            let used = match bound {
                Bound::Retries => scenario.retry.attempts > 1,
                _ => self.some_row(bound.used()),
            };
            if used && number != default {
                told.push(format!("{} {number}", bound.word()));
            }
        }
        if !told.is_empty() {
            self.line(Keyword::Explore, format_args!("{}", told.join(", ")));
        }
    }

    // Parts.

    fn some_row(&self, has: fn(&Mechanism) -> bool) -> bool {
        self.scenario.rows.iter().any(|row| has(&row.mechanism))
    }

    fn quantity(&self, quantity: Quantity) -> String {
        match quantity {
            Quantity::Fixed(duration) => duration.to_string(),
            Quantity::Parameter(index) => self.scenario.parameters[index].name.clone(),
        }
    }

    fn fault(&self, fault: &Fault) -> String {
        let name = |worker: WorkerId| self.scenario.worker_name(worker);
        let told = |quantity: Quantity| self.quantity(quantity);
        match *fault {
            Fault::Pause { kind, worker, length, from } => {
                format!("{} {} {} {}", name(worker), kind.word(), told(length), self.when(from))
            }
            Fault::Crash { worker, down, from } => {
                format!("{} crashes {} {}", name(worker), told(down), self.when(from))
            }
            Fault::CrashLockService { at } => format!("lock-service crashes at {}", told(at)),
            Fault::CrashDestination { from: DestinationWhen::Time(at) } => {
                format!("destination crashes at {}", told(at))
            }
            Fault::CrashDestination { from: DestinationWhen::Step(step) } => {
                format!("destination crashes {}", self.write_step(step))
            }
            Fault::HoldWrite { length, step } => {
                format!("destination freezes {} {}", told(length), self.write_step(step))
            }
            Fault::Lose(message) => format!("network loses {}", self.message(message)),
            Fault::Delay { message, by } => format!("network delays {} by {}", self.message(message), told(by)),
            Fault::DelayReplication { to, occurrence, by } => {
                let occasion = Occasion { occurrence, ..Occasion::FIRST };
                format!("network delays {REPLICATION} to {}{} by {}", to.word(), told_apart("", occasion), told(by))
            }
            Fault::Duplicate { message, by } => {
                format!("network duplicates {} by {}", self.message(message), told(by))
            }
            Fault::Cut { worker, from, at, length } => {
                format!("network cuts {} from {} at {} for {}", name(worker), from.word(), told(at), told(length))
            }
            Fault::SetClock { of, by, back, at } => {
                let of = match of {
                    ClockOf::Worker(worker) => name(worker),
                    ClockOf::LockService => Victim::LockService.word(),
                    ClockOf::Destination => Victim::Destination.word(),
                };
                let direction = if back { ClockFault::Behind } else { ClockFault::Ahead };
                format!("{of} clock jumps {} {} at {}", direction.word(), told(by), told(at))
            }
            Fault::Forget { grant, at } => format!("lock-service forgets grant {} at {}", grant.0 + 1, told(at)),
            Fault::Prune { worker, operation, at } => {
                let occasion = Occasion { operation, ..Occasion::FIRST };
                format!("provider forgets key of {}{} at {}", name(worker), told_apart("", occasion), told(at))
            }
        }
    }

    fn when(&self, when: When) -> String {
        match when {
            When::Time(at) => format!("at {}", self.quantity(at)),
            When::Point { side, point, occasion } => {
                format!("{} {}{}", side.word(), point.word(), told_apart("of ", occasion))
            }
        }
    }

    fn write_step(&self, WriteStep { stage, worker, occasion }: WriteStep) -> String {
        format!("before {} of {}{}", stage.word(), self.scenario.worker_name(worker), told_apart("", occasion))
    }

    fn message(&self, MessagePattern { worker, call, leg, occasion }: MessagePattern) -> String {
        let reply = match leg {
            Leg::Request => "",
            Leg::Reply => "reply to ",
        };
        format!("{reply}{} of {}{}", call.word(), self.scenario.worker_name(worker), told_apart("", occasion))
    }
}

/// ` operation 2 attempt 2 under grant 1 occurrence 3`, or what of it is not the first; `of` stands before the operation.
fn told_apart(of: &str, occasion: Occasion) -> String {
    let Occasion { operation, attempt, grant, occurrence } = occasion;
    let parts = [
        (format!("{of}operation"), operation, 1),
        ("attempt".to_string(), attempt, 1),
        ("under grant".to_string(), grant.map_or(0, |grant| grant.0 + 1), 0),
        ("occurrence".to_string(), occurrence, 1),
    ];
    let told = parts.into_iter().filter(|(_, number, silent)| number != silent);
    told.map(|(what, number, _)| format!(" {what} {number}")).collect()
}

/// ` ahead 500ms slow 200ppm`.
fn clock_faults(clock: Clock) -> String {
    let offset = match clock.offset {
        0 => None,
        ahead @ 1.. => Some((ClockFault::Ahead, ahead)),
        behind => Some((ClockFault::Behind, -behind)),
    };
    let offset = offset
        .map_or(String::new(), |(fault, by)| format!(" {} {}", fault.word(), Duration::from_micros(by.unsigned_abs())));
    match clock.rate_ppm {
        0 => offset,
        fast @ 1.. => format!("{offset} {} {fast}ppm", ClockFault::Fast.word()),
        slow => format!("{offset} {} {}ppm", ClockFault::Slow.word(), -slow),
    }
}
