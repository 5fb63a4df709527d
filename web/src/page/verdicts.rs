//! What came out of each row.

use fencepost_core::words::Tone;
use yew::prelude::*;

use super::quantity;
use super::state::Outcome;

/// A card a row.
pub fn draw(outcome: &Outcome) -> Html {
    let cards = outcome.comparison.runs.iter().zip(&outcome.timeline.rows).enumerate().map(|(index, (run, row))| {
        let verdict = &row.verdict;
        let moment = verdict.fact.map(|fact| {
            let at = quantity::seconds(run.facts[fact].at, outcome.decimals);
            html! { <button type="button" data-fact={format!("{index}:{fact}")}>{ "Show at " }{ at }{ " s" }</button> }
        });
        html! {
            <article key={index} class="verdict" data-row={run.name.clone()} data-tone={name(verdict.tone)}>
                <header>
                    { icon(verdict.tone) }
                    <h3>{ run.name.clone() }</h3>
                    <small>{ row.mechanism.clone() }</small>
                </header>
                <p class="result"><strong>{ verdict.label.clone() }</strong>{ effect(&verdict.effect) }</p>
                <p>{ verdict.sentence.clone() }</p>
                { moment }
            </article>
        }
    });
    html! {
        <section id="verdicts" aria-label="What comes out of each">{ for cards }</section>
    }
}

fn effect(effect: &str) -> Html {
    if effect.is_empty() { Html::default() } else { [" · ", effect].concat().into() }
}

fn name(tone: Tone) -> &'static str {
    match tone {
        Tone::Calm => "calm",
        Tone::Kept => "kept",
        Tone::Broken => "broken",
        Tone::Open => "open",
    }
}

/// The same signs as the figure's: a cross-barred circle for what was refused, a struck diamond for what was broken.
fn icon(tone: Tone) -> Html {
    let (word, shape, sign) = match tone {
        Tone::Calm => ("in order", "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Z", "m4.8 8.2 2.2 2.2 4.2-4.6"),
        Tone::Kept => ("kept in order", "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Z", "m4 12 8-8"),
        Tone::Broken => ("broken", "M8 .5 15.5 8 8 15.5.5 8Z", "M8 4.4v4.2M8 10.8v.8"),
        Tone::Open => ("left open", "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Z", "M5 8h6"),
    };
    html! {
        <svg class="sign" viewBox="0 0 16 16" width="20" height="20" role="img" aria-label={word}>
            <path class="shape" d={shape} />
            <path class="stroke" d={sign} />
        </svg>
    }
}
