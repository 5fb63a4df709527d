//! The files that the site's own files name, and what must be true of those names.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::html::{self, Tag};

/// A name of a file in another file.
#[derive(Debug, PartialEq)]
pub struct Link {
    pub target: String,
    /// Whether a browser fetches it at once, without anyone asking.
    pub loads: bool,
}

/// The names in a file, by what kind of file it is. Other kinds name none.
pub fn links(file_name: &str, text: &str) -> Vec<Link> {
    match file_name.rsplit_once('.') {
        Some((_, "html")) => html::tags(text).iter().flat_map(tag_links).collect(),
        Some((_, "css")) => {
            quoted_after(text, &["url(", "@import "]).map(|target| Link { target, loads: true }).collect()
        }
        Some((_, "js")) => script_links(text),
        _ => Vec::new(),
    }
}

/// Fails if the file names anything by an absolute path: the site has to work at any sub-path of any host.
pub fn check_relative(file_name: &str, text: &str) -> Result<()> {
    match links(file_name, text).into_iter().find(|link| link.target.starts_with('/')) {
        Some(link) => bail!("{file_name} names {}: paths must be relative", link.target),
        None => Ok(()),
    }
}

/// Fails if the page would not work under a content security policy of `default-src 'self'` (with wasm allowed).
pub fn check_policy(file_name: &str, text: &str) -> Result<()> {
    for tag in html::tags(text) {
        let inline = match tag.name {
            "script" => tag.attribute("src").is_none().then_some("script"),
            "style" => Some("style"),
            _ => tag.attributes.iter().map(|(key, _)| *key).find(|key| *key == "style" || key.starts_with("on")),
        };
        if let Some(what) = inline {
            bail!("{file_name} has an inline {what} in <{}>, which a strict security policy refuses", tag.name);
        }
    }
    Ok(())
}

/// Every file that is loaded along with `entry`, with its bytes, in the order in which a browser finds them.
pub fn loaded(site: &Path, entry: &str) -> Result<Vec<(String, Vec<u8>)>> {
    let mut names = vec![entry.to_owned()];
    let mut files = Vec::new();
    while let Some(name) = names.get(files.len()).cloned() {
        let bytes = fs::read(site.join(&name)).with_context(|| format!("{entry} loads {name}"))?;
        let text = std::str::from_utf8(&bytes).unwrap_or_default();
        for link in links(&name, text).into_iter().filter(|link| link.loads && is_local(&link.target)) {
            let target = beside(&name, &link.target);
            if !names.contains(&target) {
                names.push(target);
            }
        }
        files.push((name, bytes));
    }
    Ok(files)
}

fn is_local(target: &str) -> bool {
    !target.starts_with('#') && !target.contains(':')
}

/// The name, from the site's root, of what `file` calls `target`.
fn beside(file: &str, target: &str) -> String {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

fn tag_links(tag: &Tag) -> Vec<Link> {
    const ATTRIBUTES: [&str; 6] = ["action", "data", "href", "poster", "src", "srcset"];
    let loads = match tag.name {
        "link" => matches!(tag.attribute("rel"), Some("icon" | "modulepreload" | "preload" | "stylesheet")),
        "iframe" | "img" => tag.attribute("loading") != Some("lazy"),
        "script" => true,
        _ => false,
    };
    let named = tag.attributes.iter().filter(|(key, _)| ATTRIBUTES.contains(key));
    named.map(|(_, target)| Link { target: (*target).to_owned(), loads }).collect()
}

/// A file that a script loads when asked stands in `import(…)` or `fetch(…)`; the rest it loads at once.
fn script_links(text: &str) -> Vec<Link> {
    let at_once = quoted_after(text, &["from ", "import ", "new URL("]).map(|target| Link { target, loads: true });
    let asked = quoted_after(text, &["import(", "fetch("]).map(|target| Link { target, loads: false });
    at_once.chain(asked).collect()
}

/// What stands in quotes right behind one of the given words; behind `url(` the quotes may be missing.
fn quoted_after(text: &str, words: &[&'static str]) -> impl Iterator<Item = String> {
    words.iter().flat_map(move |word| {
        text.split(word).skip(1).filter_map(move |rest| {
            let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
            let target = match quote {
                Some(quote) => rest[1..].split_once(quote)?.0,
                None if *word == "url(" => rest.split_once(')')?.0,
                None => return None,
            };
            Some(target.to_owned())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[track_caller]
    fn check(file_name: &str, text: &str, expected: &[(&str, bool)]) {
        let found = links(file_name, text);
        let found: Vec<_> = found.iter().map(|link| (link.target.as_str(), link.loads)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn links_by_kind_of_file() {
        check(
            "index.html",
            r#"<link rel="stylesheet" href="a.css"><link rel="next" href="b.html"><img src="c.png" loading="lazy">
               <a href="d.html">from "e.js"</a><script type="module" src="f.js"></script>"#,
            &[("a.css", true), ("b.html", false), ("c.png", false), ("d.html", false), ("f.js", true)],
        );
        check("a.css", "@import \"b.css\"; p { background: url(c.svg) }", &[("c.svg", true), ("b.css", true)]);
        check(
            "a.js",
            "import b from \"./b.js\";\nimport \"./c.js\";\nnew URL(\"d.wasm\", import.meta.url); import(\"./e.js\")",
            &[("./b.js", true), ("./c.js", true), ("d.wasm", true), ("./e.js", false)],
        );
        check("a.txt", "from \"./b.js\"", &[]);
    }

    #[test]
    fn absolute_paths_are_refused() {
        check_relative("index.html", "<a href=\"other.html\">/etc</a>").unwrap();
        for (file_name, text) in [
            ("index.html", "<a href=\"/other.html\">"),
            ("a.css", "p { background: url('/a.png') }"),
            ("a.js", "import \"/b.js\""),
            ("a.js", "fetch(\"//elsewhere/b.json\")"),
        ] {
            check_relative(file_name, text).unwrap_err();
        }
    }

    #[test]
    fn inline_code_is_refused() {
        check_policy("index.html", "<script src=\"a.js\"></script><p class=\"on\">").unwrap();
        for text in ["<script>go()</script>", "<style>p {}</style>", "<p style=\"color: red\">", "<p onclick=\"go()\">"]
        {
            check_policy("index.html", text).unwrap_err();
        }
    }

    #[test]
    fn what_loads_is_followed() {
        let site = Scratch::new();
        let write = |name: &str, text: &str| fs::write(site.path().join(name), text).unwrap();
        fs::create_dir(site.path().join("js")).unwrap();
        write("index.html", "<script src=\"js/a.js\"></script><a href=\"b.html\"><link rel=\"icon\" href=\"data:,\">");
        write("js/a.js", "import \"../c.js\"; import(\"./never.js\")");
        write("c.js", "import \"./js/a.js\"");
        write("b.html", "");

        let names = || loaded(site.path(), "index.html").map(|files| files.into_iter().map(|(name, _)| name));
        assert_eq!(names().unwrap().collect::<Vec<_>>(), ["index.html", "js/a.js", "c.js"]);

        fs::remove_file(site.path().join("c.js")).unwrap();
        assert_eq!(names().err().unwrap().to_string(), "index.html loads c.js");
    }
}
