//! The destination's lanes: the epoch it goes by, and what became of each write.

use super::super::scene::Anchor;
use super::super::timeline::{Fate, Mark, RowLane};
use super::geometry::{Area, bar, diamond, exclamation, px, tick, turn};
use super::labels::{Ground, Line, Wish};
use super::{Draw, Meaning, owned};
use crate::words::Tone;

/// From the middle of a mark to a text beside it.
pub(super) const BESIDE: i32 = px(23);
/// Half of a mark.
const RADIUS: i32 = px(11);
/// Half of the mark of a violation.
const DIAMOND: i32 = px(17);

/// How far a mark reaches from its middle.
pub(super) fn reach(fate: Fate) -> i32 {
    match fate {
        Fate::Violating => DIAMOND,
        Fate::Late => RADIUS + px(3),
        Fate::Applied | Fate::Rejected | Fate::Replayed | Fate::NotSent => RADIUS,
    }
}

impl Draw<'_> {
    pub(super) fn rows(&mut self) {
        let timeline = self.timeline;
        for (index, row) in timeline.rows.iter().enumerate() {
            let y = self.frame.rows[index];
            let (left, right) = (self.frame.left, self.frame.right);
            self.line("fp-lane", (left, y), (right, y), Meaning::NONE);
            self.obstacles.marks.push(Area { left, top: y - 30, right, bottom: y + 30 });
            self.steps(row, y);
            // The mark that decides stands above the others.
            for mark in row.marks.iter().filter(|mark| !mark.decisive) {
                self.mark(row, mark, y);
            }
            for mark in row.marks.iter().filter(|mark| mark.decisive) {
                self.mark(row, mark, y);
            }
        }
    }

    fn steps(&mut self, row: &RowLane, y: i32) {
        for (index, step) in row.steps.iter().enumerate() {
            let left = self.x(step.from);
            let next = row.steps.get(index + 1).map_or(self.frame.right, |next| self.x(next.from));
            let meaning = Meaning::of(&step.label, step.fact);
            self.line(owned!("fp-step", step.worker), (left, y), (next, y), meaning);
            // A second owner's line is double, a third's broken: hue is not all that tells them apart.
            if step.worker.index() % 3 != 0 {
                self.line(owned!("fp-step-core", step.worker), (left, y), (next, y), Meaning::NONE);
            }
            let epoch = step.epoch;
            let texts = if step.registered {
                [format!("recognizes {epoch}"), epoch.to_string()]
            } else {
                [format!("has seen {epoch}"), format!("seen {epoch}")]
            };
            let from = if step.registered { left + px(3) } else { left + px(16) };
            let class = owned!("fp-small", step.worker);
            let heights = [y - px(8), y + px(17)];
            let places =
                texts.iter().flat_map(|text| heights.map(|y| vec![Line::new(class, from, y, Anchor::Start, text)]));
            let places = places.collect();
            self.wish(6, Ground::Paper, places);
        }
    }

    fn mark(&mut self, row: &RowLane, mark: &Mark, y: i32) {
        let x = self.x(mark.at);
        let meaning = Meaning::of(&mark.label, mark.fact);
        match mark.fate {
            Fate::Applied | Fate::Late => {
                if mark.fate == Fate::Late {
                    self.circle(owned!("fp-late", mark.worker), (x, y), RADIUS + px(3), Meaning::NONE);
                }
                self.circle(owned!("fp-applied", mark.worker), (x, y), RADIUS, meaning);
                self.path("fp-glyph", tick(x, y), Meaning::NONE);
            }
            Fate::Rejected => {
                self.circle("fp-rejected", (x, y), RADIUS - px(1), meaning);
                self.path("fp-rejected-bar", bar(x, y), Meaning::NONE);
            }
            Fate::Replayed => {
                self.circle("fp-replayed", (x, y), RADIUS - px(1), meaning);
                self.path("fp-replayed-turn", turn(x, y), Meaning::NONE);
            }
            Fate::NotSent => self.circle("fp-not-sent", (x, y), RADIUS - px(1), meaning),
            Fate::Violating => {
                self.path("fp-violating", diamond(x, y, DIAMOND), meaning);
                self.path("fp-glyph fp-strong", exclamation(x, y), Meaning::NONE);
            }
        }
        self.obstacles.marks.push(Area::around(x, y, reach(mark.fate)));
        if mark.decisive {
            self.verdict(row, mark, x, y);
        } else {
            self.remark(mark, x, y);
        }
    }

    /// The row's verdict, beside the mark that decides it.
    fn verdict(&mut self, row: &RowLane, mark: &Mark, x: i32, y: i32) {
        let (label, effect) = match row.verdict.tone {
            Tone::Broken => ("fp-verdict fp-broken", "fp-effect fp-broken"),
            Tone::Kept => ("fp-verdict fp-kept", "fp-effect fp-kept"),
            Tone::Calm | Tone::Open => ("fp-verdict", "fp-effect"),
        };
        let bounds = (px(4), self.frame.width - px(4));
        let beside = |x: i32, anchor: Anchor| {
            [
                Line::new(label, x, y - px(8), anchor, &row.verdict.label),
                Line::new(effect, x, y + px(17), anchor, &row.verdict.effect),
            ]
        };
        let over = reach(mark.fate);
        let (above, below) = (y - over - px(6), y + over + px(15));
        let around = |shift: i32| {
            [
                Line::near(label, x + shift, above, bounds, &row.verdict.label),
                Line::near(effect, x + shift, below, bounds, &row.verdict.effect),
            ]
        };
        let right = beside(x + BESIDE, Anchor::Start);
        let left = beside(x - BESIDE, Anchor::End);
        let under = [
            Line::near(label, x, y + over + px(16), bounds, &row.verdict.label),
            Line::near(effect, x, y + over + px(32), bounds, &row.verdict.effect),
        ];
        // The first line beside the mark, the second wherever it fits below.
        let split = [right[0].clone(), under[1].clone().raised(px(17))];
        let (around, shifted) = (around(0), [around(-px(14)), around(px(14))]);
        let mut pairs =
            if self.frame.narrow { vec![under, around, right, left] } else { vec![right, split, around, left] };
        pairs.extend(shifted);
        let alone = pairs.iter().map(|pair| vec![pair[0].clone()]).collect();
        let (places, last) = match row.verdict.effect.as_str() {
            "" => (alone, Vec::new()),
            _ => (pairs.iter().map(|pair| pair.to_vec()).collect(), alone),
        };
        self.wishes.push(Wish { rank: 2, on: Ground::Paper, places, last });
    }

    /// A few words beside a mark that does not decide.
    fn remark(&mut self, mark: &Mark, x: i32, y: i32) {
        let class = "fp-note";
        let bounds = (self.frame.left, self.frame.width - px(4));
        let over = reach(mark.fate);
        let (below, above) = (y + over + px(15), y - over - px(6));
        let around = |text: &String| {
            [
                vec![Line::near(class, x, below, bounds, text)],
                vec![Line::new(class, x - px(5), below, Anchor::End, text)],
                vec![Line::new(class, x + px(5), below, Anchor::Start, text)],
                vec![Line::new(class, x - px(5), above, Anchor::End, text)],
                vec![Line::new(class, x + px(5), above, Anchor::Start, text)],
                vec![Line::near(class, x, above, bounds, text)],
            ]
        };
        let places = mark.texts.iter().flat_map(around).collect();
        let last = mark.short.iter().flat_map(around).collect();
        self.wishes.push(Wish { rank: 4, on: Ground::Paper, places, last });
    }
}
