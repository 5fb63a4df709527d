//! What the language refuses, where, and in which words.

use expect_test::{Expect, expect};

use super::{FULL, parse, parse_bytes};
use crate::mechanism::Switch;
use crate::scenario::{MAX_BYTES, MAX_FAULTS, MAX_PARAMETERS, MAX_ROWS};

/// Parses each text, and compares the errors with what is expected: the line, its number, and the message at its column.
#[track_caller]
fn check<T: AsRef<str>>(texts: &[T], expected: Expect) {
    let mut shown = String::new();
    for text in texts.iter().map(AsRef::as_ref) {
        let error = parse(text).expect_err(text);
        let line = text.lines().nth(error.line as usize - 1).unwrap_or_default();
        let start: String = line.chars().take(60).collect();
        let indent = (error.column as usize - 1).min(60);
        shown += format!("{:<4} | {start}", error.line).trim_end();
        shown += &format!("\n     | {:indent$}^ {}\n", "", error.message);
    }
    expected.assert_eq(&shown);
}

/// As [`check`], of lines that follow a complete beginning of three lines.
#[track_caller]
fn check_lines<T: AsRef<str>>(lines: &[T], expected: Expect) {
    let text = |lines: &T| format!("scenario example\nworkers A B\nlease 10s\n{}\n", lines.as_ref());
    check(&lines.iter().map(text).collect::<Vec<_>>(), expected);
}

#[test]
fn texts_that_are_no_scenario() {
    check(
        &[
            "",
            "\n\n# Only a comment.\n",
            "# A comment.\n  workers A B\n",
            "scenario\n",
            "scenario Paused Owner\n",
            "scenario paused owner\n",
            "scenario a-name-that-goes-on-and-on-and-on-and-on-and-on\n",
            "scenario one\nworkers A\nlease 1s\nscenario two\n",
            "scenario one\nlease 1s\n",
            "scenario one\nworkers A\n",
        ],
        expect![[r#"
            1    |
                 | ^ There is no scenario here: one begins with a line `scenario NAME`.
            1    |
                 | ^ There is no scenario here: one begins with a line `scenario NAME`.
            2    |   workers A B
                 |   ^ A scenario begins with a line `scenario NAME`, not with `workers`.
            1    | scenario
                 |         ^ The line ends where the scenario's name is expected.
            1    | scenario Paused Owner
                 |          ^ `Paused` cannot be the name of a scenario: a name has lower-case letters, digits and hyphens only, and does not begin with a hyphen.
            1    | scenario paused owner
                 |                 ^ The name of a scenario is one word: its parts are joined by hyphens.
            1    | scenario a-name-that-goes-on-and-on-and-on-and-on-and-on
                 |          ^ The name of a scenario has at most 40 characters; this one has 47.
            4    | scenario two
                 | ^ A text holds one scenario; this would begin a second one.
            1    | scenario one
                 |          ^ The scenario `one` has no line `workers`, for example `workers A B`.
            1    | scenario one
                 |          ^ The scenario `one` has no line `lease`, for example `lease 10s`.
        "#]],
    );
}

#[test]
fn limits_of_the_text() {
    check(
        &["lease 10s\n".repeat(10_000), format!("scenario long\nworkers A B # {}\nlease 10s", "é".repeat(MAX_BYTES))],
        expect![[r#"
            2001 | lease 10s
                 | ^ The text has 10000 lines; a scenario has at most 2000.
            2    | workers A B # éééééééééééééééééééééééééééééééééééééééééééééé
                 |                                                             ^ The text has 200038 bytes; a scenario has at most 100000.
        "#]],
    );
}

#[test]
fn bytes_that_are_not_utf8() {
    let error = parse_bytes(b"scenario bytes\n# caf\xc3\xa9, caf\xe9\nworkers A").unwrap_err();
    assert_eq!(error.to_string(), "2:12: The byte 0xe9 is not UTF-8; a scenario is a text in UTF-8.");
    assert_eq!(parse_bytes(FULL.as_bytes()), parse(FULL));
}

#[test]
fn keywords() {
    check_lines(
        &[
            "leese 10s",
            "Latency 10ms",
            "nonsense",
            "lease 11s",
            "faults\nA freezes 5s at 2s",
            "faults\n  compare\n    a guard none",
            "faults",
            "compare fast\n  a guard none",
        ],
        expect![[r#"
            4    | leese 10s
                 | ^ `leese` is not a keyword. Did you mean `lease`?
            4    | Latency 10ms
                 | ^ `Latency` is not a keyword. Did you mean `latency`?
            4    | nonsense
                 | ^ `nonsense` is not a keyword: expected `workers`, `lease`, `epochs`, `latency`, `let`, `work`, `start`, `clock`, `operations`, `result`, `retry`, `renew`, `margin`, `poll`, `seed`, `stop`, `replicate`, `relay`, `faults`, `compare`, `expect`, `explore`, `guard`, `operation-ids`, `look-up`, `asks`, `counts`, `on-conflict`, `holder-id`, `no-reply`, `transaction`, `control-row`, `reads`, `replicas`, `token`, `mint`, `issuer`, `candidates`, `renewal`, `lease-from`, `lease-by`, `on-loss`, `release`, `effect`, `through`, `key`, `effect-outcome` or `switched`.
            4    | lease 11s
                 | ^ `lease` stands in line 3 already; it may stand once.
            5    | A freezes 5s at 2s
                 | ^ `A` is not a keyword. If it begins an entry of `faults`, it has to be indented deeper than `faults`.
            5    |   compare
                 |   ^ `compare` is not a worker: expected `network`, `lock-service`, `destination`, `provider`, `A` or `B`. If it is not an entry of `faults`, it is indented too deep.
            4    | faults
                 | ^ `faults` has no entries: they stand on the lines below it, indented deeper.
            4    | compare fast
                 |         ^ Expected the end of the line, found `fast`.
        "#]],
    );
}

#[test]
fn workers_lines() {
    check(
        &[
            "scenario example\nworkers",
            "scenario example\nworkers A, B",
            "scenario example\nworkers A A",
            "scenario example\nworkers A B C D",
            "scenario example\nworkers 1st",
            "scenario example\nworkers network",
            "scenario example\nworkers lock-service",
            "scenario example\nworkers A crashes",
        ],
        expect![[r#"
            2    | workers
                 |        ^ The line ends where a worker's name is expected.
            2    | workers A, B
                 |          ^ Names of workers are separated by spaces, not by commas.
            2    | workers A A
                 |           ^ Two workers cannot both be called `A`.
            2    | workers A B C D
                 |               ^ A scenario has at most 3 workers.
            2    | workers 1st
                 |         ^ `1st` cannot be the name of a worker: a name has letters, digits, hyphens and underscores only, and begins with a letter.
            2    | workers network
                 |         ^ `network` cannot be the name of a worker: it has a meaning of its own.
            2    | workers lock-service
                 |         ^ `lock-service` cannot be the name of a worker: it has a meaning of its own.
            2    | workers A crashes
                 |           ^ `crashes` cannot be the name of a worker: it has a meaning of its own.
        "#]],
    );
    check_lines(
        &[
            "work C compute 3s",
            "work a compute 3s",
            "work",
            "work A 3s",
            "work A compute",
            "work A compute 3s operations 3",
            "work A compute 3s twice",
            "work A compute 3s\nwork A compute 4s",
            "start B later",
            "start B on friday",
            "start A on expiry\nstart B on expiry",
            "clock A",
            "clock A early 5ms",
            "clock A fast 5ms",
            "clock A fast 500001ppm",
            "clock A ahead 5ms behind 5ms",
        ],
        expect![[r#"
            4    | work C compute 3s
                 |      ^ `C` is not a worker: expected `A` or `B`.
            4    | work a compute 3s
                 |      ^ `a` is not a worker. Did you mean `A`?
            4    | work
                 |     ^ The line ends where a worker is expected: `A` or `B`.
            4    | work A 3s
                 |        ^ Expected `compute`, found `3s`.
            4    | work A compute
                 |               ^ The line ends where the time of the work, a duration such as `15s`, is expected.
            4    | work A compute 3s operations 3
                 |                              ^ Expected the number of operations, a whole number from 1 to 2; found `3`.
            4    | work A compute 3s twice
                 |                   ^ Expected `operations` or the end of the line, found `twice`.
            5    | work A compute 4s
                 | ^ `work` of `A` stands in line 4 already.
            4    | start B later
                 |         ^ Expected `at` or `on`, found `later`.
            4    | start B on friday
                 |            ^ Expected `expiry`, found `friday`.
            4    | start A on expiry
                 | ^ Every worker starts on expiry, so there is no lease to expire: one must start `at` a time.
            4    | clock A
                 |        ^ The line ends where a fault of a clock is expected: `ahead`, `behind`, `fast` or `slow`.
            4    | clock A early 5ms
                 |         ^ `early` is not a fault of a clock: expected `ahead`, `behind`, `fast` or `slow`.
            4    | clock A fast 5ms
                 |              ^ Expected a rate such as `200ppm`, from 0ppm to 500000ppm; found `5ms`.
            4    | clock A fast 500001ppm
                 |              ^ Expected a rate such as `200ppm`, from 0ppm to 500000ppm; found `500001ppm`.
            4    | clock A ahead 5ms behind 5ms
                 |                   ^ A clock is either `ahead` or `behind`, and that once.
        "#]],
    );
}

#[test]
fn durations_and_numbers() {
    check_lines(
        &[
            "latency",
            "latency 15",
            "latency 15sec",
            "latency -15s",
            "latency 1.5.5s",
            "latency .5s",
            "latency 0.1us",
            "latency 0.00000000000000000000000000000000000000000000000001h",
            "latency 10000h",
            "latency 99999999999999999999999999h",
            "latency pause",
            "latency 10ms 20ms",
        ],
        expect![[r#"
            4    | latency
                 |        ^ The line ends where the latency, a duration such as `15s`, is expected.
            4    | latency 15
                 |         ^ `15` has no unit. Write `15s`, `15ms` or `15m`, for example.
            4    | latency 15sec
                 |         ^ `sec` is not a unit of time: expected `h`, `m`, `s`, `ms` or `us`.
            4    | latency -15s
                 |         ^ `-15s` is not a duration: a number and a unit, such as `15s` or `1.5s`.
            4    | latency 1.5.5s
                 |         ^ `1.5.5s` is not a duration: a number and a unit, such as `15s` or `1.5s`.
            4    | latency .5s
                 |         ^ `.5s` is not a duration: a number and a unit, such as `15s` or `1.5s`.
            4    | latency 0.1us
                 |         ^ `0.1us` is finer than a microsecond, the smallest time there is.
            4    | latency 0.00000000000000000000000000000000000000000000000001
                 |         ^ `0.0000000000000000000000000000000000000000000000…` is finer than a microsecond, the smallest time there is.
            4    | latency 10000h
                 |         ^ `10000h` is longer than 9600h, the longest duration.
            4    | latency 99999999999999999999999999h
                 |         ^ `99999999999999999999999999h` is longer than 9600h, the longest duration.
            4    | latency pause
                 |         ^ Expected the latency, a duration such as `15s` or a parameter that a `let` line declares; found `pause`.
            4    | latency 10ms 20ms
                 |              ^ Expected the end of the line, found `20ms`.
        "#]],
    );
    check(
        &[
            "scenario example\nworkers A\nlease 0s",
            "scenario example\nworkers A\nlease long\nlet long = 10s in 0s..20s",
        ],
        expect![[r#"
            3    | lease 0s
                 |       ^ `0s` is too short for a lease: it would end as soon as it began.
            3    | lease long
                 |       ^ `long` can be 0s, which is too short for a lease: it would end as soon as it began.
        "#]],
    );
    check_lines(
        &[
            "retry after 0s, 2 attempts",
            "retry after 1s",
            "retry after 1s, 9 attempts",
            "retry after 1s, 0 attempts",
            "retry after 1s, 2 times",
            "epochs 33",
            "epochs from -1",
            "epochs from 18446744073709551615",
            "operations common",
            "result Report",
        ],
        expect![[r#"
            4    | retry after 0s, 2 attempts
                 |             ^ `0s` is too short for a wait for a reply: none could come in time.
            4    | retry after 1s
                 |               ^ The line ends where `,` is expected.
            4    | retry after 1s, 9 attempts
                 |                 ^ Expected the number of attempts, a whole number from 1 to 4; found `9`.
            4    | retry after 1s, 0 attempts
                 |                 ^ Expected the number of attempts, a whole number from 1 to 4; found `0`.
            4    | retry after 1s, 2 times
                 |                   ^ Expected `attempt` or `attempts`, found `times`.
            4    | epochs 33
                 |        ^ Expected `from`, found `33`.
            4    | epochs from -1
                 |             ^ Expected the first epoch, a whole number from 0 to 18446744073709551599; found `-1`.
            4    | epochs from 18446744073709551615
                 |             ^ Expected the first epoch, a whole number from 0 to 18446744073709551599; found `18446744073709551615`.
            4    | operations common
                 |            ^ `common` is not a setting of `operations`: expected `own` or `shared`.
            4    | result Report
                 |        ^ `Report` cannot be the name of a result: a name has lower-case letters, digits and hyphens only, and begins with a letter.
        "#]],
    );
}

#[test]
fn parameters() {
    let many: String = (0..=MAX_PARAMETERS).map(|n| format!("let p{n} = 1s\n")).collect();
    check_lines(
        &[
            "let pause 15s",
            "let Pause = 15s",
            "let pause = long",
            "let pause = 15s in 0s to 30s",
            "let pause = 15s in 0s..",
            "let pause = 15s in 30s..0s",
            "let pause = 31s in 0s..30s",
            "let pause = 15s\nlet pause = 16s",
            "let pause = 15s",
            "let pause = 15s\nlatency paus",
        ],
        expect![[r#"
            4    | let pause 15s
                 |           ^ Expected `=`, found `15s`.
            4    | let Pause = 15s
                 |     ^ `Pause` cannot be the name of a parameter: a name has lower-case letters, digits and hyphens only, and begins with a letter.
            4    | let pause = long
                 |             ^ `long` is not a duration: a number and a unit, such as `15s` or `1.5s`.
            4    | let pause = 15s in 0s to 30s
                 |                       ^ Expected `..`, found `to`.
            4    | let pause = 15s in 0s..
                 |                        ^ The line ends where a duration is expected.
            4    | let pause = 15s in 30s..0s
                 |                    ^ A range begins with its lesser end, and 30s is not less than 0s.
            4    | let pause = 31s in 0s..30s
                 |             ^ `pause` goes from 0s to 30s; 31s is outside.
            5    | let pause = 16s
                 |     ^ The parameter `pause` is declared in line 4 already.
            4    | let pause = 15s
                 |     ^ Nothing uses the parameter `pause`.
            5    | latency paus
                 |         ^ `paus` is not a parameter. Did you mean `pause`?
        "#]],
    );
    check_lines(
        &[many],
        expect![[r#"
            12   | let p8 = 1s
                 |     ^ A scenario has at most 8 parameters.
        "#]],
    );
}

#[test]
fn mechanisms() {
    let rows: String = (0..=MAX_ROWS).map(|n| format!("\n  row-{n} guard none")).collect();
    check_lines(
        &[
            "guard",
            "guard registred",
            "guard fancy",
            "guard none\nguard none",
            "operation-ids on",
            "look-up first",
            "look-up after-guard",
            "compare\n  a guard none operation-ids off",
            "compare\n  a guard none,",
            "compare\n  a guard none, guard none",
            "compare\n  a gaurd none",
            "compare\n  a guard none, look-up after-guard",
            "compare\n  a guard none\n  a guard max-seen",
            "compare\n  all guard none",
        ],
        expect![[r#"
            4    | guard
                 |      ^ The line ends where a guard is expected: `none`, `client-check`, `self-check`, `max-seen`, `greater-than`, `row-version`, `deadline`, `holder`, `promise` or `registered`.
            4    | guard registred
                 |       ^ `registred` is not a guard. Did you mean `registered`?
            4    | guard fancy
                 |       ^ `fancy` is not a guard: expected `none`, `client-check`, `self-check`, `max-seen`, `greater-than`, `row-version`, `deadline`, `holder`, `promise` or `registered`.
            5    | guard none
                 | ^ `guard` stands in line 4 already; it may stand once.
            4    | operation-ids on
                 |               ^ `on` is not a setting of `operation-ids`: expected `off`, `in-transaction` or `after-transaction`.
            4    | look-up first
                 |         ^ `first` is not a setting of `look-up`: expected `before-guard` or `after-guard`.
            4    | look-up after-guard
                 | ^ `look-up` has no meaning here. It needs `operation-ids`: none are recorded.
            5    |   a guard none operation-ids off
                 |                ^ Expected `,` or the end of the line, found `operation-ids`.
            5    |   a guard none,
                 |                ^ The line ends where a switch is expected: `guard`, `operation-ids`, `look-up`, `asks`, `counts`, `on-conflict`, `holder-id`, `no-reply`, `transaction`, `control-row`, `reads`, `replicas`, `token`, `mint`, `issuer`, `candidates`, `renewal`, `lease-from`, `lease-by`, `on-loss`, `release`, `effect`, `through`, `key`, `effect-outcome` or `switched`.
            5    |   a guard none, guard none
                 |                 ^ `guard` is set a second time.
            5    |   a gaurd none
                 |     ^ `gaurd` is not a switch. Did you mean `guard`?
            5    |   a guard none, look-up after-guard
                 |                 ^ `look-up` has no meaning here. It needs `operation-ids`: none are recorded.
            6    |   a guard max-seen
                 |   ^ The row `a` stands in line 5 already.
            5    |   all guard none
                 |   ^ `all` cannot be the name of a row: it has a meaning of its own.
        "#]],
    );
    check_lines(
        &[format!("compare{rows}")],
        expect![[r#"
            13   |   row-8 guard none
                 |   ^ `compare` has at most 8 entries.
        "#]],
    );
}

#[test]
fn settings_that_need_others() {
    let mut shown = String::new();
    for &switch in Switch::ALL {
        for value in switch.words() {
            let setting = format!("{} {value}", switch.name());
            let epochs = if setting == "token wrapping" { "epochs from 2 to 3\n" } else { "" };
            if let Err(error) = parse(&format!("scenario example\nworkers A\nlease 10s\n{epochs}{setting}")) {
                shown += &format!("{setting}: {}\n", error.message);
            }
        }
    }
    expect![[r#"
        look-up after-guard: `look-up` has no meaning here. It needs `operation-ids`: none are recorded.
        asks lock-replica: `asks` has no meaning here. It needs `guard client-check`: nobody else asks.
        asks destination: `asks` has no meaning here. It needs `guard client-check`: nobody else asks.
        counts reads-too: `counts` has no meaning here. It needs `guard max-seen`: no other counts.
        on-conflict redo: `on-conflict` has no meaning here. It needs `guard row-version`: no other has conflicts.
        holder-id worker: `holder-id` has no meaning here. It needs `guard holder`: no other compares names.
        no-reply new-id: `no-reply` has no meaning here. It needs `operation-ids`: without them a write has no ID.
        no-reply look-up: `no-reply` has no meaning here. It needs `operation-ids`: without them there is nothing to look up.
        transaction split: `transaction` has no meaning here. It needs something beside the change: a guard by which the destination refuses, or `operation-ids`.
        control-row fails-closed: `control-row` has no meaning here. It needs a guard that can miss its row (`holder`, `promise`, `registered`).
        control-row fails-open: `control-row` has no meaning here. It needs something in the row: a guard that keeps epochs or names there, or `operation-ids`.
        control-row re-registered: `control-row` has no meaning here. It needs a guard that registers (`promise`, `registered`).
        reads current: `reads` has no meaning here. It needs a guard that registers (`promise`, `registered`).
        reads registering: `reads` has no meaning here. It needs a guard that registers (`promise`, `registered`).
        reads before-registering: `reads` has no meaning here. It needs a guard that registers (`promise`, `registered`).
        token text: `token` has no meaning here. It needs something that compares tokens: a guard that keeps epochs, `switched conditionally` or `in-two-steps`, or `replicas highest-epoch`.
        token declared: `token` has no meaning here. It needs a guard that refuses a stale epoch (`max-seen`, `greater-than`, `promise`, `registered`).
        lease-from reply: `lease-from` has no meaning here. It needs something that goes by the worker's own clock: `guard self-check`, or `renewal` that it heeds the loss of.
        on-loss slow: `on-loss` has no meaning here. It needs `renewal`: without it nobody tells the worker.
        on-loss ignore: `on-loss` has no meaning here. It needs `renewal`: without it nobody tells the worker.
        through outbox: `through` has no meaning here. It needs an `effect`.
        key kept: `key` has no meaning here. It needs `effect payment`.
        key pruned: `key` has no meaning here. It needs `effect payment`.
        effect-outcome failed: `effect-outcome` has no meaning here. It needs an `effect` and `through direct`: a relay has its answer in the step in which it asks.
        effect-outcome looked-up: `effect-outcome` has no meaning here. It needs `effect payment`: of no other is there somebody to ask.
        switched conditionally: `switched` has no meaning here. It needs `effect file`.
        switched in-two-steps: `switched` has no meaning here. It needs `effect file`.
    "#]].assert_eq(&shown);
}

#[test]
fn fault_lines() {
    let many: String = (0..=MAX_FAULTS).map(|n| format!("\n  A freezes 1s at {n}s")).collect();
    check_lines(
        &[
            "faults\n  freezes 5s before publish",
            "faults\n  C freezes 5s before publish",
            "faults\n  A sleeps 5s",
            "faults\n  A freezes before publish",
            "faults\n  A freezes 5s",
            "faults\n  A freezes 5s during publish",
            "faults\n  A freezes 5s before lunch",
            "faults\n  A freezes 5s before check",
            "faults\n  A freezes 5s before register",
            "faults\n  A freezes 5s before compute of operation 3",
            "faults\n  A freezes 5s before release of operation 1",
            "faults\n  A freezes 5s before read attempt 1",
            "faults\n  A freezes 5s before publish attempt 3",
            "faults\n  A freezes 5s before publish attempt 0",
            "faults\n  A freezes 5s before publish\n  A freezes 6s before publish",
            "faults\n  network drops write of A",
            "faults\n  network loses mail of A",
            "faults\n  network loses reply of write of A",
            "faults\n  network loses write",
            "faults\n  network loses register of A",
            "faults\n  network loses write of A operation 2",
            "faults\n  network loses acquire of A operation 1",
            "faults\n  network delays write of A",
            "faults\n  network delays write of A by 5s\n  network loses write of A",
        ],
        expect![[r#"
            5    |   freezes 5s before publish
                 |   ^ Who freezes? A worker stands before the word: `A` or `B`.
            5    |   C freezes 5s before publish
                 |   ^ `C` is not a worker: expected `network`, `lock-service`, `destination`, `provider`, `A` or `B`.
            5    |   A sleeps 5s
                 |     ^ `sleeps` is not a fault of a worker: expected `freezes`, `suspends`, `sticks`, `crashes` or `clock`.
            5    |   A freezes before publish
                 |             ^ Expected the length of the pause, a duration such as `15s` or a parameter that a `let` line declares; found `before`.
            5    |   A freezes 5s
                 |               ^ The line ends where a time for it is expected: `at`, `before` or `after`.
            5    |   A freezes 5s during publish
                 |                ^ `during` is not a time for it: expected `at`, `before` or `after`.
            5    |   A freezes 5s before lunch
                 |                       ^ `lunch` is not a point of the program: expected `mint`, `acquire`, `register`, `read`, `compute`, `check`, `effect-look-up`, `effect`, `publish`, `look-up` or `release`.
            5    |   A freezes 5s before check
                 |                       ^ No row has the step `check`: it comes with `guard client-check` or `guard self-check`.
            5    |   A freezes 5s before register
                 |                       ^ No row has the step `register`: it comes with `guard promise` or `guard registered`.
            5    |   A freezes 5s before compute of operation 3
                 |                                            ^ There is no operation `3`: `A` carries out 1, counted from 1.
            5    |   A freezes 5s before release of operation 1
                 |                               ^ Expected `under`, `occurrence` or the end of the line, found `of`.
            5    |   A freezes 5s before read attempt 1
                 |                            ^ Expected `of`, `under`, `occurrence` or the end of the line, found `attempt`.
            5    |   A freezes 5s before publish attempt 3
                 |                                       ^ There is no attempt `3`: `retry` allows for 2, counted from 1.
            5    |   A freezes 5s before publish attempt 0
                 |                                       ^ There is no attempt `0`: `retry` allows for 2, counted from 1.
            6    |   A freezes 6s before publish
                 |   ^ Line 5 already has a fault in this very place.
            5    |   network drops write of A
                 |           ^ `drops` is not a fault of the network: expected `loses`, `delays`, `duplicates` or `cuts`.
            5    |   network loses mail of A
                 |                 ^ `mail` is not a kind of request: expected `reply`, `mint`, `acquire`, `renew`, `register`, `effect-look-up`, `effect`, `write`, `look-up` or `release`.
            5    |   network loses reply of write of A
                 |                       ^ Expected `to`, found `of`.
            5    |   network loses write
                 |                      ^ The line ends where `of` is expected.
            5    |   network loses register of A
                 |                 ^ No row has the step `register`: it comes with `guard promise` or `guard registered`.
            5    |   network loses write of A operation 2
                 |                                      ^ There is no operation `2`: `A` carries out 1, counted from 1.
            5    |   network loses acquire of A operation 1
                 |                              ^ Expected `attempt`, `occurrence` or the end of the line, found `operation`.
            5    |   network delays write of A
                 |                            ^ The line ends where `operation`, `attempt`, `under`, `occurrence` or `by` is expected.
            6    |   network loses write of A
                 |   ^ Line 5 already has a fault in this very place.
        "#]],
    );
    check_lines(
        &[format!("faults{many}")],
        expect![[r#"
            21   |   A freezes 1s at 16s
                 |   ^ `faults` has at most 16 entries.
        "#]],
    );
}

#[test]
fn expectations() {
    check_lines(
        &[
            "expect\n  fenced applied-once holds",
            "compare\n  fenced guard none\nexpect\n  fencd applied-once holds",
            "expect\n  run applied-twice holds",
            "expect\n  run no-stale-overwrites holds",
            "expect\n  run applied-once",
            "expect\n  run applied-once broken",
            "expect\n  run two-believers",
            "expect\n  run never applied-once",
            "expect\n  run sometimes",
            "expect\n  run applied-once holds\n  run applied-once violated",
        ],
        expect![[r#"
            5    |   fenced applied-once holds
                 |   ^ `fenced` is not a row: expected `all` or `run`.
            7    |   fencd applied-once holds
                 |   ^ `fencd` is not a row. Did you mean `fenced`?
            5    |   run applied-twice holds
                 |       ^ `applied-twice` is not an invariant: expected `sometimes`, `never`, `no-stale-overwrite`, `no-lost-update`, `applied-once`, `same-answer`, `epochs-increase`, `recognized-never-decreases`, `no-interleaving`, `newest-admitted`, `effect-once`, `no-stale-effect`, `release-own` or `no-stale-read`.
            5    |   run no-stale-overwrites holds
                 |       ^ `no-stale-overwrites` is not an invariant. Did you mean `no-stale-overwrite`?
            5    |   run applied-once
                 |                   ^ The line ends where a verdict is expected: `holds`, `spared` or `violated`.
            5    |   run applied-once broken
                 |                    ^ `broken` is not a verdict: expected `holds`, `spared` or `violated`.
            5    |   run two-believers
                 |       ^ `two-believers` is a situation: `sometimes` or `never` stands before it.
            5    |   run never applied-once
                 |             ^ `applied-once` is an invariant: `holds`, `spared` or `violated` stands after it, nothing before it.
            5    |   run sometimes
                 |                ^ The line ends where a situation is expected: `two-believers`, `handover`, `stale-write-rejected`, `late-write-applied`, `expired-write-applied`, `write-replayed`, `reply-lost`, `unknown-outcome`, `check-passed`, `check-failed`, `lease-lost`, `lease-renewed`, `conflict-found`, `deadline-missed`, `effect-seen`, `effect-repeated`, `effect-found`, `crash-seen`, `lock-service-restored` or `late-release`.
            6    |   run applied-once violated
                 |   ^ Line 5 already says what to expect of `applied-once` for `run`.
        "#]],
    );
}

#[test]
fn bounds_of_a_search() {
    check_lines(
        &[
            "explore",
            "explore explosions 1",
            "explore grants 5",
            "explore grants",
            "explore workers 3",
            "explore grants 2 losses 1",
            "explore grants 2, grants 3",
            "explore failovers 1",
            "explore renewals 1",
            "explore prunes 1\neffect payment, key kept",
            "explore retries 1\nretry after 1s, 1 attempt",
        ],
        expect![[r#"
            4    | explore
                 |        ^ The line ends where a bound is expected: `workers`, `grants`, `operations`, `retries`, `losses`, `duplicates`, `crashes`, `failovers`, `suspends`, `skews`, `renewals` or `prunes`.
            4    | explore explosions 1
                 |         ^ `explosions` is not a bound: expected `workers`, `grants`, `operations`, `retries`, `losses`, `duplicates`, `crashes`, `failovers`, `suspends`, `skews`, `renewals` or `prunes`.
            4    | explore grants 5
                 |                ^ Expected the number of grants, a whole number from 1 to 4; found `5`.
            4    | explore grants
                 |               ^ The line ends where the number of grants is expected.
            4    | explore workers 3
                 |                 ^ Expected the number of workers, a whole number from 1 to 2; found `3`.
            4    | explore grants 2 losses 1
                 |                  ^ Expected `,` or the end of the line, found `losses`.
            4    | explore grants 2, grants 3
                 |                   ^ `grants` is bounded a second time.
            4    | explore failovers 1
                 |         ^ `failovers` has no meaning here. It needs `issuer restored`, `issuer restored-with-bump` or `issuer fails-over`.
            4    | explore renewals 1
                 |         ^ `renewals` has no meaning here. It needs `renewal worker` or `renewal thread`.
            4    | explore prunes 1
                 |         ^ `prunes` has no meaning here. It needs `key pruned`.
            4    | explore retries 1
                 |         ^ There are no retries: `retry` allows for 1 attempt.
        "#]],
    );
}

#[test]
fn lengths() {
    check_lines(
        &[
            "renew every 3s",
            "renew 3s\nrenewal worker",
            "renew every 0s\nrenewal worker",
            "margin 2s",
            "margin 2s\nrenewal thread, on-loss ignore",
            "poll every 2s",
            "poll every often\nlet often = 1s in 0s..2s\ncandidates poll",
            "poll every 2s jitter 1.2\ncandidates poll",
            "poll every 2s jitter\ncandidates poll",
            "poll every 2s sometimes\ncandidates poll",
            "renew every 2s jitter 1s\nrenewal worker",
            "seed 7",
            "seed 7\npoll every 2s\ncandidates poll",
            "seed -1\ntoken random",
            "seed 18446744073709551616\ntoken random",
            "seed 7 8\ntoken random",
            "seed 7\nseed 8\ntoken random",
            "stop",
            "stop after 20s",
            "stop after 20s\nrenewal worker",
            "stop after 20s\nstop after 21s\nrenewal worker, on-loss slow",
            "replicate after 1s",
            "relay after 1s",
            "relay every 1s\neffect mail, through outbox",
            "stop at once",
            "stop at applied-once\nstop at same-answer",
        ],
        expect![[r#"
            4    | renew every 3s
                 | ^ `renew` has no meaning here. It needs `renewal worker` or `renewal thread`.
            4    | renew 3s
                 |       ^ Expected `every`, found `3s`.
            4    | renew every 0s
                 |             ^ `0s` is too short for the time between renewals: it would renew without end.
            4    | margin 2s
                 | ^ `margin` has no meaning here. It needs `guard self-check`, `renewal worker` or `renewal thread`.
            4    | margin 2s
                 | ^ `margin` has no meaning here. It needs `guard self-check`, `on-loss stop` or `on-loss slow`.
            4    | poll every 2s
                 | ^ `poll` has no meaning here. It needs `candidates poll` or `candidates watch`.
            4    | poll every often
                 |            ^ `often` can be 0s, which is too short for the time between two requests: it would ask without end.
            4    | poll every 2s jitter 1.2
                 |                      ^ `1.2` has no unit. Write `1.2s`, `1.2ms` or `1.2m`, for example.
            4    | poll every 2s jitter
                 |                     ^ The line ends where the jitter, a duration such as `15s`, is expected.
            4    | poll every 2s sometimes
                 |               ^ Expected `jitter` or the end of the line, found `sometimes`.
            4    | renew every 2s jitter 1s
                 |                ^ Expected the end of the line, found `jitter`.
            4    | seed 7
                 | ^ `seed` has no meaning here. It needs `token random`, or a `poll` line with `jitter`.
            4    | seed 7
                 | ^ `seed` has no meaning here. It needs `token random`, or a `poll` line with `jitter`.
            4    | seed -1
                 |      ^ Expected the seed, a whole number from 0 to 18446744073709551615; found `-1`.
            4    | seed 18446744073709551616
                 |      ^ Expected the seed, a whole number from 0 to 18446744073709551615; found `18446744073709551616`.
            4    | seed 7 8
                 |        ^ Expected the end of the line, found `8`.
            5    | seed 8
                 | ^ `seed` stands in line 4 already; it may stand once.
            4    | stop
                 |     ^ The line ends where `at` or `after` is expected.
            4    | stop after 20s
                 | ^ `stop` has no meaning here. It needs `on-loss slow`.
            4    | stop after 20s
                 | ^ `stop` has no meaning here. It needs `on-loss slow`.
            5    | stop after 21s
                 | ^ Line 4 says this already; it may stand once.
            4    | replicate after 1s
                 | ^ `replicate` has no meaning here. It needs `asks lock-replica`, `replicas last-write` or `replicas highest-epoch`.
            4    | relay after 1s
                 | ^ `relay` has no meaning here. It needs `through outbox`.
            4    | relay every 1s
                 |       ^ Expected `after`, found `every`.
            4    | stop at once
                 |         ^ `once` is not an invariant: expected `no-stale-overwrite`, `no-lost-update`, `applied-once`, `same-answer`, `epochs-increase`, `recognized-never-decreases`, `no-interleaving`, `newest-admitted`, `effect-once`, `no-stale-effect`, `release-own` or `no-stale-read`.
            5    | stop at same-answer
                 | ^ Line 4 says this already; it may stand once.
        "#]],
    );
}

#[test]
fn faults_between_replicas() {
    check_lines(
        &[
            "replicas last-write\nfaults\n  network delays replication by 1s",
            "replicas last-write\nfaults\n  network delays replication to B by 1s",
            "replicas last-write\nfaults\n  network delays replication to replica-3 by 1s",
            "replicas last-write\nfaults\n  network delays replication to replica-2",
            "replicas last-write\nfaults\n  network delays replication to replica-2 occurrence 0 by 1s",
            "replicas last-write\nfaults\n  network delays replication to replica-2 attempt 2 by 1s",
            "replicas last-write\nfaults\n  network loses replication to replica-2",
            "replicas last-write\nfaults\n  network delays replication to lock-replica by 1s",
            "faults\n  network delays replication to replica-2 by 1s",
            "replicas last-write\nfaults\n  network delays replication to replica-2 by 1s\n  network delays replication to \
             replica-2 by 2s",
        ],
        expect![[r#"
            6    |   network delays replication by 1s
                 |                              ^ Expected `to`, found `by`.
            6    |   network delays replication to B by 1s
                 |                                 ^ `B` is not a replica: expected `replica-1`, `replica-2` or `lock-replica`.
            6    |   network delays replication to replica-3 by 1s
                 |                                 ^ `replica-3` is not a replica. Did you mean `replica-1`?
            6    |   network delays replication to replica-2
                 |                                          ^ The line ends where `occurrence` or `by` is expected.
            6    |   network delays replication to replica-2 occurrence 0 by 1s
                 |                                                      ^ Expected the number of the occurrence, a whole number from 1 to 99; found `0`.
            6    |   network delays replication to replica-2 attempt 2 by 1s
                 |                                           ^ Expected `occurrence` or `by`, found `attempt`.
            6    |   network loses replication to replica-2
                 |                 ^ `replication` is not a kind of request: expected `reply`, `mint`, `acquire`, `renew`, `register`, `effect-look-up`, `effect`, `write`, `look-up` or `release`.
            6    |   network delays replication to lock-replica by 1s
                 |                                 ^ `lock-replica` has no meaning here. It needs `asks lock-replica`.
            5    |   network delays replication to replica-2 by 1s
                 |                                 ^ `replica-2` has no meaning here. It needs `replicas last-write` or `replicas highest-epoch`.
            7    |   network delays replication to replica-2 by 2s
                 |   ^ Line 6 already has a fault in this very place.
        "#]],
    );
}

#[test]
fn epochs_that_wrap() {
    check_lines(
        &[
            "token wrapping",
            "token wrapping\nepochs from 2",
            "token wrapping\nepochs from 3 to 2",
            "epochs from 2 to 3",
            "epochs from 2 until 3",
        ],
        expect![[r#"
            1    | scenario example
                 |          ^ `example` has `token wrapping` and no line that says where it wraps, for example `epochs from 2 to 3`.
            5    | epochs from 2
                 |              ^ The line ends where `to` is expected.
            5    | epochs from 3 to 2
                 |                  ^ Expected the last epoch, a whole number from 3 to 18446744073709551599; found `2`.
            4    | epochs from 2 to 3
                 |               ^ `to` has no meaning here. It needs `token wrapping`.
            4    | epochs from 2 until 3
                 |               ^ Expected the end of the line, found `until`.
        "#]],
    );
}

#[test]
fn clocks_of_others() {
    check_lines(
        &[
            "clock network ahead 1s",
            "clock destination ahead 1s\nclock destination fast 1ppm",
            "work destination compute 3s",
        ],
        expect![[r#"
            4    | clock network ahead 1s
                 |       ^ `network` is not a worker: expected `lock-service`, `destination`, `A` or `B`.
            5    | clock destination fast 1ppm
                 | ^ `clock` of `destination` stands in line 4 already.
            4    | work destination compute 3s
                 |      ^ `destination` is not a worker: expected `A` or `B`.
        "#]],
    );
}

#[test]
fn faults_of_workers() {
    check_lines(
        &[
            "faults\n  suspends 5s at 1s",
            "faults\n  A crashes at 1s",
            "faults\n  A crashes 5s during publish",
            "faults\n  A clock ahead 5s at 1s",
            "faults\n  A clock jumps back 5s at 1s",
            "faults\n  A freezes 5s before publish under grant 5",
            "faults\n  A freezes 5s before publish occurrence 0",
            "faults\n  A freezes 5s before acquire under grant 1",
            "faults\n  A freezes 5s before mint",
            "faults\n  A freezes 5s before effect",
            "faults\n  A freezes 5s before look-up",
            "faults\n  A freezes 5s before effect-look-up",
            "faults\n  A freezes 5s before publish\n  A crashes 5s before publish",
        ],
        expect![[r#"
            5    |   suspends 5s at 1s
                 |   ^ Who suspends? A worker stands before the word: `A` or `B`.
            5    |   A crashes at 1s
                 |             ^ Expected the time until it runs again, a duration such as `15s` or a parameter that a `let` line declares; found `at`.
            5    |   A crashes 5s during publish
                 |                ^ `during` is not a time for it: expected `at`, `before` or `after`.
            5    |   A clock ahead 5s at 1s
                 |           ^ Expected `jumps`, found `ahead`.
            5    |   A clock jumps back 5s at 1s
                 |                 ^ Expected `ahead` or `behind`, found `back`.
            5    |   A freezes 5s before publish under grant 5
                 |                                           ^ Expected the number of the grant, a whole number from 1 to 4; found `5`.
            5    |   A freezes 5s before publish occurrence 0
                 |                                          ^ Expected the number of the occurrence, a whole number from 1 to 99; found `0`.
            5    |   A freezes 5s before acquire under grant 1
                 |                               ^ Expected `attempt`, `occurrence` or the end of the line, found `under`.
            5    |   A freezes 5s before mint
                 |                       ^ No row has the step `mint`: it comes with `token unchecked` or `mint before-grant`.
            5    |   A freezes 5s before effect
                 |                       ^ No row has the step `effect`: it comes with `effect mail`, `effect payment` or `effect file`.
            5    |   A freezes 5s before look-up
                 |                       ^ No row has the step `look-up`: it comes with `no-reply look-up`.
            5    |   A freezes 5s before effect-look-up
                 |                       ^ No row has the step `effect-look-up`: it comes with `effect-outcome looked-up`.
            6    |   A crashes 5s before publish
                 |   ^ Line 5 already has a fault in this very place.
        "#]],
    );
}

#[test]
fn faults_of_services() {
    check_lines(
        &[
            "faults\n  lock-service",
            "faults\n  lock-service freezes 5s at 1s",
            "faults\n  lock-service crashes 5s at 1s",
            "faults\n  lock-service forgets grant 1 at 5s",
            "faults\n  lock-service forgets grant 0 at 5s\nissuer restored",
            "faults\n  destination crashes",
            "faults\n  destination crashes before check of A",
            "faults\n  destination crashes before apply of A\noperation-ids after-transaction",
            "faults\n  destination crashes before record of A",
            "faults\n  destination freezes 5s at 1s\nguard registered, transaction split",
            "faults\n  destination freezes 5s before apply\nguard registered, transaction split",
            "faults\n  destination freezes 5s before apply of A\n  destination crashes before apply of A\nguard registered, transaction split",
            "faults\n  destination clock jumps ahead 1s",
            "faults\n  provider crashes at 1s",
            "faults\n  provider forgets key of A at 1s\neffect payment, key kept",
            "faults\n  provider forgets key of A operation 2 at 1s\neffect payment, key pruned",
        ],
        expect![[r#"
            5    |   lock-service
                 |               ^ The line ends where a fault of the lock service is expected: `crashes`, `forgets` or `clock`.
            5    |   lock-service freezes 5s at 1s
                 |                ^ `freezes` is not a fault of the lock service: expected `crashes`, `forgets` or `clock`.
            5    |   lock-service crashes 5s at 1s
                 |                        ^ Expected `at`, found `5s`.
            5    |   lock-service forgets grant 1 at 5s
                 |                ^ `forgets` has no meaning here. It needs `issuer restored`, `issuer restored-with-bump` or `issuer fails-over`.
            5    |   lock-service forgets grant 0 at 5s
                 |                              ^ Expected the number of the grant, a whole number from 1 to 4; found `0`.
            5    |   destination crashes
                 |                      ^ The line ends where `at` or `before` is expected.
            5    |   destination crashes before check of A
                 |                              ^ `check` is not a step of a write: expected `apply` or `record`.
            5    |   destination crashes before apply of A
                 |                              ^ No row has the step `apply`: it comes with `transaction split`.
            5    |   destination crashes before record of A
                 |                              ^ No row has the step `record`: it comes with `operation-ids after-transaction` or `transaction split`.
            5    |   destination freezes 5s at 1s
                 |                          ^ Expected `before`, found `at`.
            5    |   destination freezes 5s before apply
                 |                                      ^ The line ends where `of` is expected.
            6    |   destination crashes before apply of A
                 |   ^ Line 5 already has a fault in this very place.
            5    |   destination clock jumps ahead 1s
                 |                                   ^ The line ends where `at` is expected.
            5    |   provider crashes at 1s
                 |            ^ `crashes` is not a fault of the provider: expected `forgets`.
            5    |   provider forgets key of A at 1s
                 |            ^ `forgets` has no meaning here. It needs `key pruned`.
            5    |   provider forgets key of A operation 2 at 1s
                 |                                       ^ There is no operation `2`: `A` carries out 1, counted from 1.
        "#]],
    );
}

#[test]
fn faults_of_the_network() {
    check_lines(
        &[
            "faults\n  network",
            "faults\n  network duplicates write of A",
            "faults\n  network cuts A from B at 1s for 2s",
            "faults\n  network cuts A from destination for 2s",
            "faults\n  network cuts A from destination at 1s",
            "faults\n  network loses mint of A",
            "faults\n  network loses renew of A",
            "faults\n  network loses effect of A\neffect mail, through outbox",
            "faults\n  network loses look-up of A",
            "faults\n  network loses effect-look-up of A",
            "faults\n  network loses renew of A attempt 2\nrenewal worker",
            "faults\n  network loses release of A attempt 2",
            "faults\n  network loses acquire of A under grant 1",
            "faults\n  network loses write of A occurrence 100",
        ],
        expect![[r#"
            5    |   network
                 |          ^ The line ends where a fault of the network is expected: `loses`, `delays`, `duplicates` or `cuts`.
            5    |   network duplicates write of A
                 |                                ^ The line ends where `operation`, `attempt`, `under`, `occurrence` or `by` is expected.
            5    |   network cuts A from B at 1s for 2s
                 |                       ^ `B` is not one of the services: expected `lock-service` or `destination`.
            5    |   network cuts A from destination for 2s
                 |                                   ^ Expected `at`, found `for`.
            5    |   network cuts A from destination at 1s
                 |                                        ^ The line ends where `for` is expected.
            5    |   network loses mint of A
                 |                 ^ No row has the step `mint`: it comes with `token unchecked` or `mint before-grant`.
            5    |   network loses renew of A
                 |                 ^ No row has the step `renew`: it comes with `renewal worker` or `renewal thread`.
            5    |   network loses effect of A
                 |                 ^ No row has the step `effect`: it comes with `through direct`.
            5    |   network loses look-up of A
                 |                 ^ No row has the step `look-up`: it comes with `no-reply look-up`.
            5    |   network loses effect-look-up of A
                 |                 ^ No row has the step `effect-look-up`: it comes with `effect-outcome looked-up`.
            5    |   network loses renew of A attempt 2
                 |                            ^ Expected `under`, `occurrence` or the end of the line, found `attempt`.
            5    |   network loses release of A attempt 2
                 |                              ^ Expected `under`, `occurrence` or the end of the line, found `attempt`.
            5    |   network loses acquire of A under grant 1
                 |                              ^ Expected `attempt`, `occurrence` or the end of the line, found `under`.
            5    |   network loses write of A occurrence 100
                 |                                       ^ Expected the number of the occurrence, a whole number from 1 to 99; found `100`.
        "#]],
    );
}

#[test]
fn what_cannot_be_seen_is_shown_escaped() {
    let error = parse("scenario example\nlatency\u{200b} 10ms").unwrap_err();
    assert_eq!(error.to_string(), r"2:1: `latency\u{200b}` is not a keyword. Did you mean `latency`?");
}

#[test]
fn errors_list_what_could_stand_there() {
    let listed =
        |lines: &str| parse(&format!("scenario example\nworkers A B\nlease 10s\n{lines}")).unwrap_err().expected;
    assert_eq!(listed("look-up fancy"), ["before-guard", "after-guard"]);
    let victims = ["network", "lock-service", "destination", "provider", "A", "B"];
    assert_eq!(listed("faults\n  C freezes 5s at 1s"), victims);
    assert_eq!(listed("faults\n  A stops 5s at 1s"), ["freezes", "suspends", "sticks", "crashes", "clock"]);
    let marks = ["operation", "attempt", "under", "occurrence", "by"];
    assert_eq!(listed("faults\n  network delays write of A"), marks);
    assert_eq!(listed("expect\n  fenced applied-once holds"), ["all", "run"]);
    assert_eq!(listed("latency 10"), ["h", "m", "s", "ms", "us"]);
    assert_eq!(listed("let pause = 1s\nlatency now"), ["pause"]);
    assert_eq!(listed("lease 10s"), Vec::<String>::new());
}

#[test]
fn columns_count_characters() {
    check_lines(
        &["\u{a0}\tlatency  \u{201c}10ms\u{201d}", "retry after 1s, é"],
        expect![[r#"
            4    |  	latency  “10ms”
                 |            ^ `“10ms”` is not a duration: a number and a unit, such as `15s` or `1.5s`.
            4    | retry after 1s, é
                 |                 ^ Expected the number of attempts, a whole number from 1 to 4; found `é`.
        "#]],
    );
}
