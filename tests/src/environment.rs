//! What `cargo xtask test browser` tells the tests.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};

/// The built site.
pub fn dist() -> Result<PathBuf> {
    path("FENCEPOST_DIST")
}

/// The browser.
pub fn chromium() -> Result<PathBuf> {
    path("FENCEPOST_CHROMIUM")
}

/// The browser's WebDriver server.
pub fn chromedriver() -> Result<PathBuf> {
    path("FENCEPOST_CHROMEDRIVER")
}

/// Where to leave what a person may want to look at.
pub fn artefacts() -> Result<PathBuf> {
    path("FENCEPOST_ARTEFACTS")
}

fn path(variable: &str) -> Result<PathBuf> {
    let value = env::var_os(variable);
    value
        .map(PathBuf::from)
        .with_context(|| format!("{variable} is not set: run the browser tests by `cargo xtask test browser`"))
}
