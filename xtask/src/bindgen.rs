//! From a compiled module to what a browser loads: a wasm file and its glue.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::compact;

/// The glue of a module, and what it is called: `name` gives `name.js` and `name_bg.wasm`.
pub struct Glue {
    pub name: &'static str,
    kind: Kind,
}

enum Kind {
    /// An ES module whose default export gives a fresh `wasm_bindgen` at each call, with a wasm instance of its own once it
    /// is called with `{ module_or_path }`. After a panic an instance is of no more use, so every figure on a page has to
    /// have its own.
    Factory,
    /// An ES module that exports the functions. They work once its default export has been called with `{ module_or_path }`.
    Functions,
}

impl Glue {
    pub const PAGE: Glue = Glue { name: "fencepost", kind: Kind::Factory };
    pub const API: Glue = Glue { name: "fencepost_api", kind: Kind::Functions };

    /// The wasm file.
    pub fn wasm(&self) -> String {
        format!("{}_bg.wasm", self.name)
    }

    /// Writes the wasm file and the glue of `module` into `folder`.
    pub fn generate(&self, module: &Path, folder: &Path) -> Result<()> {
        let mut bindgen = Bindgen::new();
        match self.kind {
            Kind::Factory => bindgen.no_modules(true)?,
            Kind::Functions => bindgen.web(true)?,
        };
        bindgen
            .input_path(module)
            .out_name(self.name)
            .typescript(false)
            .omit_default_module_path(true)
            .remove_name_section(true)
            .remove_producers_section(true)
            .generate(folder)
            .with_context(|| format!("wasm-bindgen cannot make the glue of {}", module.display()))?;
        let (wasm, glue) = (folder.join(self.wasm()), folder.join(format!("{}.js", self.name)));
        let text = fs::read_to_string(&glue).with_context(|| format!("cannot read {}", glue.display()))?;
        let bytes = fs::read(&wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
        let (bytes, text) = compact::imports(&bytes, &text).with_context(|| format!("in {}", glue.display()))?;
        let text = match self.kind {
            Kind::Factory => as_factory(&text),
            Kind::Functions => text,
        };
        fs::write(&wasm, bytes).with_context(|| format!("cannot write {}", wasm.display()))?;
        fs::write(&glue, text).with_context(|| format!("cannot write {}", glue.display()))
    }
}

fn as_factory(glue: &str) -> String {
    format!("export default () => {{\n{glue}\nreturn wasm_bindgen;\n}};\n")
}
