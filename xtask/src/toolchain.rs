//! What of Rust's own toolchain a task needs, added where it is missing.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::debian_wasm::DebianWasm;
use crate::process::{self, cargo};
use crate::small_std;

/// The page's target.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Set to `debian` to build the page with Debian's toolchain even where rustup could do it.
const WASM_CHOICE: &str = "FENCEPOST_WASM";

/// The toolchain that builds for [`WASM_TARGET`].
pub enum WasmToolchain {
    /// The one that runs this task: its standard library for the target is installed.
    Own {
        /// Whether the library can be built from source too, and thus smaller.
        builds_small: bool,
    },
    /// Debian's, which builds the standard library from source.
    Debian(DebianWasm),
}

impl WasmToolchain {
    /// Makes sure of a toolchain, or says what to install.
    pub fn prepare() -> Result<WasmToolchain> {
        match env::var(WASM_CHOICE).as_deref() {
            Err(env::VarError::NotPresent) => {}
            Ok("debian") => return DebianWasm::prepare().map(WasmToolchain::Debian),
            _ => bail!("{WASM_CHOICE} can only be set to 'debian'"),
        }
        if has_wasm_library()? {
            return WasmToolchain::own();
        }
        if let Err(error) = process::run(Command::new("rustup").args(["target", "add", WASM_TARGET])) {
            println!("{error:#}");
        } else if has_wasm_library()? {
            return WasmToolchain::own();
        }
        if DebianWasm::may_install() {
            return DebianWasm::prepare().map(WasmToolchain::Debian);
        }
        bail!(
            "this Rust cannot build for {WASM_TARGET}, and it could not be added. \
             Install Rust from https://rustup.rs and run `rustup target add {WASM_TARGET}`, \
             or run this task on Debian as root"
        )
    }

    fn own() -> Result<WasmToolchain> {
        let sysroot = sysroot(&mut Command::new("rustc"))?;
        Ok(WasmToolchain::Own { builds_small: small_std::prepare(&mut Command::new("rustc"), &sysroot) })
    }

    /// The cargo to build the page with.
    pub fn cargo(&self) -> Command {
        match self {
            WasmToolchain::Own { builds_small } => {
                let mut cargo = cargo();
                if *builds_small {
                    // For every module alike: what runs on this machine is not built anew for each of them.
                    cargo.env(small_std::BOOTSTRAP.0, small_std::BOOTSTRAP.1);
                }
                cargo
            }
            WasmToolchain::Debian(debian) => debian.cargo(),
        }
    }

    /// Whether it can build a module with a standard library of its own.
    pub fn builds_small(&self) -> bool {
        match self {
            WasmToolchain::Own { builds_small } => *builds_small,
            WasmToolchain::Debian(debian) => debian.builds_small,
        }
    }

    /// Whether it has to build the standard library for every module.
    pub fn lacks_library(&self) -> bool {
        matches!(self, WasmToolchain::Debian(_))
    }

    /// Where this toolchain keeps its own files.
    pub fn sysroot(&self) -> Result<String> {
        sysroot(&mut match self {
            WasmToolchain::Own { .. } => Command::new("rustc"),
            WasmToolchain::Debian(debian) => debian.rustc(),
        })
    }
}

fn sysroot(rustc: &mut Command) -> Result<String> {
    process::output(rustc.args(["--print", "sysroot"]))
}

/// Makes sure of `cargo fmt` and `cargo clippy`, or says what to install.
pub fn prepare_component(subcommand: &str, component: &str) -> Result<()> {
    let works = || process::succeeds(cargo().args([subcommand, "--version"]));
    if works() {
        return Ok(());
    }
    let added = process::run(Command::new("rustup").args(["component", "add", component]));
    let hint = || {
        format!(
            "`cargo {subcommand}` is missing: run `rustup component add {component}`, \
             or install your system's package for it"
        )
    };
    added.with_context(hint)?;
    if !works() {
        bail!(hint());
    }
    Ok(())
}

/// Asks the compiler rather than rustup: Rust need not come from rustup.
fn has_wasm_library() -> Result<bool> {
    let folder = process::output(Command::new("rustc").args(["--print", "target-libdir", "--target", WASM_TARGET]))?;
    Ok(Path::new(&folder).is_dir())
}
