//! A scenario as a Rust test: source that holds the scenario's text, runs it and asserts what came out of it. It needs
//! nothing but this crate, so that it can be pasted into any project that depends on it.

use crate::compare::{Comparison, compare};
use crate::invariant::Invariant;
use crate::observation::Situation;
use crate::run::{Limit, Run};
use crate::scenario::{Scenario, ScenarioError, parse};
use crate::trace::Trace;

/// What a row must come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The row's name.
    pub row: String,
    /// The invariants that it violates; all others hold.
    pub violated: Vec<Invariant>,
    /// The situations that it reaches; no others are.
    pub reached: Vec<Situation>,
    /// The limit of the model at which its run stops, if it does.
    pub stopped_at: Option<Limit>,
    /// The hash of its trace, if every fact must be the same.
    pub trace: Option<u64>,
}

impl Outcome {
    /// What came out of `run`.
    pub fn of(run: &Run) -> Self {
        Self {
            row: run.name.clone(),
            violated: Invariant::ALL.iter().copied().filter(|invariant| !run.holds(*invariant)).collect(),
            reached: Situation::ALL.iter().copied().filter(|situation| run.reached(*situation)).collect(),
            stopped_at: run.stopped_at,
            trace: None,
        }
    }

    /// The same, down to every fact: the test then also fails where only a time or a message is another one.
    pub fn with_trace(self, scenario: &Scenario, run: &Run) -> Self {
        Self { trace: Some(Trace::of(scenario, run).hash()), ..self }
    }
}

/// A test that `text` comes out as it does today: in all of its rows, or only in the one called `row`. A row that the
/// scenario does not have gives a test of nothing.
///
/// # Errors
/// The text is no scenario.
pub fn rust_test(text: &str, row: Option<&str>) -> Result<String, ScenarioError> {
    let Comparison { scenario, runs, .. } = compare(&parse(text)?);
    let outcomes: Vec<Outcome> =
        runs.iter().filter(|run| row.is_none_or(|row| row == run.name)).map(Outcome::of).collect();
    let name = match row {
        Some(row) => format!("{} {row}", scenario.name),
        None => scenario.name.clone(),
    };
    Ok(rust_test_of(text, &scenario, &name, &outcomes))
}

/// A test called `name`, as far as Rust can call it so, that `text`, which says `scenario`, comes to `outcomes`.
pub fn rust_test_of(text: &str, scenario: &Scenario, name: &str, outcomes: &[Outcome]) -> String {
    let with_trace = outcomes.iter().any(|outcome| outcome.trace.is_some());
    let with_limit = outcomes.iter().any(|outcome| outcome.stopped_at.is_some());
    let title = scenario.description().into_iter().next().unwrap_or_default();
    let mut source = String::new();
    if !title.is_empty() {
        source += &format!("/// {}\n", plain(&title));
    }
    source += &format!("#[test]\nfn {}() {{\n", identifier(name));
    source += "    use fencepost_core::compare::compare;\n    use fencepost_core::invariant::Invariant;\n";
    source += "    use fencepost_core::observation::Situation;\n";
    if with_limit {
        source += "    use fencepost_core::run::Limit;\n";
    }
    source += "    use fencepost_core::scenario::parse;\n";
    if with_trace {
        source += "    use fencepost_core::trace::Trace;\n";
    }
    source += &format!("\n    let text = {};\n", literal(text));
    source += BODY;
    source += if with_limit { "    };\n" } else { NO_LIMIT };
    for Outcome { row, violated, reached, stopped_at, trace } in outcomes {
        let (violated, reached) = (variants("Invariant", violated), variants("Situation", reached));
        source += &format!("    check({row:?}, {violated}, {reached});\n");
        if with_limit {
            let limit = stopped_at.map_or_else(|| "None".to_owned(), |limit| format!("Some(Limit::{limit:?})"));
            source += &format!("    assert_eq!(run({row:?}).stopped_at, {limit}, \"where {row} stops\");\n");
        }
        if let Some(hash) = trace {
            let hashed = format!("Trace::of(&scenario, run({row:?})).hash()");
            source += &format!("    assert_eq!({hashed}, {hash:#018x}, \"the facts of {row}\");\n");
        }
    }
    source += "}\n";
    source
}

/// What every test does, up to the end of the closure that checks a row.
const BODY: &str = r#"    let scenario = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let runs = compare(&scenario).runs;
    let run = |row: &str| runs.iter().find(|run| run.name == row).expect("the scenario has the row");
    let check = |row: &str, violated: &[Invariant], reached: &[Situation]| {
        let is_violated = |invariant: &Invariant| !run(row).holds(*invariant);
        let is_reached = |situation: &Situation| run(row).reached(*situation);
        let (invariants, situations) = (Invariant::ALL.iter().copied(), Situation::ALL.iter().copied());
        assert_eq!(invariants.filter(is_violated).collect::<Vec<_>>(), violated, "what {row} violates");
        assert_eq!(situations.filter(is_reached).collect::<Vec<_>>(), reached, "what {row} reaches");
"#;

const NO_LIMIT: &str = "        assert_eq!(run(row).stopped_at, None, \"{row} runs to its end\");\n    };\n";

/// A list of an enum's variants: on the line if it is short, else a line each.
fn variants(of: &str, values: &[impl std::fmt::Debug]) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("{of}::{value:?}")).collect();
    match values.as_slice() {
        [] => "&[]".to_owned(),
        [one] => format!("&[{one}]"),
        many => format!("&[\n        {},\n    ]", many.join(",\n        ")),
    }
}

/// Words that cannot name a function.
const KEYWORDS: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "",
];

/// `name` as Rust may call a function, in the style of Rust.
fn identifier(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let joined = words.join("_");
    if KEYWORDS.contains(&joined.as_str()) || joined.starts_with(|c: char| c.is_ascii_digit()) {
        format!("scenario_{joined}").trim_end_matches('_').to_owned()
    } else {
        joined
    }
}

/// `text` as a literal: raw, so that it can be read and changed in place, wherever Rust takes it so.
fn literal(text: &str) -> String {
    if text.chars().any(|character| character != '\n' && !is_plain(character)) {
        return format!("{text:?}");
    }
    let mut fence = String::new();
    while text.contains(&format!("\"{fence}")) {
        fence.push('#');
    }
    format!("r{fence}\"{text}\"{fence}")
}

/// `text` without what a comment may not have, or what nobody would see there.
fn plain(text: &str) -> String {
    text.chars().filter(|character| is_plain(*character)).collect()
}

/// Whether a reader of the source sees `character` for what it is: no control character, and none that turns the direction
/// of what stands around it.
fn is_plain(character: char) -> bool {
    matches!(character, '"' | '\'' | '\\' | '\t') || character.escape_debug().len() == 1
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_test_reads_like_one_written_by_hand() {
        let text = "# Nobody \"disturbs\" A.\nscenario alone\nworkers A\nlease 10s\nguard registered\n";
        expect![[r##"
            /// Nobody "disturbs" A.
            #[test]
            fn alone() {
                use fencepost_core::compare::compare;
                use fencepost_core::invariant::Invariant;
                use fencepost_core::observation::Situation;
                use fencepost_core::scenario::parse;

                let text = r#"# Nobody "disturbs" A.
            scenario alone
            workers A
            lease 10s
            guard registered
            "#;
                let scenario = parse(text).unwrap_or_else(|error| panic!("{error}"));
                let runs = compare(&scenario).runs;
                let run = |row: &str| runs.iter().find(|run| run.name == row).expect("the scenario has the row");
                let check = |row: &str, violated: &[Invariant], reached: &[Situation]| {
                    let is_violated = |invariant: &Invariant| !run(row).holds(*invariant);
                    let is_reached = |situation: &Situation| run(row).reached(*situation);
                    let (invariants, situations) = (Invariant::ALL.iter().copied(), Situation::ALL.iter().copied());
                    assert_eq!(invariants.filter(is_violated).collect::<Vec<_>>(), violated, "what {row} violates");
                    assert_eq!(situations.filter(is_reached).collect::<Vec<_>>(), reached, "what {row} reaches");
                    assert_eq!(run(row).stopped_at, None, "{row} runs to its end");
                };
                check("run", &[], &[]);
            }
        "##]]
        .assert_eq(&rust_test(text, None).expect("the text is a scenario"));
    }

    #[test]
    fn names_become_names_of_functions() {
        for (name, expected) in [
            ("paused-owner", "paused_owner"),
            ("paused-owner Re-Checked_2", "paused_owner_re_checked_2"),
            ("2-workers", "scenario_2_workers"),
            ("a--b-", "a_b"),
            ("loop", "scenario_loop"),
            ("self", "scenario_self"),
        ] {
            assert_eq!(identifier(name), expected);
        }
    }

    #[test]
    fn a_text_is_raw_where_rust_takes_it_raw() {
        for (text, expected) in [
            ("workers A", "r\"workers A\""),
            ("# \"A\"", "r#\"# \"A\"\"#"),
            ("# \"#", "r##\"# \"#\"##"),
            ("# \\n stays", "r\"# \\n stays\""),
            ("# naïve — 鍵", "r\"# naïve — 鍵\""),
            ("lease 10s\r\n", "\"lease 10s\\r\\n\""),
            ("# \u{202e}turned", "\"# \\u{202e}turned\""),
        ] {
            assert_eq!(literal(text), expected);
        }
    }

    #[test]
    fn one_row_alone_and_every_fact_if_that_is_wanted() {
        let text = crate::scenario::find("paused-owner").expect("it is in the corpus").text;
        let source = rust_test(text, Some("fenced")).expect("the corpus can be read");
        assert!(source.contains("fn paused_owner_fenced()"), "{source}");
        assert!(source.contains("check(\"fenced\", &[], "), "{source}");
        assert!(!source.contains("\"unfenced\""), "{source}");

        let Comparison { scenario, runs, .. } = compare(&parse(text).expect("the corpus can be read"));
        let outcome = Outcome::of(&runs[0]).with_trace(&scenario, &runs[0]);
        let hash = format!("hash(), {:#018x}", Trace::of(&scenario, &runs[0]).hash());
        assert!(rust_test_of(text, &scenario, "all facts", &[outcome]).contains(&hash));
    }
}
