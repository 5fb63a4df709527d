//! The scene: a figure laid out, as a flat list of shapes. The page maps it to nodes and the SVG writer to text; neither
//! lays anything out again.

use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

use serde::Serialize;

pub use crate::compare::FactRef;
use crate::time::{Duration, Instant};

/// A length on the screen in tenths of a CSS pixel: whole numbers, so that a figure has the same bytes everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(transparent)]
pub struct Px(pub i32);

/// Lengths are reckoned with in every line of a drawing, and no rule depends on them: they are not checked for overflow, which
/// would take more room than the reckoning.
macro_rules! operator {
    ($trait:ident, $method:ident, $other:ty, |$one:ident, $by:ident| $result:expr) => {
        impl $trait<$other> for Px {
            type Output = Px;
            fn $method(self, other: $other) -> Px {
                let ($one, $by) = (self, other);
                Px($result)
            }
        }
    };
}

operator!(Add, add, Px, |one, other| one.0.wrapping_add(other.0));
operator!(Sub, sub, Px, |one, other| one.0.wrapping_sub(other.0));
operator!(Mul, mul, i32, |one, times| one.0.wrapping_mul(times));
operator!(Div, div, i32, |one, parts| one.0.wrapping_div(parts));

impl Neg for Px {
    type Output = Px;
    fn neg(self) -> Px {
        Px(0) - self
    }
}

impl Px {
    /// The same without its sign.
    pub(crate) fn abs(self) -> Px {
        self.max(-self)
    }
}

/// As SVG writes it: pixels with at most one decimal.
impl fmt::Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, tenth) = (self.0.unsigned_abs() / 10, self.0.unsigned_abs() % 10);
        match tenth {
            0 => write!(f, "{sign}{whole}"),
            _ => write!(f, "{sign}{whole}.{tenth}"),
        }
    }
}

/// A figure laid out for one width.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scene {
    /// Its width.
    pub width: Px,
    /// Its height.
    pub height: Px,
    /// Where times stand.
    pub axis: Axis,
    /// What is drawn, back to front.
    pub items: Vec<Item>,
    /// What can be dragged.
    pub handles: Vec<Handle>,
    /// The whole figure in one or two sentences, for those who do not see it.
    pub label: String,
}

/// The time axis: a straight line from time to place, but for the breaks where nothing happens for long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Axis {
    /// Where the run begins.
    pub left: Px,
    /// Where the axis ends.
    pub right: Px,
    /// The time at which it ends.
    pub end: Instant,
    /// Top of the lanes.
    pub top: Px,
    /// Bottom of the lanes.
    pub bottom: Px,
    /// What is left out of it, in the order of time.
    pub breaks: [Option<Break>; MAX_BREAKS],
}

/// The most breaks an axis has.
pub const MAX_BREAKS: usize = 3;

/// A stretch of time that is left out of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Break {
    /// From.
    pub from: Instant,
    /// To.
    pub to: Instant,
}

/// The room that a break takes on an axis.
pub const BREAK: Px = Px(260);

/// A shape with its class and meaning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Its CSS classes, all of them in `figure.css`.
    pub class: &'static str,
    /// What is drawn.
    pub shape: Shape,
    /// What it means, in words, where it means something by itself.
    pub label: Option<String>,
    /// The fact that it shows, where it shows one.
    pub fact: Option<FactRef>,
}

/// What can be drawn: SVG's own shapes and attributes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "shape", rename_all = "kebab-case")]
pub enum Shape {
    /// `<rect>`
    Rect {
        /// Left.
        x: Px,
        /// Top.
        y: Px,
        /// Width.
        width: Px,
        /// Height.
        height: Px,
        /// Corner radius.
        radius: Px,
    },
    /// `<line>`
    Line {
        /// From.
        x1: Px,
        /// From.
        y1: Px,
        /// To.
        x2: Px,
        /// To.
        y2: Px,
    },
    /// `<circle>`
    Circle {
        /// Centre.
        cx: Px,
        /// Centre.
        cy: Px,
        /// Radius.
        r: Px,
    },
    /// `<path>`
    Path {
        /// Its commands.
        d: String,
    },
    /// `<text>`
    Text {
        /// Anchor point.
        x: Px,
        /// Baseline.
        y: Px,
        /// Which end stands at the anchor point.
        anchor: Anchor,
        /// The text.
        text: String,
    },
}

/// Which end of a text stands at its anchor point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// Something that can be dragged along the axis to change a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Handle {
    /// The parameter's name.
    pub parameter: String,
    /// What it changes, in words: "how long A is frozen".
    pub label: String,
    /// Where the parameter would be 0.
    pub zero: Instant,
    /// Its value: the handle stands at `zero + value`.
    pub value: Duration,
    /// Middle of the handle, from the top.
    pub y: Px,
}

impl Axis {
    /// Where `at` stands.
    pub fn x(&self, at: Instant) -> Px {
        let (mut passed, mut breaks) = (Px(0), 0);
        for Break { from, to } in self.breaks.into_iter().flatten() {
            breaks += 1;
            if at > from {
                // In the break itself time runs on, only faster.
                let part = at.min(to).since(from).micros() * BREAK.0 as u64;
                passed = passed + Px((part / to.since(from).micros().max(1)) as i32);
            }
        }
        let width = (self.right - self.left - BREAK * breaks).0 as u64;
        let (at, end) = (self.shown(at), self.shown(self.end));
        // Of axes longer than four years the last bits go, so that the product has room: less than is seen.
        let spare = 17_u32.saturating_sub(end.max(at).leading_zeros());
        let (at, end) = (at >> spare, end.max(1) >> spare);
        Px(self.left.0 + (at * width / end) as i32) + passed
    }

    /// How much time is drawn to scale from the beginning to `at`, in microseconds.
    pub(super) fn shown(&self, at: Instant) -> u64 {
        let left_out = |one: Break| at.min(one.to).since(one.from).micros();
        at.micros() - self.breaks.into_iter().flatten().map(left_out).sum::<u64>()
    }

    /// The instant up to which so many microseconds are drawn to scale.
    pub(super) fn until(&self, shown: u64) -> Instant {
        let mut at = shown;
        for one in self.breaks.into_iter().flatten().filter(|one| one.from < one.to) {
            if at > one.from.micros() {
                at += one.to.since(one.from).micros();
            }
        }
        Instant::from_micros(at)
    }

    /// Which time stands at `x` (in pixels), within the axis.
    pub fn at(&self, x: f64) -> Instant {
        let whole = f64::from((self.right - self.left).0);
        let breaks = self.breaks.iter().flatten().count() as i32;
        let scale = self.shown(self.end) as f64 / (whole - f64::from(BREAK.0 * breaks));
        let (mut place, mut left_out) = ((x * 10.0 - f64::from(self.left.0)).clamp(0.0, whole), 0.0);
        for one in self.breaks.iter().flatten() {
            let begins = self.shown(one.from) as f64 / scale;
            let part = ((place - begins) / f64::from(BREAK.0)).clamp(0.0, 1.0);
            left_out += part * one.to.since(one.from).micros() as f64;
            place -= part * f64::from(BREAK.0);
        }
        Instant::from_micros((place * scale + left_out).round() as u64)
    }
}
