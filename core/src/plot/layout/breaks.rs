//! Where the axis is broken: a gap in every lane, with torn edges, and how much time it stands for.

use super::super::scene::{Axis, BREAK, Break, MAX_BREAKS, Px};
use super::super::timeline::{Timeline, roughly};
use super::Draw;
use super::geometry::{Area, Pen, px};
use super::labels::{Ground, Wish};

/// The breaks of the axis: those of the one that is held, or the timeline's.
pub(super) fn chosen(timeline: &Timeline, held: Option<Axis>) -> [Option<Break>; MAX_BREAKS] {
    if let Some(held) = held {
        return held.breaks;
    }
    let mut breaks = [None; MAX_BREAKS];
    for (place, gap) in breaks.iter_mut().zip(&timeline.gaps) {
        *place = Some(*gap);
    }
    breaks
}

impl Draw<'_> {
    /// Above all lanes, since every bar is broken here. Between the lanes texts may stand.
    pub(super) fn breaks(&mut self) {
        let frame = &self.frame;
        let bars =
            std::iter::once(&frame.lock).chain(&frame.workers).map(|(top, bottom)| (*top - px(3), *bottom + px(3)));
        let lines = frame.rows.iter().copied().chain(frame.outside.iter().copied().flatten());
        let lines = lines.map(|y| (y - px(9), y + px(9)));
        let lanes: Vec<(Px, Px)> = bars.chain(lines).chain([(frame.bottom - px(9), frame.bottom)]).collect();
        for one in self.axis.breaks.into_iter().flatten() {
            let left = self.x(one.from);
            let (mut ground, mut edges) = (Pen::default(), Pen::default());
            for (top, bottom) in &lanes {
                let area = Area { left: left + px(6), top: *top, right: left + BREAK - px(6), bottom: *bottom };
                ground = torn(torn(ground, 'M', area.left, area), 'L', area.right, area);
                edges = torn(torn(edges, 'M', area.left, area), 'M', area.right, area);
                self.obstacles.breaks.push(area.grown(px(3), Px(0)));
            }
            let length = roughly(one.to.since(one.from));
            self.path("fp-break", ground.done())
                .says(&format!("Here {length} are left out, in which nothing happens."));
            self.path("fp-break-edge", edges.done());
            let mut wish = Wish::new(0, Ground::Paper, "fp-tick fp-skipped");
            for text in [format!("{length} left out"), format!("… {length}"), length] {
                wish.near(left + BREAK / 2, self.frame.bottom + px(17), (px(2), self.frame.width - px(2)), &text);
            }
            // The ticks beside it make room.
            self.wishes.insert(0, wish);
        }
    }
}

/// A torn edge, down from the first command, or up again if that draws.
fn torn(mut pen: Pen, first: char, x: Px, area: Area) -> Pen {
    let down = first == 'M';
    let (mut y, end) = if down { (area.top, area.bottom) } else { (area.bottom, area.top) };
    let mut out = false;
    pen = pen.to(first, x, y);
    while y != end {
        y = if down { (y + px(5)).min(end) } else { (y - px(5)).max(end) };
        out = !out;
        pen = pen.to('L', if out { x + px(3) } else { x }, y);
    }
    pen
}
