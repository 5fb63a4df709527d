//! The hand-written part of the site, with the first figure and the list of scenarios written into its page.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use fencepost_core::compare::compare;
use fencepost_core::plot::{self, Options, Style};
use fencepost_core::scenario::{self, CORPUS, Entry};
use fencepost_core::words;

use crate::compact;

/// The page that holds the first figure.
pub const INDEX: &str = "index.html";

/// What a script imports.
pub const API: &str = "api.js";

/// What the page imports when somebody asks for a search.
pub const SEARCH: &str = "search-panel.js";

/// Where the site has the scenarios' texts.
const SCENARIOS: &str = "scenarios";

/// The look of a figure, which the core has beside the code that draws it.
const FIGURE_CSS: &str = "figure.css";

/// The widths of the figure, in CSS pixels, on a screen of 1280 and of 360.
const WIDE: u32 = 1072;
const NARROW: u32 = 328;

/// What the page holds from the start, each with the placeholder in whose place it comes.
pub struct Parts(Vec<(&'static str, String)>);

/// The first scenario of the corpus, as the core runs and draws it; its text; and the list of all.
pub fn parts() -> Result<Parts> {
    let entry = CORPUS.first().context("the corpus is empty")?;
    let scenario = scenario::parse(entry.text).with_context(|| format!("in {}.fence", entry.path))?;
    let comparison = compare(&scenario);
    let timeline = plot::timeline(&comparison);
    let draw = |width| plot::svg(&plot::layout(&timeline, Options::width(width)), Style::Page);
    let pictures = format!(
        "<div class=\"fp-figure-wide\">{}</div>\n<div class=\"fp-figure-narrow\">{}</div>",
        draw(WIDE),
        draw(NARROW)
    );
    Ok(Parts(vec![
        ("question", escape(entry.question())),
        ("picker", picker()),
        ("headline", escape(&words::headline(&comparison))),
        ("figure", pictures),
        ("questions", list()),
        ("scenario", escape(entry.text)),
    ]))
}

/// The corpus by question.
fn groups() -> impl Iterator<Item = &'static [Entry]> {
    CORPUS.chunk_by(|one, next| one.question() == next.question())
}

/// A group for each question, to pick a scenario from.
fn picker() -> String {
    let option = |entry: &Entry| format!("<option>{}</option>", escape(entry.title()));
    let group = |group: &[Entry]| {
        let options: String = group.iter().map(option).collect();
        format!("<optgroup label=\"{}\">{options}</optgroup>", escape(group[0].question()))
    };
    groups().map(group).collect::<Vec<_>>().join("\n")
}

/// A list for each question, with links to the scenarios' texts. The page's program finds all that it knows of them here.
fn list() -> String {
    let link =
        |entry: &Entry| format!("<li><a href=\"{SCENARIOS}/{}.fence\">{}</a></li>", entry.path, escape(entry.title()));
    let group = |group: &[Entry]| {
        let links: String = group.iter().map(link).collect();
        format!("<li>{}<ul>{links}</ul></li>", escape(group[0].question()))
    };
    groups().map(group).collect::<Vec<_>>().join("\n")
}

/// Copies the hand-written files into `folder`, adds [`FIGURE_CSS`] and the scenarios, and writes the parts into [`INDEX`].
pub fn write(static_files: &Path, parts: &Parts, folder: &Path) -> Result<()> {
    copy_folder(static_files, folder)?;
    write_file(&folder.join(FIGURE_CSS), &compact::css(plot::CSS))?;
    for entry in CORPUS {
        write_file(&folder.join(SCENARIOS).join(format!("{}.fence", entry.path)), entry.text)?;
    }
    let index = folder.join(INDEX);
    let page = fs::read_to_string(&index).with_context(|| format!("cannot read {}", index.display()))?;
    let page = fill(&page, parts).with_context(|| format!("in static/{INDEX}"))?;
    write_file(&index, &page)
}

fn write_file(file: &Path, text: &str) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

fn fill(page: &str, parts: &Parts) -> Result<String> {
    parts.0.iter().try_fold(page.to_owned(), |page, (name, text)| {
        replace_once(&page, &format!("<!-- fencepost:{name} -->"), text)
    })
}

fn replace_once(page: &str, placeholder: &str, text: &str) -> Result<String> {
    match page.matches(placeholder).count() {
        1 => Ok(page.replacen(placeholder, text, 1)),
        0 => bail!("the placeholder {placeholder} is missing"),
        count => bail!("the placeholder {placeholder} stands {count} times"),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
            continue;
        }
        let compact: Option<fn(&str) -> String> = match target.extension().and_then(OsStr::to_str) {
            Some("css") => Some(compact::css),
            Some("js") => Some(compact::script),
            _ => None,
        };
        if let Some(compact) = compact {
            let text =
                fs::read_to_string(entry.path()).with_context(|| format!("cannot read {}", entry.path().display()))?;
            write_file(&target, &compact(&text))?;
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

    fn two() -> Parts {
        Parts(vec![("headline", "33 &lt; 34".to_owned()), ("figure", "<svg/>".to_owned())])
    }

    fn part(name: &str) -> String {
        let parts = parts().unwrap().0;
        parts.into_iter().find(|(other, _)| *other == name).unwrap().1
    }

    #[test]
    fn the_first_figure_can_be_drawn() {
        assert!(!part("headline").is_empty());
        let pictures = part("figure");
        for width in [WIDE, NARROW] {
            assert!(pictures.contains(&format!("width=\"{width}\"")), "{width}");
        }
    }

    #[test]
    fn every_scenario_is_listed_in_its_order() {
        let (picker, list) = (part("picker"), part("questions"));
        let mut rest = (&*picker, &*list);
        for entry in CORPUS {
            let title = escape(entry.title());
            rest.0 = rest.0.split_once(&format!("<option>{title}</option>")).unwrap_or_else(|| panic!("{title}")).1;
            let link = format!("<a href=\"scenarios/{}.fence\">{title}</a>", entry.path);
            rest.1 = rest.1.split_once(&link).unwrap_or_else(|| panic!("{title}")).1;
        }
        let questions = picker.matches("<optgroup").count();
        assert_eq!(list.matches("<ul>").count(), questions, "a list a question");
    }

    #[test]
    fn placeholders_are_filled() {
        let page = "<h1><!-- fencepost:headline --></h1><figure><!-- fencepost:figure --></figure>";
        assert_eq!(fill(page, &two()).unwrap(), "<h1>33 &lt; 34</h1><figure><svg/></figure>");
    }

    #[test]
    fn a_placeholder_stands_exactly_once() {
        let (headline, figure) = ("<!-- fencepost:headline -->", "<!-- fencepost:figure -->");
        let error = |page: &str| fill(page, &two()).unwrap_err().to_string();
        assert_eq!(error(headline), format!("the placeholder {figure} is missing"));
        assert_eq!(error(figure), format!("the placeholder {headline} is missing"));
        let twice = format!("{headline}{figure}{figure}");
        assert_eq!(error(&twice), format!("the placeholder {figure} stands 2 times"));
    }

    #[test]
    fn folders_are_copied_whole() {
        let from = Scratch::new();
        let to = Scratch::new();
        fs::create_dir(from.path().join("more")).unwrap();
        fs::write(from.path().join(INDEX), "<!-- fencepost:headline --><!-- fencepost:figure -->").unwrap();
        fs::write(from.path().join("more/a.css"), "/* all */ p {}").unwrap();

        write(from.path(), &two(), to.path()).unwrap();

        assert_eq!(fs::read_to_string(to.path().join(INDEX)).unwrap(), "33 &lt; 34<svg/>");
        assert_eq!(fs::read_to_string(to.path().join("more/a.css")).unwrap(), "p{}\n");
        let first = &CORPUS[0];
        let text = fs::read_to_string(to.path().join(SCENARIOS).join(format!("{}.fence", first.path))).unwrap();
        assert_eq!(text, first.text);
    }
}
