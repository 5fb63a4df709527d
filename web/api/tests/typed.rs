//! The types that scripts get name what the core names: all of it, and nothing else.

use std::collections::BTreeSet;

use fencepost_api::{Searching, Simulation};
use fencepost_core::event::Process;
use fencepost_core::fact::{Conclusion, Fact, Stop};
use fencepost_core::invariant::Invariant;
use fencepost_core::mechanism::Switch;
use fencepost_core::message::{Answer, Call, Rejection};
use fencepost_core::observation::Situation;
use fencepost_core::program::Point;
use fencepost_core::run::Limit;
use fencepost_core::scenario::parse;
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

/// What scripts import is declared, in `api.js` and in its types, under the names that the module exports.
#[test]
fn what_is_exported_is_declared() {
    const MODULE: &str = include_str!("../src/lib.rs");
    const SCRIPT: &str = include_str!("../../../static/api.js");
    let code = MODULE.lines().map(str::trim);
    let mut exported = Words::new();
    let mut marked = false;
    for line in code {
        let name = ["pub fn ", "pub struct "].iter().find_map(|kind| line.strip_prefix(kind));
        if let Some(name) = name.filter(|_| marked) {
            exported.insert(name.split(['(', '<', ';']).next().unwrap_or_default());
        }
        marked = line == "#[wasm_bindgen]" || marked && line.starts_with('#');
    }
    let listed = |line: &'static str| -> Words<'static> {
        line.split(['{', '}']).nth(1).unwrap_or_default().split(',').map(str::trim).collect()
    };
    for line in SCRIPT.lines().filter(|line| line.starts_with("import start,") || line.starts_with("export {")) {
        assert_eq!(listed(line), exported, "{line}");
    }
    let declared = TYPES.lines().filter_map(|line| {
        let rest = line.strip_prefix("export function ").or_else(|| line.strip_prefix("export class "))?;
        rest.split(['(', ' ']).next()
    });
    assert_eq!(declared.collect::<Words<'_>>(), exported);

    // The methods of the one class, the constructor and `free` aside, which every class has.
    let methods =
        MODULE.split("\nimpl Search {\n").nth(1).and_then(|rest| rest.split("\n}\n").next()).unwrap_or_default();
    let methods: Words<'_> = methods.split("pub fn ").skip(1).filter_map(|rest| rest.split('(').next()).collect();
    let class =
        TYPES.split("\nexport class Search {").nth(1).and_then(|rest| rest.split("\n}").next()).unwrap_or_default();
    let typed =
        class.lines().map(str::trim).filter(|line| line.ends_with(';')).filter_map(|line| line.split('(').next());
    let rust = |name| if name == "constructor" { "new" } else { name };
    assert_eq!(typed.filter(|name| *name != "free").map(rust).collect::<Words<'_>>(), methods);
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

/// The properties that an interface declares, but not those of what they hold.
fn properties(name: &str) -> BTreeSet<String> {
    let declaration = declaration(name);
    let own = declaration.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let named = own.filter_map(|line| line.split_once(':')).map(|(name, _)| name.trim().trim_end_matches('?'));
    named.map(|name| name.trim_matches('"').to_owned()).collect()
}

/// What is handed over has the properties that its type declares: no more, and no fewer.
#[test]
fn what_is_handed_over_has_its_properties() {
    let text = "scenario typed\nworkers A B\nlease 10s\nlet late = 5s\nstart B on expiry\nfaults\n  A freezes 15s before \
                publish\n  network delays register of A by late\ncompare\n  one guard none\n  other guard registered\nexplore \
                retries 0\n";
    let scenario = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let json = |value: serde_json::Result<serde_json::Value>| value.expect("it has string keys only");
    let simulation = json(serde_json::to_value(Simulation::of(&scenario)));
    let exploration = json(serde_json::to_value(Searching::new(scenario.clone(), 0, 1_000).run()));
    let run = &simulation["runs"][0];
    for (name, value) in [
        ("Simulation", &simulation),
        ("Scenario", &simulation["scenario"]),
        ("Parameter", &simulation["scenario"]["parameters"][0]),
        ("Run", run),
        ("Verdict", &run["verdict"]),
        ("Violation", &run["violations"][0]),
        ("Sighting", &run["sightings"][0]),
        ("Difference", &simulation["difference"]),
        ("Line", &simulation["story"][0]),
        ("FactRef", &simulation["story"][0]["facts"][0]),
        ("Timeline", &simulation["timeline"]),
        ("Exploration", &exploration),
    ] {
        let handed_over = value.as_object().unwrap_or_else(|| panic!("there is a {name}: {value}"));
        assert_eq!(properties(name), handed_over.keys().cloned().collect(), "{name}");
    }
    // Only the second row registers.
    assert_eq!(run["notStruck"], serde_json::json!(["network delays register of A by late"]));
    assert_eq!(simulation["runs"][1]["notStruck"], serde_json::json!([]));
}
