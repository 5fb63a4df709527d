//! Pictures for a person to look at, and what can be told of the looks without one.

use anyhow::Result;
use fencepost_tests::browser::ColorScheme;

use super::Page;

#[tokio::test]
async fn the_page_fits_every_width_in_light_and_dark() -> Result<()> {
    let page = Page::open().await?;
    for (width, height) in [(1280, 1000), (768, 1024), (360, 640)] {
        for (scheme, name) in [(ColorScheme::Light, "light"), (ColorScheme::Dark, "dark")] {
            page.browser.set_size(width, height).await?;
            page.browser.set_color_scheme(scheme).await?;
            page.browser.open(&page.site.url("")).await?;
            page.browser.wait_until(super::RUNS).await?;
            let wide: u32 = page.browser.eval("document.documentElement.scrollWidth").await?;
            assert!(wide <= width, "the page is {wide} px wide at {width} px");
            page.browser.screenshot(&format!("page-{width}-{name}")).await?;
        }
    }
    Ok(())
}

#[tokio::test]
async fn no_text_is_smaller_than_12_px() -> Result<()> {
    let page = Page::open().await?;
    for width in [1280, 360] {
        page.browser.set_size(width, 800).await?;
        let small: Vec<String> = page
            .browser
            .eval(
                "[...document.querySelectorAll('body *')].filter(element => \
                 [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()) && element.checkVisibility() \
                 && parseFloat(getComputedStyle(element).fontSize) < 12).map(element => element.outerHTML)",
            )
            .await?;
        assert_eq!(small, [""; 0], "at {width} px");
    }
    Ok(())
}

/// Everything that can be pressed, and what a screen reader would call it.
#[tokio::test]
async fn everything_that_can_be_pressed_has_a_name_and_room_for_a_finger() -> Result<()> {
    let page = Page::open().await?;
    page.browser.set_size(360, 640).await?;
    let unnamed: Vec<String> = page
        .browser
        .eval(
            "[...document.querySelectorAll('button, a, select, input, textarea, [role=slider]')]\
             .filter(element => element.checkVisibility())\
             .filter(element => !(element.ariaLabel || element.textContent.trim() || element.labels?.length))\
             .map(element => element.outerHTML)",
        )
        .await?;
    assert_eq!(unnamed, [""; 0]);
    // Where a finger comes down 18 px beside the middle of a handle, it takes the handle.
    let small: Vec<String> = page
        .browser
        .eval(
            "[...document.querySelectorAll('button, select, input, .handle')]\
             .filter(element => element.checkVisibility())\
             .filter(element => { element.scrollIntoView({ block: 'center' }); const box = element.getBoundingClientRect(); \
             if (!element.matches('.handle')) return box.height < 36 || box.width < 36; \
             const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]; \
             return [[-18, 0], [18, 0], [0, -18], [0, 18]].some(([dx, dy]) => \
             document.elementFromPoint(x + dx, y + dy) !== element); })\
             .map(element => element.outerHTML)",
        )
        .await?;
    assert_eq!(small, [""; 0]);
    Ok(())
}
