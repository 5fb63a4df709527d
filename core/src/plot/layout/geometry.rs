//! Whole-number geometry, in tenths of a pixel, and the figure's small shapes as paths.

use std::fmt::Write as _;

use super::super::scene::Px;

/// Pixels in the scene's unit.
pub(super) const fn px(pixels: i32) -> Px {
    Px(pixels * 10)
}

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) left: Px,
    pub(crate) top: Px,
    pub(crate) right: Px,
    pub(crate) bottom: Px,
}

impl Area {
    /// A square around a point.
    pub(crate) fn around(x: Px, y: Px, half: Px) -> Area {
        Area { left: x - half, top: y - half, right: x + half, bottom: y + half }
    }

    /// Whether two rectangles overlap.
    pub(crate) fn overlaps(&self, other: &Area) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    /// Whether the other lies in this one.
    pub(crate) fn contains(&self, other: &Area) -> bool {
        self.left <= other.left && other.right <= self.right && self.top <= other.top && other.bottom <= self.bottom
    }

    /// The rectangle with more room on every side.
    pub(super) fn grown(&self, horizontally: Px, vertically: Px) -> Area {
        Area {
            left: self.left - horizontally,
            top: self.top - vertically,
            right: self.right + horizontally,
            bottom: self.bottom + vertically,
        }
    }

    pub(super) fn width(&self) -> Px {
        self.right - self.left
    }

    pub(super) fn middle(&self) -> Px {
        (self.top + self.bottom) / 2
    }
}

/// Builds a path's commands.
#[derive(Default)]
pub(super) struct Pen(String);

impl Pen {
    pub(super) fn to(mut self, command: char, x: Px, y: Px) -> Self {
        let _ = write!(self.0, "{command}{x} {y}");
        self
    }

    /// Commands as they are, relative to where the pen stands.
    pub(super) fn then(mut self, commands: &str) -> Self {
        self.0.push_str(commands);
        self
    }

    pub(super) fn line(self, x1: Px, y1: Px, x2: Px, y2: Px) -> Self {
        self.to('M', x1, y1).to('L', x2, y2)
    }

    pub(super) fn done(self) -> String {
        self.0
    }
}

/// Rising diagonals through `area`. They stand still when the area grows at an end.
pub(super) fn hatch(area: Area, pitch: Px) -> String {
    let mut pen = Pen::default();
    let mut sum = pitch * (area.left + area.top).0.div_euclid(pitch.0) + pitch;
    while sum < area.right + area.bottom {
        let (low, high) = ((sum - area.bottom).max(area.left), (sum - area.top).min(area.right));
        pen = pen.line(low, sum - low, high, sum - high);
        sum = sum + pitch;
    }
    pen.done()
}

/// Straight lines along `area` or, if `upright`, across it.
pub(super) fn stripes(area: Area, pitch: Px, upright: bool) -> String {
    let mut pen = Pen::default();
    if upright {
        let mut x = pitch * (area.left.0.div_euclid(pitch.0) + 1);
        while x < area.right {
            pen = pen.line(x, area.top, x, area.bottom);
            x = x + pitch;
        }
    } else {
        let mut y = area.top + pitch / 2;
        while y < area.bottom {
            pen = pen.line(area.left, y, area.right, y);
            y = y + pitch;
        }
    }
    pen.done()
}

/// Small crosses all over `area`, every other row shifted.
pub(super) fn crosses(area: Area) -> String {
    let (pitch, half) = (px(16), Px(18));
    let mut pen = Pen::default();
    let mut y = area.top + px(6);
    let mut shifted = false;
    while y + half < area.bottom {
        let mut x = pitch * (area.left.0.div_euclid(pitch.0) + 1) + if shifted { pitch / 2 } else { Px(0) };
        while x + half < area.right {
            if x > area.left + px(10) {
                pen = pen.to('M', x - half, y - half).then("l3.6 3.6m-3.6 0l3.6 -3.6");
            }
            x = x + pitch;
        }
        y = y + px(10);
        shifted = !shifted;
    }
    pen.done()
}

/// A tick in a disc.
pub(super) fn tick(x: Px, y: Px) -> String {
    Pen::default().to('M', x - px(5), y).then("l3.7 3.8 6.5 -7.6").done()
}

/// The bar in a ring that says no.
pub(super) fn bar(x: Px, y: Px) -> String {
    Pen::default().line(x - Px(60), y + Px(60), x + Px(60), y - Px(60)).done()
}

/// An arrow that turns round, for an answer from the record.
pub(super) fn turn(x: Px, y: Px) -> String {
    Pen::default().to('M', x - Px(32), y + Px(39)).then("a5 5 0 1 1 8.2 -4.4m-2.7 -2.5 2.9 3.3 2.7 -3.5").done()
}

/// A diamond.
pub(super) fn diamond(x: Px, y: Px, half: Px) -> String {
    Pen::default().to('M', x, y - half).to('L', x + half, y).to('L', x, y + half).to('L', x - half, y).then("z").done()
}

/// An exclamation mark, drawn, so that no font can change it.
pub(super) fn exclamation(x: Px, y: Px) -> String {
    Pen::default().to('M', x, y - Px(85)).then("v10").to('M', x, y + Px(75)).then("v.1").done()
}

/// A small cross.
pub(super) fn cross(x: Px, y: Px) -> String {
    let half = Px(45);
    Pen::default().line(x - half, y - half, x + half, y + half).line(x - half, y + half, x + half, y - half).done()
}

/// The head of an arrow that comes from the first point to the second.
pub(super) fn arrow_head(from: (Px, Px), to: (Px, Px)) -> String {
    let (dx, dy) = (i64::from((to.0 - from.0).0), i64::from((to.1 - from.1).0));
    let length = ((dx * dx + dy * dy) as f64).sqrt().max(1.0) as i64;
    let (along, across) = (75, 34);
    let place = |along: i64, across: i64| {
        let x = (dx * along + dy * across) / length;
        let y = (dy * along - dx * across) / length;
        (to.0 - Px(x as i32), to.1 - Px(y as i32))
    };
    let (one, other) = (place(along, across), place(along, -across));
    Pen::default().to('M', to.0, to.1).to('L', one.0, one.1).to('L', other.0, other.1).then("z").done()
}
