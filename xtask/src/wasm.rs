//! Building packages as wasm modules.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process;
use crate::small_std;
use crate::toolchain::{WASM_TARGET, WasmToolchain};
use crate::workspace::Workspace;

/// Separates flags in `CARGO_ENCODED_RUSTFLAGS`.
const FLAG_SEPARATOR: &str = "\x1f";

/// A module to build.
///
/// The crate type is asked for on the command line, because a manifest that lists "cdylib" beside "rlib" makes cargo
/// drop LTO.
pub struct Module {
    pub package: &'static str,
    pub profile: &'static str,
    /// Codegen flags for this package alone.
    pub flags: &'static [&'static str],
    /// Whether visitors wait for it: then a panic of it is a trap without words, where the toolchain can do that.
    pub small: bool,
}

impl Module {
    /// The page: small, and without the names of the builder's folders.
    pub const PAGE: Module = Module { package: "fencepost-web", profile: "page", flags: &[], small: true };

    /// What scripts may use, and the page does without.
    pub const API: Module = Module { package: "fencepost-api", profile: "scripts", flags: &[], small: false };

    /// The rules alone. Nothing calls them in this module, so the linker is kept from dropping them: else whatever
    /// they import would be dropped as well, and looking for imports would prove nothing.
    pub const CORE: Module = Module {
        package: "fencepost-core",
        profile: "dev",
        flags: &["-Clink-dead-code", "-Clink-arg=--no-gc-sections"],
        small: false,
    };

    /// Builds the module and returns its file.
    pub fn build(&self, workspace: &Workspace, toolchain: &WasmToolchain) -> Result<PathBuf> {
        let small = self.small && toolchain.builds_small();
        let mut rustflags = remap_flags(workspace, toolchain)?;
        if small {
            rustflags.extend(small_std::FLAGS.iter().map(ToString::to_string));
        }
        let mut command = toolchain.cargo();
        command
            .args(["rustc", "--lib", "--crate-type=cdylib", "--package", self.package])
            .args(["--profile", self.profile, "--target", WASM_TARGET])
            .env("CARGO_ENCODED_RUSTFLAGS", rustflags.join(FLAG_SEPARATOR));
        if small || toolchain.lacks_library() {
            command.args(small_std::BUILD_ARGS);
        }
        if !self.flags.is_empty() {
            command.arg("--").args(self.flags);
        }
        process::run(&mut command)?;
        Ok(workspace.target.join(WASM_TARGET).join(self.folder()).join(self.file_name()))
    }

    /// Cargo keeps the `dev` profile in a folder of another name.
    fn folder(&self) -> &str {
        if self.profile == "dev" { "debug" } else { self.profile }
    }

    fn file_name(&self) -> String {
        format!("{}.wasm", self.package.replace('-', "_"))
    }
}

/// The folders that would tell who built a module, and on what machine.
pub fn private_folders(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    Ok(vec![home()?, cargo_home()?, workspace.root.clone()])
}

/// Panics carry the path of their source file. Under these flags it is the same on every machine.
fn remap_flags(workspace: &Workspace, toolchain: &WasmToolchain) -> Result<Vec<String>> {
    Ok(vec![
        remap_flag(Path::new(&toolchain.sysroot()?), "/rust"),
        remap_flag(&cargo_home()?, "/cargo"),
        remap_flag(&workspace.root, "/fencepost"),
    ])
}

fn remap_flag(folder: &Path, name: &str) -> String {
    format!("--remap-path-prefix={}={name}", folder.display())
}

fn home() -> Result<PathBuf> {
    env::home_dir().context("this machine does not say where your home folder is")
}

fn cargo_home() -> Result<PathBuf> {
    match env::var_os("CARGO_HOME").as_deref() {
        None => Ok(home()?.join(".cargo")),
        Some(folder) if folder == OsStr::new("") => Ok(home()?.join(".cargo")),
        Some(folder) => Ok(PathBuf::from(folder)),
    }
}
