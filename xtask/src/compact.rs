//! Making smaller what a browser loads and no person reads.

use anyhow::{Result, bail};

use crate::pack::Names;

/// A style sheet of ours without its comments, its lines and the blanks that mean nothing.
pub fn css(text: &str) -> String {
    let mut parts = text.split("/*");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.split_once("*/").map_or("", |(_, after)| after));
    }
    let joined: String = lines(&kept).lines().collect();
    joined.replace(" {", "{").replace(": ", ":").replace(", ", ",").replace(";}", "}") + "\n"
}

/// A script of ours without its comments and indentation. Comments of ours stand on lines of their own.
pub fn script(text: &str) -> String {
    lines(&without_comments(text))
}

/// The glue of a module with short names for what the two have of each other: a third of the glue are names that end in a
/// hash. It loses its comments and indentation too.
pub fn glue(text: &str, names: &Names) -> Result<String> {
    let mut glue = without_comments(text);
    for (name, short) in &names.imports {
        glue = renamed(&glue, name, short)?;
    }
    for (name, short) in &names.exports {
        glue = renamed_everywhere(&glue, name, short);
    }
    Ok(lines(&glue))
}

/// A name as glue defines it, once: `__wbg_focus_d5e2fdbdb56416f0: function(arg0) {`.
fn renamed(glue: &str, name: &str, short: &str) -> Result<String> {
    match glue.matches(name).count() {
        1 => Ok(glue.replacen(&format!("{name}:"), &format!("{short}:"), 1)),
        count => bail!("{name} stands in it {count} times"),
    }
}

/// A name as glue uses it, for functions of its own too.
fn renamed_everywhere(glue: &str, name: &str, short: &str) -> String {
    let mut parts = glue.split(name);
    let mut renamed = parts.next().unwrap_or_default().to_owned();
    let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for part in parts {
        // A longer name may begin or end like it.
        let is_part = renamed.ends_with(goes_on) || part.starts_with(goes_on);
        renamed.push_str(if is_part { name } else { short });
        renamed.push_str(part);
    }
    renamed
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_go() {
        let text =
            "/* one\n   two */\n:root {\n  --paper: #fff; /* three */\n}\n\n.a::after {\n  content: \"x \";\n}\n";
        assert_eq!(css(text), ":root{--paper:#fff}.a::after{content:\"x \"}\n");
    }

    #[test]
    fn scripts_keep_their_code() {
        assert_eq!(
            script("// What it is.\nlet a = `//${b}`; // c\n\n  // Why.\n  d();\n"),
            "let a = `//${b}`; // c\nd();\n"
        );
    }

    fn names(import: &str, export: &str) -> Names {
        let pair = |long: &str, short: &str| vec![(long.to_owned(), short.to_owned())];
        Names { imports: pair(import, "i0"), exports: pair(export, "x0") }
    }

    #[test]
    fn names_are_short_on_both_sides() {
        let text = "/**\n * What it does.\n */\n{\n    // A word.\n    __wbg_focus_d5: function(a) {\n    }, b: __made_up_1, c() { wasm.__made_up(__made_up) },\n}\n";
        let expected = "{\ni0: function(a) {\n}, b: __made_up_1, c() { wasm.x0(x0) },\n}\n";
        assert_eq!(glue(text, &names("__wbg_focus_d5", "__made_up")).unwrap(), expected);
    }

    #[test]
    fn glue_that_does_not_define_an_import_once_is_an_error() {
        for text in ["", "f: function() {},\nf: function() {}"] {
            glue(text, &names("f", "__g")).unwrap_err();
        }
    }
}
