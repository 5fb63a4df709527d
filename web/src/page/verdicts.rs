//! What came out of each row.

use fencepost_core::words::Tone;
use yew::prelude::*;

use super::markup::{Markup, list};
use super::quantity;
use super::state::Outcome;

static VERDICTS: Markup = Markup::new("<section id='verdicts' aria-label='What comes out of each'>{}</section>");

static VERDICT: Markup = Markup::new(
    "<article key='{}' class='verdict' data-row='{}' data-tone='{}'>\
     <header>{}<h3>{}</h3><small>{}</small></header>\
     <p class='result'><strong>{}</strong>{}</p><p>{}</p>{}</article>",
);

static MOMENT: Markup = Markup::new("<button type='button' data-fact='{}'>Show at {} s</button>");

static SIGN: Markup = Markup::new(
    "<svg class='sign' viewBox='0 0 16 16' width='20' height='20' role='img' aria-label='{}'>\
     <path class='shape' d='{}'/><path class='stroke' d='{}'/></svg>",
);

/// A card a row.
pub fn draw(outcome: &Outcome) -> Html {
    let cards = outcome.comparison.runs.iter().zip(&outcome.timeline.rows).enumerate().map(|(index, (run, row))| {
        let verdict = &row.verdict;
        let moment = verdict.fact.map(|fact| {
            let at = quantity::seconds(run.facts[fact].at, outcome.decimals);
            MOMENT.fill().with(format!("{index}:{fact}")).with(at).done()
        });
        VERDICT
            .fill()
            .with(index.to_string())
            .with(&run.name)
            .with(name(verdict.tone))
            .with(icon(verdict.tone))
            .with(&run.name)
            .with(&row.mechanism)
            .with(&verdict.label)
            .with(effect(&verdict.effect))
            .with(&verdict.sentence)
            .with(moment)
            .done()
    });
    VERDICTS.fill().with(list(cards.collect())).done()
}

fn effect(effect: &str) -> Option<String> {
    (!effect.is_empty()).then(|| [" · ", effect].concat())
}

fn name(tone: Tone) -> &'static str {
    match tone {
        Tone::Calm => "calm",
        Tone::Kept => "kept",
        Tone::Impaired => "impaired",
        Tone::Broken => "broken",
        Tone::Open => "open",
    }
}

/// The same signs as the figure's: a cross-barred circle for what was refused, a struck diamond for what was broken; a
/// triangle where that did no harm.
fn icon(tone: Tone) -> Html {
    let (word, shape, sign) = match tone {
        Tone::Calm => ("in order", "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Z", "m4.8 8.2 2.2 2.2 4.2-4.6"),
        Tone::Kept => ("kept in order", "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Z", "m4 12 8-8"),
        Tone::Impaired => ("broken without harm", "M8 1.5 15.5 14.5H.5Z", "M8 6v4M8 12v.6"),
        Tone::Broken => ("broken", "M8 .5 15.5 8 8 15.5.5 8Z", "M8 4.4v4.2M8 10.8v.8"),
        Tone::Open => ("left open", "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Z", "M5 8h6"),
    };
    SIGN.fill().with(word).with(shape).with(sign).done()
}
