//! The site in a real browser.

use anyhow::Result;
use fencepost_tests::browser::{Browser, ColorScheme};
use fencepost_tests::site::{Hosting, STRICT_POLICY, Site};

/// The page says so once it runs.
const RUNS: &str = "document.documentElement.dataset.fencepost === 'ready'";

const NO_PROBLEMS: [String; 0] = [];

#[tokio::test]
async fn the_page_starts() -> Result<()> {
    let site = Site::start(Hosting::default()).await?;
    let browser = Browser::start().await?;
    for (width, scheme, name) in [
        (1280, ColorScheme::Light, "page-1280-light"),
        (1280, ColorScheme::Dark, "page-1280-dark"),
        (360, ColorScheme::Light, "page-360-light"),
    ] {
        browser.set_size(width, 800).await?;
        browser.set_color_scheme(scheme).await?;
        browser.open(&site.url("")).await?;
        browser.wait_until(RUNS).await?;

        assert_eq!(browser.eval::<u32>("innerWidth").await?, width);
        let dark: bool = browser.eval("matchMedia('(prefers-color-scheme: dark)').matches").await?;
        assert_eq!(dark, scheme == ColorScheme::Dark);
        assert_eq!(browser.console_problems().await?, NO_PROBLEMS);
        browser.screenshot(name).await?;
    }
    Ok(())
}

#[tokio::test]
async fn the_page_starts_in_a_folder_under_a_strict_policy() -> Result<()> {
    let hosting = Hosting { folder: Some("/blog/post"), policy: Some(STRICT_POLICY) };
    let site = Site::start(hosting).await?;
    let browser = Browser::start().await?;

    browser.open(&site.url("index.html")).await?;
    browser.wait_until(RUNS).await?;

    assert_eq!(browser.console_problems().await?, NO_PROBLEMS);
    Ok(())
}

#[tokio::test]
async fn the_first_figure_needs_no_script() -> Result<()> {
    let site = Site::start(Hosting::default()).await?;
    let browser = Browser::start().await?;
    let disable = serde_json::json!({ "value": true });
    browser.driver().cdp().send_raw("Emulation.setScriptExecutionDisabled", disable).await?;

    browser.open(&site.url("")).await?;

    let shown = "document.querySelector('.fp-figure-wide svg').checkVisibility()";
    assert!(browser.eval::<bool>(shown).await?);
    browser.screenshot("no-script").await
}
