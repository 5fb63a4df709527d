//! The command line.

use lexopt::prelude::*;

use crate::steps::Step;

/// Shown on `--help`, and on a command line that makes no sense.
pub const USAGE: &str = "\
Usage: cargo xtask <task>

Tasks:
  serve [--port N] [--no-open]   build the site, serve it on 127.0.0.1 (port 8080) and open it in a browser
  dist                           build the site into dist/, ready for any static host, and check its size
  bench                          measure the explorer beside stateright, and the simulator
  test [STEP...]                 run every check, or only the named ones, in this order:
                                 fmt clippy native doc wasm dist browser
";

const DEFAULT_PORT: u16 = 8080;

/// What was asked for.
#[derive(Debug, PartialEq)]
pub enum Task {
    Help,
    Serve { port: u16, open: bool },
    Dist,
    Bench,
    Test { steps: Vec<Step> },
}

/// Reads a task from the command line.
pub fn parse(mut args: lexopt::Parser) -> Result<Task, lexopt::Error> {
    let task = match args.next()? {
        Some(Value(name)) => name.string()?,
        Some(Short('h') | Long("help")) => return Ok(Task::Help),
        Some(other) => return Err(other.unexpected()),
        None => return Err("no task given".into()),
    };
    match task.as_str() {
        "serve" => parse_serve(args),
        "dist" => parse_alone(args, Task::Dist),
        "bench" => parse_alone(args, Task::Bench),
        "test" => parse_test(args),
        "help" => Ok(Task::Help),
        _ => Err(format!("unknown task '{task}'").into()),
    }
}

fn parse_serve(mut args: lexopt::Parser) -> Result<Task, lexopt::Error> {
    let mut port = DEFAULT_PORT;
    let mut open = true;
    while let Some(arg) = args.next()? {
        match arg {
            Long("port") => port = args.value()?.parse()?,
            Long("no-open") => open = false,
            Short('h') | Long("help") => return Ok(Task::Help),
            _ => return Err(arg.unexpected()),
        }
    }
    Ok(Task::Serve { port, open })
}

/// A task without options.
fn parse_alone(mut args: lexopt::Parser, task: Task) -> Result<Task, lexopt::Error> {
    match args.next()? {
        None => Ok(task),
        Some(Short('h') | Long("help")) => Ok(Task::Help),
        Some(arg) => Err(arg.unexpected()),
    }
}

/// No step named means all of them; the order is always that of [`Step::ALL`], whatever the order of the words.
fn parse_test(mut args: lexopt::Parser) -> Result<Task, lexopt::Error> {
    let mut named = Vec::new();
    while let Some(arg) = args.next()? {
        match arg {
            Value(name) => {
                let name = name.string()?;
                let step = Step::ALL.into_iter().find(|step| step.name() == name);
                named.push(step.ok_or_else(|| format!("unknown step '{name}'"))?);
            }
            Short('h') | Long("help") => return Ok(Task::Help),
            _ => return Err(arg.unexpected()),
        }
    }
    let chosen = |step: &Step| named.is_empty() || named.contains(step);
    Ok(Task::Test { steps: Step::ALL.into_iter().filter(chosen).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Result<Task, &str>) {
        let task = parse(lexopt::Parser::from_args(line.split_whitespace()));
        assert_eq!(task.map_err(|error| error.to_string()), expected.map_err(str::to_owned));
    }

    #[test]
    fn tasks_with_their_options() {
        check("serve", Ok(Task::Serve { port: 8080, open: true }));
        check("serve --no-open --port 9000", Ok(Task::Serve { port: 9000, open: false }));
        check("dist", Ok(Task::Dist));
        check("bench", Ok(Task::Bench));
        check("test", Ok(Task::Test { steps: Step::ALL.to_vec() }));
        check("--help", Ok(Task::Help));
        check("serve --help", Ok(Task::Help));
    }

    #[test]
    fn steps_run_in_their_own_order() {
        check("test dist fmt", Ok(Task::Test { steps: vec![Step::Fmt, Step::Dist] }));
    }

    #[test]
    fn nonsense_is_named() {
        check("", Err("no task given"));
        check("sevre", Err("unknown task 'sevre'"));
        check("test fmt lint", Err("unknown step 'lint'"));
        check("dist --fast", Err("invalid option '--fast'"));
        check("serve --port 99999", Err("cannot parse argument \"99999\": number too large to fit in target type"));
    }

    #[test]
    fn usage_names_every_step() {
        let names: Vec<_> = Step::ALL.iter().map(|step| step.name()).collect();
        assert!(USAGE.contains(&names.join(" ")));
    }
}
