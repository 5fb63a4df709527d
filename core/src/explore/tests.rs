use std::collections::BTreeSet;

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;

use super::bits::{DoesNotFit, Reader, Writer};
use super::layout::Use;
use super::*;
use crate::destination::Guard;
use crate::epoch::Tokens;
use crate::mechanism::{Effect, EffectOutcome, Key, LookUp, Mechanism, OperationIds, Sharing, Switch};
use crate::run::Limit;
use crate::system::{Budget, Clocks};

/// Every mechanism there is.
fn mechanisms() -> Vec<Mechanism> {
    let mut mechanisms = Vec::new();
    for guard in Guard::ALL {
        for operation_ids in [OperationIds::Off, OperationIds::InTransaction] {
            for look_up in [LookUp::BeforeGuard, LookUp::AfterGuard] {
                mechanisms.push(Mechanism { guard: *guard, operation_ids, look_up, ..Mechanism::UNGUARDED });
            }
        }
    }
    mechanisms
}

/// Two workers, two grants, one operation each, one request sent again, one message lost.
fn config(mechanism: Mechanism) -> Config {
    Config {
        workers: 2,
        operations: [1; 3],
        grants: 2,
        attempts: 2,
        budget: Budget { retries: 1, losses: 1, ..Budget::default() },
        tokens: Tokens::counted_from(33),
        sharing: Sharing::Own,
        mechanism,
    }
}

/// Whatever is kept unpacked, and for how long, each state comes back as the one that stands at its place, or not at all.
#[test]
fn a_frontier_gives_back_what_stands_at_the_place_and_nothing_else() {
    let state = |losses| {
        let mut state = State::new(&config(Mechanism::UNGUARDED));
        state.left.losses = losses;
        state
    };
    let place = |number: u8| Place::from_number(number.into());
    let mut frontier = Frontier::new();
    let push = |frontier: &mut Frontier, at: u8| frontier.push(&state(at), place(at), place(at + 1), 0);
    let losses = |kept: Option<State>| kept.map(|state| state.left.losses);
    for at in [3, 4, 6] {
        push(&mut frontier, at);
    }
    // 6 did not follow 4, so it is not kept; and nothing is given out of its turn.
    assert_eq!(losses(frontier.pop(place(4), place(5))), None);
    assert_eq!(losses(frontier.pop(place(3), place(4))), Some(3));
    assert_eq!(losses(frontier.pop(place(4), place(5))), Some(4));
    assert_eq!(losses(frontier.pop(place(5), place(6))), None);
    // An empty one begins anew, wherever.
    push(&mut frontier, 9);
    assert_eq!(losses(frontier.pop(place(9), place(10))), Some(9));
    assert!(frontier.bytes() > 0);
}

/// Every place of the search's arena, in order.
fn places(search: &Search) -> impl Iterator<Item = Place> + '_ {
    let places = std::iter::successors(Some(Place::FIRST), |place| Some(search.arena.after(*place)));
    places.take_while(|place| *place != search.arena.end())
}

fn packed(state: &State, config: &Config) -> Packed {
    let mut packed = Packed::EMPTY;
    Form::of(config).pack(state, &mut packed).expect("it fits");
    packed
}

/// What comes back from its bits as it was, whatever it was, shares them with nothing else.
fn check_packing(config: &Config) {
    let mut search = Search::new(config);
    let report = search.run();
    let mut largest = 0;
    for place in places(&search) {
        let state = Form::of(config).unpack(search.arena.words(place));
        largest = largest.max(search.arena.words(place).len() * 8);
        state.enabled(config, |event| {
            let mut next = state;
            if next.step(config, event, &mut Ignored).is_ok() {
                for _ in 0..2 {
                    let back = Form::of(config).unpack(packed(&next, config).words());
                    assert_eq!(back, next, "after {event:?} from {state:?}");
                    next.forget(config);
                }
            }
        });
    }
    let all = report.bytes / report.progress.states;
    println!(
        "{} {:?} {:?}: {} states, a state takes {largest} bytes packed at most, and {all} all in all",
        config.mechanism.guard.name(),
        config.mechanism.operation_ids,
        config.mechanism.look_up,
        report.progress.states,
    );
    assert!(largest <= MAX_STATE_BYTES, "{largest}");
    // Small searches do not fill what is set aside for them.
    assert!(all <= 100 || report.progress.states < 20_000, "{all} bytes a state");
}

#[test]
fn every_state_that_is_reached_comes_back_from_its_bits() {
    for mechanism in mechanisms() {
        let config = config(mechanism);
        check_packing(&Config { budget: Budget { losses: 0, ..config.budget }, sharing: Sharing::Shared, ..config });
        check_packing(&Config { budget: Budget::default(), operations: [2; 3], ..config });
    }
    check_packing(&config(Mechanism::UNGUARDED));
    check_packing(&Config { workers: 3, grants: 3, budget: Budget::default(), ..config(Mechanism::UNGUARDED) });
}

#[test]
fn so_does_every_state_with_an_effect_whose_outcome_matters() {
    let budget = Budget { retries: 1, losses: 1, crashes: 1, prunes: 1, ..Budget::default() };
    for effect_outcome in EffectOutcome::ALL {
        for key in Key::ALL {
            let (effect, key, effect_outcome) = (Effect::Payment, *key, *effect_outcome);
            let mechanism = Mechanism { effect, key, effect_outcome, ..Mechanism::UNGUARDED };
            check_packing(&Config { workers: 1, budget, sharing: Sharing::Shared, ..config(mechanism) });
        }
    }
}

/// A packed state leaves out what its configuration does not use. Over every value of every switch under every guard, with
/// everything going wrong, nothing else is left out: on a walk, each state comes back whole.
#[test]
fn whatever_a_switch_brings_into_a_state_comes_back_from_its_bits() {
    let mut random = Pcg32::seed_from_u64(33);
    let mut draw = |below: usize| random.next_u32() as usize % below;
    let budget =
        Budget { retries: 3, losses: 1, duplicates: 1, crashes: 2, failovers: 1, prunes: 1, ..Budget::default() };
    let (mut looked_at, mut largest) = (0, 0);
    for (guard, switch) in Guard::ALL.iter().flat_map(|guard| Switch::ALL.iter().map(move |switch| (guard, switch))) {
        for value in 0..switch.words().len() {
            let mut mechanism = Mechanism { guard: *guard, ..Mechanism::UNGUARDED };
            mechanism.set(*switch, value);
            // What the value needs, as far as it is drawn at once.
            for _ in 0..40 {
                let Some((other, _)) = mechanism.unmet() else { break };
                mechanism.set(other, draw(other.words().len()));
            }
            if mechanism.unmet().is_some() {
                continue;
            }
            for (workers, renewals, clocks) in [(2, 0, 1), (2, 2, 1), (3, 0, 2), (3, 2, 1)] {
                let budget = Budget { renewals, suspends: clocks, skews: clocks, ..budget };
                let config =
                    Config { workers, grants: 3, operations: [2; 3], attempts: 3, budget, ..config(mechanism) };
                let form = Form::of(&config);
                let mut state = State::new(&config);
                for _ in 0..120 {
                    let mut enabled = Vec::new();
                    state.enabled(&config, |event| enabled.push(event));
                    if enabled.is_empty() || state.step(&config, enabled[draw(enabled.len())], &mut Ignored).is_err() {
                        break;
                    }
                    if draw(2) == 0 {
                        state.forget(&config);
                    }
                    let mut packed = Packed::EMPTY;
                    if form.pack(&state, &mut packed).is_ok() {
                        let (back, mut whole) = (form.unpack(packed.words()), state);
                        let mut choices = Vec::new();
                        back.enabled(&config, |event| choices.push(event));
                        whole.enabled(&config, |event| assert_eq!(event, choices.remove(0), "{mechanism:?}"));
                        assert_eq!(choices, []);
                        if !form.has(Use::Clocks) {
                            // Nothing goes by them.
                            for granted in whole.ledger.grants.iter_mut().flatten() {
                                granted.clocks = Clocks::default();
                            }
                        }
                        assert_eq!(back, whole, "{mechanism:?}");
                        looked_at += 1;
                        largest = largest.max(packed.words().len() * 8);
                    }
                }
            }
        }
    }
    assert!(looked_at > 50_000, "{looked_at} states were packed, of {largest} bytes at most");
}

#[test]
fn bits_come_back_in_the_order_in_which_they_were_put() {
    let form = Form::of(&config(Mechanism::UNGUARDED));
    let ones = |width: u32| u64::MAX >> (64 - width);
    let numbers = |first: u32| (1..=20).map(move |step| (first * step) % 64 + 1).map(|width| (ones(width) / 3, width));
    for first in 1..64 {
        let mut packed = Packed::EMPTY;
        let mut writer = Writer::new(&form, &mut packed);
        let numbers: Vec<(u64, u32)> = {
            let mut left = 8 * MAX_STATE_BYTES as u32;
            numbers(first).take_while(|(_, width)| left.checked_sub(*width).map(|rest| left = rest).is_some()).collect()
        };
        for &(bits, width) in &numbers {
            writer.stage(bits, width);
            if bits % 2 == 0 {
                writer.put_staged();
            }
        }
        assert_eq!(writer.finish(), Ok(()));
        let mut reader = Reader::new(&form, packed.words());
        for &(bits, width) in &numbers {
            if bits % 3 == 0 {
                reader.end_stage();
            }
            assert_eq!(reader.unstage(width) & ones(width), bits, "{width} bits among {numbers:?}");
        }
    }
}

#[test]
fn more_than_there_is_room_for_does_not_fit() {
    let form = Form::of(&config(Mechanism::UNGUARDED));
    for (words, expected) in [(MAX_STATE_BYTES / 8, Ok(())), (MAX_STATE_BYTES / 8 + 1, Err(DoesNotFit))] {
        let mut packed = Packed::EMPTY;
        let mut writer = Writer::new(&form, &mut packed);
        for _ in 0..words {
            writer.stage(7, 64);
        }
        assert_eq!(writer.finish(), expected, "{words} words");
    }
}

/// Whatever does not fit ends its path, and says so: here, the very first state.
#[test]
fn a_state_that_does_not_fit_is_a_result() {
    let config = Config { budget: Budget { retries: u8::MAX, ..Budget::default() }, ..config(Mechanism::UNGUARDED) };
    let report = Search::new(&config).run();
    assert_eq!(report.progress.status, Status::Stopped(Cause::Paths));
    assert_eq!(report.progress.states, 0);
    assert_eq!(report.cut, [Cut { edge: Edge::StateSize, transitions: 1, path: Vec::new() }]);
}

#[test]
fn states_with_one_hash_are_still_told_apart() {
    let (mut index, mut arena) = (Index::new(), Arena::new());
    for number in [1u64, 2, 1, 3, 2, 3] {
        index.insert(u64::MAX, None, &[number], &mut arena);
        index.insert(u64::MAX, None, &[number, 0], &mut arena);
    }
    assert_eq!(index.len(), 6);
}

#[test]
fn the_index_grows_and_forgets_nothing() {
    let (mut index, mut arena) = (Index::new(), Arena::new());
    for round in 0..2 {
        for number in 0..50_000u64 {
            let words = [number, number % 7];
            index.insert(hash(&words), None, &words, &mut arena);
        }
        assert_eq!(index.len(), 50_000, "in round {round}");
    }
}

/// A search finds places in the order in which it gives them out, and where one begins the one before has ended.
#[test]
fn records_lie_one_after_another_across_segments() {
    let mut arena = Arena::new();
    let mut given = Vec::new();
    for number in 0..40_000u64 {
        given.push(arena.end());
        let words = [number; MAX_STATE_BYTES / 8];
        arena.push(None, &words[..1 + number as usize % words.len()]);
    }
    let mut place = Place::FIRST;
    for (number, &expected) in given.iter().enumerate() {
        assert_eq!(place, expected);
        assert_eq!(arena.words(place).len(), 1 + number % 8);
        assert!(arena.words(place).iter().all(|&word| word == number as u64));
        place = arena.after(place);
    }
    assert_eq!(place, arena.end());
    let numbers: BTreeSet<u32> = given.iter().map(|place| place.number()).collect();
    assert_eq!(numbers.len(), given.len());
}

/// How a search is sliced shows in nothing that it finds.
#[test]
fn slices_change_nothing() {
    let config = config(Mechanism { guard: Guard::MaxSeen, ..Mechanism::UNGUARDED });
    let whole = Search::new(&config).run();
    for budget in [1, 7, 1_000] {
        let mut search = Search::new(&config);
        let mut before = search.progress();
        while search.progress().status == Status::Searching {
            let now = search.advance(budget);
            assert!(now.states - now.frontier > before.states - before.frontier, "every slice gets further");
            assert!(now.depth >= before.depth && now.transitions >= before.transitions);
            before = now;
        }
        assert_eq!(search.report(), whole, "in slices of {budget}");
    }
}

#[test]
fn a_search_stops_at_its_bounds_and_when_it_is_called_off() {
    let config = config(Mechanism::UNGUARDED);
    let whole = Search::new(&config).run();
    for (bounds, cause) in [
        (Bounds { states: 1_000, ..Bounds::MAX }, Cause::States),
        (Bounds { bytes: 1_000_000, ..Bounds::MAX }, Cause::Memory),
    ] {
        let report = Search::within(&config, bounds).run();
        assert_eq!(report.progress.status, Status::Stopped(cause));
        assert!(report.progress.states < whole.progress.states && report.progress.frontier > 0);
        // All depths but the last are complete.
        let depths = report.states_by_depth.len();
        assert_eq!(report.states_by_depth[..depths - 1], whole.states_by_depth[..depths - 1]);
    }
    let mut search = Search::new(&config);
    search.advance(100);
    search.cancel();
    let report = search.run();
    assert_eq!(report.progress.status, Status::Stopped(Cause::Cancelled));
    assert!(!report.reached.is_empty(), "what was found stays found");
    search.cancel();
    let mut search = Search::new(&config);
    search.run();
    search.cancel();
    assert_eq!(search.report(), whole, "what is complete stays complete");
}

/// One worker that sends everything again and again, and a network that delivers as little as it may.
#[test]
fn paths_end_at_the_limits_of_the_model_and_the_others_go_on() {
    let guard = Guard::Registered;
    let bounds = Config {
        workers: 1,
        attempts: 4,
        budget: Budget { retries: 8, ..Budget::default() },
        ..config(Mechanism::UNGUARDED)
    };
    let config = Config { mechanism: Mechanism { guard, ..Mechanism::UNGUARDED }, ..bounds };
    let report = Search::new(&config).run();
    assert_eq!(report.progress.status, Status::Stopped(Cause::Paths));
    assert_eq!(report.progress.frontier, 0, "the other paths are followed to their ends");
    let [cut] = &report.cut[..] else { panic!("one limit is met: {:?}", report.cut) };
    assert_eq!((cut.edge, cut.transitions, cut.path.len()), (Edge::Model(Limit::Messages), 512, 24));
}
