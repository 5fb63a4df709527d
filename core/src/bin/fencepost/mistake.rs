//! A mistake in a scenario's text, shown at its place.

use std::fmt::Write as _;

use fencepost_core::scenario::ScenarioError;

/// Most characters of a line that are shown: the mistake is among them.
const WINDOW: usize = 100;

/// `FILE:LINE:COLUMN: what is wrong`, and below it the line with a caret under the place. `bytes` is the text, which may
/// be anything.
pub fn shown(file: &str, bytes: &[u8], error: &ScenarioError) -> String {
    let mut shown = format!("{file}:{error}\n");
    let text = String::from_utf8_lossy(bytes);
    let Some(line) = text.split('\n').nth(error.line as usize - 1) else { return shown };
    let line = line.trim_end_matches('\r');
    let at = error.column as usize - 1;
    // A very long line is cut to what stands around the mistake.
    let start = at.saturating_sub(WINDOW / 2);
    let visible: String = line.chars().skip(start).take(WINDOW).map(visible).collect();
    let number = error.line.to_string();
    let margin = " ".repeat(number.len());
    let before = if start > 0 { "…" } else { "" };
    let after = if line.chars().count() > start + WINDOW { "…" } else { "" };
    let caret = " ".repeat(at - start + before.chars().count());
    let line = format!("{number} | {before}{visible}{after}");
    let _ = write!(shown, "{margin} |\n{}\n{margin} | {caret}^\n", line.trim_end());
    shown
}

/// One column for each character, and nothing that a terminal would act on.
fn visible(character: char) -> char {
    match character {
        '\t' => ' ',
        // Escape sequences begin with one of these; the others turn the direction of what follows.
        c if c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
        {
            '\u{fffd}'
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use fencepost_core::scenario::parse_bytes;

    use super::*;

    #[track_caller]
    fn check(text: &[u8], expected: &Expect) {
        let error = parse_bytes(text).expect_err("the text is no scenario");
        expected.assert_eq(&shown("a.fence", text, &error));
    }

    #[test]
    fn the_caret_stands_under_the_mistake() {
        check(
            b"scenario s\nworkers A B\nlease 10 s\n",
            &expect![[r#"
            a.fence:3:7: `10` has no unit. Write `10s`, `10ms` or `10m`, for example.
              |
            3 | lease 10 s
              |       ^
        "#]],
        );
        check(
            b"scenario s\r\nworkers\tA B\r\nlease\t\t10s\r\nguard\tfoo\r\n",
            &expect![[r#"
            a.fence:4:7: `foo` is not a guard: expected `none`, `client-check`, `self-check`, `max-seen`, `greater-than`, `row-version`, `deadline`, `holder`, `promise` or `registered`.
              |
            4 | guard foo
              |       ^
        "#]],
        );
        check(
            "# 鍵\nscenario s\nworkers Ä\n".as_bytes(),
            &expect![[r#"
            a.fence:3:9: `Ä` cannot be the name of a worker: a name has letters, digits, hyphens and underscores only, and begins with a letter.
              |
            3 | workers Ä
              |         ^
        "#]],
        );
        check(
            b"scenario s\n",
            &expect![[r#"
            a.fence:1:10: The scenario `s` has no line `workers`, for example `workers A B`.
              |
            1 | scenario s
              |          ^
        "#]],
        );
        check(
            b"",
            &expect![[r#"
            a.fence:1:1: There is no scenario here: one begins with a line `scenario NAME`.
              |
            1 |
              | ^
        "#]],
        );
    }

    #[test]
    fn what_a_terminal_would_act_on_is_not_repeated() {
        check(
            b"scenario s\nworkers \x1b[31mA\n",
            &expect![[r#"
            a.fence:2:9: `\u{1b}[31mA` cannot be the name of a worker: a name has letters, digits, hyphens and underscores only, and begins with a letter.
              |
            2 | workers �[31mA
              |         ^
        "#]],
        );
        check(
            b"scenario s\nworkers A\nlease 10s \xff\xfe\n",
            &expect![[r#"
            a.fence:3:11: The byte 0xff is not UTF-8; a scenario is a text in UTF-8.
              |
            3 | lease 10s ��
              |           ^
        "#]],
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_mistake() {
        let text = format!("scenario s\nworkers A {} !\nlease 10s\n", " ".repeat(300));
        check(
            text.as_bytes(),
            &expect![[r#"
            a.fence:2:312: `!` cannot be the name of a worker: a name has letters, digits, hyphens and underscores only, and begins with a letter.
              |
            2 | …                                                  !
              |                                                    ^
        "#]],
        );
    }
}
