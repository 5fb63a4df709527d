//! The destination's lanes: the epoch it goes by, and what became of each write.

use super::super::scene::{Anchor, Px};
use super::super::timeline::{Fate, Mark, Outside, RowLane, Split, approximately};
use super::geometry::{Area, Pen, arrow_head, bar, diamond, exclamation, px, tick, turn};
use super::labels::{Ground, Line, Wish};
use super::signs::Edge;
use super::{Draw, owned};
use crate::words::Tone;

/// From the middle of a mark to a text beside it.
pub(super) const BESIDE: Px = px(23);
/// Half of a mark.
const RADIUS: Px = px(11);
/// Half of the mark of a check.
const SMALL: Px = px(5);
/// Half of the mark of a violation.
const DIAMOND: Px = px(17);

/// How far a verdict may stand from what decided it, in steps.
const FARTHEST: i32 = 15;

/// How far a mark reaches from its middle.
pub(super) fn reach(fate: Fate) -> Px {
    match fate {
        Fate::Violating => DIAMOND,
        Fate::Late => RADIUS + px(3),
        Fate::Applied | Fate::Rejected | Fate::Replayed | Fate::NotSent | Fate::Effected => RADIUS,
        Fate::LookedUp => px(8),
        Fate::Asked => SMALL,
    }
}

impl Draw<'_> {
    pub(super) fn rows(&mut self) {
        let timeline = self.timeline;
        for (index, row) in timeline.rows.iter().enumerate() {
            let y = self.frame.rows[index];
            let (left, right) = (self.frame.left, self.frame.right);
            self.line("fp-lane", (left, y), (right, y));
            self.obstacles.marks.push(Area { left, top: y - Px(30), right, bottom: y + Px(30) });
            self.steps(row, y);
            for split in &row.splits {
                self.split(split, y);
            }
            let marks: Vec<(Px, Px)> = row.marks.iter().map(|mark| (self.x(mark.at), reach(mark.fate))).collect();
            self.signs(&row.events, Edge::Line { y, marks: &marks });
            // The mark that decides stands above the others.
            for mark in row.marks.iter().filter(|mark| !mark.decisive) {
                self.mark(row, mark, y);
            }
            for mark in row.marks.iter().filter(|mark| mark.decisive) {
                self.mark(row, mark, y);
            }
            if let Some(at) = row.decided {
                // Clear of whatever mark stands close by.
                self.verdict(row, DIAMOND, self.x(at), y);
            }
            if let (Some(outside), Some(y)) = (&row.outside, self.frame.outside[index]) {
                self.outside(row, outside, y);
            }
        }
    }

    /// The lane of what comes about outside.
    fn outside(&mut self, row: &RowLane, outside: &Outside, y: Px) {
        let (left, right) = (self.frame.left, self.frame.right);
        self.line("fp-outside", (left, y), (right, y));
        self.obstacles.marks.push(Area { left, top: y - Px(20), right, bottom: y + Px(20) });
        if outside.relayed {
            // The destination's relay asks for it.
            let from = self.frame.rows.iter().copied().filter(|row| *row < y).max().unwrap_or(y);
            for mark in outside.marks.iter().filter(|mark| !matches!(mark.fate, Fate::LookedUp)) {
                let (start, tip) = ((self.x(mark.at), from + px(4)), (self.x(mark.at), y - reach(mark.fate) - px(2)));
                self.line("fp-arrow", start, tip);
                self.path("fp-head", arrow_head(start, tip));
                self.obstacles.thin.push(Area {
                    left: tip.0 - Px(10),
                    top: start.1,
                    right: tip.0 + Px(10),
                    bottom: tip.1,
                });
            }
        }
        let marks: Vec<(Px, Px)> = outside.marks.iter().map(|mark| (self.x(mark.at), reach(mark.fate))).collect();
        self.signs(&outside.events, Edge::Line { y, marks: &marks });
        let mut ordered: Vec<&Mark> = outside.marks.iter().collect();
        ordered.sort_by_key(|mark| (mark.decisive, mark.fate == Fate::Violating));
        for mark in ordered {
            self.mark(row, mark, y);
        }
    }

    /// The steps of a write, where they lie apart: a sleeve around the lane from the first to the last, and a sign each.
    fn split(&mut self, split: &Split, y: Px) {
        let (left, right) = (self.x(split.from()), self.x(split.to));
        if right - left < px(3) {
            return;
        }
        let area = Area { left, top: y - px(6), right, bottom: y + px(6) };
        self.rect(owned!("fp-split", split.worker), area, px(6)).shows(&split.label, split.fact);
        let mut pen = Pen::default();
        let steps = [("check", split.checked), ("record", split.recorded)];
        for (name, at) in steps {
            let Some(at) = at else { continue };
            let x = self.x(at);
            pen = pen.line(x, y - px(10), x, y + px(10));
            let mut wish = Wish::new(5, Ground::Paper, "fp-small");
            for y in [y - px(13), y + px(23)] {
                wish.near(x, y, (self.frame.left, self.frame.width - px(4)), name);
                wish.at(x - px(4), y, Anchor::End, name);
                wish.at(x + px(4), y, Anchor::Start, name);
            }
            self.wish(wish);
        }
        self.path("fp-split-step", pen.done());
        self.obstacles.thin.push(area);
        // How long it was checked and not yet changed, or changed and not yet recorded.
        let open = match (split.checked, split.applied, split.recorded) {
            (Some(checked), Some(applied), _) if applied > checked => (checked, applied, "between check and change"),
            (Some(checked), None, _) => (checked, split.to, "checked, never applied"),
            (_, Some(applied), Some(recorded)) => (applied, recorded, "between change and record"),
            _ => return,
        };
        let (from, to, what) = open;
        let length = approximately(to.since(from));
        let middle = (self.x(from) + self.x(to)) / 2;
        let mut wish = Wish::new(5, Ground::Paper, "fp-small");
        for text in [format!("{length} {what}"), what.to_owned(), length] {
            for y in [y - px(11), y + px(20)] {
                for x in [middle, (left + middle) / 2, (middle + right) / 2] {
                    wish.near(x, y, (left, right), &text);
                }
            }
        }
        wish.places.retain(|lines| lines.iter().all(|line| line.area().width() <= right - left));
        self.wish(wish);
    }

    fn steps(&mut self, row: &RowLane, y: Px) {
        for (index, step) in row.steps.iter().enumerate() {
            let left = self.x(step.from);
            let next = row.steps.get(index + 1).map_or(self.frame.right, |next| self.x(next.from));
            let next = step.lost.map_or(next, |at| next.min(self.x(at)));
            self.line(owned!("fp-step", step.worker), (left, y), (next, y)).shows(&step.label, step.fact);
            // A second owner's line is double, a third's broken: hue is not all that tells them apart.
            if step.worker.index() % 3 != 0 {
                self.line(owned!("fp-step-core", step.worker), (left, y), (next, y));
            }
            let epoch = step.epoch;
            let texts = if step.registered {
                [format!("recognizes {epoch}"), epoch.to_string()]
            } else {
                [format!("has seen {epoch}"), format!("seen {epoch}")]
            };
            let from = if step.registered { left + px(3) } else { left + px(16) };
            let mut wish = Wish::new(6, Ground::Paper, owned!("fp-small", step.worker));
            for text in &texts {
                wish.at(from, y - px(8), Anchor::Start, text);
                wish.at(from, y + px(17), Anchor::Start, text);
                wish.at(from, y - px(12), Anchor::Start, text);
            }
            self.wish(wish);
        }
    }

    fn mark(&mut self, row: &RowLane, mark: &Mark, y: Px) {
        // Where little room stands for a long time, what happens early is drawn whole, if a little late.
        let x = self.x(mark.at).max(reach(mark.fate));
        if mark.fate == Fate::Late {
            self.circle(owned!("fp-late", mark.worker), (x, y), RADIUS + px(3));
        }
        let sign = match mark.fate {
            Fate::Applied | Fate::Late => self.circle(owned!("fp-applied", mark.worker), (x, y), RADIUS),
            Fate::Rejected => self.circle("fp-rejected", (x, y), RADIUS - px(1)),
            Fate::Replayed => self.circle("fp-replayed", (x, y), RADIUS - px(1)),
            Fate::NotSent => self.circle("fp-not-sent", (x, y), RADIUS - px(1)),
            Fate::Asked => self.circle("fp-asked", (x, y), SMALL),
            // Square, since it is no write.
            Fate::Effected => self.rect(owned!("fp-effected", mark.worker), Area::around(x, y, RADIUS - px(1)), px(3)),
            Fate::LookedUp => self.circle("fp-looked-up", (x - px(1), y - px(1)), px(6)),
            Fate::Violating => self.path("fp-violating", diamond(x, y, DIAMOND)),
        };
        sign.shows(&mark.label, mark.fact);
        let glyph = match mark.fate {
            Fate::Applied | Fate::Late | Fate::Effected => Some(("fp-glyph", tick(x, y))),
            Fate::LookedUp => {
                Some(("fp-looked-up", Pen::default().line(x + px(3), y + px(3), x + px(8), y + px(8)).done()))
            }
            Fate::Rejected => Some(("fp-rejected-bar", bar(x, y))),
            Fate::Replayed => Some(("fp-replayed-turn", turn(x, y))),
            Fate::NotSent | Fate::Asked => None,
            Fate::Violating => Some(("fp-glyph fp-strong", exclamation(x, y))),
        };
        if let Some((class, d)) = glyph {
            self.path(class, d);
        }
        self.obstacles.marks.push(Area::around(x, y, reach(mark.fate)));
        if mark.decisive {
            self.verdict(row, reach(mark.fate), x, y);
        } else {
            self.remark(mark, x, y);
        }
    }

    /// The row's verdict, beside the mark that decides it and that reaches so far, or where there might be one.
    fn verdict(&mut self, row: &RowLane, over: Px, x: Px, y: Px) {
        let (label, effect) = match row.verdict.tone {
            Tone::Broken => ("fp-verdict fp-broken", "fp-effect fp-broken"),
            Tone::Impaired => ("fp-verdict fp-impaired", "fp-effect fp-impaired"),
            Tone::Kept => ("fp-verdict fp-kept", "fp-effect fp-kept"),
            Tone::Calm | Tone::Open => ("fp-verdict", "fp-effect"),
        };
        let bounds = (self.frame.left, self.frame.width - px(4));
        // Where the two lines stand: an anchor, or the middle as near to `x` as there is room.
        let beside = |x: Px, anchor: Anchor| [(x, y - px(8), Some(anchor)), (x, y + px(17), Some(anchor))];
        let around = |x: Px| [(x, y - over - px(6), None), (x, y + over + px(15), None)];
        let right = beside(x + BESIDE, Anchor::Start);
        let left = beside(x - BESIDE, Anchor::End);
        let under = [(x, y + over + px(16), None), (x, y + over + px(32), None)];
        // The first line beside the mark, the second wherever it fits below.
        let split = [right[0], around(x)[1]];
        let shifted = [around(x - px(14)), around(x + px(14))];
        let places: &[[(Px, Px, Option<Anchor>); 2]] = if self.frame.narrow {
            &[under, around(x), right, left, shifted[0], shifted[1]]
        } else {
            &[right, split, around(x), left, shifted[0], shifted[1]]
        };
        let line = |class, (x, y, anchor): (Px, Px, Option<Anchor>), text: &str| match anchor {
            Some(anchor) => Line::new(class, x, y, anchor, text),
            None => Line::near(class, x, y, bounds, text),
        };
        let mut wish = Wish::new(2, Ground::Paper, label);
        for [first, second] in places {
            let first = line(label, *first, &row.verdict.label);
            if row.verdict.effect.is_empty() {
                wish.places.push(vec![first]);
            } else {
                wish.places.push(vec![first.clone(), line(effect, *second, &row.verdict.effect)]);
                wish.last.push(vec![first]);
            }
        }
        // Where other marks stand close by, the first line alone, as near on the lane as there is room.
        for away in 1..=FARTHEST {
            for x in [x + px(away * 20), x - px(away * 20)] {
                for (x, y, _) in around(x) {
                    wish.last.push(vec![Line::near(label, x, y, bounds, &row.verdict.label)]);
                }
            }
        }
        self.wish(wish);
    }

    /// A few words beside a mark that does not decide.
    fn remark(&mut self, mark: &Mark, x: Px, y: Px) {
        let bounds = (self.frame.left, self.frame.width - px(4));
        let over = reach(mark.fate);
        let (below, above) = (y + over + px(15), y - over - px(6));
        let around = |wish: &mut Wish, text: &str| {
            wish.near(x, below, bounds, text);
            wish.at(x - px(5), below, Anchor::End, text);
            wish.at(x + px(5), below, Anchor::Start, text);
            wish.at(x - px(5), above, Anchor::End, text);
            wish.at(x + px(5), above, Anchor::Start, text);
            wish.near(x, above, bounds, text);
        };
        let class = if mark.fate == Fate::Violating { "fp-note fp-broken" } else { "fp-note" };
        let mut wish = Wish::new(4, Ground::Paper, class);
        for text in &mark.texts {
            around(&mut wish, text);
        }
        if let Some(short) = &mark.short {
            let mut last = Wish::new(4, Ground::Paper, class);
            around(&mut last, short);
            wish.last = last.places;
        }
        self.wish(wish);
    }
}
