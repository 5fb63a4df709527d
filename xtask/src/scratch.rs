//! Folders for tests. A crate for it would change the features of what this program is built from, and have most of that
//! built twice.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

/// An empty folder, removed when dropped.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("fencepost-xtask-{}-{number}", process::id()));
        fs::create_dir(&path).expect("a folder can be made");
        Scratch(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Left behind, it does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}
