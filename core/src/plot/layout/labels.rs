//! Texts never overlap: each has places it may stand at, in order of preference, and the more important ones choose first.
//! What finds no place is left out; its meaning stays in the labels that are spoken.

use super::super::scene::{Anchor, Px};
use super::geometry::{Area, px};
use super::text::Type;

/// A line of text at a place.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) class: &'static str,
    pub(super) x: Px,
    pub(super) y: Px,
    pub(super) anchor: Anchor,
    pub(super) text: String,
}

impl Line {
    #[inline(never)]
    pub(super) fn new(class: &'static str, x: Px, y: Px, anchor: Anchor, text: &str) -> Self {
        Self { class, x, y, anchor, text: text.to_owned() }
    }

    /// A line with its middle at `x`, or as near to it as it fits between `left` and `right`.
    #[inline(never)]
    pub(super) fn near(class: &'static str, x: Px, y: Px, bounds: (Px, Px), text: &str) -> Self {
        let half = Type::of(class).width(text) / 2 + Px(1);
        let x = x.min(bounds.1 - half).max(bounds.0 + half);
        Self::new(class, x, y, Anchor::Middle, text)
    }

    pub(super) fn area(&self) -> Area {
        Type::of(self.class).area(self.x, self.y, self.anchor, &self.text)
    }
}

/// Places that one text, or a few lines that belong together, may take.
#[derive(Debug)]
pub(super) struct Wish {
    /// The class of its lines, if they are offered one by one.
    class: &'static str,
    /// Lower ones choose first.
    pub(super) rank: u8,
    /// Whether the text stands on a bar, with a light ground of its own if the bar is hatched.
    pub(super) on: Ground,
    /// From the best place to the worst.
    pub(super) places: Vec<Vec<Line>>,
    /// Places for when there is no other, such as for a text so short that it says little.
    pub(super) last: Vec<Vec<Line>>,
}

impl Wish {
    #[inline(never)]
    pub(super) fn new(rank: u8, on: Ground, class: &'static str) -> Self {
        Self { class, rank, on, places: Vec::new(), last: Vec::new() }
    }

    /// The text may stand here too.
    #[inline(never)]
    pub(super) fn at(&mut self, x: Px, y: Px, anchor: Anchor, text: &str) {
        self.places.push(vec![Line::new(self.class, x, y, anchor, text)]);
    }

    /// Or here, as [`Line::near`] says.
    #[inline(never)]
    pub(super) fn near(&mut self, x: Px, y: Px, bounds: (Px, Px), text: &str) {
        self.places.push(vec![Line::near(self.class, x, y, bounds, text)]);
    }
}

/// What a text stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    /// The paper, clear of everything.
    Paper,
    /// A bar that may be written on.
    Bar,
    /// A hatched bar: the text needs a light ground.
    Hatch,
}

/// A text that has found its place.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub(super) lines: Vec<Line>,
    pub(super) on: Ground,
}

/// What texts keep clear of.
#[derive(Debug, Default)]
pub(super) struct Obstacles {
    /// Bars: texts on bars may stand on them, others not.
    pub(super) bars: Vec<Area>,
    /// Marks and lines of lanes: no text touches them.
    pub(super) marks: Vec<Area>,
    /// Where a lane is broken: no text stands there.
    pub(super) breaks: Vec<Area>,
    /// Thin lines and handles: avoided where there is another place.
    pub(super) thin: Vec<Area>,
}

/// Room around a text: other texts keep this distance.
const APART: (Px, Px) = (px(3), Px(5));

/// Gives every wish its place, if there is one. Only those of rank 0, the names and the axis, may stand left of `gutter`.
/// The result is in the order of rank.
pub(super) fn place(wishes: &[Wish], obstacles: &Obstacles, whole: Area, gutter: Px) -> Vec<Placed> {
    let last_rank = wishes.iter().map(|wish| wish.rank).max().unwrap_or_default();
    let ranked = (0..=last_rank).flat_map(|rank| wishes.iter().filter(move |wish| wish.rank == rank));
    let mut taken: Vec<Area> = Vec::new();
    let mut placed = Vec::new();
    for Wish { rank, on, places, last, .. } in ranked {
        let bounds = if *rank == 0 { whole } else { Area { left: gutter, ..whole } };
        let free = |lines: &Vec<Line>, careful: bool| {
            lines.iter().all(|line| {
                let area = line.area();
                let hits = |others: &[Area]| others.iter().any(|other| area.overlaps(other));
                let grown = area.grown(APART.0, APART.1);
                let blocked = hits(&obstacles.marks)
                    || (*on == Ground::Paper && hits(&obstacles.bars))
                    || hits(&obstacles.breaks)
                    || (careful && hits(&obstacles.thin));
                !blocked && bounds.contains(&area) && !taken.iter().any(|other| grown.overlaps(other))
            })
        };
        let best = places.iter().find(|lines| free(lines, true));
        let best = best.or_else(|| places.iter().chain(last).find(|lines| free(lines, false)));
        if let Some(lines) = best {
            taken.extend(lines.iter().map(Line::area));
            placed.push(Placed { lines: lines.clone(), on: *on });
        }
    }
    placed
}
