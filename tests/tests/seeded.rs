//! Runs by the clock, drawn by a seed: whatever goes wrong in them, each is a path of the transition system, and so of a
//! search.

use std::collections::BTreeSet;

use fencepost_core::event::Event;
use fencepost_core::fact::Fact;
use fencepost_core::invariant::Invariant;
use fencepost_core::mechanism::Switch;
use fencepost_core::run::Limit;
use fencepost_core::scenario::{Scenario, parse};
use fencepost_core::simulate::{config, simulate};
use fencepost_core::system::{Driver, State};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

/// How many runs are looked at.
const RUNS: usize = 10_000;

const POINTS: [&str; 11] = [
    "mint",
    "acquire",
    "register",
    "read",
    "compute",
    "check",
    "effect-look-up",
    "effect",
    "publish",
    "look-up",
    "release",
];
const CALLS: [&str; 9] =
    ["mint", "acquire", "renew", "register", "write", "look-up", "effect-look-up", "effect", "release"];

/// Draws scenarios.
struct Draw(Pcg32);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0.next_u32() as usize % end
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn worker(&mut self) -> &'static str {
        self.one(&["A", "B", "C"])
    }

    fn time(&mut self) -> String {
        format!("{}ms", self.below(30_000))
    }

    fn length(&mut self) -> String {
        format!("{}ms", 1 + self.below(20_000))
    }

    /// A mechanism with a few switches set.
    fn settings(&mut self) -> String {
        // Some go together and are seldom drawn so.
        if self.below(8) == 0 {
            let key = self.one(&["off", "pruned", "pruned"]);
            let outcome = self.one(&["unknown", "failed", "looked-up"]);
            return format!("guard none, effect payment, key {key}, effect-outcome {outcome}");
        }
        let mut settings = Vec::new();
        let mut set = BTreeSet::new();
        for _ in 0..=self.below(5) {
            let index = if set.is_empty() { 0 } else { self.below(Switch::ALL.len()) };
            if set.insert(index) {
                let switch = Switch::ALL[index];
                settings.push(format!("{} {}", switch.name(), self.one(switch.words())));
            }
        }
        settings.join(", ")
    }

    fn fault(&mut self) -> String {
        let (worker, length, time) = (self.worker(), self.length(), self.time());
        let attempt = self.one(&["", "", " attempt 2"]);
        match self.below(17) {
            0 | 1 => format!("{worker} {} {length} at {time}", self.one(&["freezes", "suspends", "sticks"])),
            2 | 3 => format!(
                "{worker} {} {length} {} {}{attempt}",
                self.one(&["freezes", "suspends", "sticks", "crashes"]),
                self.one(&["before", "after"]),
                self.one(&POINTS)
            ),
            4 => format!("{worker} crashes {length} at {time}"),
            5 => format!("lock-service crashes at {time}"),
            6 => format!("lock-service forgets grant {} at {time}", 1 + self.below(3)),
            7 => format!("destination crashes at {time}"),
            8 => format!("destination freezes {length} before {} of {worker}", self.one(&["apply", "record"])),
            9 => format!(
                "{} clock jumps {} {length} at {time}",
                self.one(&["A", "lock-service", "destination"]),
                self.one(&["ahead", "behind"])
            ),
            10 => format!(
                "network cuts {worker} from {} at {time} for {length}",
                self.one(&["lock-service", "destination"])
            ),
            11 => format!("provider forgets key of {worker} at {time}"),
            12 => format!(
                "network delays replication to {} occurrence {} by {length}",
                self.one(&["replica-1", "replica-2", "lock-replica"]),
                1 + self.below(3)
            ),
            kind => {
                let (verb, by) = match kind {
                    13 => ("loses", String::new()),
                    14 => ("duplicates", format!(" by {length}")),
                    _ => ("delays", format!(" by {length}")),
                };
                let leg = self.one(&["", "reply to "]);
                format!("network {verb} {leg}{} of {worker}{attempt}{by}", self.one(&CALLS))
            }
        }
    }

    /// A scenario of one row; none where what was drawn makes no sense together.
    fn scenario(&mut self) -> Option<Scenario> {
        let settings = self.settings();
        let mut text = String::from("scenario drawn\nworkers A B C\nlease 10s\nretry after 2s, 3 attempts\n");
        text += if settings.contains("wrapping") { "epochs from 2 to 3\n" } else { "epochs from 33\n" };
        text += &format!("operations {}\n", self.one(&["own", "shared"]));
        for worker in ["A", "B", "C"] {
            let operations = 1 + self.below(2);
            text += &format!("work {worker} compute {} operations {operations}\n", self.length());
            text += &format!("start {worker} at {}\n", self.time());
            text +=
                &format!("clock {worker} {}\n", self.one(&["fast 200ppm", "slow 100000ppm", "ahead 2s", "behind 1s"]));
        }
        text += "faults\n";
        for _ in 0..=self.below(4) {
            text += &format!("  {}\n", self.fault());
        }
        text += &format!("compare\n  row {settings}\n");
        parse(&text).ok()
    }
}

#[derive(Default)]
struct Told(Vec<Fact>);

impl Driver for Told {
    fn fact(&mut self, fact: Fact) {
        self.0.push(fact);
    }
}

#[test]
fn every_drawn_run_is_a_path_and_its_choices_tell_the_same_facts() {
    let mut draw = Draw(Pcg32::seed_from_u64(33));
    let (mut runs, mut kinds, mut broken, mut limits) = (0, BTreeSet::new(), BTreeSet::new(), 0);
    let mut found = BTreeSet::new();
    while runs < RUNS {
        let Some(scenario) = draw.scenario() else { continue };
        let run = simulate(&scenario, &scenario.rows[0]);
        runs += 1;
        broken.extend(run.violations.iter().map(|violation| violation.evidence.invariant));
        assert_ne!(run.stopped_at, Some(Limit::Choices), "run {runs} does not end: {:?}", run.mechanism);
        if run.stopped_at.is_some() {
            // What a step told before it ran into a limit is told in the run, and no choice of a path.
            limits += 1;
            continue;
        }
        let config = config(&scenario, &run.mechanism);
        let (mut state, mut told) = (State::new(&config), Told::default());
        for choice in &run.choices {
            assert!(state.is_enabled(&config, choice.event), "run {runs}: {:?} {:?}", choice.event, run.mechanism);
            state.step(&config, choice.event, &mut told).expect("the run did not stop");
            kinds.insert(kind(choice.event));
        }
        let facts: Vec<Fact> = run.facts.iter().map(|entry| entry.fact).filter(|fact| !fact.is_the_clocks()).collect();
        found.extend(facts.iter().filter_map(|fact| match fact {
            Fact::EffectLookedUp { effected, .. } => Some(*effected),
            _ => None,
        }));
        assert_eq!(told.0, facts, "run {runs}: {:?}", run.mechanism);
    }
    assert_eq!(found, BTreeSet::from([false, true]), "effects are looked up, and found or not");
    assert!(limits < RUNS / 4, "{limits} runs stop at a limit");
    assert_eq!(kinds.len(), 19, "every kind of choice is made: {kinds:?}");
    assert_eq!(broken.len(), Invariant::ALL.len(), "every invariant is broken: {broken:?}");
}

/// What kind of choice this is, by name.
fn kind(event: Event) -> String {
    let text = format!("{event:?}");
    text.split(' ').next().unwrap_or_default().to_owned()
}
