//! A scene as SVG text.

use super::scene::Scene;

/// The look of a figure: what the page and a poster share.
pub const CSS: &str = include_str!("figure.css");

/// Where a figure's look comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// The text brings its own, light and dark: for files that stand alone.
    Embedded,
    /// The page has [`CSS`].
    Page,
}

/// `scene` as SVG text: the same bytes for the same scene.
pub fn svg(scene: &Scene, style: Style) -> String {
    let css = match style {
        Style::Embedded => format!("<style>{CSS}</style>"),
        Style::Page => String::new(),
    };
    let Scene { width, height, .. } = scene;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fp-figure\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">{css}</svg>\n"
    )
}
