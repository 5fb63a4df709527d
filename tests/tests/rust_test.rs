//! Scenarios copied as Rust tests: a project of their own that depends on the core by its path, built and run by cargo.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fencepost_core::compare::{Comparison, compare};
use fencepost_core::rust_test::{Outcome, rust_test, rust_test_of};
use fencepost_core::scenario::{CORPUS, parse};

/// Has no dependency but the core. It builds what others need in the same way as this workspace does, and finds it built.
const MANIFEST: &str = r#"[package]
name = "copied"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
fencepost-core.path = "CORE"

[profile.dev]
debug = "line-tables-only"
"#;

/// Writes a project with these files in `tests/`. Its folder stays from run to run.
fn project(tests: &[(&str, String)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("copied");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace is there");
    for part in ["src", "tests"] {
        fs::create_dir_all(folder.join(part)).expect("the target folder can be written");
    }
    let write = |path: &str, text: &str| fs::write(folder.join(path), text).expect("the target folder can be written");
    let core = root.join("core");
    write("Cargo.toml", &MANIFEST.replace("CORE", core.to_str().expect("the workspace has a plain name")));
    // With the versions of this workspace, there is nothing to look up.
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the workspace has its versions");
    write("src/lib.rs", "");
    for (name, source) in tests {
        write(&format!("tests/{name}.rs"), source);
    }
    folder
}

fn run(project: &Path, test: &str) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it lies in the target folder");
    Command::new(env!("CARGO"))
        .args(["test", "--offline", "--quiet", "--test", test])
        .current_dir(project)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo can be started")
}

/// Every scenario of the corpus passes as it comes, warnings being errors. With one outcome changed, a test fails, and says
/// what of which row is another.
#[test]
fn a_copied_test_passes_and_notices_what_has_changed() {
    let mut right = String::from("#![deny(warnings)]\n\n");
    let mut wrong = right.clone();
    for entry in CORPUS {
        right += &rust_test(entry.text, None).unwrap_or_else(|error| panic!("{}:{error}", entry.path));
        right.push('\n');
    }
    for entry in &CORPUS[..4] {
        let Comparison { scenario, runs, .. } = compare(&parse(entry.text).expect("it has just been read"));
        let outcome = Outcome::of(&runs[0]).with_trace(&scenario, &runs[0]);
        let mut changes = Vec::new();
        let violated = outcome.violated.iter().copied().skip(1).collect();
        if !outcome.violated.is_empty() {
            changes.push(("violates less", Outcome { violated, ..outcome.clone() }));
        }
        let reached = outcome.reached.iter().copied().skip(1).collect();
        if !outcome.reached.is_empty() {
            changes.push(("reaches less", Outcome { reached, ..outcome.clone() }));
        }
        let trace = outcome.trace.map(|hash| hash ^ 1);
        changes.push(("has other facts", Outcome { trace, ..outcome }));
        for (change, outcome) in changes {
            let name = format!("{} {change}", scenario.name);
            wrong += &rust_test_of(entry.text, &scenario, &name, &[outcome]);
            wrong.push('\n');
        }
    }
    let tests = |source: &str| source.matches("#[test]").count();
    let (passing, failing) = (tests(&right), tests(&wrong));
    assert_eq!(passing, CORPUS.len());
    assert!(failing > 8, "most scenarios reach something");
    let project = project(&[("right", right), ("wrong", wrong)]);

    let output = run(&project, "right");
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}");
    assert!(told.contains(&format!("{passing} passed; 0 failed")), "{told}");

    let output = run(&project, "wrong");
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!output.status.success(), "{told}");
    assert!(told.contains(&format!("0 passed; {failing} failed")), "{told}");
    for reason in ["what unfenced violates", "what unfenced reaches", "the facts of unfenced"] {
        assert!(told.contains(reason), "{reason}: {told}");
    }
}
