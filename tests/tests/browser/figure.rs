//! What a reader sees and does without reading a manual.

use anyhow::{Context, Result};
use thirtyfour::Key;

use super::{NO_PROBLEMS, Page};

const STALE: &str =
    "unfenced broken: applied though stale\nre-checked broken: applied though stale\nfenced kept: refused: 33 < 34";
const LOST: &str =
    "unfenced broken: a write is lost\nre-checked broken: a write is lost\nfenced kept: refused: 33 < 34";
const IN_TIME: &str = "unfenced calm: in time\nre-checked calm: in time\nfenced calm: in time";

#[tokio::test]
async fn without_pressing_anything_a_reader_sees_the_stale_write_and_its_rejection() -> Result<()> {
    let page = Page::open().await?;
    let figure = page.figure().await?;
    for said in
        ["epoch 33 · A · 10 s lease", "epoch 34 · B", "frozen for 15 s", "applied though stale", "refused: 33 < 34"]
    {
        assert!(figure.contains(said), "the figure does not say “{said}”:\n{figure}");
    }
    assert_eq!(page.verdicts().await?, STALE);
    let headline = page.text("#headline").await?;
    assert!(headline.starts_with("A freezes for 15 s, its lease ends meanwhile, and B takes over"), "{headline}");
    assert_eq!(page.browser.console_problems().await?, NO_PROBLEMS);
    Ok(())
}

/// The picture in the HTML has the place and the size of what the program puts there.
#[tokio::test]
async fn nothing_jumps_while_the_page_starts() -> Result<()> {
    let page = Page::open().await?;
    for (width, height) in [(1280, 800), (360, 640)] {
        page.browser.set_size(width, height).await?;
        page.browser.open(&page.site.url("")).await?;
        page.browser.wait_until(super::RUNS).await?;
        let script = "const done = arguments[0]; new PerformanceObserver(list => done(list.getEntries().map(shift => \
                      shift.value))).observe({ type: 'layout-shift', buffered: true }); \
                      requestAnimationFrame(() => requestAnimationFrame(() => done([])));";
        let shifts = page.browser.driver().execute_async(script, Vec::new()).await?;
        let shifts: Vec<f64> = shifts.convert()?;
        assert_eq!(shifts, [0.0; 0], "at {width} px");
    }
    Ok(())
}

#[tokio::test]
async fn the_cursor_moves_by_keys_and_the_list_keeps_step() -> Result<()> {
    let page = Page::open().await?;
    page.key(Key::Home).await?;
    let first = page.current_line().await?;
    assert_eq!(first, "A asks for the lock.");

    let mut seen = vec![first];
    for _ in 0..4 {
        page.key(Key::Right).await?;
        seen.push(page.current_line().await?);
    }
    seen.dedup();
    assert_eq!(seen.len(), 5, "every step is another fact: {seen:?}");
    let announced = page.text_of_hidden("#announcer").await?;
    assert!(announced.contains(&seen[4]), "“{announced}” is said of “{}”", seen[4]);

    page.key(Key::Left).await?;
    assert_eq!(page.current_line().await?, seen[3]);

    page.key(Key::End).await?;
    let last = page.current_line().await?;
    assert!(last.starts_with("A now knows that it is no longer the owner"), "{last}");

    page.key('d').await?;
    let difference = page.current_line().await?;
    assert!(difference.starts_with("The destination applies A’s report under epoch 33."), "{difference}");
    assert_eq!(page.text("#cursor-time").await?, "18.03 s");
    Ok(())
}

#[tokio::test]
async fn it_plays_and_pauses_by_the_space_bar() -> Result<()> {
    let page = Page::open().await?;
    page.key(Key::Home).await?;
    page.key(' ').await?;
    page.browser.wait_until("document.querySelector('#play').ariaLabel === 'Pause'").await?;
    page.browser.wait_until("parseFloat(document.querySelector('#cursor-time').textContent) > 1").await?;
    page.key(' ').await?;
    page.browser.wait_until("document.querySelector('#play').ariaLabel === 'Play'").await?;
    Ok(())
}

#[tokio::test]
async fn dragging_the_pause_passes_the_three_regimes_in_every_row() -> Result<()> {
    let page = Page::open().await?;
    page.find(".handle[data-parameter='pause']").await?.scroll_into_view().await?;
    let second = page.pixels_a_second().await?;
    let (x, y) = page.middle_of(".handle[data-parameter='pause']").await?;

    page.mouse("mousePressed", x, y).await?;
    page.mouse("mouseMoved", x - 6.0 * second, y).await?;
    page.wait_for_verdicts(LOST).await?;
    assert!(page.figure().await?.contains("a write is lost"));
    page.browser.screenshot("page-1280-light-mid-drag").await?;

    // The axis stands still while the handle is held, so that the time under the pointer stays what it was.
    assert_eq!(page.pixels_a_second().await?, second);
    page.mouse("mouseMoved", x - 10.0 * second, y).await?;
    page.wait_for_verdicts(IN_TIME).await?;
    let headline = page.text("#headline").await?;
    assert!(headline.contains("There is no handover"), "{headline}");

    page.mouse("mouseMoved", x + second, y).await?;
    page.mouse("mouseReleased", x + second, y).await?;
    page.wait_for_verdicts(STALE).await?;

    // The parameter has one value, wherever it is shown.
    let value: f64 = page.find("#parameter-pause").await?.prop("value").await?.context("it has a value")?.parse()?;
    assert!((15.5..=16.5).contains(&value), "about 16 s after the drag: {value}");
    let text = page.find("#scenario-text").await?.prop("value").await?.context("it has a text")?;
    let line = text.lines().find(|line| line.starts_with("let ")).context("the text has its parameter")?;
    assert!(line.contains(&format!("pause = {value}s in 0s..30s")), "{line}");
    assert_eq!(page.browser.console_problems().await?, NO_PROBLEMS);
    Ok(())
}

#[tokio::test]
async fn the_handle_is_a_slider_for_the_keyboard() -> Result<()> {
    let page = Page::open().await?;
    let handle = page.find(".handle[data-parameter='pause']").await?;
    handle.focus().await?;
    for (key, value) in [
        (Key::Left, "14.9"),
        (Key::Right, "15"),
        (Key::PageDown, "14"),
        (Key::PageUp, "15"),
        (Key::Home, "0"),
        (Key::End, "30"),
    ] {
        page.key(key.clone()).await?;
        let now: String = page.browser.eval("document.querySelector('#parameter-pause').value").await?;
        assert_eq!(now, value, "after {key:?}");
    }
    let label = handle.attr("aria-label").await?.unwrap_or_default();
    assert!(label.contains("frozen"), "it says what it changes: {label}");
    Ok(())
}

#[tokio::test]
async fn a_typed_number_counts_at_once_and_a_wrong_one_is_kept_and_explained() -> Result<()> {
    let page = Page::open().await?;
    page.type_over("#parameter-pause", "9").await?;
    page.wait_for_verdicts(LOST).await?;
    page.type_over("#parameter-pause", "5").await?;
    page.wait_for_verdicts(IN_TIME).await?;

    for wrong in ["31", "-1"] {
        page.type_over("#parameter-pause", wrong).await?;
        page.browser.wait_until("document.querySelector('#parameter-pause-problem').textContent !== ''").await?;
        let kept = page.find("#parameter-pause").await?.prop("value").await?;
        assert_eq!(kept.as_deref(), Some(wrong));
        page.wait_for_verdicts(IN_TIME).await?;
    }
    Ok(())
}

#[tokio::test]
async fn one_question_leads_to_the_next_and_every_one_can_be_run() -> Result<()> {
    let page = Page::open().await?;
    let questions: usize = page.browser.eval("document.querySelectorAll('#questions li a').length").await?;
    let mut headlines = vec![page.text("#headline").await?];
    while page.browser.eval::<bool>("document.querySelector('#next-question') !== null").await? {
        let before = page.browser.eval::<String>("location.hash").await?;
        let next = page.find("#next-question").await?;
        next.scroll_into_view().await?;
        next.click().await?;
        page.browser.wait_until(&format!("location.hash !== '{before}'")).await?;
        page.wait_for_question().await?;
        headlines.push(page.text("#headline").await?);
        assert_eq!(page.text("#scenario-error").await?, "");
    }
    assert_eq!(headlines.len(), questions, "the way leads past every question");
    assert!(headlines.iter().any(|headline| headline.contains("is applied once")), "{headlines:#?}");
    assert_eq!(page.browser.console_problems().await?, NO_PROBLEMS);
    Ok(())
}
