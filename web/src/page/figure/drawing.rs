//! The scene as SVG nodes, one for each item.

use std::rc::Rc;

use fencepost_core::compare::FactRef;
use fencepost_core::plot::{Anchor, Item, Scene, Shape, Timeline};
use yew::prelude::*;

use super::super::state::Outcome;

#[derive(PartialEq, Properties)]
pub struct DrawingProps {
    pub scene: Rc<Scene>,
    pub outcome: Rc<Outcome>,
}

/// Drawn again only when the scene is another.
#[component]
pub fn Drawing(props: &DrawingProps) -> Html {
    let Scene { width, height, items, label, .. } = &*props.scene;
    let mut keys = Keys::default();
    let nodes = items.iter().map(|item| node(item, keys.next(item), &props.outcome));
    html! {
        <svg
            class="fp-figure"
            width={width.to_string()}
            height={height.to_string()}
            viewBox={format!("0 0 {width} {height}")}
            role="img"
            aria-label={label.clone()}
        >
            { for nodes }
        </svg>
    }
}

/// Keys that stay with what they stand for: the n-th of its kind. While a handle is dragged few nodes come and go, and
/// those that stay must not be taken for each other.
#[derive(Default)]
struct Keys {
    seen: Vec<(&'static str, &'static str, usize)>,
}

impl Keys {
    fn next(&mut self, item: &Item) -> String {
        let (class, tag) = (item.class, tag(&item.shape));
        let count = match self.seen.iter_mut().find(|(c, t, _)| (*c, *t) == (class, tag)) {
            Some((.., count)) => count,
            None => {
                self.seen.push((class, tag, 0));
                &mut self.seen.last_mut().expect("one was just put there").2
            }
        };
        *count += 1;
        format!("{tag} {class} {count}")
    }
}

fn tag(shape: &Shape) -> &'static str {
    match shape {
        Shape::Rect { .. } => "rect",
        Shape::Line { .. } => "line",
        Shape::Circle { .. } => "circle",
        Shape::Path { .. } => "path",
        Shape::Text { .. } => "text",
    }
}

fn node(item: &Item, key: String, outcome: &Outcome) -> Html {
    let Item { class, shape, label, fact } = item;
    let class = *class;
    let title = label.as_ref().map(|label| html! { <title>{ label }</title> });
    let row = fact
        .filter(|fact| is_of_row(*fact, &outcome.timeline))
        .map(|fact| outcome.comparison.runs[fact.run].name.clone());
    let fact = fact.map(|fact| format!("{}:{}", fact.run, fact.fact));
    match shape {
        Shape::Rect { x, y, width, height, radius } => html! {
            <rect
                {key} {class} data-fact={fact} data-row={row}
                x={x.to_string()} y={y.to_string()} width={width.to_string()} height={height.to_string()}
                rx={(radius.0 != 0).then(|| radius.to_string())}
            >{ title }</rect>
        },
        Shape::Line { x1, y1, x2, y2 } => html! {
            <line
                {key} {class} data-fact={fact} data-row={row}
                x1={x1.to_string()} y1={y1.to_string()} x2={x2.to_string()} y2={y2.to_string()}
            >{ title }</line>
        },
        Shape::Circle { cx, cy, r } => html! {
            <circle
                {key} {class} data-fact={fact} data-row={row}
                cx={cx.to_string()} cy={cy.to_string()} r={r.to_string()}
            >{ title }</circle>
        },
        Shape::Path { d } => html! {
            <path {key} {class} data-fact={fact} data-row={row} d={d.clone()}>{ title }</path>
        },
        Shape::Text { x, y, anchor, text } => html! {
            <text
                {key} {class} data-fact={fact} data-row={row}
                x={x.to_string()} y={y.to_string()} text-anchor={anchored(*anchor)}
            >{ title }{ text }</text>
        },
    }
}

/// Whether the figure shows `fact` in the lane of its row, rather than once for all rows.
fn is_of_row(fact: FactRef, timeline: &Timeline) -> bool {
    timeline.rows.get(fact.run).is_some_and(|lane| {
        lane.marks.iter().any(|mark| mark.fact == fact) || lane.steps.iter().any(|step| step.fact == fact)
    })
}

fn anchored(anchor: Anchor) -> Option<&'static str> {
    match anchor {
        Anchor::Start => None,
        Anchor::Middle => Some("middle"),
        Anchor::End => Some("end"),
    }
}
