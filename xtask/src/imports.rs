//! What a wasm module expects from its surroundings.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use wasmparser::{Name, Parser, Payload};

/// Fails unless the module of the rules stands alone: no clock, no random numbers, no output, nothing.
pub fn check_core(file: &Path) -> Result<()> {
    let module = read(file)?;
    if !has_function_named(&module, "fencepost_core")? {
        bail!("{} holds no function of fencepost-core, so it shows nothing about it", file.display());
    }
    only_from(&module, &[]).with_context(|| format!("fencepost-core, built as {}", file.display()))
}

/// Fails if a module of the site needs anything but its glue: it could not be started.
pub fn check_site(file: &Path) -> Result<()> {
    // What wasm-bindgen has it import from, whatever the glue's file is called.
    let glue = file.with_extension("js");
    let glue = format!("./{}", glue.file_name().unwrap_or_default().to_string_lossy());
    only_from(&read(file)?, &[&glue]).with_context(|| file.display().to_string())
}

fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

fn only_from(module: &[u8], allowed: &[&str]) -> Result<()> {
    let mut foreign = BTreeSet::new();
    for payload in Parser::new(0).parse_all(module) {
        let Payload::ImportSection(section) = payload? else {
            continue;
        };
        for import in section.into_imports() {
            let import = import?;
            if !allowed.contains(&import.module) {
                foreign.insert(format!("{}.{}", import.module, import.name));
            }
        }
    }
    if !foreign.is_empty() {
        bail!("it imports {}", foreign.into_iter().collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

fn has_function_named(module: &[u8], part: &str) -> Result<bool> {
    for payload in Parser::new(0).parse_all(module) {
        let Payload::CustomSection(section) = payload? else {
            continue;
        };
        let wasmparser::KnownCustom::Name(names) = section.as_known() else {
            continue;
        };
        for name in names {
            let Name::Function(functions) = name? else {
                continue;
            };
            for function in functions {
                if function?.name.contains(part) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    const GLUE: &str = "./fencepost_bg.js";

    /// A module with one type, `() -> ()`, and one imported function of that type.
    fn importing(module: &str, name: &str) -> Vec<u8> {
        let mut import = vec![1];
        for word in [module, name] {
            import.push(u8::try_from(word.len()).unwrap());
            import.extend(word.as_bytes());
        }
        import.extend([0, 0]);

        let mut bytes = b"\0asm\x01\0\0\0".to_vec();
        bytes.extend([1, 4, 1, 0x60, 0, 0]);
        bytes.extend([2, u8::try_from(import.len()).unwrap()]);
        bytes.extend(import);
        bytes
    }

    #[test]
    fn a_foreign_import_is_named() {
        let error = only_from(&importing("env", "now"), &[GLUE]).unwrap_err();
        assert_eq!(error.to_string(), "it imports env.now");
    }

    #[test]
    fn the_glue_is_allowed_to_the_site_alone() {
        let module = importing(GLUE, "now");
        only_from(&module, &[]).unwrap_err();
        let folder = Scratch::new();
        let file = folder.path().join("fencepost_bg.wasm");
        fs::write(&file, &module).unwrap();
        check_site(&file).unwrap();
        let other = folder.path().join("other_bg.wasm");
        fs::write(&other, &module).unwrap();
        check_site(&other).unwrap_err();
    }

    #[test]
    fn a_module_without_imports_stands_alone() {
        only_from(b"\0asm\x01\0\0\0", &[]).unwrap();
    }

    #[test]
    fn what_is_no_module_is_an_error() {
        only_from(b"<!doctype html>", &[]).unwrap_err();
    }
}
