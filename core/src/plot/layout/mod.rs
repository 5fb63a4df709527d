//! From instants to places: a flat [`Scene`], for one width.
//!
//! All lengths are whole tenths of a pixel, so that a figure has the same bytes everywhere.

mod axis;
mod breaks;
mod frame;
mod geometry;
mod labels;
mod messages;
mod rows;
mod shared;
mod signs;
mod text;

use super::scene::{Anchor, Axis, BREAK, FactRef, Handle, Item, Px, Scene, Shape};
use super::timeline::{Lane, LeaseEnd, Timeline, approximately};
use crate::id::WorkerId;
use crate::time::Instant;
use crate::words::capital;

use frame::Frame;
use geometry::{Area, Pen, px};
use labels::{Ground, Line, Obstacles, Wish};
use text::Type;

#[cfg(test)]
pub(super) use text::{area_of, bounds_of};

/// How a figure is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The width in CSS pixels. Below 600 the lanes' names stand above the lanes.
    pub width: u32,
    /// The axis stays as this one, as far as it reaches: while a handle is dragged, the time under the pointer should not
    /// move.
    pub held: Option<Axis>,
}

impl Options {
    /// For this width, in CSS pixels.
    pub fn width(width: u32) -> Self {
        Self { width, held: None }
    }
}

/// Lays `timeline` out.
pub fn layout(timeline: &Timeline, options: Options) -> Scene {
    let frame = Frame::new(timeline, options.width);
    let mut axis = Axis {
        left: frame.left,
        right: frame.right,
        end: timeline.end,
        top: frame.lock.0 - px(4),
        bottom: frame.bottom,
        breaks: breaks::chosen(timeline, options.held),
    };
    axis.end = end(timeline, &frame, &axis, options.held.map(|held| held.end));
    let mut draw =
        Draw { timeline, frame, axis, items: Vec::new(), wishes: Vec::new(), obstacles: Obstacles::default() };
    draw.grid();
    draw.bands();
    draw.expiries();
    draw.messages();
    draw.difference();
    draw.lock();
    draw.handovers();
    draw.workers();
    draw.rows();
    draw.breaks();
    draw.names();
    let handles = draw.handles();
    draw.texts();
    let Draw { frame, items, .. } = draw;
    Scene { width: frame.width, height: frame.height, axis, items, handles, label: timeline.label.clone() }
}

/// Where the axis ends: after the last fact and the last handle, with room for the verdicts beside their marks.
fn end(timeline: &Timeline, frame: &Frame, axis: &Axis, until: Option<Instant>) -> Instant {
    let breaks = axis.breaks.iter().flatten().count() as i32;
    let drawn = frame.right - frame.left - BREAK * breaks;
    let width = drawn.0 as u64;
    // In time that is drawn to scale.
    let past = |at: Instant, room: Px| {
        // No more than a third of the axis is given to texts.
        let left = width.saturating_sub(room.0 as u64).max(width * 2 / 3).max(1);
        let shown = axis.shown(at);
        let (whole, rest) = (shown / left, shown % left);
        Instant::from_micros(whole * width + rest * width / left)
    };
    let facts = past(timeline.end, px(14));
    let handles = timeline.lengths.iter().map(|length| past(length.zero + length.value, px(14)));
    // While a handle is held the axis keeps its scale, or time would run away from the pointer: only facts may push it.
    if let Some(until) = until {
        let until = Instant::from_micros(axis.shown(until));
        return axis.until(handles.fold(facts, Instant::max).max(until).micros());
    }
    let verdicts = timeline.rows.iter().filter(|_| !frame.narrow).flat_map(|row| {
        let outside = row.outside.iter().flat_map(|outside| &outside.marks);
        let decisive = row.marks.iter().chain(outside).filter(|mark| mark.decisive).map(|mark| mark.at);
        decisive.chain(row.decided).map(|at| {
            let widths = [("fp-verdict", &row.verdict.label), ("fp-effect", &row.verdict.effect)];
            let text = widths.map(|(class, text)| Type::of(class).width(text)).into_iter().max().unwrap_or_default();
            past(at, text + rows::BESIDE + px(2))
        })
    });
    let needed = handles.chain(verdicts).fold(facts, Instant::max);
    axis.until(axis::round_end(needed, drawn).micros())
}

/// A scene being drawn.
struct Draw<'t> {
    timeline: &'t Timeline,
    frame: Frame,
    axis: Axis,
    items: Vec<Item>,
    wishes: Vec<Wish>,
    obstacles: Obstacles,
}

impl Item {
    /// It means what `label` says.
    #[inline(never)]
    fn says(&mut self, label: &str) {
        self.label = Some(label.to_owned());
    }

    /// It shows a fact.
    #[inline(never)]
    fn shows(&mut self, label: &str, fact: FactRef) {
        self.says(label);
        self.fact = Some(fact);
    }
}

impl Draw<'_> {
    #[inline(never)]
    fn x(&self, at: Instant) -> Px {
        self.axis.x(at)
    }

    fn push(&mut self, class: &'static str, shape: Shape) -> &mut Item {
        self.items.push_mut(Item { class, shape, label: None, fact: None })
    }

    #[inline(never)]
    fn rect(&mut self, class: &'static str, area: Area, radius: Px) -> &mut Item {
        let shape =
            Shape::Rect { x: area.left, y: area.top, width: area.width(), height: area.bottom - area.top, radius };
        self.push(class, shape)
    }

    #[inline(never)]
    fn line(&mut self, class: &'static str, from: (Px, Px), to: (Px, Px)) -> &mut Item {
        let shape = Shape::Line { x1: from.0, y1: from.1, x2: to.0, y2: to.1 };
        self.push(class, shape)
    }

    #[inline(never)]
    fn path(&mut self, class: &'static str, d: String) -> &mut Item {
        self.push(class, Shape::Path { d })
    }

    #[inline(never)]
    fn circle(&mut self, class: &'static str, (x, y): (Px, Px), r: Px) -> &mut Item {
        self.push(class, Shape::Circle { cx: x, cy: y, r })
    }

    /// Asks for a place for a text.
    #[inline(never)]
    fn wish(&mut self, wish: Wish) {
        self.wishes.push(wish);
    }

    /// A name, which has a place of its own.
    #[inline(never)]
    fn name(&mut self, class: &'static str, x: Px, y: Px, anchor: Anchor, text: &str) {
        let mut wish = Wish::new(0, Ground::Paper, class);
        wish.at(x, y, anchor, text);
        self.wish(wish);
    }

    fn grid(&mut self) {
        let breaks = self.axis.breaks.into_iter().flatten();
        let width = self.frame.right - self.frame.left - BREAK * breaks.clone().count() as i32;
        let step = axis::step(Instant::from_micros(self.axis.shown(self.axis.end)), width);
        let (top, bottom) = (self.axis.top, self.frame.bottom);
        let baseline = bottom + px(17);
        let mut pen = Pen::default();
        for at in axis::ticks(self.axis, step) {
            let x = self.x(at);
            pen = pen.line(x, top, x, bottom);
            let text = axis::tick_label(at, step);
            let mut wish = Wish::new(0, Ground::Paper, "fp-tick");
            wish.near(x, baseline, (px(2), self.frame.width - px(2)), &text);
            self.wish(wish);
        }
        self.path("fp-grid", pen.done());
    }

    /// Where two believe at once.
    fn bands(&mut self) {
        let timeline = self.timeline;
        let (Some(first), Some(last)) = (self.frame.workers.first().copied(), self.frame.workers.last().copied())
        else {
            return;
        };
        for band in &timeline.bands {
            let (left, right) = (self.x(band.from), self.x(band.to).max(self.x(band.from) + px(2)));
            let area = Area { left, top: self.frame.lock.1 + px(7), right, bottom: last.1 + px(9) };
            self.rect("fp-band", area, Px(0)).shows(&band.label, band.fact);
            // Its upper edge says how long it is where the text is longer.
            let edges = Pen::default()
                .line(left, area.top, left, area.bottom)
                .line(right, area.top, right, area.bottom)
                .line(left, area.top, right, area.top);
            self.path("fp-band-edge", edges.done());
            let length = approximately(band.to.since(band.from));
            let many = if band.believers == 2 { "two" } else { "three" };
            let texts = [
                format!("{many} believe they own the lock · {length}"),
                format!("{many} believe they own it · {length}"),
                format!("{many} believe · {length}"),
                format!("{many} believe"),
            ];
            let between = if self.frame.workers.len() > 1 { first.1 + px(11) } else { first.0 - px(10) };
            let bounds = (self.frame.left, self.frame.right);
            let mut wish = Wish::new(2, Ground::Paper, "fp-note fp-warn");
            for text in &texts {
                for y in [first.0 - px(9), last.1 + px(22), between] {
                    wish.near((left + right) / 2, y, bounds, text);
                    wish.at(left + px(6), y, Anchor::Start, text);
                    wish.at(right - px(6), y, Anchor::End, text);
                }
            }
            self.wish(wish);
        }
    }

    /// Where leases truly end, through all workers.
    fn expiries(&mut self) {
        let timeline = self.timeline;
        let bottom = self.frame.workers.last().map_or(self.frame.lock.1, |lane| lane.1) + px(7);
        for lease in timeline.leases.iter().filter(|lease| ends_by_itself(lease.end)) {
            let x = self.x(lease.to);
            self.line("fp-expiry", (x, self.frame.lock.1), (x, bottom));
            self.obstacles.thin.push(Area { left: x - Px(10), top: self.frame.lock.1, right: x + Px(10), bottom });
        }
    }

    /// The line where the rows part.
    fn difference(&mut self) {
        let Some(at) = self.timeline.difference else { return };
        let x = self.x(at);
        let top = self.frame.rows.first().copied().unwrap_or(self.frame.rows_top);
        let bottom = self.frame.caption - px(12);
        self.line("fp-difference", (x, top), (x, bottom)).says("Here the rows part for the first time.");
        self.obstacles.thin.push(Area { left: x - Px(10), top, right: x + Px(10), bottom });
        let bounds = (px(4), self.frame.width - px(4));
        let mut wish = Wish::new(1, Ground::Paper, "fp-small");
        wish.near(x, self.frame.caption, bounds, "first difference");
        self.wish(wish);
    }

    /// What the lanes are.
    fn names(&mut self) {
        let timeline = self.timeline;
        let frame = self.frame.clone();
        let mut lanes: Vec<(Px, Px, String, String)> = Vec::new();
        let above = |top: Px| top - px(8);
        let beside = |(top, bottom): (Px, Px)| (top + bottom) / 2 + px(5);
        let place = |lane: (Px, Px)| if frame.narrow { above(lane.0) } else { beside(lane) };
        lanes.push((place(frame.lock), Px(0), "Lock service".to_owned(), String::new()));
        for (lane, &bar) in timeline.workers.iter().zip(&frame.workers) {
            lanes.push((place(bar), Px(0), format!("Worker {}", lane.name), String::new()));
        }
        for (row, &y) in timeline.rows.iter().zip(&frame.rows) {
            let y = if frame.narrow { y - px(34) } else { y - px(1) };
            lanes.push((y, px(16), capital(&row.name), row.mechanism.clone()));
        }
        let (narrow, left, width) = (frame.narrow, frame.left, frame.width);
        for (row, y) in timeline.rows.iter().zip(&frame.outside) {
            if let (Some(outside), Some(y)) = (&row.outside, *y) {
                if narrow {
                    self.name("fp-sub", px(10), y - px(18), Anchor::Start, &outside.name);
                } else {
                    self.name("fp-sub", left - px(18), y + px(4), Anchor::End, &outside.name);
                }
            }
        }
        if let Some(&first) = frame.rows.first() {
            let text = if timeline.rows.len() > 1 { "Destination, by its rule" } else { "Destination" };
            if narrow {
                self.name("fp-group", px(10), first - px(57), Anchor::Start, text);
            } else {
                self.name("fp-group", left - px(18), first - px(27), Anchor::End, text);
            }
        }
        let (name, sub) = (Type::of("fp-name"), Type::of("fp-sub"));
        for (y, below, text, second) in lanes {
            if narrow {
                let text = name.fit(&text, width - px(20));
                let after = px(10) + name.width(&text) + px(8);
                self.name("fp-name", px(10), y, Anchor::Start, &text);
                let second = sub.fit(&second, width - after - px(8));
                if !second.is_empty() {
                    self.name("fp-sub", after, y, Anchor::Start, &second);
                }
            } else {
                let x = left - px(18);
                let text = name.fit(&text, left - px(22));
                self.name("fp-name", x, y, Anchor::End, &text);
                if second.is_empty() {
                    continue;
                }
                for (number, line) in sub.wrap(&second, frame::SUB_WIDTH, 2).into_iter().enumerate() {
                    let y = y + below + px(14) * number as i32;
                    self.name("fp-sub", x, y, Anchor::End, &line);
                }
            }
        }
    }

    fn handles(&mut self) -> Vec<Handle> {
        let timeline = self.timeline;
        let mut handles = Vec::new();
        for length in &timeline.lengths {
            let y = match length.lane {
                Lane::Lock => (self.frame.lock.0 + self.frame.lock.1) / 2,
                Lane::Worker(worker) => {
                    let (top, bottom) = self.frame.workers[worker.index()];
                    (top + bottom) / 2
                }
                // Above the mark of the message, which stands there too.
                Lane::Row(row) => self.frame.rows[row] - px(22),
            };
            let x = self.x(length.zero + length.value);
            self.obstacles.thin.push(Area::around(x, y, px(12)));
            handles.push(Handle {
                parameter: length.parameter.clone(),
                label: length.label.clone(),
                zero: length.zero,
                value: length.value,
                y,
            });
        }
        handles
    }

    /// Gives the texts their places and draws them above everything else.
    fn texts(&mut self) {
        let gutter = if self.frame.narrow { Px(0) } else { self.frame.left - px(8) };
        let placed = labels::place(&self.wishes, &self.obstacles, self.frame.bounds(), gutter);
        for text in placed {
            if text.on == Ground::Hatch {
                for line in &text.lines {
                    self.rect("fp-pill", line.area().grown(px(6), px(2)), px(9));
                }
            }
            for Line { class, x, y, anchor, text } in text.lines {
                self.push(class, Shape::Text { x, y, anchor, text });
            }
        }
    }
}

/// Whether a lease that ends so ends without its owner.
fn ends_by_itself(end: LeaseEnd) -> bool {
    !matches!(end, LeaseEnd::Released | LeaseEnd::Open)
}

/// The classes of an owner's things: a hue each, and the same for its bars, epochs and writes.
macro_rules! owned {
    ($kind:literal, $worker:expr) => {
        super::of_owner(&[concat!($kind, " fp-a"), concat!($kind, " fp-b"), concat!($kind, " fp-c")], $worker)
    };
}
use owned;

/// The one of `classes` that is for `worker`.
#[inline(never)]
fn of_owner(classes: &[&'static str; 3], worker: WorkerId) -> &'static str {
    classes[worker.index() % 3]
}
