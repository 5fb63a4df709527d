//! How mechanisms and situations go together, and what becomes of a cell. What comes out of all of them is tested where
//! there is time for it.

use std::collections::BTreeSet;

use super::*;
use crate::explore::Status;
use crate::invariant::Invariant;
use crate::mechanism::Switch;
use crate::scenario::print;

fn mechanism(name: &str) -> &'static Mechanism {
    Mechanism::find(name).expect("there is such a mechanism")
}

fn situation(name: &str) -> &'static Situation {
    Situation::find(name).expect("there is such a situation")
}

fn decide(of: &str, under: &str) -> Cell {
    Trial::decide(mechanism(of), situation(under))
}

#[test]
fn every_cell_is_a_scenario_or_is_refused_with_a_reason() {
    let mut refused = 0;
    for (mechanism, situation) in pairs() {
        match scenario(mechanism, situation) {
            Ok(scenario) => {
                assert_eq!(scenario.rows[0].name, mechanism.name);
                assert_eq!(scenario.name, situation.name);
                assert_eq!(scenario.description()[0], situation.title);
                assert_eq!(scenario.description()[1], situation.explanation);
                assert_eq!(scenario.sources().collect::<Vec<_>>(), [situation.source]);
                assert_eq!(scenario.expectations.len(), situation.asked().len());
                let again = parse(&print(&scenario)).expect("what is printed can be read");
                assert_eq!(again.rows, scenario.rows);
                assert_eq!(again.bounds, scenario.bounds);
            }
            Err(why) => {
                refused += 1;
                assert!(why.ends_with('.') && why.contains('`'), "{} in {}: {why}", mechanism.name, situation.name);
            }
        }
    }
    assert!(refused > 0, "some mechanisms have nothing to do with some situations");
}

/// A scenario that could not be read for another reason than that would look like one that does not apply.
#[test]
fn nothing_is_refused_but_what_has_no_meaning() {
    for (mechanism, situation) in pairs() {
        if let Err(why) = scenario(mechanism, situation) {
            let expected = [" has no meaning here. It needs ", " is part of the mechanism; the situation has "];
            assert!(expected.iter().any(|part| why.contains(part)), "{why}");
        }
        if settled(mechanism, situation).is_some() {
            continue;
        }
        // With a guard that can do everything, the situation's own lines make sense.
        let able = situation.settings.contains(&"asks lock-replica");
        let guard = if able { "guard client-check" } else { "guard registered" };
        let able = Mechanism {
            name: "able",
            title: "",
            sentence: "",
            known_from: "",
            row: guard,
            tries_again: mechanism.tries_again,
        };
        assert_eq!(scenario(&able, situation).map(|_| ()), Ok(()), "{}", situation.name);
    }
}

/// Row and situation both have their say: neither sets anything that the other sets to something else.
#[test]
fn a_row_is_what_the_mechanism_and_the_situation_say() {
    for (mechanism, situation) in pairs() {
        let Ok(scenario) = scenario(mechanism, situation) else { continue };
        let settings: BTreeSet<(&str, &str)> =
            scenario.rows[0].mechanism.settings().map(|(switch, value)| (switch.name(), value)).collect();
        let is_switch = |name: &str| Switch::ALL.iter().any(|switch| switch.name() == name);
        let lines = situation.settings.iter().copied().chain(mechanism.row.split(", "));
        let said = lines.filter_map(|line| line.split_once(' ')).filter(|(name, _)| is_switch(name));
        let is_default = |name: &str, value: &str| {
            Switch::ALL.iter().any(|switch| switch.name() == name && switch.words()[0] == value && name != "guard")
        };
        let said: BTreeSet<(&str, &str)> = said.filter(|(name, value)| !is_default(name, value)).collect();
        assert_eq!(settings, said, "{} in {}", mechanism.name, situation.name);
    }
}

#[test]
fn names_are_unique_and_texts_are_sentences() {
    let names: BTreeSet<&str> = Mechanism::ALL.iter().map(|mechanism| mechanism.name).collect();
    assert_eq!(names.len(), Mechanism::ALL.len());
    let names: BTreeSet<&str> = Situation::ALL.iter().map(|situation| situation.name).collect();
    assert_eq!(names.len(), Situation::ALL.len());
    for mechanism in Mechanism::ALL {
        assert!(mechanism.sentence.ends_with('.') && !mechanism.title.ends_with('.'), "{}", mechanism.name);
    }
    let mut last = 0;
    for situation in Situation::ALL {
        assert!(situation.explanation.ends_with('.') && !situation.title.ends_with('.'), "{}", situation.name);
        assert!(situation.source.starts_with("https://"), "{}", situation.name);
        if let Some(plain) = situation.plain.map(self::situation) {
            let shared = situation.asked().iter().any(|invariant| plain.asked().contains(invariant));
            assert!(shared && plain.plain.is_none(), "{} can be compared with {}", situation.name, plain.name);
        }
        let group = Group::ALL.iter().position(|group| *group == situation.group).expect("the group is listed");
        assert!(last <= group, "{} stands with its group", situation.name);
        last = group;
    }
}

#[test]
fn every_harm_has_its_own_letter() {
    let letters: BTreeSet<char> = Harm::ALL.iter().map(|harm| harm.letter()).collect();
    assert_eq!(letters.len(), Harm::ALL.len());
    assert!(Invariant::ALL.iter().all(|invariant| Harm::ALL.contains(&Harm::of(*invariant))));
}

#[test]
fn a_cell_that_breaks_has_a_path_and_a_scenario_that_takes_it() {
    let cell = decide("none", "late-write");
    let Answer::Broken(broken) = &cell.answer else { panic!("{cell:?}") };
    assert_eq!((broken.shown, broken.harm()), (Invariant::NoStaleOverwrite, Harm::Data));
    assert_eq!(broken.invariants, [(Invariant::NoStaleOverwrite, broken.witness.path.len())]);
    assert_eq!(broken.witness.told.len(), broken.witness.path.len());
    let timed = parse(broken.scenario.as_ref().expect("it can be given times")).expect("it can be read");
    assert_eq!(crate::expect::failures(&crate::compare::compare(&timed)), []);
}

/// The gravest is shown, though another takes fewer steps.
#[test]
fn of_several_the_gravest_is_shown() {
    let cell = decide("row-version-redo", "lost-reply");
    let Answer::Broken(broken) = &cell.answer else { panic!("{cell:?}") };
    let steps = |of| broken.invariants.iter().find(|(invariant, _)| *invariant == of).map(|(_, steps)| *steps);
    assert!(steps(Invariant::SameAnswer) < steps(Invariant::AppliedOnce));
    assert_eq!(broken.shown, Invariant::AppliedOnce);
}

#[test]
fn a_policy_shows_how_each_comes_about() {
    let policy = |of| match decide(of, "expired-unclaimed").answer {
        Answer::Policy { accepts, refuses } => (accepts.is_some(), refuses.is_some()),
        answer => panic!("{answer:?}"),
    };
    assert_eq!(policy("max-seen"), (true, false));
    assert_eq!(policy("deadline"), (false, true));
    // It may also end between the check and the write.
    assert_eq!(policy("client-check"), (true, true));
}

#[test]
fn what_does_not_apply_says_why() {
    let why = |of, under| match decide(of, under).answer {
        Answer::DoesNotApply { why } => why,
        answer => panic!("{answer:?}"),
    };
    assert!(why("none", "row-lost-fails-closed").contains("a guard that can miss its row"));
    assert!(why("client-check-destination", "lagging-lock-replica").contains("`asks destination` is part of"));
}

#[test]
fn it_is_all_the_same_how_a_cell_is_sliced() {
    let (of, under) = (mechanism("registered-with-ids"), situation("late-write"));
    let whole = Trial::decide(of, under);
    assert_eq!(whole.answer, Answer::Holds);
    let mut trial = Trial::new(of, under).expect("it applies");
    assert!(!trial.cell().is_decided(), "nothing has been looked at yet");
    while trial.advance(100).status == Status::Searching {
        assert!(!trial.cell().is_decided());
        assert!(!trial.cell().stopped_at.is_empty());
    }
    assert_eq!(trial.cell(), whole);
}

/// A matrix with these cells; nothing applies elsewhere.
fn matrix(decided: &[(&str, &str)]) -> Matrix {
    let cell = |mechanism: &'static Mechanism, situation: &'static Situation| {
        if decided.contains(&(mechanism.name, situation.name)) {
            return Trial::decide(mechanism, situation);
        }
        Cell::does_not_apply("Not looked at.".to_owned())
    };
    Matrix::of(pairs().map(|(mechanism, situation)| cell(mechanism, situation)).collect())
}

#[test]
fn json_tells_what_the_cells_tell() {
    let matrix = matrix(&[("none", "late-write"), ("deadline", "expired-unclaimed")]);
    let text = matrix.to_json();
    assert!(text.ends_with("}\n") && !text.contains(".0,"), "a line end, and no fractions");
    let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let texts = |value: &serde_json::Value| -> Vec<String> {
        let places = value.as_array().expect("it is a list");
        places
            .iter()
            .map(|place| json["texts"][place.as_u64().expect("an index") as usize].as_str().expect("a text").to_owned())
            .collect()
    };
    for (mechanism, situation, cell) in matrix.cells() {
        let written = &json["cells"][mechanism.name][situation.name];
        match &cell.answer {
            Answer::Broken(broken) => {
                assert_eq!(texts(&written["told"]), broken.witness.told);
                let scenario = texts(&written["scenario"]).join("\n") + "\n";
                assert_eq!(Some(scenario), broken.scenario);
                assert_eq!(written["broken"][broken.shown.name()], broken.witness.path.len());
                assert_eq!(written["states"], cell.states);
            }
            Answer::Policy { accepts: None, refuses: Some(refuses) } => {
                assert_eq!(texts(&written["refuses"]), refuses.told);
                assert!(written["accepts"].is_null());
            }
            answer => {
                assert!(matches!(answer, Answer::DoesNotApply { .. }), "{answer:?}");
                assert_eq!(json["texts"][written["why"].as_u64().expect("an index") as usize], "Not looked at.");
            }
        }
    }
    let listed = json["texts"].as_array().expect("it is a list");
    let unique: BTreeSet<&str> = listed.iter().filter_map(serde_json::Value::as_str).collect();
    assert_eq!(unique.len(), listed.len(), "each text stands there once");
}

#[test]
fn the_table_has_a_mark_for_each_cell_and_fits_on_a_terminal() {
    let matrix = matrix(&[
        ("none", "late-write"),
        ("none", "early-release"),
        ("deadline", "early-release"),
        ("deadline", "late-write"),
        ("deadline", "expired-unclaimed"),
        ("none", "second-write"),
    ]);
    assert!(matrix.is_decided());
    let text = matrix.to_text();
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).expect("it has a line");
    assert_eq!(line("late-write ").split_whitespace().collect::<Vec<_>>(), ["late-write", "D", "."]);
    // One of them is broken by the early release, the other one anyway.
    assert_eq!(line("early-release").split_whitespace().collect::<Vec<_>>(), ["early-release", "d", "D"]);
    assert_eq!(line("second-write").split_whitespace().collect::<Vec<_>>(), ["second-write", "."]);
    assert_eq!(line("expired-unclaimed").split_whitespace().collect::<Vec<_>>(), ["expired-unclaimed", "r"]);
    assert!(text.contains("2 hold, 3 are broken, 1 are policy"), "{text}");
}

/// Who has read nothing else finds there what each mark means, in the words of the table's own legend.
#[test]
fn the_description_explains_every_mark() {
    let description = include_str!("../../docs/matrix.md");
    let marks =
        description.split("## The marks").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap_or_default();
    let explained: Vec<&str> = marks.lines().filter(|line| line.starts_with("| `")).collect();
    let legend: Vec<String> =
        table::legend().into_iter().map(|(mark, title)| format!("| `{mark}` | {title} |")).collect();
    assert_eq!(explained, legend);
}
