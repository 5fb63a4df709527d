//! Chromium and its driver, for the tests that need a real browser.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::apt;

/// Where the two programs are.
pub struct Browser {
    pub chromium: PathBuf,
    pub chromedriver: PathBuf,
}

/// A program, and where to look for it: first what the environment says, then the search path.
struct Program {
    variable: &'static str,
    names: &'static [&'static str],
}

const CHROMIUM: Program =
    Program { variable: "FENCEPOST_CHROMIUM", names: &["chromium", "chromium-browser", "google-chrome"] };
const CHROMEDRIVER: Program = Program { variable: "FENCEPOST_CHROMEDRIVER", names: &["chromedriver"] };

const PACKAGES: [&str; 3] = ["chromium", "chromium-driver", "fonts-liberation"];

impl Browser {
    /// The names under which the tests look for the programs.
    pub fn variables(&self) -> [(&'static str, &Path); 2] {
        [(CHROMIUM.variable, &self.chromium), (CHROMEDRIVER.variable, &self.chromedriver)]
    }

    /// Finds both programs, or installs them, or says what to install.
    pub fn prepare() -> Result<Browser> {
        if let Some(browser) = Browser::find()? {
            return Ok(browser);
        }
        if apt::may_install() {
            apt::install(&PACKAGES)?;
            if let Some(browser) = Browser::find()? {
                return Ok(browser);
            }
        }
        bail!(
            "the browser tests need Chromium and the chromedriver of the same version. Install them \
             (on Debian: apt-get install {}) so that they are found on the search path, \
             or name their files in {} and {}",
            PACKAGES.join(" "),
            CHROMIUM.variable,
            CHROMEDRIVER.variable
        )
    }

    fn find() -> Result<Option<Browser>> {
        let (chromium, chromedriver) = (CHROMIUM.find()?, CHROMEDRIVER.find()?);
        Ok(chromium.zip(chromedriver).map(|(chromium, chromedriver)| Browser { chromium, chromedriver }))
    }
}

impl Program {
    fn find(&self) -> Result<Option<PathBuf>> {
        if let Some(named) = env::var_os(self.variable) {
            let file = PathBuf::from(named);
            if !file.is_file() {
                bail!("{} names {}, which is no file", self.variable, file.display());
            }
            return Ok(Some(file));
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let candidates = self.names.iter().flat_map(|name| {
            let file_name = format!("{name}{}", env::consts::EXE_SUFFIX);
            env::split_paths(&path).map(move |folder| folder.join(&file_name)).collect::<Vec<_>>()
        });
        Ok(candidates.into_iter().find(|file| file.is_file()))
    }
}
