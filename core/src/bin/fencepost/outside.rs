//! All that the program has to do with the world outside: files, the standard streams, the terminal, the processor's cores, the clock.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the library is given texts and returns texts; this is the program that has the files, the threads and the clock"
)]

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
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

/// A line on the terminal that says how many of several searches are done. There is none if standard error is no terminal.
pub struct Count {
    terminal: bool,
    all: usize,
    /// How many are done, how many states they had, and whether the line stands there.
    done: Mutex<(usize, usize)>,
}

impl Count {
    /// For so many searches.
    pub fn begin(all: usize) -> Self {
        Self { terminal: io::stderr().is_terminal(), all, done: Mutex::new((0, 0)) }
    }

    /// The search of `mechanism` in `situation` is done, and had so many states.
    pub fn tell(&self, mechanism: &str, situation: &str, states: usize) {
        let mut done = self.done.lock().expect("nobody panics while counting");
        *done = (done.0 + 1, done.1 + states);
        if self.terminal {
            let (cells, states) = *done;
            complain(&format!("\r\x1b[K{cells} of {} cells, {states} states: {mechanism} in {situation}", self.all));
        }
    }
}

impl Drop for Count {
    fn drop(&mut self) {
        if self.terminal {
            complain("\r\x1b[K");
        }
    }
}

/// What `work` makes of each of `items`, in their order, with a thread on each core: whichever is free takes the next.
pub fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(index) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|index| *index < items.len())
                {
                    let result = work(&items[index]);
                    *results[index].lock().expect("each is written once") = Some(result);
                }
            });
        }
    });
    results.into_iter().map(|result| result.into_inner().ok().flatten().expect("every item has its turn")).collect()
}
