//! The types that scripts get name what the core names: all of it, and nothing else.

use std::collections::BTreeSet;

use fencepost_core::event::Process;
use fencepost_core::fact::{Conclusion, Fact, Stop};
use fencepost_core::invariant::Invariant;
use fencepost_core::mechanism::Switch;
use fencepost_core::message::{Answer, Call, Rejection};
use fencepost_core::observation::Situation;
use fencepost_core::program::Point;
use fencepost_core::run::Limit;
use serde::de::value::{Error, MapDeserializer, StrDeserializer};
use serde::{Deserialize, de::IntoDeserializer};

const TYPES: &str = include_str!("../../../static/api.d.ts");

type Words<'t> = BTreeSet<&'t str>;

/// What is declared under this name: all until the next declaration, without comments.
fn declaration(name: &str) -> String {
    let declared = |kind| TYPES.split(&format!("\nexport {kind} {name} ")).nth(1);
    let rest = declared("type").or_else(|| declared("interface")).unwrap_or_else(|| panic!("{name} is not declared"));
    let own = rest.split("\nexport ").next().unwrap_or_default();
    let comment = |line: &&str| ["//", "/*", "*"].iter().any(|mark| line.trim_start().starts_with(mark));
    own.lines().filter(|line| !comment(line)).map(|line| format!("{line}\n")).collect()
}

/// The strings in a piece of a declaration.
fn quoted(text: &str) -> Words<'_> {
    text.split('"').skip(1).step_by(2).collect()
}

/// The strings that a property may be, wherever a declaration has it.
fn values<'t>(text: &'t str, property: &str) -> Words<'t> {
    let marks =
        [format!(" {property}:"), format!(" {property}?:"), format!(" \"{property}\":"), format!(" \"{property}\"?:")];
    let pieces = marks.iter().flat_map(|mark| text.split(mark).skip(1));
    pieces.flat_map(|piece| quoted(piece.split([';', '}']).next().unwrap_or_default())).collect()
}

/// The names of an enum's variants, as serde lists them for somebody who has named none of them.
fn listed<'de, T: Deserialize<'de>>(tag: Option<&'static str>) -> BTreeSet<String> {
    let nothing: StrDeserializer<'de, Error> = "".into_deserializer();
    let read = match tag {
        Some(tag) => T::deserialize(MapDeserializer::new([(tag, nothing)].into_iter())),
        None => T::deserialize(nothing),
    };
    let error = read.err().expect("no variant is called nothing").to_string();
    let (_, list) = error.split_once("expected ").unwrap_or_else(|| panic!("it lists none: {error}"));
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_switch_has_its_words() {
    let mechanism = declaration("Mechanism");
    for switch in Switch::ALL {
        assert_eq!(values(&mechanism, switch.name()), switch.words().iter().copied().collect(), "{}", switch.name());
    }
    assert_eq!(mechanism.matches(':').count(), Switch::ALL.len(), "{mechanism}");
}

#[test]
fn what_is_judged_has_its_names() {
    let names = |names: &[&'static str]| names.iter().copied().collect::<Words<'_>>();
    let invariants: Vec<&str> = Invariant::ALL.iter().map(|invariant| invariant.name()).collect();
    assert_eq!(quoted(&declaration("Invariant")), names(&invariants));
    assert_eq!(quoted(&declaration("Situation")), names(&Situation::ALL.map(Situation::name)));
    assert_eq!(quoted(&declaration("Limit")), names(&Limit::ALL.map(Limit::name)));
    assert_eq!(values(&declaration("Timeline"), "point"), names(&Point::ALL.map(Point::name)));
}

#[test]
fn what_happens_has_its_names() {
    for (name, tag, listed) in [
        ("Fact", Some("fact"), listed::<Fact>(Some("fact"))),
        ("Process", Some("process"), listed::<Process>(Some("process"))),
        ("Call", Some("call"), listed::<Call>(Some("call"))),
        ("Answer", Some("answer"), listed::<Answer>(Some("answer"))),
        ("Rejection", None, listed::<Rejection>(None)),
        ("Conclusion", None, listed::<Conclusion>(None)),
        ("Stop", None, listed::<Stop>(None)),
    ] {
        let declaration = declaration(name);
        let declared = tag.map_or_else(|| quoted(&declaration), |tag| values(&declaration, tag));
        assert_eq!(declared, listed.iter().map(String::as_str).collect(), "{name}");
    }
}
