//! The scene as SVG nodes, one for each item.

use fencepost_core::compare::FactRef;
use fencepost_core::plot::{Anchor, Item, Px, Scene, Shape, Timeline};
use yew::AttrValue;
use yew::prelude::*;
use yew::virtual_dom::{AttributeOrProperty, Attributes, VTag};

use super::super::state::Outcome;

/// All of it: to be kept for as long as the scene is the same.
pub fn draw(scene: &Scene, outcome: &Outcome) -> Html {
    let Scene { width, height, items, label, .. } = scene;
    let mut keys = Keys::default();
    let nodes = items.iter().map(|item| node(item, keys.next(item), outcome));
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
    let row = fact
        .filter(|fact| is_of_row(*fact, &outcome.timeline))
        .map(|fact| outcome.comparison.runs[fact.run].name.clone());
    let fact = fact.map(|fact| format!("{}:{}", fact.run, fact.fact));
    let mut node = VTag::new(tag(shape));
    node.key = Some(key.into());
    node.set_attributes(attributes(shape, [Some((*class).into()), fact.map(Into::into), row.map(Into::into)]));
    if let Some(label) = label {
        node.add_child(html! { <title>{ label.clone() }</title> });
    }
    if let Shape::Text { text, .. } = shape {
        node.add_child(text.clone().into());
    }
    node.into()
}

/// The attributes of a shape; `common` are those that all shapes have.
fn attributes(shape: &Shape, common: [Option<AttrValue>; 3]) -> Attributes {
    let length = |length: &Px| Some(AttrValue::from(length.to_string()));
    let (keys, own): (&'static [&'static str], _) = match shape {
        Shape::Rect { x, y, width, height, radius } => (
            &["class", "data-fact", "data-row", "x", "y", "width", "height", "rx"],
            vec![length(x), length(y), length(width), length(height), length(radius).filter(|_| radius.0 != 0)],
        ),
        Shape::Line { x1, y1, x2, y2 } => (
            &["class", "data-fact", "data-row", "x1", "y1", "x2", "y2"],
            vec![length(x1), length(y1), length(x2), length(y2)],
        ),
        Shape::Circle { cx, cy, r } => {
            (&["class", "data-fact", "data-row", "cx", "cy", "r"], vec![length(cx), length(cy), length(r)])
        }
        Shape::Path { d } => (&["class", "data-fact", "data-row", "d"], vec![Some(d.clone().into())]),
        Shape::Text { x, y, anchor, .. } => (
            &["class", "data-fact", "data-row", "x", "y", "text-anchor"],
            vec![length(x), length(y), anchored(*anchor).map(AttrValue::from)],
        ),
    };
    let values = common.into_iter().chain(own).map(|value| value.map(AttributeOrProperty::Attribute)).collect();
    Attributes::Dynamic { keys, values }
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
