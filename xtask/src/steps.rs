//! `cargo xtask test`: every check there is, the fast ones first.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::browser::Browser;
use crate::process::{self, cargo};
use crate::toolchain::{self, WASM_TARGET, WasmToolchain};
use crate::wasm::Module;
use crate::workspace::Workspace;
use crate::{dist, imports};

/// One check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    Fmt,
    Clippy,
    Native,
    Doc,
    Wasm,
    Dist,
    Browser,
}

impl Step {
    /// In the order in which they run.
    pub const ALL: [Step; 7] =
        [Step::Fmt, Step::Clippy, Step::Native, Step::Doc, Step::Wasm, Step::Dist, Step::Browser];

    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Step::Fmt => "fmt",
            Step::Clippy => "clippy",
            Step::Native => "native",
            Step::Doc => "doc",
            Step::Wasm => "wasm",
            Step::Dist => "dist",
            Step::Browser => "browser",
        }
    }

    fn run(self, workspace: &Workspace) -> Result<()> {
        match self {
            Step::Fmt => fmt(),
            Step::Clippy => clippy(),
            Step::Native => native(),
            Step::Doc => doc(),
            Step::Wasm => wasm(workspace),
            Step::Dist => dist::run(workspace),
            Step::Browser => browser(workspace),
        }
    }
}

/// Runs the steps until one fails.
pub fn run(workspace: &Workspace, steps: &[Step]) -> Result<()> {
    let mut times = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let name = step.name();
        println!("\n== {name} ({} of {})", index + 1, steps.len());
        let start = Instant::now();
        step.run(workspace)
            .with_context(|| format!("step {name} failed; alone it runs by `cargo xtask test {name}`"))?;
        let time = seconds(start.elapsed());
        println!("== {name}: {time}");
        times.push(format!("{name} {time}"));
    }
    println!("\nAll passed: {}", times.join(", "));
    Ok(())
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn fmt() -> Result<()> {
    toolchain::prepare_component("fmt", "rustfmt")?;
    process::run(cargo().args(["fmt", "--all", "--check"]))
}

fn clippy() -> Result<()> {
    toolchain::prepare_component("clippy", "clippy")?;
    let deny = ["--", "--deny", "warnings"];
    process::run(cargo().args(["clippy", "--workspace", "--all-targets", "--all-features"]).args(deny))?;
    match WasmToolchain::prepare()? {
        WasmToolchain::Own { .. } => process::run(
            cargo()
                .args(["clippy", "--package", "fencepost-web", "--package", "fencepost-api", "--target", WASM_TARGET])
                .args(deny),
        ),
        WasmToolchain::Debian(_) => {
            println!("NOT CHECKED: clippy for {WASM_TARGET}, since Debian has no clippy for this toolchain");
            Ok(())
        }
    }
}

/// With the command line, which has tests of its own.
///
/// This package is tested apart: its dependencies are then the very ones that this program was just built from.
fn native() -> Result<()> {
    process::run(cargo().args(["test", "--workspace", "--exclude", "xtask", "--features", "fencepost-core/cli"]))?;
    process::run(cargo().args(["test", "--package", "xtask"]))
}

fn doc() -> Result<()> {
    let mut command = cargo();
    command.args(["doc", "--package", "fencepost-core", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings");
    process::run(&mut command)
}

fn wasm(workspace: &Workspace) -> Result<()> {
    let module = Module::CORE.build(workspace, &WasmToolchain::prepare()?)?;
    imports::check_core(&module)?;
    println!("fencepost-core imports nothing");
    Ok(())
}

fn browser(workspace: &Workspace) -> Result<()> {
    in_the_browser(workspace, &[])?;
    println!("Screenshots are in {}", workspace.browser_artefacts().display());
    Ok(())
}

/// Shows how fast the search is in a browser, beside a native one.
pub fn time_in_the_browser(workspace: &Workspace) -> Result<()> {
    in_the_browser(workspace, &["--release", "--", "a_search_is_timed", "--nocapture"])
}

/// The site is built again, which takes no time where it is fresh: an old one would test old code.
fn in_the_browser(workspace: &Workspace, more: &[&str]) -> Result<()> {
    let browser = Browser::prepare()?;
    dist::build(workspace)?;
    let mut command = cargo();
    command
        .args(["test", "--package", "fencepost-tests", "--features", "browser", "--test", "browser"])
        .args(more)
        .env("FENCEPOST_DIST", workspace.dist())
        .env("FENCEPOST_ARTEFACTS", workspace.browser_artefacts())
        .envs(browser.variables());
    process::run(&mut command)
}
