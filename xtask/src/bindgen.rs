//! From a compiled module to what a browser loads: a wasm file and its glue.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::{compact, pack};

/// The glue of a module, and what it is called: `name` gives `name.js` and `name_bg.wasm`.
pub struct Glue {
    pub name: &'static str,
    kind: Kind,
}

enum Kind {
    /// An ES module whose default export makes an instance of a `WebAssembly.Module` and resolves to its functions. After a
    /// panic an instance is of no more use, so every figure on a page has to have its own; the module is compiled once.
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
        let (bytes, names) = pack::pack(&bytes).with_context(|| format!("in {}", wasm.display()))?;
        let text = compact::glue(&text, &names).with_context(|| format!("in {}", glue.display()))?;
        let text = match self.kind {
            Kind::Factory => as_factory(&text).with_context(|| format!("in {}", glue.display()))?,
            Kind::Functions => text,
        };
        fs::write(&wasm, bytes).with_context(|| format!("cannot write {}", wasm.display()))?;
        fs::write(&glue, text).with_context(|| format!("cannot write {}", glue.display()))
    }
}

/// What is needed of the glue for scripts that are no modules: wasm-bindgen's own way of loading, which takes whatever it
/// is given, is left out.
fn as_factory(glue: &str) -> Result<String> {
    let parts = glue.split_once("(function(exports) {\n").and_then(|(_, rest)| rest.split_once("\n}\n")).and_then(
        |(finds_its_own_address, rest)| Some((finds_its_own_address, rest.split_once("async function __wbg_load(")?.0)),
    );
    match parts {
        Some((address, functions)) if address.contains("document.currentScript") => Ok(format!(
            "export default async (module) => {{\n\
             const exports = {{}};\n\
             {functions}\
             __wbg_finalize_init(await WebAssembly.instantiate(module, __wbg_get_imports()), module);\n\
             return exports;\n\
             }};\n"
        )),
        _ => bail!("wasm-bindgen's glue is not as expected"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factory_has_the_functions_and_not_the_loading() {
        let glue = "let wasm_bindgen = (function(exports) {\nlet script_src;\nif (document.currentScript) {\nscript_src = 1;\n}\n\
                    function a() {}\nexports.a = a;\nasync function __wbg_load(module) {\n}\nreturn 1;\n})({});\n";
        let factory = as_factory(glue).unwrap();
        assert!(
            factory.contains("{\nconst exports = {};\nfunction a() {}\nexports.a = a;\n__wbg_finalize_init("),
            "{factory}"
        );
        as_factory("let wasm_bindgen = 1;").unwrap_err();
    }
}
