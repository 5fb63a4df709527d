//! Messages: thin lines from worker to destination, and what becomes of answers where it matters.

use super::super::scene::{Anchor, Px};
use super::super::timeline::{Arrow, Ending, Fate, Way};
use super::Draw;
use super::geometry::{Area, arrow_head, cross, px};
use super::labels::{Ground, Wish};
use super::rows::reach;

/// Ways nearer to one another than this are one line.
const SAME: Px = px(5);

impl Draw<'_> {
    pub(super) fn messages(&mut self) {
        let timeline = self.timeline;
        for arrow in &timeline.arrows {
            if arrow.to_lock {
                self.lock_message(arrow);
            } else if arrow.reply {
                for way in &arrow.ways {
                    self.answer(arrow, way);
                }
            } else {
                for ways in self.bundles(arrow) {
                    self.request(arrow, &ways);
                }
            }
        }
    }

    /// The ways of an arrow, those that look the same together.
    fn bundles<'a>(&self, arrow: &'a Arrow) -> Vec<Vec<&'a Way>> {
        let mut bundles: Vec<Vec<&Way>> = Vec::new();
        for way in &arrow.ways {
            let near = |one: &Way| {
                (self.x(one.sent) - self.x(way.sent)).abs() <= SAME
                    && (self.x(one.ended) - self.x(way.ended)).abs() <= SAME
                    && (one.end == Ending::Lost) == (way.end == Ending::Lost)
            };
            match bundles.iter_mut().find(|bundle| near(bundle[0])) {
                Some(bundle) => bundle.push(way),
                None => bundles.push(vec![way]),
            }
        }
        bundles
    }

    /// A request on its way to one or more rows: one line with an end in each.
    fn request(&mut self, arrow: &Arrow, ways: &[&Way]) {
        let first = ways[0];
        let (x, (_, from)) = self.at_worker(arrow.worker, first.sent);
        if first.end == Ending::Lost {
            let to = (self.x(first.ended), self.frame.rows_top);
            return self.lost((x, from), to, first);
        }
        let start = (x, from);
        for (number, way) in ways.iter().enumerate() {
            let (x, y) = (self.x(way.ended), self.lane_of(arrow, way));
            let over = self.mark_reach(arrow, way).unwrap_or(px(3)) + px(2);
            let tip = (x, y - over);
            if number == 0 {
                self.stroke("fp-arrow", start, tip, &way.label, way);
                self.path("fp-head", arrow_head(start, tip));
            } else {
                // The same message under another rule: a guide for the eye and no arrow, since nothing goes from one row to
                // the next.
                let top = y - px(38);
                self.line("fp-guide", (x, top), tip).shows(&way.label, way.fact);
            }
        }
        self.beside_slant((x, from), (self.x(first.ended), self.lane_of(arrow, first)), first);
    }

    fn stroke(&mut self, class: &'static str, from: (Px, Px), to: (Px, Px), label: &str, way: &Way) {
        self.line(class, from, to).shows(label, way.fact);
        if (from.0 - to.0).abs() < px(8) {
            let (left, right) = (from.0.min(to.0) - Px(15), from.0.max(to.0) + Px(15));
            self.obstacles.thin.push(Area { left, top: from.1.min(to.1), right, bottom: from.1.max(to.1) });
        } else {
            // A slanted line, as a row of small boxes along it.
            let steps = (to.0 - from.0).abs().0 / px(8).0 + 1;
            for step in 0..=steps {
                let x = from.0 + (to.0 - from.0) * step / steps;
                let y = from.1 + (to.1 - from.1) * step / steps;
                self.obstacles.thin.push(Area::around(x, y, px(3)));
            }
        }
    }

    /// What is said of a message that is late, near the middle of its line.
    fn beside_slant(&mut self, from: (Px, Px), to: (Px, Px), way: &Way) {
        if way.texts.is_empty() {
            return;
        }
        let bounds = (self.frame.left, self.frame.width - px(4));
        let mut wish = Wish::new(5, Ground::Paper, "fp-small");
        for text in &way.texts {
            for y in [self.frame.rows_top - px(6), self.frame.rows_top + px(8), self.frame.rows_top - px(20)] {
                // The line at this height, and the text to its left, where the message has not been yet.
                let part = i64::from((y - from.1).0) * 100 / i64::from((to.1 - from.1).0.max(1));
                let x = from.0 + Px((i64::from((to.0 - from.0).0) * part / 100) as i32);
                wish.at(x - px(14), y, Anchor::End, text);
                wish.at(x + px(14), y, Anchor::Start, text);
                wish.near(x, y, bounds, text);
            }
        }
        self.wish(wish);
    }

    fn lost(&mut self, from: (Px, Px), to: (Px, Px), way: &Way) {
        self.line("fp-arrow", from, to).shows(&way.label, way.fact);
        self.path("fp-lost", cross(to.0, to.1));
        self.obstacles.marks.push(Area::around(to.0, to.1, px(5)));
        let mut wish = Wish::new(4, Ground::Paper, "fp-small");
        for text in &way.texts {
            wish.at(to.0 + px(10), to.1 + px(4), Anchor::Start, text);
            wish.at(to.0 - px(10), to.1 + px(4), Anchor::End, text);
        }
        self.wish(wish);
    }

    /// An answer, where it matters: a short line back up from its mark.
    fn answer(&mut self, arrow: &Arrow, way: &Way) {
        // Where there is little room, the verdict beside the mark says enough of an answer that arrives.
        if self.frame.narrow && way.end == Ending::Arrived && !way.late {
            return;
        }
        let (x, y) = (self.x(way.sent), self.lane_of(arrow, way));
        let over = self.mark_reach(arrow, way).unwrap_or(Px(0));
        // The lane's name stands above a narrow lane.
        let top = y - if self.frame.narrow { px(24) } else { px(31) };
        let from = (x + over * 6 / 10, y - over * 9 / 10 - px(1));
        let end = (self.x(way.ended).max(from.0 + px(7)), top);
        self.line("fp-arrow", from, end).shows(&way.label, way.fact);
        match way.end {
            Ending::Lost => self.path("fp-lost", cross(end.0, end.1)),
            Ending::Held => self.circle("fp-held", end, px(3)),
            Ending::Arrived => self.path("fp-head", arrow_head(from, end)),
        };
        let stroke = Area { left: from.0 - Px(10), top: end.1 - px(4), right: end.0 + px(5), bottom: from.1 };
        self.obstacles.thin.push(stroke);
        let mut wish = Wish::new(5, Ground::Paper, "fp-small");
        for text in &way.texts {
            wish.at(end.0 + px(9), end.1 + px(4), Anchor::Start, text);
            wish.at(x - px(8), end.1 + px(4), Anchor::End, text);
        }
        self.wish(wish);
    }

    /// A message between a worker and the lock service, which is drawn only if something happens to it.
    fn lock_message(&mut self, arrow: &Arrow) {
        for way in &arrow.ways {
            let (sent, (top, _)) = self.at_worker(arrow.worker, way.sent);
            let ended = self.x(way.ended);
            let lock = self.frame.lock.1;
            let (from, to) = if arrow.reply { ((sent, lock), (ended, top)) } else { ((sent, top), (ended, lock)) };
            if way.end == Ending::Lost {
                let middle = (to.0, (from.1 + to.1) / 2);
                self.lost(from, middle, way);
            } else {
                self.stroke("fp-arrow", from, to, &way.label, way);
                self.path("fp-head", arrow_head(from, to));
            }
        }
    }

    /// The line of the lane that a message goes to, or comes from.
    fn lane_of(&self, arrow: &Arrow, way: &Way) -> Px {
        let outside = self.frame.outside[way.row].filter(|_| arrow.outside);
        outside.unwrap_or(self.frame.rows[way.row])
    }

    /// How far the mark reaches that a message leads to, or comes from.
    fn mark_reach(&self, arrow: &Arrow, way: &Way) -> Option<Px> {
        let at = |at| self.mark_at(arrow, way, at);
        let ended = at(way.ended).filter(|_| way.end != Ending::Lost);
        ended.or_else(|| at(way.sent)).map(reach)
    }

    fn mark_at(&self, arrow: &Arrow, way: &Way, at: crate::time::Instant) -> Option<Fate> {
        let row = &self.timeline.rows[way.row];
        let marks = match &row.outside {
            Some(outside) if arrow.outside => &outside.marks,
            _ => &row.marks,
        };
        marks.iter().find(|mark| mark.at == at).map(|mark| mark.fate)
    }
}
