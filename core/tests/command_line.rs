//! The program `fencepost`, run as its users run it: exit codes, messages at line and column, what it writes. The examples
//! of `core/docs/command-line.md` are run too; `UPDATE_EXPECT=1` writes their outputs anew.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "these are tests of a program, and have to start it; the rules of the library are not theirs"
)]

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use expect_test::{Expect, expect, expect_file};
use fencepost_core::compare::compare;
use fencepost_core::plot::{Options, Style, layout, svg, timeline};
use fencepost_core::rust_test::rust_test;
use fencepost_core::scenario::{CORPUS, find, parse};
use fencepost_core::trace::Trace;

/// A scenario whose outcome is known, and whose last line can be made wrong.
const ALONE: &str = "scenario alone\nworkers A\nlease 10s\nexpect\n  run no-lost-update holds\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

fn fencepost(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program can be started")
}

/// Runs it with `input` on standard input.
fn fed(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = command(arguments);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    // It may have seen enough before the end, and then nobody reads any more.
    let _ = child.stdin.take().expect("standard input is a pipe").write_all(input);
    child.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the program writes UTF-8")
}

/// The output of a run that must end with `code` and say nothing on standard error.
#[track_caller]
fn quiet(output: &Output, code: i32) -> &str {
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(code));
    text(&output.stdout)
}

/// A run that must be refused with exit code 2, with nothing on standard output and `expected` on standard error.
#[track_caller]
fn refused(output: &Output, expected: &Expect) {
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)), "{}", text(&output.stderr));
    expected.assert_eq(text(&output.stderr));
}

#[test]
fn every_scenario_of_the_corpus_comes_out_as_expected() {
    for entry in CORPUS {
        let path = format!("core/scenarios/{}.fence", entry.path);
        let output = fencepost(&["simulate", &path]);
        let told = quiet(&output, 0);
        assert!(told.starts_with(&format!("{}: ", entry.name())), "{told}");
        assert!(told.ends_with("\nAs expected.\n"), "{told}");
    }
}

#[test]
fn an_expectation_that_is_not_met_is_exit_code_1() {
    let wrong = ALONE.replace("holds", "violated");
    let output = fed(&["simulate", "-"], wrong.as_bytes());
    assert!(quiet(&output, 1).ends_with("\nNot as expected:\n  line 5: no-lost-update holds in run\n"));
    for form in ["--json", "--trace", "--rust-test"] {
        quiet(&fed(&["simulate", "-", form], wrong.as_bytes()), 1);
        quiet(&fed(&["simulate", "-", form], ALONE.as_bytes()), 0);
    }
    quiet(&fed(&["svg", "-"], wrong.as_bytes()), 0);
}

/// A fault may name what comes in some rows only, or nowhere: that is told, row by row.
#[test]
fn faults_that_do_not_strike_are_told() {
    let faults = "scenario faults\nworkers A\nlease 10s\nlet late = 5s\nfaults\n  A freezes late after register\n  \
                  network loses register of A attempt 2\n  network delays write of A by 1s\ncompare\n  one guard none\n  \
                  other guard registered\n";
    let output = fed(&["simulate", "-"], faults.as_bytes());
    let told: Vec<&str> = quiet(&output, 0).lines().filter(|line| line.contains("did not strike")).collect();
    let (freezes, loses) = ("A freezes late after register", "network loses register of A attempt 2");
    // Both in the row that does not register, and in the other one what would need a second try.
    assert_eq!(told, [freezes, loses, loses].map(|fault| format!("  did not strike: {fault}")));
    let output = fed(&["simulate", "-", "--json"], faults.as_bytes());
    let report: serde_json::Value = serde_json::from_str(quiet(&output, 0)).expect("the report is JSON");
    assert_eq!(report["rows"][0]["not-struck"], serde_json::json!([freezes, loses]));
    assert_eq!(report["rows"][1]["not-struck"], serde_json::json!([loses]));
    let all = fed(&["simulate", "-"], faults.replace(" attempt 2", "").as_bytes());
    assert!(!quiet(&all, 0).split("\nother (").nth(1).expect("the row is told").contains("did not strike"));
}

/// What one row does not meet does not count where another one is looked at.
#[test]
fn a_row_is_looked_at_alone() {
    let two = "scenario two\nworkers A\nlease 10s\ncompare\n  one guard none\n  other guard registered\nexpect\n  other \
               no-lost-update violated\n";
    quiet(&fed(&["simulate", "-"], two.as_bytes()), 1);
    let output = fed(&["simulate", "-", "--row", "other"], two.as_bytes());
    let told = quiet(&output, 1);
    assert!(told.contains("\nother (") && !told.contains("\none ("), "{told}");
    assert!(
        quiet(&fed(&["simulate", "-", "--row", "one"], two.as_bytes()), 0).ends_with("\nAs expected in this row.\n")
    );
    refused(
        &fed(&["simulate", "-", "--row", "tow"], two.as_bytes()),
        &expect![[r#"
        fencepost: there is no row `tow` in two: it has one, other
    "#]],
    );
}

#[test]
fn a_mistake_is_shown_at_its_line_and_column() {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let path = folder.path().join("wrong.fence");
    let shown = path.to_str().expect("temporary folders have plain names");
    for (bytes, expected) in [
        (
            &b"scenario s\nworkers A B\nlease 10 s\n"[..],
            expect![[r#"
                wrong.fence:3:7: `10` has no unit. Write `10s`, `10ms` or `10m`, for example.
                  |
                3 | lease 10 s
                  |       ^
            "#]],
        ),
        (
            b"scenario s\nworkers A\n# \xff\xfe\nlease 10s\n",
            expect![[r#"
                wrong.fence:3:3: The byte 0xff is not UTF-8; a scenario is a text in UTF-8.
                  |
                3 | # ��
                  |   ^
            "#]],
        ),
        (
            b"",
            expect![[r#"
                wrong.fence:1:1: There is no scenario here: one begins with a line `scenario NAME`.
                  |
                1 |
                  | ^
            "#]],
        ),
    ] {
        std::fs::write(&path, bytes).expect("there is room for a file");
        let [simulated, explored, drawn] = ["simulate", "explore", "svg"].map(|command| fencepost(&[command, shown]));
        assert_eq!(simulated, drawn, "every command says the same");
        assert_eq!(explored, drawn, "every command says the same");
        assert_eq!((text(&drawn.stdout), drawn.status.code()), ("", Some(2)));
        expected.assert_eq(&text(&drawn.stderr).replace(shown, "wrong.fence"));
    }
    refused(
        &fed(&["simulate", "-"], b"scenario s\nlease 10s\n"),
        &expect![[r#"
        standard input:1:10: The scenario `s` has no line `workers`, for example `workers A B`.
          |
        1 | scenario s
          |          ^
    "#]],
    );
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    refused(
        &fencepost(&["simulate", "core/scenarios/none.fence"]),
        &expect![[r#"
        core/scenarios/none.fence: No such file or directory (os error 2)
    "#]],
    );
    refused(
        &fencepost(&["svg", "core/scenarios"]),
        &expect![[r#"
        core/scenarios: Is a directory (os error 21)
    "#]],
    );
}

/// It reads no more of it than it takes to see that it is too long.
#[test]
fn a_text_without_end_is_refused() {
    let output = fed(&["simulate", "-"], &b"# comment\n".repeat(1_000_000));
    refused(
        &output,
        &expect![[r#"
        standard input:2001:1: The text has 10001 lines; a scenario has at most 2000.
             |
        2001 | # comment
             | ^
    "#]],
    );
}

#[test]
fn a_command_line_that_makes_no_sense_is_refused() {
    refused(
        &fencepost(&[]),
        &expect![[r#"
        fencepost: no command given
        See `fencepost --help`.
    "#]],
    );
    refused(
        &fencepost(&["simulate", "--jsno", "-"]),
        &expect![[r#"
        fencepost: invalid option '--jsno'
        See `fencepost --help`.
    "#]],
    );
}

#[test]
fn help_names_every_exit_code_and_version_is_the_crates() {
    let output = fencepost(&["--help"]);
    let help = quiet(&output, 0);
    for code in ["  0  ", "  1  ", "  2  "] {
        assert!(help.contains(code), "{help}");
    }
    assert!(help.lines().all(|line| line.len() <= 100), "it fits on a terminal");
    assert_eq!(quiet(&fencepost(&["--version"]), 0), concat!("fencepost ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn traces_and_figures_are_the_librarys() {
    let entry = find("paused-owner").expect("it is in the corpus");
    let comparison = compare(&parse(entry.text).expect("the corpus can be read"));
    let path = format!("core/scenarios/{}.fence", entry.path);

    let traces: Vec<String> =
        comparison.runs.iter().map(|run| Trace::of(&comparison.scenario, run).to_text()).collect();
    assert_eq!(quiet(&fencepost(&["simulate", &path, "--trace"]), 0), traces.concat());
    assert_eq!(quiet(&fencepost(&["simulate", &path, "--trace", "--row", "fenced"]), 0), traces[2]);

    for (arguments, width) in [(&[][..], 960), (&["--width", "390"][..], 390)] {
        let scene = layout(&timeline(&comparison), Options::width(width));
        let output = fencepost(&[&["svg", &path], arguments].concat());
        assert_eq!(quiet(&output, 0), svg(&scene, Style::Embedded), "{width}");
    }
    let output = fencepost(&["svg", &path, "--dark"]);
    let dark = quiet(&output, 0);
    assert_eq!(dark.matches("@media all").count(), 1, "the dark colours hold for everybody");
    assert!(!dark.contains("prefers-color-scheme"));

    let rust = rust_test(entry.text, Some("fenced")).expect("the corpus can be read");
    assert_eq!(quiet(&fencepost(&["simulate", &path, "--rust-test", "--row", "fenced"]), 0), rust);
}

/// `head` and the like close the pipe when they have seen enough.
#[test]
fn a_reader_that_has_seen_enough_is_no_mistake() {
    let mut child = command(&["simulate", "core/scenarios/report-job/paused-owner.fence", "--trace"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
}

#[test]
fn json_has_what_the_library_says() {
    let output = fencepost(&["simulate", "core/scenarios/report-job/paused-owner.fence", "--json"]);
    let report: serde_json::Value = serde_json::from_str(quiet(&output, 0)).expect("it is JSON");
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().expect("it is an object").keys().cloned().collect()
    };
    expect![[r#"["model", "rows", "scenario", "story", "unmet"]"#]].assert_eq(&format!("{:?}", keys(&report)));
    let fenced = &report["rows"][2];
    expect![[
        r#"["counted", "mechanism", "not-struck", "reached", "row", "stopped-at", "trace-hash", "verdict", "violated"]"#
    ]]
    .assert_eq(&format!("{:?}", keys(fenced)));
    assert_eq!(fenced["row"], "fenced");
    assert_eq!(fenced["violated"].as_array().map(Vec::len), Some(0));
    assert_eq!(report["rows"][0]["violated"][0]["invariant"], "no-stale-overwrite");

    // Instants and facts are those of the trace.
    let entry = find("paused-owner").expect("it is in the corpus");
    let comparison = compare(&parse(entry.text).expect("the corpus can be read"));
    let violation = comparison.runs[0].violations[0];
    let violated = &report["rows"][0]["violated"][0];
    assert_eq!(violated["fact"], violation.fact);
    assert_eq!(violated["at"], comparison.runs[0].facts[violation.fact].at.micros());
    let hash = Trace::of(&comparison.scenario, &comparison.runs[2]).hash();
    assert_eq!(fenced["trace-hash"], format!("{hash:016x}"));
}

/// What a scenario expects of its own schedule is held against every schedule.
#[test]
fn a_search_is_held_against_what_the_scenario_expects() {
    let output = fencepost(&["explore", "core/scenarios/report-job/paused-owner.fence"]);
    let told = quiet(&output, 0);
    for part in ["\nunfenced (", "\nfenced (", "complete\n", "broken in", "\n     1  A asks for the lock.\n"] {
        assert!(told.contains(part), "{told}");
    }
    assert!(told.ends_with("\nAs expected.\n"), "{told}");

    // Harmless by its own schedule, and not by every one: it is spared, and does not hold.
    let harmless = find("published-in-time").expect("it is in the corpus").text;
    quiet(&fed(&["explore", "-"], harmless.as_bytes()), 0);
    let claimed = harmless.replace("no-stale-overwrite spared", "no-stale-overwrite holds");
    assert!(quiet(&fed(&["explore", "-"], claimed.as_bytes()), 1).contains("no-stale-overwrite is broken in unfenced"));
    let safe = harmless.replace("no-stale-overwrite holds", "no-stale-overwrite spared");
    assert!(quiet(&fed(&["explore", "-"], safe.as_bytes()), 1).contains("no-stale-overwrite is not broken in fenced"));

    quiet(&fed(&["explore", "-"], ALONE.as_bytes()), 0);
    let wrong = ALONE.replace("holds", "violated");
    let output = fed(&["explore", "-"], wrong.as_bytes());
    assert!(quiet(&output, 1).ends_with("  line 5: no-lost-update is not broken in run within the bounds\n"));
    let silent = fed(&["explore", "-"], b"scenario silent\nworkers A\nlease 10s\n");
    assert!(quiet(&silent, 0).ends_with("\nThe scenario expects nothing of any invariant.\n"));
}

#[test]
fn a_search_that_was_stopped_has_decided_nothing() {
    let fenced = ["explore", "core/scenarios/report-job/paused-owner.fence", "--row", "fenced"];
    let limited = [&fenced[..], &["--max-states", "1000"]].concat();
    let output = fencepost(&limited);
    let told = quiet(&output, 1);
    assert!(told.contains("NOT complete: stopped at states\n"), "{told}");
    assert!(told.contains("no-lost-update is not decided in fenced: the search stopped\n"), "{told}");

    let output = fencepost(&[&limited[..], &["--json"]].concat());
    let report: serde_json::Value = serde_json::from_str(quiet(&output, 1)).expect("it is JSON");
    assert_eq!(report["rows"][0]["complete"], false);
    assert_eq!(report["rows"][0]["stopped-at"], serde_json::json!(["states"]));
    assert_eq!(report["unmet"].as_array().map(Vec::len), Some(3));
}

/// What is found comes back as a scenario that breaks the same invariant by its own schedule.
#[test]
fn a_counterexample_can_be_simulated() {
    let output = fencepost(&["explore", "core/scenarios/report-job/paused-owner.fence", "--row", "unfenced", "--json"]);
    let report: serde_json::Value = serde_json::from_str(quiet(&output, 0)).expect("it is JSON");
    let row = &report["rows"][0];
    expect![[
        r#"["broken", "complete", "depth", "mechanism", "reached", "row", "states", "stopped-at", "transitions"]"#
    ]]
    .assert_eq(&format!("{:?}", row.as_object().expect("it is an object").keys().collect::<Vec<_>>()));
    let broken = row["broken"].as_array().expect("it is a list");
    assert!(broken.len() > 2, "an unfenced destination breaks several");
    for broken in broken {
        let steps = broken["steps"].as_u64().expect("it is a number") as usize;
        assert_eq!(broken["path"].as_array().map(Vec::len), Some(steps));
        assert_eq!(broken["told"].as_array().map(Vec::len), Some(steps));
        let scenario = broken["scenario"].as_str().expect("it can be given times");
        let name = broken["invariant"].as_str().expect("it is a name");
        let output = fed(&["simulate", "-"], scenario.as_bytes());
        let violated = quiet(&output, 0).lines().find(|line| line.starts_with("  violated: ")).unwrap_or_default();
        assert!(violated.contains(name), "{violated}: {name}");
    }
    let arguments = ["explore", "core/scenarios/report-job/paused-owner.fence", "--row", "unfenced", "--scenario"];
    let output = fencepost(&arguments);
    let shortest = broken.iter().min_by_key(|broken| broken["steps"].as_u64()).expect("there are some");
    assert_eq!(shortest["scenario"], quiet(&output, 0));
    let output =
        fencepost(&["explore", "core/scenarios/report-job/paused-owner.fence", "--row", "fenced", "--scenario"]);
    assert_eq!(quiet(&output, 0), "# No counterexample was found within the bounds.\n");
}

/// The examples of the descriptions: a line `$ fencepost …`, and all that it writes up to the end of the block. Those with
/// `| head -n N` end after so many lines.
#[test]
fn the_descriptions_show_what_is_written() {
    for (name, least) in [("command-line", 4), ("matrix", 1)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/{name}.md"));
        let description = std::fs::read_to_string(&path).expect("it is in the repository");
        let (written, examples) = with_examples(&description);
        assert!(examples >= least, "{name} has {examples} examples");
        expect_file![path].assert_eq(&written);
    }
}

/// The description with its examples as they come out, and how many there are.
fn with_examples(description: &str) -> (String, usize) {
    let mut written = String::new();
    let mut examples = 0;
    let mut lines = description.lines();
    while let Some(line) = lines.next() {
        written += line;
        written.push('\n');
        let Some(example) = line.strip_prefix("$ fencepost ") else { continue };
        let (arguments, head) = example.split_once(" | head -n ").unwrap_or((example, "1000000"));
        let output = fencepost(&arguments.split(' ').collect::<Vec<_>>());
        let all = format!("{}{}", text(&output.stdout), text(&output.stderr));
        let most = head.parse().expect("the description counts lines");
        for line in all.lines().take(most) {
            written += line;
            written.push('\n');
        }
        written += "```\n";
        lines.by_ref().find(|line| *line == "```");
        examples += 1;
    }
    (written, examples)
}

/// Its example is a line of the page's file, which another test holds to what comes out.
#[test]
fn the_description_of_the_matrix_shows_its_json() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("it is in the repository");
    let (description, file) = (read("core/docs/matrix.md"), read("static/matrix.json"));
    let mut shown = description.lines().skip_while(|line| *line != "```json").skip(1).take_while(|line| *line != "```");
    let line = shown.next().expect("there is an example");
    assert!(file.lines().any(|written| written == line), "{line}");
    assert_eq!(shown.next(), None);
    let matrix: serde_json::Value = serde_json::from_str(&file).expect("it is JSON");
    let list = |name: &str| matrix[name].as_array().expect("it is a list").iter();
    let cells = matrix["cells"].as_object().expect("it is an object").values();
    let cells = cells.flat_map(|of| of.as_object().expect("it is an object").values());
    let objects =
        [&matrix].into_iter().chain(list("mechanisms")).chain(list("groups")).chain(list("situations")).chain(cells);
    let keys: BTreeSet<&String> = objects.flat_map(|object| object.as_object().expect("it is one").keys()).collect();
    assert!(keys.len() > 25, "{keys:?}");
    for key in keys {
        assert!(description.contains(&format!("`{key}`")), "{key} is described");
    }
    let answers: BTreeSet<&str> = description
        .lines()
        .skip_while(|line| *line != "| `is` | and |")
        .skip(2)
        .map_while(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    assert_eq!(answers, BTreeSet::from(["holds", "broken", "policy", "does-not-apply", "stopped"]));
}

/// The words in backquotes.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The tables under a heading of the description of the command line: each line's keys, and what it says of them.
fn tables<'d>(description: &'d str, heading: &str) -> Vec<Vec<(BTreeSet<&'d str>, &'d str)>> {
    let section = description.split(&format!("\n## {heading}\n")).nth(1).and_then(|rest| rest.split("\n## ").next());
    let tables = section.expect("there is such a heading").split("|---|---|\n").skip(1);
    let cells = |line: &'d str| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ");
    let lines = |table: &'d str| table.lines().map_while(cells).map(|(keys, said)| (quoted(keys), said)).collect();
    tables.map(lines).collect()
}

/// The tables of the description have every key of what is written, down to the last, and no other.
#[test]
fn the_description_has_every_key_of_the_json() {
    let description = std::fs::read_to_string(root().join("core/docs/command-line.md")).expect("it is there");
    let file = "core/scenarios/report-job/paused-owner.fence";
    let report = |command: &str| -> serde_json::Value {
        serde_json::from_str(text(&fencepost(&[command, file, "--json"]).stdout)).expect("it is JSON")
    };
    let keys = |value: &serde_json::Value| -> BTreeSet<String> {
        value.as_object().into_iter().flat_map(|object| object.keys().cloned()).collect()
    };
    let (simulated, explored) = (report("simulate"), report("explore"));
    let (of_simulation, of_exploration) = (tables(&description, "Simulate"), tables(&description, "Explore"));
    let [whole, row] = &of_simulation[..] else { panic!("{of_simulation:?}") };
    let [searched] = &of_exploration[..] else { panic!("{of_exploration:?}") };

    // A wrong expectation, so that there is something to say of one that was not met.
    let wrong = fed(&["simulate", "-", "--json"], ALONE.replace("holds", "violated").as_bytes());
    let unmet: serde_json::Value = serde_json::from_str(text(&wrong.stdout)).expect("it is JSON");
    for (table, value) in
        [(whole, &simulated), (whole, &unmet), (row, &simulated["rows"][0]), (searched, &explored["rows"][0])]
    {
        let described: BTreeSet<String> =
            table.iter().flat_map(|(keys, _)| keys.iter().map(|key| (*key).to_owned())).collect();
        assert_eq!(described, keys(value));
        for (of, said) in table {
            let inner = value[*of.first().expect("it has a key")].clone();
            let inner = inner.as_array().map_or(inner.clone(), |list| list.first().cloned().unwrap_or_default());
            // Rows have a table of their own; a mechanism's switches, and events, are those of the language.
            if of.contains("mechanism") || of.contains("rows") {
                continue;
            }
            let evidence = row.iter().find(|(keys, _)| keys.contains("violated")).map_or("", |(_, said)| said);
            let said = format!("{said} {}", if said.contains("as above") { evidence } else { "" });
            let missing: Vec<String> =
                keys(&inner).into_iter().filter(|key| !quoted(&said).contains(key.as_str())).collect();
            assert_eq!(missing, Vec::<String>::new(), "{of:?}: {said}");
        }
    }
    let sentence = description.split("With `--json`, the object has ").nth(1).expect("it is said");
    let named = quoted(sentence.split(", and each row").next().unwrap_or_default());
    assert_eq!(named.into_iter().map(str::to_owned).collect::<BTreeSet<_>>(), keys(&explored));
}

#[test]
fn a_cell_is_what_explore_finds_of_its_scenario() {
    let cell = ["matrix", "--mechanism", "greater-than", "--situation", "second-write"];
    let output = fencepost(&cell);
    let told = quiet(&output, 0);
    assert!(told.contains("\nAnswer: broken: newest-admitted in "), "{told}");
    let output = fencepost(&[&cell[..], &["--scenario"]].concat());
    let explored = fed(&["explore", "-"], quiet(&output, 0).as_bytes());
    let steps =
        told.split("newest-admitted in ").nth(1).and_then(|rest| rest.split(' ').next()).expect("it counts them");
    assert!(quiet(&explored, 1).contains(&format!("broken in {steps} steps: newest-admitted\n")));
}

#[test]
fn one_line_and_one_column_of_the_matrix() {
    let output = fencepost(&["matrix", "--situation", "second-write"]);
    let told = quiet(&output, 0);
    assert!(told.contains("\nnone                      holds\n"), "{told}");
    assert!(told.contains("\ngreater-than              broken: newest-admitted in "), "{told}");
    refused(
        &fencepost(&["matrix", "--situation", "secnod-write", "--mechanism", "none"]),
        &expect![[r#"
            fencepost: there is no situation `secnod-write`: `fencepost matrix` lists all
        "#]],
    );
    refused(
        &fencepost(&["matrix", "--situation", "lagging-lock-replica", "--mechanism", "none", "--scenario"]),
        &expect![[r#"
            fencepost: none does not apply to lagging-lock-replica: `asks` has no meaning here. It needs `guard client-check`: nobody else asks.
        "#]],
    );
}
