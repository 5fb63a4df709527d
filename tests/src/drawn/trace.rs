//! Traces put together of the lines and words of others.

use std::sync::OnceLock;

use fencepost_core::scenario::{CORPUS, parse};
use fencepost_core::simulate::simulate;
use fencepost_core::trace::Trace;

use super::Draw;

/// Values at which something ends.
const STRANGE: [&str; 16] = [
    "0",
    "1",
    "255",
    "256",
    "-1",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "1e3",
    "0.5",
    "null",
    "true",
    "\"\"",
    "[]",
    "{}",
    "\"\\ud800\"",
];

/// Traces from which to take: of every row of the corpus.
pub fn sources() -> &'static [String] {
    static SOURCES: OnceLock<Vec<String>> = OnceLock::new();
    SOURCES.get_or_init(|| {
        let mut traces = Vec::new();
        for entry in CORPUS {
            let scenario = parse(entry.text).unwrap_or_else(|error| panic!("{}: {error}", entry.path));
            traces.extend(scenario.rows.iter().map(|row| Trace::of(&scenario, &simulate(&scenario, row)).to_text()));
        }
        traces
    })
}

fn lines() -> &'static [&'static str] {
    static LINES: OnceLock<Vec<&str>> = OnceLock::new();
    LINES.get_or_init(|| {
        let mut lines: Vec<&str> = sources().iter().flat_map(|text| text.lines()).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    })
}

/// The parts between the signs of JSON.
fn parts(line: &str) -> impl Iterator<Item = &str> {
    line.split_inclusive([',', ':', '{', '}', '[', ']'])
}

/// Every part that some line has.
pub fn words() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mut words: Vec<String> = lines().iter().flat_map(|line| parts(line)).map(str::to_owned).collect();
        words.extend(STRANGE.map(str::to_owned));
        words.retain(|word| !word.is_empty() && word.len() <= 40);
        words.sort_unstable();
        words.dedup();
        words
    })
}

/// A trace that another one has become by a few changes.
pub fn put_together(draw: &mut Draw<'_>) -> String {
    let source = draw.below(sources().len());
    let mut text: Vec<String> = sources()[source].lines().map(str::to_owned).collect();
    for _ in 0..32 {
        if draw.is_used_up() || text.is_empty() {
            break;
        }
        let at = draw.below(text.len());
        match draw.below(8) {
            0 | 1 => text[at] = with_part(&text[at], draw, |parts, at, part| parts[at] = part),
            2 => text[at] = with_part(&text[at], draw, |parts, at, part| parts.insert(at, part)),
            3 => text[at] = with_part(&text[at], draw, |parts, at, _| drop(parts.remove(at))),
            4 => {
                // A value before the sign that follows it.
                let value = draw.one_of(&STRANGE);
                text[at] = with_part(&text[at], draw, |parts, at, _| {
                    let sign = parts[at].pop().unwrap_or_default();
                    parts[at] = format!("{value}{sign}");
                });
            }
            5 => {
                let line = draw.one_of(lines());
                text.insert(at, line.to_owned());
            }
            6 => drop(text.remove(at)),
            _ => {
                let to = draw.below(text.len());
                text.swap(at, to);
            }
        }
    }
    let end = if draw.seldom() { "\r\n" } else { "\n" };
    text.iter().map(|line| format!("{line}{end}")).collect()
}

/// The line after a change at one of its parts; a part of another line comes along.
fn with_part(line: &str, draw: &mut Draw<'_>, change: impl FnOnce(&mut Vec<String>, usize, String)) -> String {
    let mut all: Vec<String> = parts(line).map(str::to_owned).collect();
    if all.is_empty() {
        return line.to_owned();
    }
    let at = draw.below(all.len());
    let part = draw.one_of(words());
    change(&mut all, at, part);
    all.concat()
}
