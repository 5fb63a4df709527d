//! What was asked for on the command line.

use std::ffi::OsString;

use lexopt::prelude::*;

/// Shown on `--help`.
pub const USAGE: &str = "\
Fencepost runs scenarios of distributed locks: who believed what, and what became of each write.

Usage: fencepost simulate FILE [--row NAME] [--trace | --json | --rust-test]
       fencepost explore FILE [--row NAME] [--max-states N] [--json | --scenario]
       fencepost svg FILE [--width N] [--dark]
       fencepost matrix [--mechanism NAME] [--situation NAME]
       fencepost matrix --json
       fencepost matrix --mechanism NAME --situation NAME --scenario

FILE is a scenario; `-` is standard input.

simulate     run the scenario's own schedule under every row
  --row NAME       only this row
  --trace          write what happened as a trace, a fact a line
  --json           write the report as JSON
  --rust-test      write a Rust test that what comes out stays as it is

explore      look at every schedule within the bounds of the scenario's `explore` line
  --row NAME       only this row
  --max-states N   stop a row's search after so many states
  --json           write the report as JSON
  --scenario       write the shortest counterexample as a scenario that runs it

svg          draw the scenario's own schedule as SVG
  --width N        in pixels, 240 to 10000 (default 960)
  --dark           dark, whatever the viewer prefers

matrix       search every mechanism in every situation, and show what each prevents
  --mechanism NAME  only this one, in words; with a situation too, its cell in full
  --situation NAME  only this one, in words
  --json            write the whole matrix as JSON
  --scenario        write the scenario of one cell, which `explore` searches

-h, --help   this text
--version    the version

Exit codes:
  0  it came out as the scenario expects
  1  simulate: an `expect` line was not met
     explore: an invariant that is to hold in a row is broken within the bounds, or its search
     stopped before it was complete; or one that is to be violated was not found broken
     matrix: a cell was not decided
  2  the scenario or the command line cannot be understood, or a file cannot be read
     matrix --scenario: the mechanism has nothing to do with the situation
";

/// A wide figure with its labels at the side, and narrow enough for a page of text.
const DEFAULT_WIDTH: u32 = 960;
/// Below it, labels run into each other; beyond it, nobody has a screen.
const WIDTHS: std::ops::RangeInclusive<u32> = 240..=10_000;

/// What was asked for.
#[derive(Debug, PartialEq)]
pub enum Task {
    Help,
    Version,
    Simulate { file: OsString, row: Option<String>, form: Form },
    Explore { file: OsString, row: Option<String>, max_states: Option<usize>, form: Finding },
    Svg { file: OsString, width: u32, dark: bool },
    Matrix { mechanism: Option<String>, situation: Option<String>, form: Cells },
}

/// In what form the matrix is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cells {
    Text,
    Json,
    Scenario,
}

/// In what form the outcome of a simulation is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    Text,
    Json,
    Trace,
    RustTest,
}

/// In what form the findings of a search are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Finding {
    Text,
    Json,
    Scenario,
}

/// Reads the task from the command line.
pub fn parse(mut args: lexopt::Parser) -> Result<Task, lexopt::Error> {
    let command = match args.next()? {
        Some(Value(name)) => name.string()?,
        Some(Short('h') | Long("help")) => return Ok(Task::Help),
        Some(Long("version")) => return Ok(Task::Version),
        Some(other) => return Err(other.unexpected()),
        None => return Err("no command given".into()),
    };
    match command.as_str() {
        "simulate" => simulate(args),
        "explore" => explore(args),
        "svg" => svg(args),
        "matrix" => matrix(args),
        "help" => Ok(Task::Help),
        _ => Err(format!("unknown command '{command}'").into()),
    }
}

fn simulate(mut args: lexopt::Parser) -> Result<Task, lexopt::Error> {
    let (mut file, mut row, mut form) = (None, None, None);
    while let Some(arg) = args.next()? {
        let chosen = match arg {
            Long("trace") => Form::Trace,
            Long("json") => Form::Json,
            Long("rust-test") => Form::RustTest,
            Long("row") => {
                row = Some(args.value()?.string()?);
                continue;
            }
            Value(value) if file.is_none() => {
                file = Some(value);
                continue;
            }
            Short('h') | Long("help") => return Ok(Task::Help),
            _ => return Err(arg.unexpected()),
        };
        if form.replace(chosen).is_some_and(|earlier| earlier != chosen) {
            return Err("only one of --trace, --json and --rust-test can be written".into());
        }
    }
    Ok(Task::Simulate { file: required(file)?, row, form: form.unwrap_or(Form::Text) })
}

fn explore(mut args: lexopt::Parser) -> Result<Task, lexopt::Error> {
    let (mut file, mut row, mut max_states, mut form) = (None, None, None, None);
    while let Some(arg) = args.next()? {
        let chosen = match arg {
            Long("json") => Finding::Json,
            Long("scenario") => Finding::Scenario,
            Long("row") => {
                row = Some(args.value()?.string()?);
                continue;
            }
            Long("max-states") => {
                max_states = match args.value()?.parse()? {
                    0 => return Err("a search has at least one state".into()),
                    states => Some(states),
                };
                continue;
            }
            Value(value) if file.is_none() => {
                file = Some(value);
                continue;
            }
            Short('h') | Long("help") => return Ok(Task::Help),
            _ => return Err(arg.unexpected()),
        };
        if form.replace(chosen).is_some_and(|earlier| earlier != chosen) {
            return Err("only one of --json and --scenario can be written".into());
        }
    }
    Ok(Task::Explore { file: required(file)?, row, max_states, form: form.unwrap_or(Finding::Text) })
}

fn svg(mut args: lexopt::Parser) -> Result<Task, lexopt::Error> {
    let (mut file, mut width, mut dark) = (None, DEFAULT_WIDTH, false);
    while let Some(arg) = args.next()? {
        match arg {
            Long("width") => {
                width = args.value()?.parse()?;
                if !WIDTHS.contains(&width) {
                    return Err(
                        format!("a width of {width} is not between {} and {}", WIDTHS.start(), WIDTHS.end()).into()
                    );
                }
            }
            Long("dark") => dark = true,
            Value(value) if file.is_none() => file = Some(value),
            Short('h') | Long("help") => return Ok(Task::Help),
            _ => return Err(arg.unexpected()),
        }
    }
    Ok(Task::Svg { file: required(file)?, width, dark })
}

fn matrix(mut args: lexopt::Parser) -> Result<Task, lexopt::Error> {
    let (mut mechanism, mut situation, mut form) = (None, None, Cells::Text);
    while let Some(arg) = args.next()? {
        let chosen = match arg {
            Long("mechanism") => {
                mechanism = Some(args.value()?.string()?);
                continue;
            }
            Long("situation") => {
                situation = Some(args.value()?.string()?);
                continue;
            }
            Long("json") => Cells::Json,
            Long("scenario") => Cells::Scenario,
            Short('h') | Long("help") => return Ok(Task::Help),
            _ => return Err(arg.unexpected()),
        };
        if form != Cells::Text && form != chosen {
            return Err("only one of --json and --scenario can be written".into());
        }
        form = chosen;
    }
    match (form, &mechanism, &situation) {
        (Cells::Json, Some(_), _) | (Cells::Json, _, Some(_)) => {
            Err("--json writes the whole matrix, without --mechanism and --situation".into())
        }
        (Cells::Scenario, None, _) | (Cells::Scenario, _, None) => {
            Err("--scenario writes that of one cell: it needs --mechanism and --situation".into())
        }
        _ => Ok(Task::Matrix { mechanism, situation, form }),
    }
}

fn required(file: Option<OsString>) -> Result<OsString, lexopt::Error> {
    file.ok_or_else(|| "no file given; `-` is standard input".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Result<Task, &str>) {
        let task = parse(lexopt::Parser::from_args(line.split_whitespace()));
        assert_eq!(task.map_err(|error| error.to_string()), expected.map_err(str::to_owned));
    }

    fn simulated(row: Option<&str>, form: Form) -> Result<Task, &'static str> {
        Ok(Task::Simulate { file: "a.fence".into(), row: row.map(str::to_owned), form })
    }

    #[test]
    fn commands_with_their_options() {
        check("simulate a.fence", simulated(None, Form::Text));
        check("simulate --row fenced a.fence --trace", simulated(Some("fenced"), Form::Trace));
        check("simulate a.fence --json --row=fenced", simulated(Some("fenced"), Form::Json));
        check("simulate a.fence --rust-test", simulated(None, Form::RustTest));
        let explored = |row: Option<&str>, max_states, form| {
            Ok(Task::Explore { file: "-".into(), row: row.map(str::to_owned), max_states, form })
        };
        check("explore -", explored(None, None, Finding::Text));
        check("explore --scenario -", explored(None, None, Finding::Scenario));
        check("explore --max-states 1000 - --row fenced --json", explored(Some("fenced"), Some(1000), Finding::Json));
        check("svg a.fence", Ok(Task::Svg { file: "a.fence".into(), width: 960, dark: false }));
        check("svg --width 390 --dark -- -x", Ok(Task::Svg { file: "-x".into(), width: 390, dark: true }));
        let decided = |mechanism: Option<&str>, situation: Option<&str>, form| {
            Ok(Task::Matrix { mechanism: mechanism.map(str::to_owned), situation: situation.map(str::to_owned), form })
        };
        check("matrix", decided(None, None, Cells::Text));
        check("matrix --json", decided(None, None, Cells::Json));
        check("matrix --mechanism a", decided(Some("a"), None, Cells::Text));
        check("matrix --situation=b --mechanism a --scenario", decided(Some("a"), Some("b"), Cells::Scenario));
        for line in ["--help", "-h", "help", "svg --help", "simulate a.fence -h", "explore -h"] {
            check(line, Ok(Task::Help));
        }
        check("--version", Ok(Task::Version));
    }

    /// Whatever stands in a command's part of the help is an option of that command.
    #[test]
    fn the_help_names_what_there_is() {
        let mut named = Vec::new();
        for part in USAGE.split("\n\n") {
            let Some(command) =
                part.split(' ').next().filter(|word| ["simulate", "explore", "svg", "matrix"].contains(word))
            else {
                continue;
            };
            for option in part.lines().filter_map(|line| line.trim_start().strip_prefix("--")) {
                let option = option.split(' ').next().unwrap_or_default();
                let line = format!("{command} --{option} 1");
                let error = parse(lexopt::Parser::from_args(line.split(' '))).err().map(|error| error.to_string());
                assert!(error.is_none_or(|error| !error.starts_with("invalid option")), "{line}");
                assert!(
                    USAGE.split("\n\n").any(|part| part.starts_with("Usage") && part.contains(&format!("--{option}")))
                );
                named.push(option);
            }
        }
        assert_eq!(named.len(), 14, "{named:?}");
    }

    #[test]
    fn nonsense_is_named() {
        check("", Err("no command given"));
        check("simluate a.fence", Err("unknown command 'simluate'"));
        check("simulate", Err("no file given; `-` is standard input"));
        check("simulate a.fence b.fence", Err("unexpected argument \"b.fence\""));
        check("simulate a.fence --json --trace", Err("only one of --trace, --json and --rust-test can be written"));
        check("simulate a.fence --max-states 3", Err("invalid option '--max-states'"));
        check("explore a.fence --scenario --json", Err("only one of --json and --scenario can be written"));
        check("explore a.fence --max-states 0", Err("a search has at least one state"));
        check("explore a.fence --max-states", Err("missing argument for option '--max-states'"));
        check("matrix a.fence", Err("unexpected argument \"a.fence\""));
        check("matrix --json --scenario", Err("only one of --json and --scenario can be written"));
        check(
            "matrix --json --situation a",
            Err("--json writes the whole matrix, without --mechanism and --situation"),
        );
        check(
            "matrix --scenario --situation a",
            Err("--scenario writes that of one cell: it needs --mechanism and --situation"),
        );
        check("svg a.fence --width 100", Err("a width of 100 is not between 240 and 10000"));
        check("svg a.fence --dark=yes", Err("unexpected argument for option '--dark': \"yes\""));
    }
}
