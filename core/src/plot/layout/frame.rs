//! Where the lanes stand.

use super::super::scene::Px;
use super::super::timeline::Timeline;
use super::geometry::{Area, px};
use super::text::Type;

/// Below this width, in pixels, lane names stand above their lanes.
const NARROW: u32 = 600;
/// The least and the greatest width that is laid out for, in pixels.
const WIDTHS: (u32, u32) = (280, 8_000);

/// The places of all lanes, top to bottom.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// Names above the lanes instead of beside them.
    pub(super) narrow: bool,
    pub(super) width: Px,
    pub(super) height: Px,
    /// Where time 0 stands, and where the axis ends.
    pub(super) left: Px,
    pub(super) right: Px,
    /// Top and bottom of the lock service's bars.
    pub(super) lock: (Px, Px),
    /// Top and bottom of each worker's bars.
    pub(super) workers: Vec<(Px, Px)>,
    /// The line of each row's lane.
    pub(super) rows: Vec<Px>,
    /// The line of each row's lane outside, where it has one.
    pub(super) outside: Vec<Option<Px>>,
    /// Top of the first row's lane.
    pub(super) rows_top: Px,
    /// Baseline of the caption of the first difference.
    pub(super) caption: Px,
    /// Bottom of the grid.
    pub(super) bottom: Px,
}

/// What the distances are.
struct Rhythm {
    lock_top: Px,
    lock_height: Px,
    below_lock: Px,
    worker_height: Px,
    between_workers: Px,
    below_workers: Px,
    row: Px,
    /// From a row's line to that of its lane outside.
    outside: Px,
    below_rows: Px,
}

const WIDE: Rhythm = Rhythm {
    lock_top: px(26),
    lock_height: px(28),
    below_lock: px(34),
    worker_height: px(34),
    between_workers: px(14),
    below_workers: px(62),
    row: px(76),
    outside: px(58),
    below_rows: px(36),
};

const TIGHT: Rhythm = Rhythm {
    lock_top: px(24),
    lock_height: px(24),
    below_lock: px(44),
    worker_height: px(30),
    between_workers: px(30),
    below_workers: px(88),
    row: px(100),
    outside: px(76),
    below_rows: px(54),
};

impl Frame {
    pub(super) fn new(timeline: &Timeline, width: u32) -> Frame {
        let width = width.clamp(WIDTHS.0, WIDTHS.1);
        let narrow = width < NARROW;
        let width = px(width as i32);
        let rhythm = if narrow { &TIGHT } else { &WIDE };
        let lock = (rhythm.lock_top, rhythm.lock_top + rhythm.lock_height);
        let mut top = lock.1 + rhythm.below_lock;
        let mut workers = Vec::new();
        for _ in &timeline.workers {
            workers.push((top, top + rhythm.worker_height));
            top = top + rhythm.worker_height + rhythm.between_workers;
        }
        let workers_bottom = top - rhythm.between_workers;
        let first_row = workers_bottom + rhythm.below_workers;
        let (mut rows, mut outside) = (Vec::new(), Vec::new());
        let (mut next, mut last_row) = (first_row, first_row);
        for row in &timeline.rows {
            let beyond = row.outside.is_some().then_some(next + rhythm.outside);
            rows.push(next);
            outside.push(beyond);
            last_row = beyond.unwrap_or(next);
            next = last_row + rhythm.row;
        }
        let caption = last_row + rhythm.below_rows + px(9);
        let bottom = caption + px(8);
        let gutter = if narrow { px(10) } else { gutter(timeline) };
        Frame {
            narrow,
            width,
            height: bottom + px(24),
            left: gutter,
            right: width - px(12),
            lock,
            workers,
            rows,
            outside,
            rows_top: first_row - px(28),
            caption,
            bottom,
        }
    }

    /// The place of a worker's bar between two places on the axis.
    pub(super) fn worker(&self, index: usize, left: Px, right: Px) -> Area {
        let (top, bottom) = self.workers[index];
        Area { left, top, right, bottom }
    }

    /// Everything.
    pub(super) fn bounds(&self) -> Area {
        Area { left: px(1), top: Px(0), right: self.width - px(1), bottom: self.height }
    }
}

/// Widest text of a lane's second line in the gutter.
pub(super) const SUB_WIDTH: Px = px(150);

/// Room for the widest name.
fn gutter(timeline: &Timeline) -> Px {
    let (name, sub) = (Type::of("fp-name"), Type::of("fp-sub"));
    let mut widest = name.width("Lock service");
    for lane in &timeline.workers {
        widest = widest.max(name.width(&format!("Worker {}", lane.name)));
    }
    for row in &timeline.rows {
        widest = widest.max(name.width(&row.name));
        if let Some(outside) = &row.outside {
            widest = widest.max(sub.width(&outside.name));
        }
        for line in sub.wrap(&row.mechanism, SUB_WIDTH, 2) {
            widest = widest.max(sub.width(&line));
        }
    }
    widest.min(px(170)) + px(28)
}
