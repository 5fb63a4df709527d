//! Installing Debian's packages, where that is ours to do: on Debian, as root.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

/// Whether this is a Debian (or a child of it) on which we may install packages.
pub fn may_install() -> bool {
    Path::new("/etc/debian_version").exists() && is_root()
}

/// Installs packages and nothing that they merely recommend.
pub fn install(packages: &[&str]) -> Result<()> {
    println!("Installing {} with apt-get", packages.join(", "));
    let apt_get = || {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").arg("--quiet=2");
        command
    };
    process::run(apt_get().arg("update"))?;
    process::run(apt_get().args(["install", "--yes", "--no-install-recommends"]).args(packages))
        .with_context(|| format!("cannot install {}", packages.join(", ")))
}

/// Asked of `id`, since the standard library does not tell and a crate for one number is too much.
fn is_root() -> bool {
    env::consts::FAMILY == "unix" && process::output(Command::new("id").arg("-u")).is_ok_and(|id| id == "0")
}
