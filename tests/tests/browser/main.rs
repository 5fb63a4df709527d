//! The page in a real browser, as a reader and as a script meet it.

mod figure;
mod hosting;
mod looks;
mod scripts;
mod search;
mod text;

use anyhow::Result;
use fencepost_tests::browser::Browser;
use fencepost_tests::site::{Hosting, Site};
use thirtyfour::{By, Key, WebElement};

/// The page says so once it runs.
const RUNS: &str = "document.documentElement.dataset.fencepost === 'ready'";

const NO_PROBLEMS: [String; 0] = [];

/// The page, just opened, at the size of a small laptop.
struct Page {
    browser: Browser,
    site: Site,
}

impl Page {
    async fn open() -> Result<Page> {
        let site = Site::start(Hosting::default()).await?;
        let browser = Browser::start().await?;
        browser.set_size(1280, 800).await?;
        browser.open(&site.url("")).await?;
        browser.wait_until(RUNS).await?;
        Ok(Page { browser, site })
    }

    async fn find(&self, selector: &str) -> Result<WebElement> {
        Ok(self.browser.driver().find(By::Css(selector)).await?)
    }

    /// The text of an element, as it is seen.
    async fn text(&self, selector: &str) -> Result<String> {
        Ok(self.find(selector).await?.text().await?)
    }

    /// What each row came to: its name, its tone and its label, rows in their order.
    async fn verdicts(&self) -> Result<String> {
        self.browser
            .eval(
                "[...document.querySelectorAll('.verdict')].map(verdict => \
                 `${verdict.dataset.row} ${verdict.dataset.tone}: ${verdict.querySelector('.result strong').textContent}`\
                 ).join('\\n')",
            )
            .await
    }

    /// Everything that the figure says.
    async fn figure(&self) -> Result<String> {
        self.browser
            .eval("[...document.querySelectorAll('#figure svg text')].map(text => text.textContent).join('\\n')")
            .await
    }
}

/// What a hand does, and what is there afterwards.
impl Page {
    /// Presses a key wherever the focus is.
    async fn key(&self, key: impl Into<char>) -> Result<()> {
        self.browser.driver().action_chain().send_keys(key.into()).perform().await?;
        Ok(())
    }

    /// Types `text` in place of what a field holds.
    async fn type_over(&self, selector: &str, text: &str) -> Result<()> {
        let field = self.find(selector).await?;
        field.click().await?;
        field.send_keys(Key::Control + "a").await?;
        field.send_keys(text).await?;
        Ok(())
    }

    /// What the mouse does at a place of the window: `mousePressed`, `mouseMoved` or `mouseReleased`.
    async fn mouse(&self, what: &str, x: f64, y: f64) -> Result<()> {
        let buttons = if what == "mouseReleased" { 0 } else { 1 };
        let event = serde_json::json!({
            "type": what, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1
        });
        self.browser.driver().cdp().send_raw("Input.dispatchMouseEvent", event).await?;
        Ok(())
    }

    /// The middle of an element, in the window.
    async fn middle_of(&self, selector: &str) -> Result<(f64, f64)> {
        let script = format!(
            "(() => {{ const box = document.querySelector(\"{selector}\").getBoundingClientRect(); \
             return [(box.left + box.right) / 2, (box.top + box.bottom) / 2]; }})()"
        );
        self.browser.eval(&script).await
    }

    /// Waits until the question that the address names is the one that is shown.
    async fn wait_for_question(&self) -> Result<()> {
        let shown = "document.querySelector('#explorer').ariaBusy !== 'true' && \
                     document.querySelector('#questions [aria-current]').hash === location.hash";
        self.browser.wait_until(shown).await
    }

    /// The line at the cursor, without its time and rows.
    async fn current_line(&self) -> Result<String> {
        self.browser.eval("document.querySelector('#facts [aria-current=step] .told').firstChild.data").await
    }

    /// The text of something that is only heard.
    async fn text_of_hidden(&self, selector: &str) -> Result<String> {
        self.browser.eval(&format!("document.querySelector('{selector}').textContent")).await
    }

    async fn wait_for_verdicts(&self, expected: &str) -> Result<()> {
        let labels: Vec<&str> =
            expected.lines().filter_map(|line| line.split_once(": ")).map(|(_, label)| label).collect();
        let labels = serde_json::to_string(&labels)?;
        let shown = "[...document.querySelectorAll('.verdict .result strong')].map(label => label.textContent)";
        self.browser.wait_until(&format!("JSON.stringify({shown}) === JSON.stringify({labels})")).await?;
        assert_eq!(self.verdicts().await?, expected);
        Ok(())
    }

    /// How many pixels of the axis a second takes, from its labels at 0 s and 10 s.
    async fn pixels_a_second(&self) -> Result<f64> {
        let middle = |label: &str| {
            format!(
                "(() => {{ const text = [...document.querySelectorAll('#figure svg text')].find(text => text.textContent === \
                 '{label}'); const box = text.getBoundingClientRect(); return (box.left + box.right) / 2; }})()"
            )
        };
        let (from, to): (f64, f64) =
            (self.browser.eval(&middle("0 s")).await?, self.browser.eval(&middle("10 s")).await?);
        Ok((to - from) / 10.0)
    }
}
