//! What the site offers to other scripts, and that it computes what the native build computes.

use anyhow::{Result, bail};
use expect_test::expect;
use fencepost_core::compare::compare;
use fencepost_core::counterexample::timed;
use fencepost_core::explore::{Bounds, Cause, Counterexample, Search, Status};
use fencepost_core::scenario::{CORPUS, Row, Scenario, find, parse};
use fencepost_core::simulate::{search_config, simulate};
use fencepost_core::trace::Trace;
use fencepost_core::words;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Page;

#[tokio::test]
async fn every_trace_has_the_hash_that_it_has_natively() -> Result<()> {
    let page = Page::open().await?;
    let in_the_browser: Vec<String> = page
        .script(
            "return corpus().flatMap(entry => \
             simulate(entry.text).runs.map(run => `${run.hash} ${entry.path} ${run.name}`));",
        )
        .await?;
    let natively: Vec<String> = CORPUS
        .iter()
        .flat_map(|entry| {
            let scenario = parse(entry.text).expect("the corpus can be read");
            let line = |run| {
                let trace = Trace::of(&scenario, run);
                format!("{:016x} {} {}", trace.hash(), entry.path, run.name)
            };
            compare(&scenario).runs.iter().map(line).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(in_the_browser, natively);
    Ok(())
}

/// Told by a type where JSON would hide it.
const DESCRIBE: &str = "const describe = value => typeof value === 'bigint' ? `${value}n` \
     : Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value === 'object' ? 'object' : `${value}`;";

#[tokio::test]
async fn a_simulation_is_plain_objects_with_epochs_as_bigints() -> Result<()> {
    let page = Page::open().await?;
    let told: String = page
        .script(&format!(
            "{DESCRIBE}
            const text = corpus().find(entry => entry.name === 'paused-owner').text;
            const run = simulate(text).runs[2];
            const refused = run.facts.find(fact => fact.fact === 'rejected');
            return [run, run.facts, refused.claim.epoch, refused.current, refused.at, run.verdict.tone,
                    run.mechanism['operation-ids'], run.stoppedAt].map(describe).join(' ');"
        ))
        .await?;
    expect!["object array 33n 34n 18050000 kept in-transaction null"].assert_eq(&told);
    Ok(())
}

#[tokio::test]
async fn epochs_keep_every_digit_in_javascript() -> Result<()> {
    let page = Page::open().await?;
    for first in [i64::from(i16::MAX), i64::from(i32::MAX), (1 << 53) - 1, 1 << 53, i64::MAX - 8] {
        let epochs: String = page
            .script(&format!(
                "const text = corpus()[0].text.replace('from 33', 'from {first}');
                return simulate(text).runs[0].facts.filter(fact => fact.fact === 'granted')
                    .map(fact => `${{typeof fact.claim.epoch}} ${{fact.claim.epoch}}`).join(', ');"
            ))
            .await?;
        assert_eq!(epochs, format!("bigint {first}, bigint {}", first + 1));
    }
    Ok(())
}

#[tokio::test]
async fn a_mistake_is_thrown_as_a_plain_object() -> Result<()> {
    let page = Page::open().await?;
    let told: String = page
        .script(
            "try { simulate('scenario x\\nworkers A\\nleese 10s\\n'); } catch (error) { return JSON.stringify(error); }",
        )
        .await?;
    let error: serde_json::Value = serde_json::from_str(&told)?;
    assert_eq!((&error["line"], &error["column"]), (&3.into(), &1.into()));
    let expected = error["expected"].as_array().expect("what could stand there is listed");
    assert!(expected.contains(&"lease".into()), "{expected:?}");
    assert!(error["message"].as_str().is_some_and(|message| message.contains("leese")), "{told}");
    Ok(())
}

/// What `explore` returns, as JSON has it.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Explored {
    row: String,
    label: String,
    bounds: Vec<String>,
    states: usize,
    transitions: u64,
    depth: usize,
    complete: bool,
    stopped_at: Option<String>,
    bytes: usize,
    broken: Vec<Broken>,
    reached: Vec<Reached>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Broken {
    invariant: String,
    holds_when: String,
    steps: usize,
    told: Vec<String>,
    scenario: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Reached {
    situation: String,
    steps: usize,
}

impl Explored {
    /// What a search of this row finds here.
    fn natively(scenario: &Scenario, row: &Row, bounds: Bounds) -> Self {
        let config = search_config(scenario, &row.mechanism);
        let report = Search::within(&config, bounds).run();
        let status = report.progress.status;
        let timed = |found: &Counterexample| {
            timed(scenario, row, &config, &found.path, found.evidence.invariant).ok().map(|timed| timed.to_text())
        };
        let broken = report.broken.iter().map(|found| Broken {
            invariant: found.evidence.invariant.name().to_owned(),
            holds_when: found.evidence.invariant.holds_when().to_owned(),
            steps: found.path.len(),
            told: words::path(scenario, row, &found.path),
            scenario: timed(found),
        });
        let reached = report
            .reached
            .iter()
            .map(|found| Reached { situation: found.situation.name().to_owned(), steps: found.path.len() });
        Explored {
            row: row.name.clone(),
            label: words::mechanism(&row.mechanism),
            bounds: words::bounds(&scenario.bounds),
            states: report.progress.states,
            transitions: report.progress.transitions,
            depth: report.progress.depth,
            complete: status == Status::Complete,
            stopped_at: (status == Status::Stopped(Cause::States)).then(|| "states".to_owned()),
            bytes: report.bytes,
            broken: broken.collect(),
            reached: reached.collect(),
        }
    }
}

/// A row that breaks something and one that does not; and the same search, stopped early.
#[tokio::test]
async fn a_search_finds_what_it_finds_natively() -> Result<()> {
    const NAME: &str = "first-copy-lands-late";
    const FEW: usize = 1000;
    let page = Page::open().await?;
    let in_the_browser: Vec<Explored> = page
        .script(&format!(
            "const text = corpus().find(entry => entry.name === '{NAME}').text;
            return [explore(text), explore(text, 'fenced'), explore(text, null, {FEW}), explore(text, undefined, Infinity)];"
        ))
        .await?;
    let entry = find(NAME).expect("it is in the corpus");
    let scenario = parse(entry.text).expect("the corpus can be read");
    let row = |name| scenario.rows.iter().find(|row| row.name == name).expect("it has this row");
    let all = |name| Explored::natively(&scenario, row(name), Bounds::MAX);
    let few = Explored::natively(&scenario, row("unfenced"), Bounds { states: FEW, ..Bounds::MAX });
    assert_eq!(in_the_browser, [all("unfenced"), all("fenced"), few, all("unfenced")]);

    let [unfenced, fenced, few, _] = in_the_browser.as_slice() else { unreachable!("there are as many as natively") };
    assert!(unfenced.complete && !unfenced.broken.is_empty() && fenced.complete && fenced.broken.is_empty());
    assert_eq!(few.stopped_at.as_deref(), Some("states"));
    for Broken { invariant, scenario, .. } in &unfenced.broken {
        let text = scenario.as_ref().unwrap_or_else(|| panic!("{invariant} is broken by the clock, too"));
        let scenario = parse(text).expect("what was printed can be read");
        let run = simulate(&scenario, &scenario.rows[0]);
        assert!(run.violations.iter().any(|found| found.evidence.invariant.name() == invariant), "{invariant}: {text}");
    }
    Ok(())
}

/// A script that searches in slices finds the same, can call it off, and can go on with wider bounds.
#[tokio::test]
async fn a_search_goes_on_slice_by_slice() -> Result<()> {
    let page = Page::open().await?;
    let told: String = page
        .script(
            "const text = corpus()[0].text.replace(/explore .*/, 'explore workers 2, grants 2');
            const search = new Search(text, 'fenced');
            let slices = 0;
            while (search.advance(500).searching) slices += 1;
            const sliced = JSON.stringify(search.report());
            search.free();
            const stopped = new Search(text);
            stopped.advance(100);
            stopped.cancel();
            return [slices > 2, sliced === JSON.stringify(explore(text, 'fenced')), stopped.progress().searching,
                    stopped.report().stoppedAt, widen(text)[0].bound, widen(text)[0].text.split('\\n').at(-2)].join('; ');",
        )
        .await?;
    expect!["true; true; false; cancelled; 3 grants; explore workers 2, grants 3"].assert_eq(&told);
    Ok(())
}

#[tokio::test]
async fn a_search_of_nothing_is_thrown_as_a_plain_object() -> Result<()> {
    let page = Page::open().await?;
    let told: [String; 2] = page
        .script(
            "const thrown = search => { try { search(); } catch (error) { return JSON.stringify(error); } };
            return [thrown(() => explore('scenario')), thrown(() => explore(corpus()[0].text, 'no-such-row'))];",
        )
        .await?;
    let [mistake, unknown] = told.map(|told| serde_json::from_str::<serde_json::Value>(&told).expect("it is plain"));
    assert_eq!(mistake["line"], 1);
    let rows: Vec<String> =
        parse(CORPUS[0].text).expect("the corpus can be read").rows.into_iter().map(|row| row.name).collect();
    assert_eq!(unknown["expected"], serde_json::json!(rows));
    assert!(unknown["message"].as_str().is_some_and(|message| message.contains("no-such-row")), "{unknown}");
    Ok(())
}

/// A panic of one call must not be the end of the others, and a text of any size gets an answer.
#[tokio::test]
async fn a_text_of_any_kind_gets_an_answer() -> Result<()> {
    let page = Page::open().await?;
    let told: Vec<String> = page
        .script(
            "const texts = ['', '\\u0000', 'scenario', '\\ud800', 'x'.repeat(1 << 20), '#'.repeat(1 << 20)];
            return texts.map(text => { try { simulate(text); return 'run'; } catch (error) { return typeof error.message; } });",
        )
        .await?;
    assert_eq!(told, ["string"; 6]);
    Ok(())
}

/// The fastest of so many searches counts: whatever else a machine does only ever makes one slower.
const TIMED: usize = 5;

/// Prints how fast the search is in the browser and natively. `cargo xtask bench` asks for it in a release build, where the two
/// can be compared.
#[tokio::test]
async fn a_search_is_timed_beside_the_native_one() -> Result<()> {
    let text = "scenario timed\nworkers A B\nlease 10s\nexplore workers 2, grants 2, losses 1\n";
    let page = Page::open().await?;
    let (transitions, millis): (u64, f64) = page
        .script(&format!(
            "const times = [];
            let transitions = 0;
            for (let run = 0; run < {TIMED}; run++) {{
                const start = performance.now();
                transitions = explore({text:?}).transitions;
                times.push(performance.now() - start);
            }}
            return [transitions, Math.min(...times)];"
        ))
        .await?;
    let scenario = parse(text).expect("it can be read");
    let config = fencepost_core::simulate::search_config(&scenario, &scenario.rows[0].mechanism);
    let mut fastest = std::time::Duration::MAX;
    for _ in 0..TIMED {
        let start = std::time::Instant::now();
        let report = fencepost_core::explore::Search::new(&config).run();
        fastest = fastest.min(start.elapsed());
        assert_eq!(report.progress.transitions, transitions);
    }
    let here = transitions as f64 / millis / 1e3;
    let natively = transitions as f64 / fastest.as_secs_f64() / 1e6;
    println!(
        "explore in Chromium: {here:.2} million transitions a second, natively {natively:.2}: {:.2} of it",
        here / natively
    );
    Ok(())
}

impl Page {
    /// Runs the body of a function for which the module's functions are in scope, and returns what it returns.
    async fn script<T: DeserializeOwned>(&self, body: &str) -> Result<T> {
        let module = self.site.url("api.js");
        let script = format!(
            "const done = arguments[0]; import('{module}').then(({{ simulate, explore, Search, widen, corpus }}) => {{ {body} }})\
             .then(value => done({{ value }}), error => done({{ error: `${{error.stack ?? error.message ?? error}}` }}));"
        );
        let answer = self.browser.driver().execute_async(script, Vec::new()).await?;
        let answer = answer.json();
        match answer.get("error").and_then(serde_json::Value::as_str) {
            Some(error) => bail!("the script threw: {error}"),
            None => Ok(serde_json::from_value(answer["value"].clone())?),
        }
    }
}
