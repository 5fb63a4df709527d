//! What the site offers to other scripts, and that it computes what the native build computes.

use anyhow::{Result, bail};
use expect_test::expect;
use fencepost_core::compare::compare;
use fencepost_core::scenario::{CORPUS, parse};
use fencepost_core::trace::Trace;
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

impl Page {
    /// Runs the body of a function for which the module's functions are in scope, and returns what it returns.
    async fn script<T: DeserializeOwned>(&self, body: &str) -> Result<T> {
        let module = self.site.url("api.js");
        let script = format!(
            "const done = arguments[0]; import('{module}').then(({{ simulate, corpus }}) => {{ {body} }})\
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
