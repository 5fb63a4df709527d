//! What must be true of the project's files themselves.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use fencepost_core::scenario::CORPUS;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The project's own files below `folder` whose names end in one of `endings`, with their texts.
fn files(folder: &str, endings: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("a folder can be read").path()) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            if path.is_dir() {
                let ours = !name.starts_with('.') && !["target", "dist", "node_modules"].contains(&name.as_str());
                folders.extend(ours.then_some(path));
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let shown = path.strip_prefix(root()).expect("found below the root").display().to_string();
                found.push((shown, text));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "{folder} has files that end in {endings:?}");
    found
}

/// The program of the command line: all of core that has files, streams and a clock.
const PROGRAM: &str = "core/src/bin/fencepost";

/// Fails with the lines that `wrong` points out, each with its place.
#[track_caller]
fn none(files: &[(String, String)], what: &str, wrong: impl Fn(&str) -> bool) {
    let places: Vec<String> = files
        .iter()
        .flat_map(|(path, text)| text.lines().enumerate().map(move |(index, line)| (path, index + 1, line)))
        .filter(|(_, _, line)| wrong(line))
        .map(|(path, number, line)| format!("{path}:{number}: {}", line.trim()))
        .collect();
    assert!(places.is_empty(), "{what}:\n{}", places.join("\n"));
}

#[test]
fn lock_service_and_destination_do_not_import_each_other() {
    none(&files("core/src", &["issuer.rs"]), "the lock service knows of the destination", |line| {
        line.contains("destination::")
    });
    none(&files("core/src/destination", &[".rs"]), "the destination knows of the lock service", |line| {
        line.contains("issuer::") || line.contains("worker::")
    });
}

#[test]
fn core_has_no_clock_file_thread_or_process() {
    let outside = ["std::time", "std::fs", "std::io", "std::net", "std::env", "std::thread", "std::process"];
    let reaches = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        outside.iter().any(|module| code.contains(module))
    };
    let mut rules = files("core/src", &[".rs"]);
    rules.retain(|(path, _)| !path.contains("tests") && !path.starts_with(PROGRAM));
    none(&rules, "core reaches outside", reaches);
    // The program has one file for it, and a `main` that ends with an exit code.
    let mut program = files(PROGRAM, &[".rs"]);
    program.retain(|(path, _)| !path.ends_with("/outside.rs"));
    none(&program, "the program reaches outside elsewhere", |line| reaches(line) && !line.contains("ExitCode"));
}

#[test]
fn the_state_holds_no_instant() {
    let state =
        ["issuer.rs", "worker.rs", "network.rs", "message.rs", "system.rs", "event.rs", "command.rs", "epoch.rs"];
    let mut all = files("core/src", &state);
    all.extend(files("core/src/destination", &[".rs"]));
    all.extend(files("core/src/invariant", &[".rs"]));
    none(&all, "an instant stands where the transition system could see it", |line| line.contains("Instant"));
}

#[test]
fn the_page_holds_no_rule() {
    let rules = ["system::", "issuer::", "worker::", "destination::", "network::"];
    none(&files("web/src", &[".rs"]), "the page knows a rule", |line| {
        rules.iter().any(|module| line.contains(&format!("fencepost_core::{module}")))
    });
}

#[test]
fn no_test_is_switched_off_and_none_expects_a_panic() {
    let off = [concat!("#[", "ignore"), concat!("#[", "should_panic")];
    for folder in ["core/src", "core/tests", "tests", "web/src", "xtask/src"] {
        none(&files(folder, &[".rs"]), "a test is switched off, or passes by panicking", |line| {
            off.iter().any(|attribute| line.contains(attribute))
        });
    }
}

#[test]
fn the_corpus_is_what_stands_in_the_folder() {
    let stems = |ending: &str| -> BTreeSet<String> {
        files("core/scenarios", &[ending]).into_iter().map(|(path, _)| path.replace(ending, "")).collect()
    };
    assert_eq!(stems(".trace"), stems(".fence"), "every scenario has its expected trace");
    let listed: BTreeSet<String> = CORPUS.iter().map(|entry| format!("core/scenarios/{}", entry.path)).collect();
    assert_eq!(listed, stems(".fence"), "every scenario is in the corpus");
    assert_eq!(listed.len(), CORPUS.len(), "none is in it twice");
}

#[test]
fn documents_have_a_title_and_links_that_lead_somewhere() {
    for (path, text) in files(".", &[".md"]) {
        assert!(text.starts_with("# "), "{path} begins with its title");
        let folder = root().join(&path).parent().expect("a file is in a folder").to_owned();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let inside = !target.is_empty() && !target.contains("://");
            assert!(!inside || folder.join(target).exists(), "{path}: {target} is not there");
        }
    }
}

/// About two printed pages.
#[test]
fn the_map_for_newcomers_stays_short() {
    let (path, text) = &files("core/docs", &["architecture.md"])[0];
    assert!(text.lines().count() <= 100, "{path} has {} lines", text.lines().count());
}

/// A page under a strict policy may have no inline style and no inline script.
#[test]
fn the_page_has_no_inline_style_or_script() {
    let inline = [" style=", "<style", "<script>", "javascript:", " onclick=", " onload="];
    none(&files("static", &[".html"]), "inline style or script", |line| {
        inline.iter().any(|inline| line.contains(inline))
    });
    none(&files("web/src", &[".rs"]), "a style attribute", |line| line.contains(" style="));
}
