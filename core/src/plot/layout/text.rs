//! How wide a text is, near enough to place it: estimated from a table, so that it is the same everywhere.

use super::super::scene::{Anchor, Px};
#[cfg(test)]
use super::super::scene::{Item, Shape};
use super::geometry::Area;

/// Advance widths of the printable ASCII characters from the space on, in thousandths of the size: Helvetica's and Arial's.
const ADVANCES: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 222, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// A type: what `figure.css` says of a text's first class, size in tenths of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Type {
    size: i32,
    bold: bool,
}

impl Type {
    /// The type of a text with these classes.
    pub(crate) fn of(class: &str) -> Type {
        let (size, bold) = match class.split(' ').next().unwrap_or_default() {
            "fp-name" => (140, true),
            "fp-verdict" => (140, true),
            "fp-bar" => (130, true),
            "fp-group" => (120, true),
            "fp-note" | "fp-effect" => (125, false),
            _ => (120, false),
        };
        Type { size, bold }
    }

    /// The width of `text`, in tenths of a pixel, with some room for a font that runs wider than the table's.
    pub(crate) fn width(self, text: &str) -> Px {
        let advance: i32 = text.chars().map(advance).sum();
        let room = if self.bold { 1120 } else { 1050 };
        Px(advance * self.size / 1000 * room / 1000)
    }

    /// As much of `text` as fits `width`, with an ellipsis where something is missing.
    pub(crate) fn fit(self, text: &str, width: Px) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let mut short = text.to_owned();
        while short.pop().is_some() {
            let candidate = format!("{}…", short.trim_end());
            if self.width(&candidate) <= width {
                return candidate;
            }
        }
        String::new()
    }

    /// `text` in lines no wider than `width`, broken at spaces; at most `most` lines, the last with an ellipsis if need be.
    pub(crate) fn wrap(self, text: &str, width: Px, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split(' ') {
            let full = lines.len() == most;
            match lines.last_mut() {
                Some(line) if full || self.width(&format!("{line} {word}")) <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines.iter().map(|line| self.fit(line, width)).collect()
    }

    /// Where a text of this type stands.
    pub(crate) fn area(self, x: Px, y: Px, anchor: Anchor, text: &str) -> Area {
        let width = self.width(text);
        let left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2,
            Anchor::End => x - width,
        };
        Area { left, top: y - Px(self.size * 78 / 100), right: left + width, bottom: y + Px(self.size * 23 / 100) }
    }
}

fn advance(character: char) -> i32 {
    match character {
        ' '..='~' => i32::from(ADVANCES[character as usize - ' ' as usize]),
        '’' | '‘' => 222,
        '·' => 333,
        // Latin, Greek and Cyrillic letters are no wider than this but for a few; everything beyond is taken for square.
        '\u{a0}'..='\u{2fff}' => 620,
        _ => 1000,
    }
}

/// Where an item's text stands, if it is one.
#[cfg(test)]
pub(crate) fn area_of(item: &Item) -> Option<Area> {
    match &item.shape {
        Shape::Text { x, y, anchor, text } => Some(Type::of(item.class).area(*x, *y, *anchor, text)),
        _ => None,
    }
}

/// Where an item stands; nothing for paths, which are not measured.
#[cfg(test)]
pub(crate) fn bounds_of(item: &Item) -> Option<Area> {
    match item.shape {
        Shape::Rect { x, y, width, height, .. } => Some(Area { left: x, top: y, right: x + width, bottom: y + height }),
        Shape::Line { x1, y1, x2, y2 } => {
            Some(Area { left: x1.min(x2), top: y1.min(y2), right: x1.max(x2), bottom: y1.max(y2) })
        }
        Shape::Circle { cx, cy, r } => Some(Area::around(cx, cy, r)),
        Shape::Path { .. } => None,
        Shape::Text { .. } => area_of(item),
    }
}
