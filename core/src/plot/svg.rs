//! A scene as SVG text.

use std::fmt::{self, Write as _};

use super::scene::{Anchor, Item, Scene, Shape};

/// The look of a figure, for a page: colours follow its `color-scheme` and its custom properties.
pub const CSS: &str = include_str!("figure.css");

/// Where a figure's look comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// The text brings its own, light and dark: for files that stand alone. It asks for no more than plain CSS, so that
    /// converters and feed readers draw it too.
    Embedded,
    /// The page has [`CSS`].
    Page,
}

/// `scene` as SVG text: the same bytes for the same scene.
pub fn svg(scene: &Scene, style: Style) -> String {
    let mut text = String::new();
    write(&mut text, scene, style).expect("a string takes all that is written to it");
    text
}

fn write(out: &mut String, scene: &Scene, style: Style) -> fmt::Result {
    let Scene { width, height, label, items, .. } = scene;
    let label = escaped(label);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fp-figure\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">"
    )?;
    let (title, rest) = label.split_once(". ").unwrap_or((&label, ""));
    writeln!(out, "<title>{title}</title>\n<desc>{rest}</desc>")?;
    if style == Style::Embedded {
        writeln!(out, "<style>{}</style>", plain_css())?;
        writeln!(out, "<rect class=\"fp-paper\" width=\"{width}\" height=\"{height}\"/>")?;
    }
    for item in items {
        write_item(out, item)?;
    }
    out.push_str("</svg>\n");
    Ok(())
}

fn write_item(out: &mut String, item: &Item) -> fmt::Result {
    let class = item.class;
    let (name, content) = match &item.shape {
        Shape::Rect { x, y, width, height, radius } => {
            write!(out, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")?;
            if radius.0 != 0 {
                write!(out, " rx=\"{radius}\"")?;
            }
            ("rect", "")
        }
        Shape::Line { x1, y1, x2, y2 } => {
            write!(out, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"")?;
            ("line", "")
        }
        Shape::Circle { cx, cy, r } => {
            write!(out, "<circle class=\"{class}\" cx=\"{cx}\" cy=\"{cy}\" r=\"{r}\"")?;
            ("circle", "")
        }
        Shape::Path { d } => {
            write!(out, "<path class=\"{class}\" d=\"{d}\"")?;
            ("path", "")
        }
        Shape::Text { x, y, anchor, text } => {
            write!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\"")?;
            match anchor {
                Anchor::Start => {}
                Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
                Anchor::End => out.push_str(" text-anchor=\"end\""),
            }
            ("text", text.as_str())
        }
    };
    let title = item.label.as_deref().map(|label| format!("<title>{}</title>", escaped(label))).unwrap_or_default();
    if title.is_empty() && content.is_empty() {
        out.push_str("/>\n");
        return Ok(());
    }
    writeln!(out, ">{title}{}</{name}>", escaped(content))
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // Characters that XML does not allow at all, even escaped.
            '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

/// [`CSS`] for a file that stands alone: every custom property replaced by its light value, and in a second copy of the
/// rules that need it, under a media query, by its dark one.
fn plain_css() -> String {
    let without_comments = without_comments(CSS);
    let (properties, rules) = without_comments.split_once('}').unwrap_or_default();
    let values: Vec<(&str, &str, &str)> = properties.lines().filter_map(property).collect();
    let filled = |rules: &str, dark: bool| {
        let mut text = rules.to_owned();
        for (name, light_value, dark_value) in &values {
            text = text.replace(&format!("var({name})"), if dark { dark_value } else { light_value });
        }
        text
    };
    let (plain, forced) =
        rules.split_once("@media").map_or((rules, String::new()), |(plain, rest)| (plain, format!("@media{rest}")));
    // Only what has a colour differs in the dark.
    let coloured: String = plain.split_inclusive('}').filter_map(colours).collect();
    let light = filled(plain, false);
    let dark = filled(&coloured, true);
    squeezed(&format!("{light}@media (prefers-color-scheme: dark) {{ {dark} }}{forced}"))
}

/// A property of the figure's first rule: its name, its light and its dark value.
fn property(line: &str) -> Option<(&str, &str, &str)> {
    let (name, value) = line.trim().split_once(": ")?;
    let value = value.strip_prefix("var(")?.strip_suffix(");")?;
    let (_, fallback) = value.split_once(", ")?;
    match fallback.strip_prefix("light-dark(").and_then(|pair| pair.strip_suffix(')')) {
        Some(pair) => {
            let (light, dark) = pair.split_once(", ")?;
            Some((name, light, dark))
        }
        None => Some((name, fallback, fallback)),
    }
}

/// A rule with only those declarations that name a colour; none if there are none.
fn colours(rule: &str) -> Option<String> {
    let (selector, body) = rule.split_once('{')?;
    let kept: Vec<&str> = body
        .trim_end_matches('}')
        .split(';')
        .filter(|declaration| declaration.contains("var(--_") && !declaration.contains("font"))
        .collect();
    (!kept.is_empty()).then(|| format!("{selector}{{{}}}", kept.join(";")))
}

fn without_comments(css: &str) -> String {
    let mut text = String::new();
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        text.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    text + rest
}

/// Without the white space that only people need.
fn squeezed(css: &str) -> String {
    let words: Vec<&str> = css.split_whitespace().collect();
    let mut text = words.join(" ");
    for sign in ["{", "}", ";", ","] {
        text = text.replace(&format!(" {sign}"), sign).replace(&format!("{sign} "), sign);
    }
    text.replace(": ", ":").replace(";}", "}")
}
