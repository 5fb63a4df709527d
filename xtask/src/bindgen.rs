//! From the compiled module to what a browser loads: `fencepost_bg.wasm`, `fencepost.js` and its types.
//!
//! `fencepost.js` is an ES module whose default export is a *factory*: each call gives a fresh `wasm_bindgen`, with a
//! wasm instance of its own once it is called with `{ module_or_path }`. After a panic an instance is of no more use, so
//! every figure on a page has to have its own.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

const NAME: &str = "fencepost";

/// Writes the module, its glue and its type declarations into `folder`.
pub fn generate(module: &Path, folder: &Path) -> Result<()> {
    Bindgen::new()
        .input_path(module)
        .out_name(NAME)
        .no_modules(true)?
        .typescript(true)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
        .context("wasm-bindgen cannot make the glue of the page")?;
    rewrite(&folder.join(format!("{NAME}.js")), as_factory)?;
    rewrite(&folder.join(format!("{NAME}.d.ts")), with_factory_type)
}

fn rewrite(file: &Path, change: fn(&str) -> String) -> Result<()> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    fs::write(file, change(&text)).with_context(|| format!("cannot write {}", file.display()))
}

fn as_factory(glue: &str) -> String {
    format!("export default () => {{\n{glue}\nreturn wasm_bindgen;\n}};\n")
}

fn with_factory_type(types: &str) -> String {
    format!(
        "{types}\n\
         /** Gives a fresh, not yet loaded instance at each call. */\n\
         export default function instance(): typeof wasm_bindgen;\n\
         export type {{ wasm_bindgen }};\n"
    )
}
