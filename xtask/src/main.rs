//! The tasks of this workspace. `cargo xtask` needs no tool but cargo; what else a task needs, it installs or names.

mod apt;
mod bench;
mod bindgen;
mod browser;
mod cli;
mod compact;
mod debian_wasm;
mod dist;
mod html;
mod http;
mod imports;
mod links;
mod pack;
mod process;
#[cfg(test)]
mod scratch;
mod serve;
mod site;
mod sizes;
mod small_std;
mod steps;
mod toolchain;
mod wasm;
mod workspace;

use std::process::ExitCode;

use cli::Task;
use workspace::Workspace;

/// Exit code of a command line that makes no sense, as most command-line tools have it.
const USAGE_ERROR: u8 = 2;

fn main() -> ExitCode {
    let task = match cli::parse(lexopt::Parser::from_env()) {
        Ok(task) => task,
        Err(error) => {
            eprintln!("error: {error}\n\n{}", cli::USAGE);
            return ExitCode::from(USAGE_ERROR);
        }
    };
    match run(task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> anyhow::Result<()> {
    match task {
        Task::Help => {
            print!("{}", cli::USAGE);
            Ok(())
        }
        Task::Serve { port, open } => serve::run(&Workspace::find()?, port, open),
        Task::Dist => dist::run(&Workspace::find()?),
        Task::Bench => bench::run(&Workspace::find()?),
        Task::Test { steps } => steps::run(&Workspace::find()?, &steps),
    }
}
