//! Making smaller what a browser loads and no person reads.

use anyhow::{Context, Result, bail};
use wasmparser::{Parser, Payload, TypeRef};

/// A style sheet of ours without its comments and indentation.
pub fn css(text: &str) -> String {
    let mut parts = text.split("/*");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.split_once("*/").map_or("", |(_, after)| after));
    }
    lines(&kept)
}

/// A script of ours without its comments and indentation. Comments of ours stand on lines of their own.
pub fn script(text: &str) -> String {
    lines(&without_comments(text))
}

/// A module and its glue, with short names for what the module imports from it: a third of the glue are names that end in
/// a hash, and each of them stands in the module again. The glue loses its comments and indentation too.
pub fn imports(module: &[u8], glue: &str) -> Result<(Vec<u8>, String)> {
    let mut glue = without_comments(glue);
    let mut end = 0;
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        if let Payload::ImportSection(section) = &payload {
            let range = section.range();
            let mut body = Vec::new();
            number(section.count(), &mut body);
            for (index, import) in section.clone().into_imports().enumerate() {
                let import = import?;
                let TypeRef::Func(function) = import.ty else { bail!("{} is no function", import.name) };
                let short = format!("i{index}");
                glue = renamed(&glue, import.name, &short).context("the glue is not as expected")?;
                name(import.module, &mut body);
                name(&short, &mut body);
                body.push(0);
                number(function, &mut body);
            }
            let mut shortened = module[..end].to_owned();
            shortened.push(2);
            number(u32::try_from(body.len())?, &mut shortened);
            shortened.extend(body);
            shortened.extend(&module[range.end..]);
            return Ok((shortened, lines(&glue)));
        }
        end = match &payload {
            Payload::Version { range, .. } => range.end,
            _ => payload.as_section().map_or(end, |(_, range)| range.end),
        };
    }
    Ok((module.to_owned(), lines(&glue)))
}

/// A name as glue defines it, once: `__wbg_focus_d5e2fdbdb56416f0: function(arg0) {`.
fn renamed(glue: &str, name: &str, short: &str) -> Result<String> {
    match glue.matches(name).count() {
        1 => Ok(glue.replacen(&format!("{name}:"), &format!("{short}:"), 1)),
        count => bail!("{name} stands in it {count} times"),
    }
}

fn without_comments(glue: &str) -> String {
    let mut inside = false;
    let is_code = |line: &&str| {
        let line = line.trim();
        let is_comment = inside || line.starts_with("/**") || line.starts_with("//");
        inside = (inside || line.starts_with("/**")) && !line.ends_with("*/");
        !is_comment
    };
    glue.lines().filter(is_code).map(|line| format!("{line}\n")).collect()
}

/// Without indentation and empty lines.
fn lines(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}

fn name(name: &str, bytes: &mut Vec<u8>) {
    number(u32::try_from(name.len()).expect("names are short"), bytes);
    bytes.extend(name.as_bytes());
}

/// As wasm writes numbers, seven bits a byte.
fn number(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with one type, `() -> ()`, one import of that type and, behind it, a function section without functions.
    fn module(import: &str) -> Vec<u8> {
        let mut section = vec![1];
        name("./glue.js", &mut section);
        name(import, &mut section);
        section.extend([0, 0]);
        let mut bytes = b"\0asm\x01\0\0\0".to_vec();
        bytes.extend([1, 4, 1, 0x60, 0, 0, 2]);
        number(u32::try_from(section.len()).unwrap(), &mut bytes);
        bytes.extend(section);
        bytes.extend([3, 1, 0]);
        bytes
    }

    #[test]
    fn comments_and_indentation_go() {
        let text =
            "/* one\n   two */\n:root {\n  --paper: #fff; /* three */\n}\n\n.a::after {\n  content: \"x \";\n}\n";
        assert_eq!(css(text), ":root {\n--paper: #fff;\n}\n.a::after {\ncontent: \"x \";\n}\n");
    }

    #[test]
    fn imports_have_the_same_short_names_on_both_sides() {
        let long = "__wbg_focus_d5e2fdbdb56416f0".repeat(5);
        let glue = format!("/**\n * What it does.\n */\n{{\n    // A word.\n    {long}: function(a) {{\n    }},\n}}\n");
        let (shortened, glue) = imports(&module(&long), &glue).unwrap();
        assert_eq!(shortened, module("i0"));
        assert_eq!(glue, "{\ni0: function(a) {\n},\n}\n");
    }

    #[test]
    fn glue_that_does_not_define_an_import_once_is_an_error() {
        for glue in ["", "f: function() {},\nf: function() {}"] {
            imports(&module("f"), glue).unwrap_err();
        }
    }
}
