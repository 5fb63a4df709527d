//! Building the standard library along with the page, so that a panic is a trap and nothing else: its words, the places in
//! the source and all that formats them make up a twelfth of what a visitor loads.
//!
//! Stable Rust does this only when told to be the bootstrap compiler. Whatever is unstable about it stands here. Where it
//! cannot be had the page is built as usual: it does the same, and is larger.

use std::path::Path;
use std::process::Command;

use crate::process;

/// Has a stable toolchain accept what follows.
pub const BOOTSTRAP: (&str, &str) = ("RUSTC_BOOTSTRAP", "1");

/// What cargo must be told to build the standard library.
pub const BUILD_ARGS: &[&str] = &["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];

/// What the compiler must be told to make a trap of each panic.
pub const FLAGS: &[&str] = &["-Zunstable-options", "-Cpanic=immediate-abort"];

/// Where a toolchain keeps the source of the library, from its sysroot.
const SOURCE: &str = "lib/rustlib/src/rust/library/std";

/// Makes sure of the library's source in a toolchain that comes from rustup, and of a compiler that knows [`FLAGS`].
pub fn prepare(rustc: &mut Command, sysroot: &str) -> bool {
    let source = Path::new(sysroot).join(SOURCE);
    if !source.exists()
        && let Err(error) = process::run(Command::new("rustup").args(["component", "add", "rust-src"]))
    {
        println!("{error:#}");
    }
    source.exists() && knows_flags(rustc)
}

/// Whether a compiler knows [`FLAGS`].
pub fn knows_flags(rustc: &mut Command) -> bool {
    process::succeeds(rustc.env(BOOTSTRAP.0, BOOTSTRAP.1).args(FLAGS).args(["--print", "cfg"]))
}
