//! The page: one [`Session`](state::Session), and parts that show it and ask it for changes.
//!
//! # Selectors that tests may rely on
//! | selector | what it is |
//! |---|---|
//! | `#question` | the picker, a `<select>`; `#questions [aria-current]` is the link to the current one, `#next-question` the link on |
//! | `#headline` | what came out, in a sentence |
//! | `#figure svg` | the figure; `#figure [data-row="unfenced"]` what it shows of that row alone, `[data-fact]` of a fact |
//! | `.handle[data-parameter="pause"]` | the handle of a parameter, a slider |
//! | `#cursor` | the cursor, a slider over time; `#cursor-time` says its time |
//! | `#play` `#to-start` `#back` `#step` `#to-end` `#to-difference` | the controls |
//! | `#parameter-pause` | the typed value of a parameter; `#parameter-pause-problem` why it is none |
//! | `.verdict[data-row="unfenced"]` | a row's verdict; its `data-tone` is `calm`, `kept`, `broken` or `open` |
//! | `#facts li` | the lines of the story; `[aria-current="step"]` is the one at the cursor |
//! | `#announcer` | what a screen reader is to say |
//! | `#scenario-text` `#scenario-error` | the text, and what is wrong with it: `[data-line]` and `[data-column]` say where |
//! | `#restore` | back to the question's own text |
//!
//! `index.html` holds the rest: `#keys`, the dialog that lists the keys; `#panic`, shown when the program has failed.

mod browser;
mod controls;
mod editor;
mod facts;
mod figure;
mod keys;
mod parameters;
mod playback;
mod quantity;
mod questions;
mod state;
mod verdicts;

use std::rc::Rc;

use fencepost_core::scenario::Scenario;
use yew::prelude::*;

use controls::Controls;
use editor::Editor;
use facts::Facts;
use figure::Figure;
use parameters::Parameters;
use questions::{Picker, Questions};
use state::Session;
use verdicts::Verdicts;

#[derive(PartialEq, Properties)]
struct PageProps {
    /// The figure's width before it has been measured.
    width: u32,
}

/// Mounts the page into `root`.
pub fn mount(root: web_sys::Element) {
    // The first figure stands in the HTML already. One of the same width takes its place, so that nothing jumps.
    let width = root.query_selector("#figure").ok().flatten().map_or(0, |figure| figure.client_width());
    let props = PageProps { width: figure::usable(width) };
    yew::Renderer::<Page>::with_root_and_props(root, props).render();
}

#[component]
fn Page(props: &PageProps) -> Html {
    let session = use_reducer(|| Session::open(questions::asked_for().unwrap_or(0), browser::kept_text));
    let dispatch = session.dispatcher();

    questions::use_address(dispatch.clone());
    keys::use_keys(dispatch.clone());
    playback::use_playback(session.playing.is_some(), dispatch.clone());
    let kept = (session.drafts.clone(), session.held.is_some());
    use_effect_with(kept, |(drafts, held)| {
        if !held {
            browser::keep_texts(drafts);
        }
    });

    let outcome = &session.outcome;
    let parameters = Rc::new(outcome.comparison.scenario.parameters.clone());
    html! {
        <>
            <Picker question={session.question} />
            <div id="explorer">
                <p id="headline">{ &outcome.headline }</p>
                <Figure
                    outcome={outcome.clone()}
                    first_width={props.width}
                    at={session.at()}
                    line={session.line()}
                    veiled={session.cursor != state::Cursor::Difference}
                    held={session.held}
                    locked={session.mistake.is_some()}
                    dispatch={dispatch.clone()}
                />
                <div class="panel">
                    <Controls
                        outcome={outcome.clone()}
                        at={session.at()}
                        playing={session.playing.is_some()}
                        dispatch={dispatch.clone()}
                    />
                    <Parameters
                        {parameters}
                        locked={session.mistake.is_some()}
                        edited={session.is_edited()}
                        dispatch={dispatch.clone()}
                    />
                </div>
                <Verdicts outcome={outcome.clone()} dispatch={dispatch.clone()} />
                <div class="told-twice">
                    <Facts outcome={outcome.clone()} line={session.line()} dispatch={dispatch.clone()} />
                    { about(&outcome.comparison.scenario) }
                </div>
            </div>
            <Questions question={session.question} />
            <Editor
                text={session.text().clone()}
                mistake={session.mistake.clone()}
                edited={session.is_edited()}
                can_reinstate={session.can_reinstate()}
                {dispatch}
            />
            <p id="announcer" class="unseen" aria-live="polite">{ &session.announcement }</p>
        </>
    }
}

/// What the scenario's own comment says of it. Its first paragraph is the title, which stands in the picker.
fn about(scenario: &Scenario) -> Html {
    let paragraphs = scenario.description().into_iter().skip(1).map(|text| html! { <p>{ text }</p> });
    let sources: Vec<Html> = scenario.sources().map(source).collect();
    html! {
        <section id="about" aria-labelledby="about-title">
            <h2 id="about-title">{ "Why" }</h2>
            { for paragraphs }
            if !sources.is_empty() {
                <p class="sources">{ "Read on: " }{ sources }</p>
            }
        </section>
    }
}

/// A link, for addresses that are ones: a scenario's comment may say anything.
fn source(address: &str) -> Html {
    let address = address.to_owned();
    match address.strip_prefix("https://") {
        Some(shown) => html! { <a href={address.clone()} rel="noopener">{ shown.trim_end_matches('/') }</a> },
        None => html! { <span>{ address }</span> },
    }
}
