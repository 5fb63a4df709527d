//! The search for a counterexample: what it finds, and that it disturbs nothing else.

use anyhow::{Context, Result};
use fencepost_core::scenario::{find, parse};
use fencepost_core::simulate::simulate;
use fencepost_tests::browser::{Browser, ColorScheme};
use fencepost_tests::site::{Hosting, STRICT_POLICY, Site};
use thirtyfour::Key;

use super::{NO_PROBLEMS, Page, RUNS};

/// A search that takes minutes: whatever is done to it is done while it runs.
const ENDLESS: &str = "explore  workers 2, grants 4, operations 2, retries 4, losses 4, duplicates 4, crashes 4";

/// Its state, and how many states it has found.
const STATE: &str = "document.querySelector('#search-result').dataset.state";
const STATES: &str = "Number(document.querySelector('#search-states')?.textContent.replace(/[^0-9]/g, '') ?? 0)";

/// Keeps the page's workers within reach, as a browser has them that ends one.
const KEEP_WORKERS: &str = "window.workers = []; window.Worker = class extends Worker { \
                            constructor(...given) { super(...given); window.workers.push(this); } };";

#[tokio::test]
async fn a_counterexample_is_found_opened_and_left_again() -> Result<()> {
    let page = Page::open().await?;
    let mine = page.write_bounds("explore  workers 2, grants 2").await?;
    page.search("unfenced").await?;
    page.wait_for_state("done").await?;
    assert_eq!(page.outcomes().await?, ["unfenced broken"]);
    let title = page.text("#search-summary h3").await?;
    assert!(title.starts_with("Unfenced can be broken"), "{title}");
    // Who has waited for it is taken there.
    page.browser.wait_until("document.activeElement.matches('#search-summary h3')").await?;
    let item = page.text("[data-invariant='no-stale-overwrite']").await?;
    assert!(item.contains("No write of an older grant is applied after one of a newer grant."), "{item}");

    page.press("[data-invariant='no-stale-overwrite'] .open").await?;
    page.browser.wait_until("document.querySelector('#opened') !== null").await?;
    page.browser.wait_until("document.activeElement.id === 'headline'").await?;
    assert!(page.verdicts().await?.starts_with("unfenced broken: "), "{}", page.verdicts().await?);
    assert!(page.figure().await?.contains("applied though stale"), "the figure shows it");
    let text = page.written().await?;
    let scenario = parse(&text)?;
    let run = simulate(&scenario, &scenario.rows[0]);
    assert!(run.violations.iter().any(|found| found.evidence.invariant.name() == "no-stale-overwrite"), "{text}");
    assert!(!page.seen("#search-older").await?, "it is this search's own");
    page.browser.screenshot("search-1280-light-opened").await?;

    // It can be changed, and that is a change of nothing else.
    page.set_text(&text.replacen("lease", "# Mine.\nlease", 1)).await?;
    page.browser.wait_until("document.querySelector('#restore') !== null").await?;
    page.press("#return").await?;
    page.browser.wait_until("document.querySelector('#opened') === null").await?;
    assert_eq!(page.written().await?, mine);
    assert_eq!(page.browser.eval::<usize>("document.querySelectorAll('.verdict').length").await?, 3);
    page.browser.wait_until("document.activeElement.matches('[data-invariant=no-stale-overwrite] .open')").await?;
    page.press("[data-invariant='no-stale-overwrite'] .open").await?;
    page.browser.wait_until("document.querySelector('#scenario-text').value.includes('# Mine.')").await?;

    // Nor does loading the page again lose either of the two.
    page.browser.driver().refresh().await?;
    page.browser.wait_until(RUNS).await?;
    page.browser.wait_until("document.querySelector('#opened') !== null").await?;
    assert!(page.written().await?.contains("# Mine."));
    page.press("#return").await?;
    page.browser.wait_until("document.querySelector('#opened') === null").await?;
    assert_eq!(page.written().await?, mine);
    assert_eq!(page.browser.console_problems().await?, NO_PROBLEMS);
    Ok(())
}

#[tokio::test]
async fn a_row_that_is_fenced_has_no_violation_within_bounds_that_are_named_and_can_be_widened() -> Result<()> {
    let page = Page::open().await?;
    page.write_bounds("explore  workers 2, grants 2").await?;
    page.search("fenced").await?;
    page.wait_for_state("done").await?;
    assert_eq!(page.outcomes().await?, ["fenced none"]);
    let title = page.text("#search-summary h3").await?;
    assert!(
        title.starts_with("No violation within these bounds: ") && title.ends_with(" states, complete."),
        "{title}"
    );
    let bounds = page.text("#search-bounds").await?;
    assert!(bounds.contains("2 workers, 2 grants, 1 operation a grant, 1 request sent again"), "{bounds}");
    let said = page.text("#search-result").await?;
    assert!(!said.to_lowercase().contains("prove"), "{said}");

    let mine = page.written().await?;
    let wider =
        "[...document.querySelectorAll('.wider button')].find(button => button.textContent === '1 message lost')";
    page.browser.eval::<Option<bool>>(&format!("void {wider}.click()")).await?;
    page.browser
        .wait_until(&format!(
            "{STATE} === 'done' && document.querySelector('#search-bounds').textContent.includes('1 message lost')"
        ))
        .await?;
    assert_eq!(page.outcomes().await?, ["fenced none"]);
    assert_eq!(page.written().await?, mine, "the text keeps its own bounds");
    Ok(())
}

#[tokio::test]
async fn every_row_is_searched_in_turn() -> Result<()> {
    let page = Page::open().await?;
    page.write_bounds("explore  workers 2, grants 2").await?;
    // Which is what it does unless a row is chosen.
    page.press("#search-start").await?;
    page.wait_for_state("done").await?;
    assert_eq!(page.outcomes().await?, ["unfenced broken", "re-checked broken", "fenced none"]);
    assert!(page.text("#search-summary h3").await?.starts_with("2 of 3 rows can be broken"));
    Ok(())
}

#[tokio::test]
async fn a_search_can_be_stopped_and_keeps_what_it_has_found() -> Result<()> {
    let page = Page::open().await?;
    page.write_bounds(ENDLESS).await?;
    page.search("unfenced").await?;
    page.browser.wait_until("document.querySelector('#search-sofar')?.textContent.includes('Broken so far')").await?;
    page.press("#search-cancel").await?;
    page.wait_for_state("cancelled").await?;
    assert_eq!(page.outcomes().await?, ["unfenced broken"]);
    let extent = page.text(".found .extent").await?;
    assert!(extent.starts_with("Not complete") && extent.contains("you stopped it"), "{extent}");
    page.press(".found .open").await?;
    page.browser.wait_until("document.querySelector('#opened') !== null").await?;

    // By the keyboard, and with nothing found.
    page.press("#return").await?;
    page.browser.wait_until("document.querySelector('#opened') === null").await?;
    page.search("fenced").await?;
    page.browser.wait_until(&format!("{STATES} > 0")).await?;
    page.find("#search-cancel").await?.focus().await?;
    page.key(Key::Enter).await?;
    page.wait_for_state("cancelled").await?;
    page.browser.wait_until("document.activeElement.matches('#search-summary h3')").await?;
    Ok(())
}

/// The figure, the text and the search at once.
#[tokio::test]
async fn a_drag_during_a_search_works_and_the_search_says_that_the_text_is_another() -> Result<()> {
    let page = Page::open().await?;
    page.write_bounds(ENDLESS).await?;
    page.search("fenced").await?;
    page.browser.wait_until(&format!("{STATES} > 0")).await?;
    assert!(!page.seen("#search-older").await?);

    page.find(".handle[data-parameter='pause']").await?.scroll_into_view().await?;
    let second = page.pixels_a_second().await?;
    let (x, y) = page.middle_of(".handle[data-parameter='pause']").await?;
    page.mouse("mousePressed", x, y).await?;
    page.mouse("mouseMoved", x - 6.0 * second, y).await?;
    page.browser.wait_until("document.querySelector('#figure').textContent.includes('a write is lost')").await?;
    page.mouse("mouseReleased", x - 6.0 * second, y).await?;

    assert!(page.seen("#search-older").await?);
    let before: u64 = page.browser.eval(STATES).await?;
    page.browser.wait_until(&format!("{STATES} > {before}")).await?;
    assert_eq!(page.browser.eval::<String>(STATE).await?, "searching");

    // Nothing of it is left at another question.
    page.browser.eval::<Option<bool>>("void document.querySelector('#next-question').click()").await?;
    page.wait_for_question().await?;
    page.browser.wait_until("document.querySelector('#search-result').childElementCount === 0").await?;
    assert_eq!(page.browser.console_problems().await?, NO_PROBLEMS);
    Ok(())
}

#[tokio::test]
async fn a_worker_that_is_killed_is_missed_and_can_be_replaced() -> Result<()> {
    let page = Page::open().await?;
    page.before_all_scripts(KEEP_WORKERS).await?;
    page.write_bounds(ENDLESS).await?;
    page.search("fenced").await?;
    page.browser.wait_until(&format!("{STATES} > 0")).await?;
    page.browser.eval::<Option<bool>>("void workers[0].terminate()").await?;
    page.wait_for_state("failed").await?;
    let said = page.text("#search-summary").await?;
    assert!(said.contains("does not answer any more"), "{said}");
    page.press("#search-retry").await?;
    page.browser.wait_until(&format!("{STATE} === 'searching' && {STATES} > 0")).await?;

    // One that fails says so itself.
    page.browser
        .eval::<bool>("workers[1].dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))")
        .await?;
    page.wait_for_state("failed").await?;
    assert!(page.text("#search-summary").await?.contains("out of memory"));
    Ok(())
}

#[tokio::test]
async fn a_worker_that_cannot_start_is_said() -> Result<()> {
    const GONE: &str = "{ const Real = Worker; \
                        window.Worker = class { constructor(_, how) { return new Real('gone.js', how); } }; }";
    const NONE: &str = "window.Worker = class { constructor() { throw new Error('none here'); } };";
    let page = Page::open().await?;
    for (script, why) in [(GONE, "did not arrive"), (NONE, "none here")] {
        page.before_all_scripts(script).await?;
        let text = page.written().await?;
        page.search("fenced").await?;
        page.wait_for_state("failed").await?;
        let said = page.text("#search-summary").await?;
        assert!(said.contains(why) && said.contains("Try again"), "{said}");
        assert_eq!(page.written().await?, text);
    }
    Ok(())
}

#[tokio::test]
async fn a_mistake_in_the_text_is_named_and_nothing_is_searched() -> Result<()> {
    let page = Page::open().await?;
    let text = page.written().await?;
    page.set_text(&text.replacen("guard none", "guard nome", 1)).await?;
    page.search("fenced").await?;
    page.wait_for_state("mistaken").await?;
    let said = page.text("#search-summary").await?;
    assert!(said.contains("Nothing was searched.") && said.contains("Line ") && said.contains("nome"), "{said}");
    Ok(())
}

#[tokio::test]
async fn it_searches_in_a_folder_under_a_strict_policy() -> Result<()> {
    let hosting = Hosting { folder: Some("/blog/post"), policy: Some(STRICT_POLICY) };
    let site = Site::start(hosting).await?;
    let browser = Browser::start().await?;
    browser.open(&site.url("index.html")).await?;
    browser.wait_until(RUNS).await?;
    let page = Page { browser, site };
    page.write_bounds("explore  workers 2, grants 2").await?;
    page.search("fenced").await?;
    page.wait_for_state("done").await?;
    assert_eq!(page.browser.console_problems().await?, NO_PROBLEMS);
    Ok(())
}

#[tokio::test]
async fn it_fits_every_width_in_light_and_dark() -> Result<()> {
    let page = Page::open().await?;
    for (width, height) in [(1280, 1000), (768, 1024), (360, 640)] {
        for (scheme, name) in [(ColorScheme::Light, "light"), (ColorScheme::Dark, "dark")] {
            page.browser.set_size(width, height).await?;
            page.browser.set_color_scheme(scheme).await?;
            page.browser.open(&page.site.url("")).await?;
            page.browser.wait_until(RUNS).await?;
            page.picture(&format!("search-{width}-{name}-idle"), width).await?;
            page.write_bounds(ENDLESS).await?;
            page.search("unfenced").await?;
            page.browser
                .wait_until("document.querySelector('#search-sofar')?.textContent.includes('Broken so far')")
                .await?;
            page.picture(&format!("search-{width}-{name}-searching"), width).await?;
            page.write_bounds("explore  workers 2, grants 2").await?;
            page.search("each row in turn").await?;
            page.wait_for_state("done").await?;
            page.picture(&format!("search-{width}-{name}-found"), width).await?;
            page.search("fenced").await?;
            page.wait_for_state("done").await?;
            page.picture(&format!("search-{width}-{name}-none"), width).await?;
        }
    }
    // Everything that can be pressed has room for a finger, here too.
    let small: Vec<String> = page
        .browser
        .eval(
            "[...document.querySelectorAll('#search button, #search select, #search summary')]\
             .filter(element => element.checkVisibility() && element.getBoundingClientRect().height < 36)\
             .map(element => element.outerHTML)",
        )
        .await?;
    assert_eq!(small, [""; 0]);
    Ok(())
}

impl Page {
    /// Gives the first scenario these bounds, and returns its text.
    async fn write_bounds(&self, explore: &str) -> Result<String> {
        let text = find("paused-owner").context("it is in the corpus")?.text;
        let (before, _) = text.split_once("explore ").context("it has bounds")?;
        let text = format!("{before}{explore}\n");
        self.set_text(&text).await?;
        self.browser.wait_until("document.querySelector('#scenario-error').textContent === ''").await?;
        Ok(text)
    }

    /// Begins a search of a row.
    async fn search(&self, row: &str) -> Result<()> {
        let choose = format!("void (document.querySelector('#search-row').value = '{row}')");
        self.browser.eval::<Option<bool>>(&choose).await?;
        // What stands there from before is not taken for what comes.
        self.browser.eval::<Option<bool>>("void delete document.querySelector('#search-result').dataset.state").await?;
        self.press("#search-start").await?;
        self.browser.wait_until(&format!("{STATE} !== undefined")).await
    }

    async fn press(&self, selector: &str) -> Result<()> {
        let button = self.find(selector).await?;
        button.scroll_into_view().await?;
        button.click().await?;
        Ok(())
    }

    async fn wait_for_state(&self, state: &str) -> Result<()> {
        self.browser.wait_until(&format!("{STATE} === '{state}'")).await
    }

    /// What came of each row that was searched.
    async fn outcomes(&self) -> Result<Vec<String>> {
        self.browser
            .eval("[...document.querySelectorAll('.found')].map(found => `${found.dataset.row} ${found.dataset.outcome}`)")
            .await
    }

    async fn written(&self) -> Result<String> {
        self.browser.eval("document.querySelector('#scenario-text').value").await
    }

    async fn seen(&self, selector: &str) -> Result<bool> {
        self.browser.eval(&format!("document.querySelector('{selector}').checkVisibility()")).await
    }

    /// Opens the page anew, with a script that runs before its own.
    async fn before_all_scripts(&self, source: &str) -> Result<()> {
        let source = serde_json::json!({ "source": source });
        self.browser.driver().cdp().send_raw("Page.addScriptToEvaluateOnNewDocument", source).await?;
        self.browser.open(&self.site.url("")).await?;
        self.browser.wait_until(RUNS).await
    }

    /// A picture of the panel, which is no wider than the page.
    async fn picture(&self, name: &str, width: u32) -> Result<()> {
        let wide: u32 = self.browser.eval("document.documentElement.scrollWidth").await?;
        assert!(wide <= width, "the page is {wide} px wide at {width} px: {name}");
        self.browser.eval::<Option<bool>>("void document.querySelector('#search').scrollIntoView()").await?;
        self.browser.screenshot(name).await
    }
}
