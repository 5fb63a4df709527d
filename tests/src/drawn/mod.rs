//! Inputs made from bytes, and what must hold of each, whatever they say.
//!
//! The bytes are either a fuzzer's, which looks for those that reach something new (`tests/fuzz`), or come out of a
//! generator with a fixed seed, for an ordinary test (`tests/drawn.rs`). Both feed the same three functions here.

mod check;
mod draw;
mod scenario;
mod text;
mod trace;

pub use draw::Draw;

use fencepost_core::scenario::{parse, parse_bytes};

/// The first byte of an input that is no text yet but says how to put one together. No text in UTF-8 begins with it.
pub const PUT_TOGETHER: u8 = 0xff;

/// Reads the bytes as a scenario's text, or has a text put together of lines and words of others. What can be read is held
/// against all that must hold of a scenario.
///
/// # Panics
/// If something does not hold.
pub fn scenario_text(bytes: &[u8]) {
    let read = match bytes.split_first() {
        Some((&PUT_TOGETHER, rest)) => {
            let text = text::put_together(&mut Draw::new(rest));
            check::error_points_into(&text);
            parse(&text).ok().map(|scenario| (text, scenario))
        }
        _ => {
            if let Ok(text) = str::from_utf8(bytes) {
                check::error_points_into(text);
            }
            let text = || String::from_utf8(bytes.to_vec()).expect("what was read is a text");
            parse_bytes(bytes).ok().map(|scenario| (text(), scenario))
        }
    };
    if let Some((text, scenario)) = read {
        check::is_read_back(&scenario);
        check::edits_change_one_value(&text, &scenario, &mut Draw::new(bytes));
        check::runs(&scenario);
        check::searches(&scenario);
    }
}

/// Draws a scenario over the whole language, and holds it against all that must hold of one.
///
/// # Panics
/// If something does not hold.
pub fn any_scenario(bytes: &[u8]) {
    let mut draw = Draw::new(bytes);
    let scenario = scenario::any(&mut draw);
    let (text, scenario) = check::is_read_back(&scenario);
    check::edits_change_one_value(&text, &scenario, &mut draw);
    check::runs(&scenario);
    check::searches(&scenario);
}

/// Draws a scenario over the whole language, which must come back from its text; no run, no search.
///
/// # Panics
/// If it does not.
pub fn any_scenario_is_read_back(bytes: &[u8]) {
    let mut draw = Draw::new(bytes);
    let scenario = scenario::any(&mut draw);
    let (text, scenario) = check::is_read_back(&scenario);
    check::edits_change_one_value(&text, &scenario, &mut draw);
}

/// Reads the bytes as a trace, or has one put together of lines and words of others.
///
/// # Panics
/// If what can be read is not the same when it is written and read again.
pub fn trace_text(bytes: &[u8]) {
    match bytes.split_first() {
        Some((&PUT_TOGETHER, rest)) => check::trace_text(&trace::put_together(&mut Draw::new(rest))),
        _ => {
            if let Ok(text) = str::from_utf8(bytes) {
                check::trace_text(text);
            }
        }
    }
}

/// The texts from which inputs begin, by name: the scenarios that come with the core, and the examples of its documents.
pub fn scenario_seeds() -> Vec<(String, String)> {
    text::sources().iter().enumerate().map(|(number, text)| (format!("scenario-{number}"), text.clone())).collect()
}

/// The traces from which inputs begin, by name: those of the scenarios that come with the core.
pub fn trace_seeds() -> Vec<(String, String)> {
    trace::sources().iter().enumerate().map(|(number, text)| (format!("trace-{number}"), text.clone())).collect()
}

/// The words of the scenario language, and those of traces: what a fuzzer puts into texts.
pub fn words() -> Vec<String> {
    let mut words: Vec<String> = text::words().iter().chain(trace::words()).cloned().collect();
    words.sort();
    words.dedup();
    words
}
