//! The scenario as text: mistakes are named at their place, and nothing is lost.

use anyhow::{Context, Result};
use fencepost_core::scenario::{Entry, find, parse};

use super::Page;

fn first() -> &'static Entry {
    find("paused-owner").expect("the first figure is in the corpus")
}

/// The first scenario, with a mistake put in by replacing a part of its text.
fn mistaken(part: &str, by: &str) -> String {
    assert!(first().text.contains(part));
    first().text.replacen(part, by, 1)
}

#[tokio::test]
async fn a_mistake_is_named_at_its_line_and_the_last_good_run_stays() -> Result<()> {
    let page = Page::open().await?;
    let figure = page.figure().await?;
    for text in [
        mistaken("guard none", "gard none"),
        mistaken("guard none", "guard nome"),
        mistaken("10s", "0s"),
        mistaken("A freezes pause", "freezes pause"),
        mistaken("workers  A B", "workers  A B\n#\u{20ac} \u{1f512}\nlease 3 s"),
        "x\n".repeat(10_000),
        String::new(),
    ] {
        let error = parse(&text).expect_err("it has a mistake");
        page.set_text(&text).await?;
        // The place is there at once, the words as soon as they have been fetched.
        page.browser.wait_until("document.querySelector('#scenario-error').textContent !== ''").await?;
        let shown = page.find("#scenario-error [data-line]").await?;
        let place = (shown.attr("data-line").await?, shown.attr("data-column").await?);
        assert_eq!(place, (Some(error.line.to_string()), Some(error.column.to_string())), "{}", error.message);
        // What the core quotes in backticks is set as code.
        let message = serde_json::to_string(&error.message.replace('`', ""))?;
        page.browser
            .wait_until(&format!("document.querySelector('#scenario-error p').innerText.includes({message})"))
            .await?;
        assert_eq!(page.kept_text().await?, text, "nothing that was typed is lost");
        assert_eq!(page.figure().await?, figure, "the last good run stays");
        assert_eq!(page.find("#scenario-text").await?.attr("aria-invalid").await?.as_deref(), Some("true"));
    }
    page.browser.screenshot("page-1280-light-mistake").await?;

    page.set_text(first().text).await?;
    page.browser.wait_until("document.querySelector('#scenario-error').textContent === ''").await?;
    assert_eq!(page.figure().await?, figure);
    Ok(())
}

#[tokio::test]
async fn a_change_of_the_text_changes_the_figure() -> Result<()> {
    let page = Page::open().await?;
    page.set_text(&mistaken("epochs   from 33", "epochs   from 9007199254740993")).await?;
    page.browser.wait_until("document.querySelector('#figure').textContent.includes('9007199254740993')").await?;
    assert_eq!(page.text("#scenario-error").await?, "");
    Ok(())
}

#[tokio::test]
async fn typed_text_survives_another_question_and_a_reload() -> Result<()> {
    let page = Page::open().await?;
    let text = mistaken("guard none", "guard nome");
    page.set_text(&text).await?;

    let next = page.find("#next-question").await?;
    next.scroll_into_view().await?;
    next.click().await?;
    page.browser.wait_until("location.hash !== ''").await?;
    page.browser.wait_until("document.querySelector('#scenario-error').textContent === ''").await?;
    page.browser.driver().back().await?;
    page.browser.wait_until("document.querySelector('#scenario-error').textContent !== ''").await?;
    assert_eq!(page.kept_text().await?, text);

    page.browser.driver().refresh().await?;
    page.browser.wait_until(super::RUNS).await?;
    assert_eq!(page.kept_text().await?, text);

    let restore = page.find("#restore").await?;
    restore.scroll_into_view().await?;
    restore.click().await?;
    page.browser.wait_until("document.querySelector('#scenario-error').textContent === ''").await?;
    assert_eq!(page.kept_text().await?, first().text);
    Ok(())
}

#[tokio::test]
async fn the_caret_stays_with_its_text() -> Result<()> {
    let page = Page::open().await?;
    // Before the value, behind it, and at the end of the text.
    for from_the_end in ["lease", "in 0s..30s", ""] {
        let script = format!(
            "(() => {{ const field = document.querySelector('#scenario-text'); const text = field.value; \
             const caret = '{from_the_end}' ? text.indexOf('{from_the_end}') : text.length; \
             field.setSelectionRange(caret, caret); return text.slice(caret); }})()"
        );
        let behind: String = page.browser.eval(&script).await?;
        page.type_over("#parameter-pause", if from_the_end.is_empty() { "9" } else { "12.5" }).await?;
        let changed = if from_the_end.is_empty() { "pause = 9s" } else { "pause = 12.5s" };
        let is_there = format!("document.querySelector('#scenario-text').value.includes('{changed}')");
        page.browser.wait_until(&is_there).await?;
        let now: String = page
            .browser
            .eval("(field => field.value.slice(field.selectionStart))(document.querySelector('#scenario-text'))")
            .await?;
        assert_eq!(now.lines().next(), behind.lines().next(), "the caret before “{from_the_end}”");
    }
    Ok(())
}

impl Page {
    /// Puts `text` into the text field as typing would, at once.
    pub(super) async fn set_text(&self, text: &str) -> Result<()> {
        let script = "const field = document.querySelector('#scenario-text'); field.value = arguments[0]; \
                      field.dispatchEvent(new InputEvent('input', { bubbles: true }));";
        self.browser.driver().execute(script, vec![text.into()]).await?;
        Ok(())
    }

    async fn kept_text(&self) -> Result<String> {
        self.find("#scenario-text").await?.prop("value").await?.context("a text field has a value")
    }
}
