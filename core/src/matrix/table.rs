//! The matrix as a table for a terminal: every mark is a letter or a sign.

use std::fmt::Write as _;

use super::{Answer, Broken, Cell, Group, Harm, Matrix, Mechanism, Question, Situation, Witness, scenario, wrapped};
use crate::scenario::print;

/// What fits on a terminal.
const WIDTH: usize = 100;

/// The mark of a cell.
fn mark(cell: &Cell, anyway: bool) -> char {
    match &cell.answer {
        Answer::Holds => '.',
        Answer::Broken(broken) if anyway => broken.harm().letter().to_ascii_lowercase(),
        Answer::Broken(broken) => broken.harm().letter(),
        Answer::Policy { accepts: Some(_), refuses: Some(_) } => '*',
        Answer::Policy { accepts: Some(_), refuses: None } => '+',
        Answer::Policy { .. } => 'r',
        Answer::DoesNotApply { .. } => ' ',
        Answer::Stopped => '?',
    }
}

pub(super) fn written(matrix: &Matrix) -> String {
    let mut text = String::from("What each mechanism prevents, within the bounds of each search.\n\n");
    for (index, mechanism) in Mechanism::ALL.iter().enumerate() {
        let _ = writeln!(text, "{:>3}  {:<24} {}", index + 1, mechanism.name, mechanism.title);
    }
    let named = Situation::ALL.iter().map(|situation| situation.name.len()).max().unwrap_or(0);
    let numbers: String = (1..=Mechanism::ALL.len()).map(|number| format!("{number:>3}")).collect();
    for group in Group::ALL {
        let _ = writeln!(text, "\n{:<named$}{numbers}", "");
        let _ = writeln!(text, "{}", group.title());
        for situation in Situation::ALL.iter().filter(|situation| situation.group == group) {
            let marks: String = matrix
                .cells()
                .filter(|(_, of, _)| of.name == situation.name)
                .map(|(mechanism, _, cell)| format!("{:>3}", mark(cell, matrix.is_broken_anyway(mechanism, situation))))
                .collect();
            let _ = writeln!(text, "{}", format!("{:<named$}{marks}", situation.name).trim_end());
        }
    }
    text.push('\n');
    for (mark, title) in legend() {
        let _ = writeln!(text, "  {mark}  {title}");
    }
    let count = |is: fn(&Answer) -> bool| matrix.cells().filter(|(_, _, cell)| is(&cell.answer)).count();
    let states: usize = matrix.cells().map(|(_, _, cell)| cell.states).sum();
    let _ = writeln!(
        text,
        "\n{} cells: {} hold, {} are broken, {} are policy, {} do not apply, {} are not decided. {states} states.",
        matrix.cells().count(),
        count(|answer| matches!(answer, Answer::Holds)),
        count(|answer| matches!(answer, Answer::Broken(_))),
        count(|answer| matches!(answer, Answer::Policy { .. })),
        count(|answer| matches!(answer, Answer::DoesNotApply { .. })),
        count(|answer| matches!(answer, Answer::Stopped)),
    );
    text
}

/// What each mark of the table means.
pub(super) fn legend() -> Vec<(char, &'static str)> {
    let mut legend = vec![('.', "holds: no violation on any schedule within the bounds")];
    legend.extend(Harm::ALL.map(|harm| (harm.letter(), harm.title())));
    legend.extend([
        ('d', "a small letter: broken without what makes this situation, too"),
        ('+', "no invariant: the write is taken"),
        ('r', "no invariant: the write is refused"),
        ('*', "no invariant: it depends on the schedule"),
        (' ', "does not apply"),
        ('?', "not decided: the search stopped"),
    ]);
    legend
}

impl Cell {
    /// The answer in a few words.
    pub fn summary(&self) -> String {
        match &self.answer {
            Answer::Holds => "holds".to_owned(),
            Answer::Broken(broken) => {
                let parts: Vec<String> = broken
                    .invariants
                    .iter()
                    .map(|(invariant, steps)| format!("{} in {steps} steps", invariant.name()))
                    .collect();
                format!("broken: {}", parts.join(", "))
            }
            Answer::Policy { accepts: Some(_), refuses: Some(_) } => {
                "the write is taken on some schedules and refused on others".to_owned()
            }
            Answer::Policy { accepts: Some(_), refuses: None } => "the write is taken".to_owned(),
            Answer::Policy { accepts: None, refuses: Some(_) } => "the write is refused".to_owned(),
            Answer::Policy { accepts: None, refuses: None } => "no schedule comes to it".to_owned(),
            Answer::DoesNotApply { why } => format!("does not apply: {why}"),
            Answer::Stopped => "not decided".to_owned(),
        }
    }

    /// All that is known of the cell, for a terminal.
    pub fn to_text(&self, mechanism: &Mechanism, situation: &Situation) -> String {
        let mut text = format!("{} in {}\n\n", mechanism.name, situation.name);
        for (what, said) in [(mechanism.title, mechanism.sentence), (situation.title, situation.explanation)] {
            let _ = writeln!(text, "{what}");
            for line in wrapped(said, WIDTH - 2) {
                let _ = writeln!(text, "  {line}");
            }
        }
        let _ = writeln!(text, "Source: {}", situation.source);
        let asked: Vec<&str> = situation.asked().iter().map(|invariant| invariant.name()).collect();
        let asked = match situation.question {
            Question::Holds { .. } => asked.join(", "),
            Question::Policy { .. } => "whether the write is taken".to_owned(),
        };
        let _ = writeln!(text, "\nAsked: {asked}\nAnswer: {}", self.summary());
        if self.states > 0 {
            let extent = match &self.stopped_at[..] {
                [] => "complete".to_owned(),
                stopped_at => format!("NOT complete: stopped at {}", stopped_at.join(", ")),
            };
            let _ = writeln!(text, "  {} states, {} steps deep, {extent}", self.states, self.depth);
        }
        let mut tell = |what: String, witness: &Witness| {
            let _ = writeln!(text, "\n{what}");
            for (step, told) in witness.told.iter().enumerate() {
                let _ = writeln!(text, "  {:>4}  {told}", step + 1);
            }
        };
        match &self.answer {
            Answer::Broken(Broken { shown, witness, scenario, .. }) => {
                tell(format!("{} is broken like this:", shown.name()), witness);
                indented(&mut text, "The same by the clock:", scenario.as_deref());
            }
            Answer::Policy { accepts, refuses } => {
                let both = [(accepts, "It is taken like this:"), (refuses, "It is refused like this:")];
                for (witness, what) in both {
                    if let Some(witness) = witness {
                        tell(what.to_owned(), witness);
                    }
                }
            }
            Answer::Holds | Answer::DoesNotApply { .. } | Answer::Stopped => {}
        }
        let searched = scenario(mechanism, situation).ok().map(|scenario| print(&scenario));
        indented(&mut text, "What was searched:", searched.as_deref());
        text
    }
}

fn indented(text: &mut String, what: &str, lines: Option<&str>) {
    if let Some(lines) = lines {
        let _ = writeln!(text, "\n{what}\n");
        for line in lines.lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
}
