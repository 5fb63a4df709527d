//! Building the page with Debian's packages, for machines where rustup is absent or may not download.
//!
//! Debian has no package of the standard library for the page's target, but one of its source: so cargo builds the
//! library too, which stable Rust allows only when told to be the bootstrap compiler.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::{apt, small_std};

const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
const SOURCE: &str = "/usr/lib/rustlib/src/rust/library/std";
const LINKER: &str = "/usr/bin/wasm-ld-19";
const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-19"];

/// Debian's toolchain, installed.
pub struct DebianWasm {
    /// Whether its compiler knows how to build a small page.
    pub builds_small: bool,
}

impl DebianWasm {
    /// Whether [`DebianWasm::prepare`] can install what is missing.
    pub fn may_install() -> bool {
        apt::may_install()
    }

    /// Makes sure that the packages are there.
    pub fn prepare() -> Result<DebianWasm> {
        let installed = || [RUSTC, CARGO, SOURCE, LINKER].iter().all(|path| Path::new(path).exists());
        if !installed() {
            if !apt::may_install() {
                bail!("install Debian's packages {}, or run this task as root", PACKAGES.join(", "));
            }
            apt::install(&PACKAGES)?;
        }
        if !installed() {
            bail!("Debian's packages {} lack a file that the build needs", PACKAGES.join(", "));
        }
        Ok(DebianWasm { builds_small: small_std::knows_flags(&mut Command::new(RUSTC)) })
    }

    /// Debian's cargo, with Debian's compiler, whatever toolchain runs this task.
    pub fn cargo(&self) -> Command {
        let mut command = Command::new(CARGO);
        command
            .env("RUSTC", RUSTC)
            .env(small_std::BOOTSTRAP.0, small_std::BOOTSTRAP.1)
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", LINKER)
            .env_remove("CARGO")
            .env_remove("RUSTUP_TOOLCHAIN");
        command
    }

    /// Debian's compiler.
    pub fn rustc(&self) -> Command {
        Command::new(RUSTC)
    }
}
