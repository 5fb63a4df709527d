//! Scenarios' texts put together of the lines and words of others.

use std::sync::OnceLock;

use fencepost_core::mechanism::Switch;
use fencepost_core::scenario::CORPUS;

use super::Draw;

/// The documents whose examples are taken.
const DOCUMENTS: [&str; 2] =
    [include_str!("../../../core/docs/scenario-language.md"), include_str!("../../../core/docs/command-line.md")];

/// Numbers and lengths at which something ends.
const STRANGE: [&str; 22] = [
    "0",
    "0s",
    "1us",
    "0.0000001h",
    "1.5s",
    "9600h",
    "9600.1h",
    "18446744073709551615",
    "18446744073709551599",
    "18446744073709551616",
    "-1s",
    "..",
    "=",
    ",",
    "#",
    "\u{feff}",
    "\u{1f512}",
    "all",
    "500000ppm",
    "99",
    "4",
    "1",
];

/// Texts from which to take: whole scenarios.
pub fn sources() -> &'static [String] {
    static SOURCES: OnceLock<Vec<String>> = OnceLock::new();
    SOURCES.get_or_init(|| {
        let corpus = CORPUS.iter().map(|entry| entry.text.to_owned());
        corpus.chain(DOCUMENTS.iter().flat_map(|document| examples(document))).collect()
    })
}

/// The scenarios among a document's examples; a fragment is given what it lacks.
fn examples(document: &str) -> Vec<String> {
    let blocks = document.split("```fence").skip(1).filter_map(|block| block.split_once('\n'));
    let examples = blocks.map(|(kind, rest)| (kind, rest.split("```").next().unwrap_or_default()));
    let whole = |(kind, example): (&str, &str)| {
        let lacks = |keyword: &str| !example.lines().any(|line| line.starts_with(keyword));
        let mut text = String::new();
        if kind.trim() == "fragment" {
            for (keyword, line) in
                [("scenario", "scenario fragment\n"), ("workers", "workers A B\n"), ("lease", "lease 10s\n")]
            {
                text += if lacks(keyword) { line } else { "" };
            }
        }
        text + example
    };
    examples.map(whole).collect()
}

/// Every line that some source has.
fn lines() -> &'static [&'static str] {
    static LINES: OnceLock<Vec<&str>> = OnceLock::new();
    LINES.get_or_init(|| {
        let mut lines: Vec<&str> = sources().iter().flat_map(|text| text.lines()).collect();
        lines.retain(|line| !line.trim_start().starts_with('#') && !line.trim().is_empty());
        lines.sort_unstable();
        lines.dedup();
        lines
    })
}

/// Every word of the language, as far as some source or some switch has it.
pub fn words() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let of_lines = lines().iter().flat_map(|line| line.split([' ', ',', '\t']));
        // What tables name stands between backticks.
        let named = DOCUMENTS.iter().flat_map(|document| document.split('`').skip(1).step_by(2));
        let of_tables = named.flat_map(str::split_whitespace);
        let of_switches = Switch::ALL.iter().flat_map(|switch| switch.words().iter().copied().chain([switch.name()]));
        let mut words: Vec<String> = of_lines.chain(of_tables).chain(of_switches).map(str::to_owned).collect();
        words.extend(STRANGE.map(str::to_owned));
        words.retain(|word| !word.is_empty() && word.len() <= 40);
        words.sort_unstable();
        words.dedup();
        words
    })
}

/// A text that another one has become by a few changes.
pub fn put_together(draw: &mut Draw<'_>) -> String {
    let source = draw.below(sources().len());
    let mut text: Vec<String> = sources()[source].lines().map(str::to_owned).collect();
    for _ in 0..32 {
        if draw.is_used_up() || text.is_empty() {
            break;
        }
        let at = draw.below(text.len());
        match draw.below(12) {
            0 => text[at] = with_word(&text[at], draw, |words, at, word| words[at] = word),
            1 => text[at] = with_word(&text[at], draw, |words, at, word| words.insert(at, word)),
            2 => text[at] = with_word(&text[at], draw, |words, at, _| drop(words.remove(at))),
            3 => text[at] = with_word(&text[at], draw, |words, at, _| words.truncate(at + 1)),
            4 | 5 => {
                let line = draw.one_of(lines());
                text.insert(at, line.to_owned());
            }
            6 | 7 => {
                let keyword = text[at].split_whitespace().next().unwrap_or_default();
                let like: Vec<&str> =
                    lines().iter().copied().filter(|line| line.split_whitespace().next() == Some(keyword)).collect();
                if !like.is_empty() {
                    text[at] = draw.one_of(&like).to_owned();
                }
            }
            8 => drop(text.remove(at)),
            9 => {
                let line = text[at].clone();
                let to = draw.below(text.len());
                text.insert(to, line);
            }
            10 => {
                let to = draw.below(text.len());
                text.swap(at, to);
            }
            _ => {
                let switch = draw.one_of(Switch::ALL);
                let value = draw.one_of(switch.words());
                if text[at].contains("guard ") && text[at].starts_with(' ') {
                    text[at] += &format!(", {} {value}", switch.name());
                } else {
                    text.insert(at, format!("{} {value}", switch.name()));
                }
            }
        }
    }
    let end = if draw.seldom() { "\r\n" } else { "\n" };
    text.iter().map(|line| format!("{line}{end}")).collect()
}

/// The line after a change at one of its words; a word of the language comes along. Its indentation stays.
fn with_word(line: &str, draw: &mut Draw<'_>, change: impl FnOnce(&mut Vec<String>, usize, String)) -> String {
    let indentation = &line[..line.len() - line.trim_start().len()];
    let mut parts: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    if parts.is_empty() {
        return line.to_owned();
    }
    let at = draw.below(parts.len());
    let mut word = draw.one_of(words());
    if parts[at].ends_with(',') {
        word.push(',');
    }
    change(&mut parts, at, word);
    format!("{indentation}{}", parts.join(" "))
}
