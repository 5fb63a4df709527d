//! Elements written as markup with holes, which are filled anew for each drawing: `<p class='note'>{} s</p>`.
//!
//! Yew's `html!` turns every element and every attribute into code of its own. A page is mostly words, and as words it is
//! several times smaller.

use std::sync::OnceLock;
use std::{slice, vec};

use wasm_bindgen::JsValue;
use yew::virtual_dom::{AttributeOrProperty, Attributes, VList, VNode, VTag, VText};
use yew::{AttrValue, Html};

/// A piece of markup: elements, texts and holes.
///
/// Values of attributes stand in single quotes and are either a text or a hole. `key` tells an element from its neighbours;
/// `~style` is set as a property, as `html!` has it, since a strict security policy refuses the attribute. A text stands as
/// it is, with every blank in it.
pub struct Markup {
    source: &'static str,
    parts: OnceLock<Vec<Part>>,
}

/// What goes into a hole.
pub enum Hole {
    /// Nothing: an attribute is left out.
    Nothing,
    Static(&'static str),
    Text(String),
    Shared(AttrValue),
    /// Elements: not for attributes.
    Html(Html),
}

enum Part {
    Open { name: &'static str, keys: Vec<&'static str>, values: Vec<Value> },
    Close,
    Text(&'static str),
    Hole,
}

/// The value of an attribute; `None` is a hole.
type Value = Option<&'static str>;

const HOLE: &str = "{}";

impl Markup {
    /// The markup with this source. It is read when it is first filled.
    pub const fn new(source: &'static str) -> Self {
        Self { source, parts: OnceLock::new() }
    }

    /// Begins to fill the holes, each in its turn.
    pub fn fill(&'static self) -> Filling {
        Filling { markup: self, holes: Vec::new() }
    }
}

/// Markup whose holes are being filled.
pub struct Filling {
    markup: &'static Markup,
    holes: Vec<Hole>,
}

impl Filling {
    /// Fills the next hole. Not inlined: there are many holes.
    #[inline(never)]
    pub fn with(&mut self, hole: impl Into<Hole>) -> &mut Self {
        self.holes.push(hole.into());
        self
    }

    /// What the markup describes.
    pub fn done(&mut self) -> Html {
        let parts = self.markup.parts.get_or_init(|| parts(self.markup.source));
        let mut filled = Filled { parts: parts.iter(), holes: std::mem::take(&mut self.holes).into_iter() };
        let mut nodes = filled.nodes();
        if nodes.len() == 1 { nodes.remove(0) } else { list(nodes) }
    }
}

/// Elements, one after the other.
pub fn list(nodes: Vec<Html>) -> Html {
    VList::with_children(nodes, None).into()
}

/// The text of a condition, as ARIA has it.
pub fn truth(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

fn parts(mut source: &'static str) -> Vec<Part> {
    let mut parts = Vec::new();
    while !source.is_empty() {
        if let Some(rest) = source.strip_prefix(HOLE) {
            parts.push(Part::Hole);
            source = rest;
        } else if let Some(rest) = source.strip_prefix('<') {
            let (tag, rest) = rest.split_once('>').unwrap_or((rest, ""));
            if !tag.starts_with('/') {
                parts.push(open(tag));
            }
            if tag.starts_with('/') || tag.ends_with('/') {
                parts.push(Part::Close);
            }
            source = rest;
        } else {
            let (text, rest) = source.split_at(source.find(['<', '{']).unwrap_or(source.len()));
            parts.push(Part::Text(text));
            source = rest;
        }
    }
    parts
}

/// A start tag: `p class='note'`.
fn open(tag: &'static str) -> Part {
    let (name, attributes) = tag.split_once(' ').unwrap_or((tag.trim_end_matches('/'), ""));
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    let mut pieces = attributes.split('\'');
    while let (Some(key), Some(value)) = (pieces.next(), pieces.next()) {
        keys.push(key.trim_start().trim_start_matches('~').trim_end_matches('='));
        values.push(Some(value).filter(|value| *value != HOLE));
    }
    Part::Open { name, keys, values }
}

/// Parts being made into nodes.
struct Filled {
    parts: slice::Iter<'static, Part>,
    holes: vec::IntoIter<Hole>,
}

impl Filled {
    /// The nodes up to the end of the element that they stand in.
    fn nodes(&mut self) -> Vec<VNode> {
        let mut nodes = Vec::new();
        while let Some(part) = self.parts.next() {
            nodes.push(match part {
                Part::Close => break,
                Part::Text(text) => VText::new(*text).into(),
                Part::Open { name, keys, values } => self.element(name, keys, values),
                Part::Hole => match self.hole() {
                    Hole::Html(html) => html,
                    hole => match hole.text() {
                        Some(text) => VText::new(text).into(),
                        None => continue,
                    },
                },
            });
        }
        nodes
    }

    fn element(&mut self, name: &'static str, keys: &'static [&'static str], values: &[Value]) -> VNode {
        let mut element = VTag::new(name);
        let mut set = Vec::with_capacity(keys.len());
        for (key, value) in keys.iter().zip(values) {
            let value = match value {
                Some(value) => Some(AttrValue::Static(value)),
                None => self.hole().text(),
            };
            set.push(match *key {
                "key" => {
                    element.key = value.map(|key| (&*key).into());
                    None
                }
                "value" => {
                    element.set_value(value);
                    None
                }
                "style" => value.map(|style| AttributeOrProperty::Property(JsValue::from_str(&style))),
                _ => value.map(AttributeOrProperty::Attribute),
            });
        }
        element.set_attributes(Attributes::Dynamic { keys, values: set.into() });
        element.add_children(self.nodes());
        element.into()
    }

    fn hole(&mut self) -> Hole {
        self.holes.next().expect("there is something for every hole")
    }
}

impl Hole {
    fn text(self) -> Option<AttrValue> {
        match self {
            Hole::Nothing | Hole::Html(_) => None,
            Hole::Static(text) => Some(text.into()),
            Hole::Text(text) => Some(text.into()),
            Hole::Shared(text) => Some(text),
        }
    }
}

impl From<&'static str> for Hole {
    fn from(text: &'static str) -> Self {
        Hole::Static(text)
    }
}

impl From<String> for Hole {
    fn from(text: String) -> Self {
        Hole::Text(text)
    }
}

impl From<&String> for Hole {
    fn from(text: &String) -> Self {
        Hole::Text(text.clone())
    }
}

impl From<&AttrValue> for Hole {
    fn from(text: &AttrValue) -> Self {
        Hole::Shared(text.clone())
    }
}

impl From<Html> for Hole {
    fn from(html: Html) -> Self {
        Hole::Html(html)
    }
}

/// Present or not: for attributes such as `disabled`.
impl From<bool> for Hole {
    fn from(present: bool) -> Self {
        if present { Hole::Static("") } else { Hole::Nothing }
    }
}

impl<T: Into<Hole>> From<Option<T>> for Hole {
    fn from(hole: Option<T>) -> Self {
        hole.map_or(Hole::Nothing, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use yew::html;

    use super::*;

    #[test]
    fn markup_is_what_it_says() {
        static NOTE: Markup = Markup::new("<p class='note' id='{}'>At {} s<br/>{}<b key='{}' hidden='{}'>x</b></p>");
        let bold = html! { <i>{ "y" }</i> };
        let filled = NOTE.fill().with("a").with("5".to_owned()).with(bold.clone()).with("k").with(Hole::Nothing).done();

        let VNode::VTag(note) = filled else { panic!("{filled:?}") };
        assert_eq!(note.tag(), "p");
        assert_eq!(note.attributes.iter().collect::<Vec<_>>(), [("class", "note"), ("id", "a")]);
        let Some(VNode::VList(children)) = note.children() else { panic!("{note:?}") };
        let [VNode::VText(at), VNode::VText(five), VNode::VText(unit), VNode::VTag(line), own, VNode::VTag(last)] =
            children.as_slice()
        else {
            panic!("{children:?}")
        };
        assert_eq!([&*at.text, &*five.text, &*unit.text, line.tag()], ["At ", "5", " s", "br"]);
        assert_eq!(*own, bold);
        assert_eq!((last.tag(), last.key.clone()), ("b", Some("k".into())));
        assert_eq!(last.attributes.iter().count(), 0, "what is not there is left out");
    }

    #[test]
    fn elements_may_stand_side_by_side() {
        static TWO: Markup = Markup::new("<i></i><b disabled='{}' value='{}'/>");
        let VNode::VList(two) = TWO.fill().with(true).with("v").done() else { panic!("two are a list") };
        let [VNode::VTag(_), VNode::VTag(second)] = two.as_slice() else { panic!("{two:?}") };
        assert_eq!(second.attributes.iter().collect::<Vec<_>>(), [("disabled", "")]);
    }
}
