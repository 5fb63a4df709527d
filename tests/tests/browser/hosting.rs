//! Any host, any folder, strict policies, and browsers in which not everything works.

use anyhow::Result;
use fencepost_tests::browser::Browser;
use fencepost_tests::site::{Hosting, STRICT_POLICY, Site};

use super::{NO_PROBLEMS, Page, RUNS};

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

    for (width, shown, hidden) in [(1280, "wide", "narrow"), (360, "narrow", "wide")] {
        browser.set_size(width, 640).await?;
        let visible = |which| format!("document.querySelector('.fp-figure-{which} svg').checkVisibility()");
        assert!(browser.eval::<bool>(&visible(shown)).await?, "at {width} px");
        assert!(!browser.eval::<bool>(&visible(hidden)).await?, "at {width} px");
        browser.screenshot(&format!("no-script-{width}")).await?;
    }
    Ok(())
}

#[tokio::test]
async fn where_wasm_may_not_run_the_figure_stays_and_the_page_says_so() -> Result<()> {
    let hosting = Hosting { policy: Some("script-src 'self'"), ..Hosting::default() };
    let site = Site::start(hosting).await?;
    let browser = Browser::start().await?;

    browser.open(&site.url("")).await?;
    browser.wait_until("document.documentElement.dataset.fencepost === 'failed'").await?;

    let said: String = browser.eval("document.querySelector('#failed').innerText").await?;
    assert!(said.contains("cannot be started"), "{said}");
    assert!(browser.eval::<bool>("document.querySelector('.fp-figure-wide svg').checkVisibility()").await?);
    browser.screenshot("wasm-blocked").await
}

#[tokio::test]
async fn storage_that_is_forbidden_does_no_harm() -> Result<()> {
    let page = Page::open().await?;
    let source = serde_json::json!({
        "source": "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no', 'SecurityError'); } });"
    });
    page.browser.driver().cdp().send_raw("Page.addScriptToEvaluateOnNewDocument", source).await?;
    page.browser.open(&page.site.url("")).await?;
    page.browser.wait_until(RUNS).await?;
    page.type_over("#parameter-pause", "9").await?;
    page.browser.wait_until("document.querySelector('#figure').textContent.includes('a write is lost')").await?;
    assert_eq!(page.browser.console_problems().await?, NO_PROBLEMS);
    Ok(())
}

#[tokio::test]
async fn a_trap_of_the_program_is_said_on_the_page() -> Result<()> {
    let page = Page::open().await?;
    let shown = "document.querySelector('#panic').checkVisibility()";
    // Other scripts may fail as they like.
    page.browser
        .eval::<bool>("dispatchEvent(new ErrorEvent('error', { error: new Error('of another script') }))")
        .await?;
    assert!(!page.browser.eval::<bool>(shown).await?);
    let trap = "dispatchEvent(new ErrorEvent('error', { error: new WebAssembly.RuntimeError('unreachable') }))";
    page.browser.eval::<bool>(trap).await?;
    assert!(page.browser.eval::<bool>(shown).await?);
    assert!(page.text("#panic code").await?.contains("unreachable"));
    Ok(())
}
