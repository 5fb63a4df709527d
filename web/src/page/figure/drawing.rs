//! The scene as SVG nodes, one for each item.

use fencepost_core::compare::FactRef;
use fencepost_core::plot::{Anchor, Item, Px, Scene, Shape, Timeline};
use yew::prelude::*;

use super::super::markup::{Markup, list};
use super::super::state::Outcome;

static FIGURE: Markup =
    Markup::new("<svg class='fp-figure' width='{}' height='{}' viewBox='{}' role='img' aria-label='{}'>{}</svg>");

static RECT: Markup = Markup::new(
    "<rect key='{}' class='{}' data-fact='{}' data-row='{}' x='{}' y='{}' width='{}' height='{}' rx='{}'>{}</rect>",
);

static LINE: Markup =
    Markup::new("<line key='{}' class='{}' data-fact='{}' data-row='{}' x1='{}' y1='{}' x2='{}' y2='{}'>{}</line>");

static CIRCLE: Markup =
    Markup::new("<circle key='{}' class='{}' data-fact='{}' data-row='{}' cx='{}' cy='{}' r='{}'>{}</circle>");

static PATH: Markup = Markup::new("<path key='{}' class='{}' data-fact='{}' data-row='{}' d='{}'>{}</path>");

static TEXT: Markup =
    Markup::new("<text key='{}' class='{}' data-fact='{}' data-row='{}' x='{}' y='{}' text-anchor='{}'>{}{}</text>");

static TITLE: Markup = Markup::new("<title>{}</title>");

/// All of it: to be kept for as long as the scene is the same.
pub fn draw(scene: &Scene, outcome: &Outcome) -> Html {
    let Scene { width, height, items, label, .. } = scene;
    let mut keys = Keys::default();
    let nodes = items.iter().map(|item| node(item, keys.next(item), outcome));
    FIGURE
        .fill()
        .with(width.to_string())
        .with(height.to_string())
        .with(format!("0 0 {width} {height}"))
        .with(label)
        .with(list(nodes.collect()))
        .done()
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
    let (markup, lengths): (&Markup, &[Px]) = match shape {
        Shape::Rect { x, y, width, height, .. } => (&RECT, &[*x, *y, *width, *height]),
        Shape::Line { x1, y1, x2, y2 } => (&LINE, &[*x1, *y1, *x2, *y2]),
        Shape::Circle { cx, cy, r } => (&CIRCLE, &[*cx, *cy, *r]),
        Shape::Path { .. } => (&PATH, &[]),
        Shape::Text { x, y, .. } => (&TEXT, &[*x, *y]),
    };
    let mut node = markup.fill();
    node.with(key).with(*class).with(fact).with(row);
    for length in lengths {
        node.with(length.to_string());
    }
    match shape {
        Shape::Rect { radius, .. } => node.with((radius.0 != 0).then(|| radius.to_string())),
        Shape::Path { d } => node.with(d),
        Shape::Text { anchor, .. } => node.with(anchored(*anchor)),
        Shape::Line { .. } | Shape::Circle { .. } => &mut node,
    };
    node.with(label.as_ref().map(|label| TITLE.fill().with(label).done()));
    if let Shape::Text { text, .. } = shape {
        node.with(text);
    }
    node.done()
}

/// Whether the figure shows `fact` in the lane of its row, rather than once for all rows.
fn is_of_row(fact: FactRef, timeline: &Timeline) -> bool {
    timeline.rows.get(fact.run).is_some_and(|lane| lane.shows(fact))
}

fn anchored(anchor: Anchor) -> Option<&'static str> {
    match anchor {
        Anchor::Start => None,
        Anchor::Middle => Some("middle"),
        Anchor::End => Some("end"),
    }
}
