//! Signs of what befalls a process or a clock: small, on the edge of a bar or on the line of a lane.

use super::super::scene::{Anchor, Px};
use super::super::timeline::{Happening, Sign};
use super::Draw;
use super::geometry::{Area, Pen, diamond, px};
use super::labels::{Ground, Wish};

/// Half of a sign.
const RADIUS: Px = px(7);
/// Half of the sign of something of less weight.
const SMALL: Px = Px(35);

/// So many of the same are drawn as one.
const SERIES: usize = 3;
/// Half of the sign that something is broken.
const BROKEN: Px = px(11);

/// What a lane's signs stand on.
pub(super) enum Edge<'a> {
    /// An edge of its bars: here, with texts above it or below.
    Bar {
        /// The edge.
        y: Px,
        /// Where signs stand that are on no bar.
        middle: Px,
        /// Whether the bars are above it.
        below: bool,
    },
    /// Its line, which has marks too: where they stand, and how far they reach.
    Line {
        /// The line.
        y: Px,
        /// Middle and reach of each mark.
        marks: &'a [(Px, Px)],
    },
}

impl Draw<'_> {
    /// The signs of one lane. Of those that would hide one another the gravest is drawn, and speaks for all.
    pub(super) fn signs(&mut self, happenings: &[Happening], edge: Edge<'_>) {
        let noted = |one: &Happening| one.sign == Sign::Noted;
        let alike = |one: &Happening| happenings.iter().filter(|other| noted(other) && other.text == one.text).count();
        let (many, few): (Vec<&Happening>, Vec<&Happening>) =
            happenings.iter().partition(|one| noted(one) && alike(one) >= SERIES);
        self.series(&many, &edge);
        let mut together: Vec<(Px, Vec<&Happening>)> = Vec::new();
        for happening in few {
            let x = self.x(happening.at);
            match together.last_mut() {
                Some((first, others)) if x - *first < px(13) => others.push(happening),
                _ => together.push((x, vec![happening])),
            }
        }
        for (_, mut happenings) in together {
            let label = happenings.iter().map(|one| one.label.as_str()).collect::<Vec<_>>().join(" ");
            happenings.sort_by_key(|one| one.sign);
            let gravest = happenings[0];
            let half = match gravest.sign {
                Sign::Broken | Sign::Impaired => BROKEN,
                Sign::Noted => SMALL,
                _ => RADIUS,
            };
            let x = self.x(gravest.at).max(half);
            let y = match edge {
                Edge::Bar { y, middle, .. } => {
                    let on_bar = self
                        .obstacles
                        .bars
                        .iter()
                        .any(|bar| bar.left <= x && x <= bar.right && bar.top <= middle && middle <= bar.bottom);
                    if on_bar { y } else { middle }
                }
                // Beside a mark it would hide there is room below.
                Edge::Line { y, marks } => {
                    let hidden = marks.iter().filter(|(at, reach)| (*at - x).abs() < *reach + half);
                    hidden.map(|(_, reach)| y + *reach + half + px(1)).max().unwrap_or(y)
                }
            };
            self.sign(gravest, &label, (x, y), half);
            let rank = if gravest.sign == Sign::Noted { 8 } else { 4 };
            self.beside(&happenings, rank, (x, y), half, &edge);
        }
    }

    /// What happens again and again: one path of small rings for all of it, and its words once.
    fn series(&mut self, many: &[&Happening], edge: &Edge<'_>) {
        let mut told: Vec<&str> = Vec::new();
        for first in many {
            if told.contains(&first.text.as_str()) {
                continue;
            }
            told.push(&first.text);
            let (Edge::Bar { y, .. } | Edge::Line { y, .. }) = *edge;
            let (mut pen, mut last, mut times) = (Pen::default(), None, 0);
            for one in many.iter().filter(|one| one.text == first.text) {
                let x = self.x(one.at);
                times += 1;
                // Closer than this they would be a smear.
                if last.is_none_or(|last| x - last >= px(8)) {
                    pen = pen.to('M', x - SMALL, y).then("a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z");
                    last = Some(x);
                }
            }
            let item = self.path("fp-noted", pen.done());
            item.says(&format!("{} It is the same {times} times.", first.label));
            item.fact = first.fact;
            self.beside(&[first], 8, (self.x(first.at), y), SMALL, edge);
        }
    }

    fn sign(&mut self, gravest: &Happening, label: &str, (x, y): (Px, Px), half: Px) {
        let at = |dx: i32, dy: i32| (x + Px(dx), y + Px(dy));
        let strokes = |lines: &[[i32; 4]]| {
            lines.iter().fold(Pen::default(), |pen, [x1, y1, x2, y2]| {
                let (from, to) = (at(*x1, *y1), at(*x2, *y2));
                pen.line(from.0, from.1, to.0, to.1)
            })
        };
        let (class, glyph) = match gravest.sign {
            Sign::Crash => ("fp-sign fp-sign-crash", strokes(&[[-33, -33, 33, 33], [-33, 33, 33, -33]])),
            Sign::Lost => ("fp-sign fp-sign-lost", strokes(&[[-42, 42, 42, -42]])),
            Sign::Broken => ("fp-sign-broken", strokes(&[[0, -45, 0, 8], [0, 42, 0, 43]])),
            Sign::Impaired => ("fp-sign-impaired", strokes(&[[0, -45, 0, 8], [0, 42, 0, 43]])),
            // Back to the left.
            Sign::Restored => ("fp-sign", strokes(&[[35, 0, -32, 0], [-32, 0, -5, -30], [-32, 0, -5, 30]])),
            Sign::Clock => ("fp-sign", strokes(&[[0, -42, 0, 0], [0, 0, 30, 16]])),
            Sign::Refused => ("fp-sign fp-sign-refused", strokes(&[[-30, 0, 30, 0]])),
            Sign::Noted => ("fp-noted", Pen::default()),
        };
        let item = match gravest.sign {
            Sign::Broken | Sign::Impaired => self.path(class, diamond(x, y, BROKEN)),
            Sign::Lost => self.rect(class, Area::around(x, y, half - px(1)), px(1)),
            _ => self.circle(class, (x, y), half),
        };
        item.says(label);
        item.fact = gravest.fact;
        if gravest.sign != Sign::Noted {
            let class = match gravest.sign {
                Sign::Broken => "fp-sign-glyph fp-strong",
                Sign::Impaired => "fp-sign-glyph fp-sign-impaired",
                Sign::Crash => "fp-sign-glyph fp-sign-crash",
                Sign::Refused => "fp-sign-glyph fp-sign-refused",
                _ => "fp-sign-glyph",
            };
            self.path(class, glyph.done());
        }
        self.obstacles.marks.push(Area::around(x, y, half));
    }

    /// What it is, beside it.
    fn beside(&mut self, happenings: &[&Happening], rank: u8, (x, y): (Px, Px), half: Px, edge: &Edge<'_>) {
        let bounds = (self.frame.left, self.frame.width - px(4));
        let mut wish = Wish::new(rank, Ground::Paper, "fp-small");
        if happenings[0].text.is_empty() {
            return;
        }
        let mut texts = vec![happenings[0].text.clone()];
        // What coincides is told with it where there is room, and what is lost in a crash rather than that.
        if let Some(second) = happenings.get(1).filter(|second| second.sign != Sign::Noted && !second.text.is_empty()) {
            texts.insert(0, format!("{}, {}", happenings[0].text, second.text));
            if second.sign == Sign::Lost {
                texts.insert(1, second.text.clone());
            }
        }
        for text in &texts {
            let (above, below) = (y - half - px(4), y + half + px(12));
            let heights = match edge {
                Edge::Bar { below: true, .. } => [below, above],
                _ => [above, below],
            };
            // Next to the sign, clear of the bar or of the lane's line.
            let next = match edge {
                Edge::Bar { below: true, .. } => y + px(13),
                Edge::Bar { below: false, .. } => y - px(3),
                Edge::Line { .. } => y + px(16),
            };
            wish.at(x + half + px(3), next, Anchor::Start, text);
            wish.at(x - half - px(3), next, Anchor::End, text);
            for y in heights {
                wish.near(x, y, bounds, text);
                wish.at(x - px(5), y, Anchor::Start, text);
                wish.at(x + px(5), y, Anchor::End, text);
            }
        }
        self.wish(wish);
    }
}
