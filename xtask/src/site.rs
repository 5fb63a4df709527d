//! The hand-written part of the site, with the first figure written into its page.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use fencepost_core::compare::compare;
use fencepost_core::plot::{self, Options, Style};
use fencepost_core::scenario::{self, CORPUS};
use fencepost_core::words;

/// The page that holds the first figure.
pub const INDEX: &str = "index.html";

/// What a script imports.
pub const API: &str = "api.js";

/// Where the page wants the headline, and where the figure.
const HEADLINE: &str = "<!-- fencepost:headline -->";
const FIGURE: &str = "<!-- fencepost:figure -->";

/// The look of a figure, which the core has beside the code that draws it.
const FIGURE_CSS: &str = "figure.css";

/// The widths of the figure, in CSS pixels, on a screen of 1280 and of 360.
const WIDE: u32 = 1072;
const NARROW: u32 = 328;

/// What a reader sees before any script runs.
pub struct FirstFigure {
    /// What happens in it, in plain text.
    pub headline: String,
    /// The picture as SVG, for a screen with room.
    pub wide_svg: String,
    /// The picture as SVG, for a narrow screen.
    pub narrow_svg: String,
}

/// The first scenario of the corpus, as the core runs and draws it.
pub fn first_figure() -> Result<FirstFigure> {
    let entry = CORPUS.first().context("the corpus is empty")?;
    let scenario = scenario::parse(entry.text).with_context(|| format!("in {}.fence", entry.path))?;
    let comparison = compare(&scenario);
    let timeline = plot::timeline(&comparison);
    let draw = |width| plot::svg(&plot::layout(&timeline, Options::width(width)), Style::Page);
    Ok(FirstFigure { headline: words::headline(&comparison), wide_svg: draw(WIDE), narrow_svg: draw(NARROW) })
}

/// Copies the hand-written files into `folder`, adds [`FIGURE_CSS`] and writes the figure into [`INDEX`].
pub fn write(static_files: &Path, figure: &FirstFigure, folder: &Path) -> Result<()> {
    copy_folder(static_files, folder)?;
    let css = folder.join(FIGURE_CSS);
    fs::write(&css, plot::CSS).with_context(|| format!("cannot write {}", css.display()))?;
    let index = folder.join(INDEX);
    let page = fs::read_to_string(&index).with_context(|| format!("cannot read {}", index.display()))?;
    let page = fill(&page, figure).with_context(|| format!("in static/{INDEX}"))?;
    fs::write(&index, page).with_context(|| format!("cannot write {}", index.display()))
}

fn fill(page: &str, figure: &FirstFigure) -> Result<String> {
    let pictures = format!(
        "<div class=\"fp-figure-wide\">{}</div>\n<div class=\"fp-figure-narrow\">{}</div>",
        figure.wide_svg, figure.narrow_svg
    );
    let page = replace_once(page, HEADLINE, &escape(&figure.headline))?;
    replace_once(&page, FIGURE, &pictures)
}

fn replace_once(page: &str, placeholder: &str, text: &str) -> Result<String> {
    match page.matches(placeholder).count() {
        1 => Ok(page.replacen(placeholder, text, 1)),
        0 => bail!("the placeholder {placeholder} is missing"),
        count => bail!("the placeholder {placeholder} stands {count} times"),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target).with_context(|| format!("cannot write {}", target.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn figure() -> FirstFigure {
        FirstFigure {
            headline: "33 < 34".to_owned(),
            wide_svg: "<svg/>".to_owned(),
            narrow_svg: "<svg>…</svg>".to_owned(),
        }
    }

    #[test]
    fn the_first_figure_can_be_drawn() {
        let figure = first_figure().unwrap();
        assert!(!figure.headline.is_empty());
        for (svg, width) in [(figure.wide_svg, WIDE), (figure.narrow_svg, NARROW)] {
            assert!(svg.starts_with("<svg") && svg.contains(&format!("width=\"{width}\"")));
        }
    }

    #[test]
    fn placeholders_are_filled() {
        let page = "<h1><!-- fencepost:headline --></h1><figure><!-- fencepost:figure --></figure>";
        let expected = "<h1>33 &lt; 34</h1><figure><div class=\"fp-figure-wide\"><svg/></div>\n\
                        <div class=\"fp-figure-narrow\"><svg>…</svg></div></figure>";
        assert_eq!(fill(page, &figure()).unwrap(), expected);
    }

    #[test]
    fn a_placeholder_stands_exactly_once() {
        let error = |page: &str| fill(page, &figure()).unwrap_err().to_string();
        assert_eq!(error(HEADLINE), "the placeholder <!-- fencepost:figure --> is missing");
        assert_eq!(error(FIGURE), "the placeholder <!-- fencepost:headline --> is missing");
        let twice = format!("{HEADLINE}{FIGURE}{FIGURE}");
        assert_eq!(error(&twice), "the placeholder <!-- fencepost:figure --> stands 2 times");
    }

    #[test]
    fn folders_are_copied_whole() {
        let from = Scratch::new();
        let to = Scratch::new();
        fs::create_dir(from.path().join("more")).unwrap();
        fs::write(from.path().join(INDEX), format!("{HEADLINE}{FIGURE}")).unwrap();
        fs::write(from.path().join("more/a.css"), "p {}").unwrap();

        write(from.path(), &figure(), to.path()).unwrap();

        assert!(fs::read_to_string(to.path().join(INDEX)).unwrap().starts_with("33 &lt; 34"));
        assert_eq!(fs::read_to_string(to.path().join("more/a.css")).unwrap(), "p {}");
    }
}
