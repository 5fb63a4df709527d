//! Running other programs in plain sight: each is named before it runs and writes straight to the terminal.

use std::env;
use std::ffi::OsStr;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The cargo that runs this task, so that a toolchain asked for with `cargo +name xtask` is kept to.
pub fn cargo() -> Command {
    Command::new(env::var_os("CARGO").as_deref().unwrap_or(OsStr::new("cargo")))
}

/// Runs a program to its end; anything but success is an error that names the command.
pub fn run(command: &mut Command) -> Result<()> {
    let line = describe(command);
    println!("$ {line}");
    let status = command.status().with_context(|| format!("cannot run `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Whether a program can be started and succeeds. Its output is of no interest.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// What a program writes to its standard output, without the last line break.
pub fn output(command: &mut Command) -> Result<String> {
    let line = describe(command);
    let output = command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot run `{line}`"))?;
    if !output.status.success() {
        bail!("`{line}` failed ({})", output.status);
    }
    let text =
        String::from_utf8(output.stdout).with_context(|| format!("`{line}` wrote something that is not UTF-8"))?;
    Ok(text.trim_end().to_owned())
}

/// The command as one would type it: the program without its folder, then the arguments.
fn describe(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program());
    let words = std::iter::once(name).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
