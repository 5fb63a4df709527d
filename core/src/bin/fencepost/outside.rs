//! All that the program has to do with the world outside: files, the standard streams, the terminal, the clock.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the library is given texts and returns texts; this is the program that has the files and the clock"
)]

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::time::{Duration, Instant};

use fencepost_core::scenario::MAX_BYTES;

/// The text of `file`, or of standard input if it is `-`: at most one byte more than a scenario may have.
///
/// # Errors
/// Why it cannot be read.
pub fn read(file: &OsStr) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let most = MAX_BYTES as u64 + 1;
    let read = if file == "-" {
        io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        File::open(file).and_then(|file| file.take(most).read_to_end(&mut bytes))
    };
    read.map_err(|error| format!("{}: {error}", name(file)))?;
    Ok(bytes)
}

/// What `file` is called in messages.
pub fn name(file: &OsStr) -> String {
    if file == "-" { "standard input".to_owned() } else { file.to_string_lossy().into_owned() }
}

/// Writes `text` to standard output. A reader that has seen enough is no mistake.
///
/// # Errors
/// Why it cannot be written.
pub fn print(text: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}

/// Writes `text` to standard error.
pub fn complain(text: &str) {
    // There is nobody left to tell if even that fails.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// A line on the terminal that says how far a search has come. There is none if standard error is no terminal.
pub struct Progress {
    terminal: bool,
    began: Instant,
    written: Option<Instant>,
}

impl Progress {
    /// How often the line is written anew: often enough to see that it goes on.
    const EVERY: Duration = Duration::from_millis(200);

    /// For a search that begins now.
    pub fn begin() -> Self {
        Self { terminal: io::stderr().is_terminal(), began: Instant::now(), written: None }
    }

    /// The search of `row` has come to so many states, and so many choices from the beginning.
    pub fn tell(&mut self, row: &str, states: usize, depth: usize) {
        let now = Instant::now();
        if !self.terminal || now - self.written.unwrap_or(self.began) < Self::EVERY {
            return;
        }
        self.written = Some(now);
        let rate = states as f64 / (now - self.began).as_secs_f64() / 1e6;
        complain(&format!("\r\x1b[K{row}: {states} states, {depth} steps deep, {rate:.1} million states a second"));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.written.is_some() {
            complain("\r\x1b[K");
        }
    }
}
