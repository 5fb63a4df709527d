//! Fencepost on the command line: runs, searches and draws a scenario.
#![forbid(unsafe_code)]

mod arguments;
mod exploration;
mod matrix;
mod mistake;
mod outside;
mod search;
mod simulation;

use std::ffi::OsStr;
use std::process::ExitCode;
use std::string::FromUtf8Error;

use arguments::{Finding, Form, Task};
use exploration::Exploration;
use fencepost_core::compare::compare;
use fencepost_core::plot::{Options, Style, layout, svg, timeline};
use fencepost_core::rust_test::rust_test;
use fencepost_core::scenario::{Scenario, parse_bytes};
use fencepost_core::simulate::search_config;
use fencepost_core::trace::Trace;
use outside::Progress;
use search::search;
use simulation::Simulation;

/// It did not come out as the scenario expects.
const UNMET: u8 = 1;
/// Nothing could be made of the input or of the command line.
const BAD_INPUT: u8 = 2;

/// What is to be written, and whether everything is as expected.
struct Answer {
    text: String,
    met: bool,
}

fn main() -> ExitCode {
    let task = match arguments::parse(lexopt::Parser::from_env()) {
        Ok(task) => task,
        Err(error) => {
            outside::complain(&format!("fencepost: {error}\nSee `fencepost --help`.\n"));
            return ExitCode::from(BAD_INPUT);
        }
    };
    let answer = answer(task).and_then(|answer| outside::print(&answer.text).map(|()| answer.met));
    match answer {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(UNMET),
        Err(message) => {
            outside::complain(&format!("{}\n", message.trim_end()));
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn answer(task: Task) -> Result<Answer, String> {
    match task {
        Task::Help => Ok(Answer { text: arguments::USAGE.to_owned(), met: true }),
        Task::Version => Ok(Answer { text: format!("fencepost {}\n", env!("CARGO_PKG_VERSION")), met: true }),
        Task::Simulate { file, row, form } => simulate(&read(&file)?, row.as_deref(), form),
        Task::Explore { file, row, max_states, form } => explore(&read(&file)?, row.as_deref(), max_states, form),
        Task::Matrix { mechanism, situation, form } => matrix::answer(mechanism.as_deref(), situation.as_deref(), form),
        Task::Svg { file, width, dark } => Ok(draw(&read(&file)?.scenario, width, dark)),
    }
}

/// A scenario with its text.
struct Source {
    text: String,
    scenario: Scenario,
}

impl Source {
    /// The index of the row called `name`.
    fn row(&self, name: &str) -> Result<usize, String> {
        let rows = &self.scenario.rows;
        rows.iter().position(|row| row.name == name).ok_or_else(|| {
            let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
            format!("fencepost: there is no row `{name}` in {}: it has {}", self.scenario.name, names.join(", "))
        })
    }
}

fn read(file: &OsStr) -> Result<Source, String> {
    let bytes = outside::read(file)?;
    match (parse_bytes(&bytes), String::from_utf8(bytes)) {
        (Ok(scenario), Ok(text)) => Ok(Source { text, scenario }),
        (Err(error), text) => {
            let bytes = text.map_or_else(FromUtf8Error::into_bytes, String::into_bytes);
            Err(mistake::shown(&outside::name(file), &bytes, &error))
        }
        (Ok(_), Err(_)) => unreachable!("a scenario is a text in UTF-8"),
    }
}

fn simulate(source: &Source, row: Option<&str>, form: Form) -> Result<Answer, String> {
    let only = row.map(|row| source.row(row)).transpose()?;
    let comparison = compare(&source.scenario);
    let simulation = Simulation::of(&comparison, only);
    let text = match form {
        Form::Text => simulation.to_text(),
        Form::Json => simulation.to_json(),
        Form::Trace => simulation.runs().map(|run| Trace::of(&source.scenario, run).to_text()).collect(),
        Form::RustTest => rust_test(&source.text, row).expect("the text has been read already"),
    };
    Ok(Answer { text, met: simulation.is_met() })
}

fn explore(source: &Source, row: Option<&str>, max_states: Option<usize>, form: Finding) -> Result<Answer, String> {
    let scenario = &source.scenario;
    let only = row.map(|row| source.row(row)).transpose()?;
    let mut rows = Vec::new();
    for (index, row) in scenario.rows.iter().enumerate().filter(|(index, _)| only.is_none_or(|only| only == *index)) {
        let mut progress = Progress::begin();
        let config = search_config(scenario, &row.mechanism);
        let found = search(&config, max_states, |states, depth| progress.tell(&row.name, states, depth));
        rows.push((index, found));
    }
    let exploration = Exploration::new(scenario, rows);
    let text = match form {
        Finding::Text => exploration.to_text(),
        Finding::Json => exploration.to_json(),
        Finding::Scenario => exploration.shortest(),
    };
    Ok(Answer { text, met: exploration.is_met() })
}

/// How the style sheet of a figure says what holds only where the viewer prefers dark.
const PREFERS_DARK: &str = "@media (prefers-color-scheme:dark)";

fn draw(scenario: &Scenario, width: u32, dark: bool) -> Answer {
    let scene = layout(&timeline(&compare(scenario)), Options::width(width));
    let text = svg(&scene, Style::Embedded);
    let text = if dark { text.replacen(PREFERS_DARK, "@media all", 1) } else { text };
    Answer { text, met: true }
}
