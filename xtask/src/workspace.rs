//! Where things are.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::process;

/// The folders of this workspace.
#[derive(Deserialize)]
pub struct Workspace {
    #[serde(rename = "workspace_root")]
    pub root: PathBuf,
    #[serde(rename = "target_directory")]
    pub target: PathBuf,
}

impl Workspace {
    /// Asks cargo, which alone knows where a configuration or the environment puts the target folder.
    pub fn find() -> Result<Workspace> {
        let metadata = process::output(process::cargo().args(["metadata", "--no-deps", "--format-version=1"]))?;
        serde_json::from_str(&metadata).context("cannot read what `cargo metadata` says")
    }

    /// The finished site.
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// The hand-written part of the site.
    pub fn static_files(&self) -> PathBuf {
        self.root.join("static")
    }

    /// Screenshots and whatever else the browser tests leave to be looked at.
    pub fn browser_artefacts(&self) -> PathBuf {
        self.target.join("browser")
    }
}
