//! The rules are those of this version of the model. Long ways through the transition system, drawn by a fixed seed under
//! mechanisms of all kinds, tell the same facts, and short searches find the same states. Where the rules are changed on
//! purpose, [`MODEL`] is changed with them, and what is expected here (`UPDATE_EXPECT=1`).

use expect_test::{Expect, expect};
use fencepost_core::epoch::MAX_TOKENS;
use fencepost_core::event::{Event, Process};
use fencepost_core::explore::{Bounds, Search};
use fencepost_core::fact::Fact;
use fencepost_core::id::{MAX_GRANTS, MAX_RENEWALS, MAX_WORKERS};
use fencepost_core::invariant::Invariant;
use fencepost_core::mechanism::{Effect, Key, Mechanism, Mint, Sharing, Switch};
use fencepost_core::run::{Entry, Limit};
use fencepost_core::system::{Budget, Config, State};
use fencepost_core::time::Instant;
use fencepost_core::trace::{FORMAT, Header, MODEL, Origin, Trace};
use fencepost_tests::told::Told;
use fencepost_tests::walk::{self, for_each, tokens};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

/// How many sets of rules are looked at.
const CONFIGS: usize = 1_500;
/// The longest way under each.
const STEPS: usize = 150;

struct Draw(Pcg32);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0.next_u32() as usize % end
    }

    fn budget(&mut self) -> u8 {
        [0, 0, 1, 2][self.below(4)]
    }

    fn config(&mut self) -> Config {
        let mut mechanism = Mechanism::UNGUARDED;
        // What is seldom drawn together.
        if self.below(8) == 0 {
            (mechanism.effect, mechanism.key) = (Effect::Payment, Key::Pruned);
        }
        // A guard, and a few of what it leaves a meaning.
        let switches = self.below(14);
        for number in 0..=switches {
            let switch = if number == 0 { Switch::Guard } else { Switch::ALL[self.below(Switch::ALL.len())] };
            let before = mechanism;
            mechanism.set(switch, self.below(switch.words().len()));
            if mechanism.unmet().is_some() {
                mechanism = before;
            }
        }
        let counted = walk::config(mechanism);
        Config {
            workers: 1 + self.below(MAX_WORKERS) as u8,
            operations: [(); MAX_WORKERS].map(|()| 1 + self.below(2) as u8),
            grants: 1 + self.below(MAX_GRANTS) as u8,
            attempts: 1 + self.below(3) as u8,
            budget: Budget {
                retries: self.budget(),
                losses: self.budget(),
                duplicates: self.budget(),
                crashes: self.budget(),
                failovers: self.budget(),
                suspends: self.budget(),
                skews: self.budget(),
                renewals: self.below(usize::from(MAX_RENEWALS) + 1) as u8,
                prunes: self.budget(),
            },
            tokens: tokens(mechanism.token).unwrap_or(counted.tokens),
            sharing: [Sharing::Own, Sharing::Shared][self.below(2)],
            ..counted
        }
    }
}

fn configs() -> Vec<Config> {
    let mut draw = Draw(Pcg32::seed_from_u64(2));
    (0..CONFIGS).map(|_| draw.config()).collect()
}

/// A hash that is the same everywhere (FNV-1a).
#[derive(Clone, Copy)]
struct Fnv(u64);

impl Fnv {
    const EMPTY: Fnv = Fnv(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// One way under `config`: the events, and everything that they told.
fn way(config: &Config, seed: u64) -> (Vec<Event>, Told, Vec<usize>, Option<Limit>) {
    let mut random = Pcg32::seed_from_u64(seed);
    let (mut state, mut told) = (State::new(config), Told::default());
    let (mut events, mut choices) = (Vec::new(), Vec::new());
    while events.len() < STEPS {
        let mut enabled = Vec::new();
        state.enabled(config, |event| enabled.push(event));
        choices.push(enabled.len());
        if enabled.is_empty() {
            break;
        }
        let event = enabled[random.next_u32() as usize % enabled.len()];
        events.push(event);
        if let Err(limit) = state.step(config, event, &mut told) {
            return (events, told, choices, Some(limit));
        }
    }
    (events, told, choices, None)
}

/// What is the same as long as the model is.
fn check(lines: &str, expected: &Expect) {
    expected.assert_eq(&format!("model {MODEL}\n{lines}"));
}

#[test]
fn the_same_model_tells_the_same_facts() {
    let numbered: Vec<(usize, Config)> = configs().into_iter().enumerate().collect();
    let told = for_each(&numbered, |(number, config)| {
        let (events, told, choices, limit) = way(config, *number as u64);
        let mut hash = Fnv::EMPTY;
        let what = "a way through the transition system".to_owned();
        let header = Header { fencepost: FORMAT, origin: Origin::Recorded { what }, workers: Vec::new() };
        let facts = told.facts.iter().map(|&fact| Entry { at: Instant::START, fact }).collect();
        hash.add(&Trace { header, facts }.to_text());
        hash.add(&format!("{choices:?} {limit:?}"));
        let names = |broken: &Vec<Invariant>| broken.iter().map(|broken| broken.name()).collect::<Vec<_>>().join(" ");
        hash.add(&names(&told.broken));
        let names: Vec<_> = told.reached.iter().map(|reached| reached.name()).collect();
        hash.add(&names.join(" "));
        (events.len(), told.facts.len(), told.broken.len(), hash)
    });
    let mut hash = Fnv::EMPTY;
    let (mut steps, mut facts, mut broken) = (0, 0, 0);
    for (events, told, violations, one) in told {
        hash.add(&format!("{:x} ", one.0));
        (steps, facts, broken) = (steps + events, facts + told, broken + violations);
    }
    check(
        &format!("{steps} steps, {facts} facts, {broken} violations, {:016x}\n", hash.0),
        &expect![[r#"
        model 2
        23753 steps, 39166 facts, 208 violations, ecccf27845ae9ad8
    "#]],
    );
}

#[test]
fn the_same_model_has_the_same_states() {
    let configs = configs();
    let found = for_each(&configs[..CONFIGS / 3], |config| {
        let report = Search::within(config, Bounds { states: 1_500, bytes: 1 << 24 }).run();
        let broken: Vec<_> =
            report.broken.iter().map(|found| (found.evidence.invariant.name(), found.path.len())).collect();
        let reached: Vec<_> = report.reached.iter().map(|found| (found.situation.name(), found.path.len())).collect();
        let cut: Vec<_> = report.cut.iter().map(|cut| (cut.edge.name(), cut.transitions)).collect();
        let mut hash = Fnv::EMPTY;
        hash.add(&format!("{:?} {broken:?} {reached:?} {cut:?}", report.states_by_depth));
        (report.progress.states, report.progress.transitions, hash)
    });
    let mut hash = Fnv::EMPTY;
    let (mut states, mut transitions) = (0, 0);
    for (found, made, one) in found {
        hash.add(&format!("{:x} ", one.0));
        (states, transitions) = (states + found, transitions + made);
    }
    check(
        &format!("{states} states, {transitions} transitions, {:016x}\n", hash.0),
        &expect![[r#"
        model 2
        691707 states, 1635596 transitions, 0a10d72eb48e3d48
    "#]],
    );
}

#[test]
fn nothing_goes_wrong_more_often_than_its_budget_allows() {
    let numbered: Vec<(usize, Config)> = configs().into_iter().enumerate().collect();
    // How often each was made as often as it may be, and more than not at all.
    let used_up = for_each(&numbered, |(number, config)| {
        let (events, told, ..) = way(config, *number as u64);
        let made = |kind: fn(&Event) -> bool| events.iter().filter(|event| kind(event)).count();
        let Budget { losses, duplicates, crashes, failovers, suspends, skews, prunes, .. } = config.budget;
        let counts = [
            ("losses", made(|event| matches!(event, Event::Lose { .. })), losses),
            ("duplicates", made(|event| matches!(event, Event::Duplicate { .. })), duplicates),
            ("crashes", made(|event| matches!(event, Event::Crash { .. })), crashes),
            ("failovers", made(|event| matches!(event, Event::Restore { .. })), failovers),
            ("suspends", made(|event| matches!(event, Event::Suspend { .. })), suspends),
            ("skews", made(|event| matches!(event, Event::SkewClock)), skews),
            ("prunes", made(|event| matches!(event, Event::Prune { .. })), prunes),
            ("grants", told.facts.iter().filter(|fact| matches!(fact, Fact::Granted { .. })).count(), config.grants),
        ];
        counts.map(|(what, made, most)| {
            assert!(made <= usize::from(most), "{made} {what} of {most}: {:?}", config.mechanism);
            usize::from(most > 0 && made == usize::from(most))
        })
    });
    let sums = used_up.iter().fold([0; 8], |sums, one| std::array::from_fn(|index| sums[index] + one[index]));
    assert!(sums.iter().all(|&times| times > 5), "each is used up now and then: {sums:?}");
}

/// Whoever crashes once its token is made asks for another.
#[test]
fn tokens_that_run_out_are_a_limit() {
    let mechanism = Mechanism { mint: Mint::BeforeGrant, ..Mechanism::UNGUARDED };
    let budget = Budget { crashes: u8::MAX, ..Budget::default() };
    let config = Config { workers: 1, budget, ..walk::without_faults(mechanism) };
    let (mut state, mut told, mut crashes) = (State::new(&config), Told::default(), 0);
    let limit = loop {
        let minted = told.facts.iter().filter(|fact| matches!(fact, Fact::Minted { .. })).count();
        let wanted = |event: &Event| match event {
            Event::Crash { process: Process::Worker { .. } } => minted > crashes,
            Event::Step { .. } | Event::Deliver { .. } => minted == crashes,
            _ => false,
        };
        let mut enabled = Vec::new();
        state.enabled(&config, |event| enabled.push(event));
        let event = enabled.into_iter().find(wanted).expect("it can go on");
        crashes += usize::from(minted > crashes);
        if let Err(limit) = state.step(&config, event, &mut told) {
            break limit;
        }
    };
    assert_eq!((limit, crashes), (Limit::Tokens, MAX_TOKENS));
}
