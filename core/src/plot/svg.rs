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

/// Where the style sheet turns to forced colours.
const FORCED: &str = "@media (forced-colors: active)";

/// [`CSS`] for a file that stands alone: custom properties replaced by their light values and, in copies of the rules that
/// have colours, each under its media query, by their dark ones and by the system's.
fn plain_css() -> String {
    let css = without_comments(CSS);
    let (properties, rest) = css.split_once('}').unwrap_or_default();
    let (rules, forced) = rest.split_once(FORCED).unwrap_or((rest, ""));
    let (forced_properties, forced_rules) = forced.split_once('}').unwrap_or_default();
    let coloured: String = rules.split_inclusive('}').filter_map(colours).collect();

    let (mut light, mut dark, mut system) = (rules.to_owned(), coloured.clone(), coloured);
    for (name, value) in properties.lines().filter_map(declaration) {
        let (in_light, in_dark) = schemes(value);
        light = light.replace(&format!("var({name})"), in_light);
        dark = dark.replace(&format!("var({name})"), in_dark);
    }
    for (name, value) in forced_properties.lines().filter_map(declaration) {
        system = system.replace(&format!("var({name})"), value);
    }
    squeezed(&format!(
        "{light} @media (prefers-color-scheme: dark) {{ {dark} }} {FORCED} {{ .fp-figure {{ forced-color-adjust: none }} \
         {system} {forced_rules}"
    ))
}

/// A custom property's name and value.
fn declaration(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim().strip_suffix(';')?.split_once(": ")?;
    name.starts_with("--_").then_some((name, value))
}

/// A property's values in light and in dark, where the page sets none.
fn schemes(value: &str) -> (&str, &str) {
    let fallback = value.strip_prefix("var(").and_then(|value| value.strip_suffix(')'));
    let fallback = fallback.and_then(|value| value.split_once(", ")).map_or(value, |(_, fallback)| fallback);
    let pair = fallback.strip_prefix("light-dark(").and_then(|pair| pair.strip_suffix(')'));
    pair.and_then(|pair| pair.split_once(", ")).unwrap_or((fallback, fallback))
}

/// A rule with only those declarations that have a colour; none if there are none.
fn colours(rule: &str) -> Option<String> {
    let (selector, body) = rule.split_once('{')?;
    let body = body.trim_end_matches('}');
    let kept: Vec<&str> =
        body.split(';').filter(|part| part.contains("var(--_") && !part.contains("var(--_font)")).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The lightness of `#rrggbb`, as WCAG defines it.
    fn luminance(colour: &str) -> f64 {
        let channel = |from: usize| {
            let value = u8::from_str_radix(&colour[from..from + 2], 16).expect("colours are written as #rrggbb");
            let value = f64::from(value) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    #[test]
    fn texts_can_be_read_in_light_and_dark() {
        let css = without_comments(CSS);
        let (properties, _) = css.split_once('}').expect("the properties come first");
        let value = |name: &str, dark: bool| {
            let (_, value) = properties.lines().filter_map(declaration).find(|(known, _)| *known == name).expect(name);
            let (light_value, dark_value) = schemes(value);
            if dark { dark_value } else { light_value }
        };
        let pairs = [
            ("--_ink", "--_paper"),
            ("--_muted", "--_paper"),
            ("--_warn", "--_band"),
            ("--_warn", "--_paper"),
            ("--_broken", "--_paper"),
            ("--_on-broken", "--_broken"),
            ("--_kept", "--_paper"),
            ("--_a", "--_paper"),
            ("--_a", "--_a-fill"),
            ("--_a", "--_a-deep"),
            ("--_b", "--_paper"),
            ("--_b", "--_b-fill"),
            ("--_b", "--_b-deep"),
            ("--_c", "--_paper"),
            ("--_c", "--_c-fill"),
            ("--_c", "--_c-deep"),
        ];
        let mut weak = Vec::new();
        for (text, ground) in pairs {
            for dark in [false, true] {
                let (one, other) = (luminance(value(text, dark)), luminance(value(ground, dark)));
                let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
                if contrast < 4.5 {
                    weak.push(format!("{text} on {ground}, dark {dark}: {contrast:.2}"));
                }
            }
        }
        assert!(weak.is_empty(), "{weak:#?}");
    }

    #[test]
    fn the_plain_style_has_every_scheme_and_no_property() {
        let css = plain_css();
        assert_eq!(css.matches("@media").count(), 2);
        assert_eq!(css.matches('{').count(), css.matches('}').count());
        assert!(!css.contains("--") && !css.contains("light-dark"), "{css}");
    }
}
