//! `cargo xtask dist`: the site, ready for any static host and any sub-path.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::bindgen::Glue;
use crate::sizes::{self, Loaded, Size};
use crate::toolchain::WasmToolchain;
use crate::wasm::{self, Module};
use crate::workspace::Workspace;
use crate::{imports, links, site};

/// Builds the site and checks its size.
pub fn run(workspace: &Workspace) -> Result<()> {
    let toolchain = build(workspace)?;
    let dist = workspace.dist();
    let visit = loaded(&dist, "first visit", site::INDEX)?;
    println!("\n{}{}", visit.table(), sizes::budget_line(&visit));
    println!("{}", loaded(&dist, "for a search", site::SEARCH)?.table());
    println!("{}", loaded(&dist, "for scripts", site::API)?.table());
    if toolchain.builds_small() {
        visit.check()?;
    } else {
        println!("NOT CHECKED: the budget, since this toolchain cannot build the page as small as it can be");
    }
    println!("The site is in {}", dist.display());
    Ok(())
}

/// The files that come with `entry`, each with its size.
fn loaded(dist: &Path, what: &'static str, entry: &str) -> Result<Loaded> {
    let files = links::loaded(dist, entry)?.into_iter().map(|(name, bytes)| Ok((name, Size::of(&bytes)?)));
    Ok(Loaded { what, files: files.collect::<Result<_>>()? })
}

/// Builds the site into a fresh `dist` folder and checks everything but its size. Returns what it was built with.
pub fn build(workspace: &Workspace) -> Result<WasmToolchain> {
    let toolchain = WasmToolchain::prepare()?;
    let page = (Module::PAGE.build(workspace, &toolchain)?, Glue::PAGE);
    let api = (Module::API.build(workspace, &toolchain)?, Glue::API);
    let dist = workspace.dist();
    if dist.exists() {
        fs::remove_dir_all(&dist).with_context(|| format!("cannot clear {}", dist.display()))?;
    }
    site::write(&workspace.static_files(), &site::parts()?, &dist)?;
    for (module, glue) in [page, api] {
        glue.generate(&module, &dist)?;
        let wasm = dist.join(glue.wasm());
        imports::check_site(&wasm)?;
        check_private(&fs::read(&wasm)?, &wasm::private_folders(workspace)?)?;
    }
    check_files(&dist, &dist)?;
    Ok(toolchain)
}

/// Fails if a module tells who built it.
fn check_private(module: &[u8], folders: &[PathBuf]) -> Result<()> {
    for folder in folders.iter().filter(|folder| folder.parent().is_some()) {
        let name = format!("{}/", folder.display());
        if module.windows(name.len()).any(|window| window == name.as_bytes()) {
            bail!("a module of the site holds the path {name} of this machine");
        }
    }
    Ok(())
}

/// Checks what the files of a folder name, and those of the folders in it.
fn check_files(site: &Path, folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            check_files(site, &path)?;
            continue;
        }
        let name = path.strip_prefix(site)?.to_string_lossy().replace('\\', "/");
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if let Ok(text) = std::str::from_utf8(&bytes) {
            links::check_relative(&name, text)?;
            if name.ends_with(".html") {
                links::check_policy(&name, text)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_path_is_found() {
        let folders = [PathBuf::from("/home/ada"), PathBuf::from("/")];
        check_private(b"..../home/adam/x.rs, /fencepost/core/src/lib.rs....", &folders).unwrap();
        let error = check_private(b"..../home/ada/x.rs....", &folders).unwrap_err();
        assert_eq!(error.to_string(), "a module of the site holds the path /home/ada/ of this machine");
    }
}
