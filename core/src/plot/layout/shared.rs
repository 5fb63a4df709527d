//! The lock service's lane and the workers'.

use super::super::scene::{Anchor, Px};
use super::super::timeline::{Belief, Halt, HaltKind, Lease, LeaseEnd, Passed, Stretch, WorkerLane, approximately};
use super::geometry::{Area, Pen, cross, crosses, hatch, px, stripes};
use super::labels::{Ground, Line, Wish};
use super::signs::Edge;
use super::text::Type;
use super::{Draw, ends_by_itself, owned};
use crate::time::Instant;
use crate::words::span;

/// How far what a worker does stands in from the edge of its belief.
const INSET: Px = px(6);
/// Differences smaller than this are not seen, and not drawn.
const VISIBLE: Px = px(4);

impl Draw<'_> {
    pub(super) fn lock(&mut self) {
        let timeline = self.timeline;
        for lease in &timeline.leases {
            self.lease(lease);
        }
        let (top, bottom) = self.frame.lock;
        self.signs(&timeline.lock_events, Edge::Bar { y: bottom + px(3), middle: (top + bottom) / 2, below: true });
    }

    /// Renewals: notches in the lower edge of the bar, of all of them one path.
    fn renewals(&mut self, lease: &Lease) {
        let (_, bottom) = self.frame.lock;
        let mut pen = Pen::default();
        let mut last = None;
        for renewal in &lease.renewals {
            let x = self.x(renewal.at);
            // Closer than this they would be a smear.
            if last.is_none_or(|last| x - last >= px(3)) {
                pen = pen.line(x, bottom - Px(55), x, bottom + px(4));
                last = Some(x);
            }
        }
        let Some(first) = lease.renewals.first() else { return };
        let label = match lease.renewals.len() {
            1 => first.label.clone(),
            number => format!("The lock service renews the lease under epoch {} {number} times.", lease.epoch),
        };
        self.path(owned!("fp-renewal", lease.worker), pen.done()).shows(&label, first.fact);
    }

    fn lease(&mut self, lease: &Lease) {
        let (top, bottom) = self.frame.lock;
        let (left, right) = (self.x(lease.from), self.x(lease.to));
        let area = Area { left, top, right: right.max(left + px(2)), bottom };
        self.rect(owned!("fp-lease", lease.worker), area, px(4)).shows(&lease.label, lease.fact);
        self.obstacles.bars.push(area);
        self.renewals(lease);
        let (name, epoch) = (&lease.name, lease.epoch);
        let renewed = match lease.renewals.len() {
            0 => String::new(),
            1 => ", renewed".to_owned(),
            number => format!(", renewed {number}×"),
        };
        let length = span(lease.length);
        let texts = [
            format!("epoch {epoch} · {name} · {length} lease{renewed}"),
            format!("epoch {epoch} · {name} · {length} lease"),
            format!("epoch {epoch} · {name}"),
            format!("{epoch} · {name}"),
            epoch.to_string(),
            name.clone(),
        ];
        let class = owned!("fp-bar", lease.worker);
        let y = area.middle() + px(5) - Px(5);
        self.inside(1, Ground::Bar, class, area.grown(-px(8), Px(0)), y, &texts, Anchor::Start);
        let caption = match lease.end {
            LeaseEnd::Expired => format!("lease {epoch} ends"),
            LeaseEnd::Released => format!("{epoch} given back"),
            LeaseEnd::TakenAway => format!("{epoch} ends"),
            LeaseEnd::Forgotten => format!("{epoch} forgotten"),
            LeaseEnd::Open => return,
        };
        let x = self.x(lease.to);
        if ends_by_itself(lease.end) {
            self.line(owned!("fp-lease-end", lease.worker), (x, top - px(4)), (x, bottom + px(4)));
        }
        let y = top - px(8);
        let text = Type::of("fp-small");
        let short = format!("{epoch} ends");
        let mut wish = Wish::new(6, Ground::Paper, "fp-small");
        for caption in [&caption, &short] {
            if lease.end != LeaseEnd::Expired && caption == &short {
                continue;
            }
            let half = text.width(caption) / 2;
            for x in [x, x - half, x + half] {
                wish.near(x, y, (px(2), self.frame.width - px(2)), caption);
            }
        }
        self.wish(wish);
    }

    /// Handovers that take time enough to be seen: a bracket of their parts.
    pub(super) fn handovers(&mut self) {
        let timeline = self.timeline;
        for handover in &timeline.handovers {
            let (top, bottom) = self.frame.lock;
            let area = Area { left: self.x(handover.from), top, right: self.x(handover.end()), bottom };
            if area.width() < px(24) {
                continue;
            }
            let y = area.middle();
            let mut pen = Pen::default().line(area.left, y - px(4), area.left, y + px(4)).to('M', area.left, y);
            let mut left = area.left;
            let mut parts = Vec::new();
            for (name, at) in &handover.parts {
                let right = self.x(*at);
                pen = pen.to('L', right, y).line(right, y - px(4), right, y + px(4)).to('M', right, y);
                parts.push(Line::new("fp-small", (left + right) / 2, y - px(6), Anchor::Middle, name));
                left = right;
            }
            self.path("fp-handover", pen.done()).shows(&handover.label, handover.fact);
            let length = approximately(handover.end().since(handover.from));
            let middle = (area.left + area.right) / 2;
            let mut wish = Wish::new(5, Ground::Bar, "fp-small");
            if parts.windows(2).all(|next| !next[0].area().overlaps(&next[1].area().grown(px(3), Px(0)))) {
                wish.places.push(parts);
            }
            for text in [&format!("handover {length}"), &length] {
                wish.at(middle, y - px(6), Anchor::Middle, text);
            }
            wish.places.retain(|lines| lines.iter().all(|line| line.area().width() <= area.width()));
            self.wish(wish);
        }
    }

    pub(super) fn workers(&mut self) {
        let timeline = self.timeline;
        for (index, lane) in timeline.workers.iter().enumerate() {
            self.waits(index, lane);
            self.elsewhere(index, lane);
            for belief in &lane.beliefs {
                self.belief(index, lane, belief);
            }
            for compute in &lane.computes {
                self.compute(index, lane, compute);
            }
            for halt in &lane.halts {
                self.halt(index, lane, halt);
            }
            self.points(index, lane);
            let (top, bottom) = self.frame.workers[index];
            self.signs(&lane.events, Edge::Bar { y: top, middle: (top + bottom) / 2, below: false });
            for belief in &lane.beliefs {
                self.past_its_lease(index, lane, belief);
            }
        }
    }

    fn waits(&mut self, index: usize, lane: &WorkerLane) {
        for wait in &lane.waits {
            // Who still waits when the run ends waits on.
            let to = if wait.to < self.timeline.end { self.x(wait.to) } else { self.frame.right };
            let area = self.frame.worker(index, self.x(wait.from), to);
            if area.width() < VISIBLE {
                continue;
            }
            let y = area.middle();
            let text = if wait.asked { "waits for the lock" } else { "standby" };
            let width = Type::of("fp-small").width(text) + px(10);
            let room = width < area.width();
            if room {
                let mut wish = Wish::new(8, Ground::Paper, "fp-small");
                wish.at(area.left + px(4), y + px(4), Anchor::Start, text);
                self.wish(wish);
            }
            let left = if room { area.left + width } else { area.left };
            self.line("fp-wait", (left, y), (area.right, y)).says(&wait.label);
            self.obstacles.thin.push(Area { left, top: y - Px(5), bottom: y + Px(5), ..area });
        }
    }

    fn belief(&mut self, index: usize, lane: &WorkerLane, belief: &Belief) {
        let worker = lane.worker;
        let (left, right) = (self.x(belief.from), self.x(belief.to));
        let area = self.frame.worker(index, left, right.max(left + px(2)));
        self.obstacles.bars.push(area);
        let turn = belief.outlasts.map(|at| self.x(at).max(left));
        let live = Area { right: turn.unwrap_or(area.right), ..area };
        if live.width() > Px(0) {
            self.rect(owned!("fp-belief", worker), live, px(4)).shows(&belief.label, belief.fact);
        }
        if let Some(turn) = turn {
            let stale = Area { left: turn, ..area };
            self.rect(owned!("fp-stale", worker), stale, px(4)).shows(&belief.label, belief.fact);
            let (top, bottom) = (area.top + Px(30), area.bottom - Px(30));
            let dots = Pen::default().line(turn + Px(40), top, area.right - Px(30), top).line(
                turn + Px(40),
                bottom,
                area.right - Px(30),
                bottom,
            );
            if stale.width() > px(8) {
                self.path(owned!("fp-stale-dots", worker), dots.done());
            }
        }
        if let Some(reckoned) = belief.reckoned.filter(|at| *at <= belief.to) {
            let x = self.x(reckoned);
            let truly = belief.outlasts.map_or(x, |at| self.x(at));
            if (x - truly).abs() >= VISIBLE {
                let label = format!("By its own clock, {}’s lease ends here.", lane.name);
                self.line("fp-reckoned", (x, area.top - px(4)), (x, area.top + INSET)).says(&label);
            }
        }
    }

    fn compute(&mut self, index: usize, lane: &WorkerLane, compute: &Stretch) {
        // A freeze in the middle of the work is drawn over it.
        let area = self.frame.worker(index, self.x(compute.from), self.x(compute.to)).grown(Px(0), -INSET);
        if area.width() < px(2) {
            return;
        }
        self.rect(owned!("fp-compute", lane.worker), area, px(2)).shows(&compute.label, compute.fact);
        let frozen = lane.halts.iter().find(|halt| halt.from < compute.to && compute.from < halt.to);
        let free = frozen.map_or(area, |freeze| Area { right: self.x(freeze.from), ..area });
        let length = approximately(compute.to.since(compute.from));
        let texts = match frozen {
            Some(_) => vec!["computes".to_owned()],
            None => vec![format!("computes {length}"), "computes".to_owned(), length],
        };
        let y = area.middle() + Px(45);
        self.inside(5, Ground::Bar, owned!("fp-bar", lane.worker), free.grown(-px(7), Px(0)), y, &texts, Anchor::Start);
    }

    /// Each way of standing still has its pattern and its name.
    fn halt(&mut self, index: usize, lane: &WorkerLane, halt: &Halt) {
        let area = self.frame.worker(index, self.x(halt.from), self.x(halt.to)).grown(Px(0), -INSET);
        let length = span(halt.to.since(halt.from));
        let (class, pattern, words): (_, fn(Area) -> String, _) = match halt.kind {
            HaltKind::Freeze => ("fp-freeze", |area| hatch(area, px(7)), ["frozen for", "frozen"]),
            HaltKind::Suspend => ("fp-suspended", |area| stripes(area, px(5), false), ["suspended for", "suspended"]),
            HaltKind::Stick => ("fp-stuck", |area| stripes(area, px(6), true), ["thread stuck for", "stuck"]),
            HaltKind::Crash => ("fp-down", crosses, ["crashed, down for", "down"]),
        };
        if area.width() >= px(2) {
            self.rect(class, area, px(3)).shows(&halt.label, halt.fact);
            self.path("fp-hatch", pattern(area));
        }
        if halt.kind == HaltKind::Crash {
            // Where it begins, since its bar breaks off there.
            let y = area.middle();
            self.circle("fp-sign fp-sign-crash", (area.left, y), px(7)).shows(&halt.label, halt.fact);
            self.path("fp-sign-glyph fp-sign-crash", cross(area.left, y));
            self.obstacles.marks.push(Area::around(area.left, y, px(7)));
        }
        let middle = (area.left + area.right) / 2;
        let lease_over = lane.beliefs.iter().find_map(|belief| belief.outlasts).map(|at| self.x(at));
        let [long, short] = words;
        let texts = [format!("{long} {length}"), format!("{short} {length}"), length, short.to_owned()];
        let y = area.middle() + Px(45);
        let mut wish = Wish::new(3, Ground::Hatch, "fp-bar");
        for text in &texts {
            let width = Type::of("fp-bar").width(text) + px(18);
            // Rather within the lease than across its end.
            let before = lease_over.map(|over| (area.left + over.min(area.right)) / 2);
            let room = |x: Px| x - width / 2 >= area.left && x + width / 2 <= area.right;
            let before = before.filter(|x| room(*x) && lease_over.is_some_and(|over| *x + width / 2 <= over));
            let beside = [middle, (area.left + middle) / 2, (middle + area.right) / 2];
            for x in before.into_iter().chain(beside).filter(|x| room(*x)) {
                wish.at(x, y, Anchor::Middle, text);
            }
        }
        if wish.places.is_empty() {
            // Too short to be written on: below the bar.
            let bar = self.frame.worker(index, area.left, area.right);
            let bounds = (self.frame.left, self.frame.width - px(4));
            wish = Wish::new(4, Ground::Paper, "fp-small");
            wish.near(middle, bar.bottom + px(12), bounds, &texts[1]);
        }
        self.wish(wish);
    }

    /// What the part of the bar after the lease means.
    fn past_its_lease(&mut self, index: usize, lane: &WorkerLane, belief: &Belief) {
        let Some(over) = belief.outlasts else { return };
        let area = self.frame.worker(index, self.x(over), self.x(belief.to));
        let epoch = belief.epoch;
        let texts = [
            format!("lease over, {} still believes in {epoch}", lane.name),
            format!("still believes in {epoch}"),
            "still believes".to_owned(),
        ];
        let y = area.middle() + Px(45);
        let mut wish = Wish::new(7, Ground::Hatch, "fp-note");
        for text in &texts {
            let width = Type::of("fp-note").width(text) + px(18);
            let middle = (area.left + area.right) / 2;
            for x in [middle, (area.left + middle) / 2, (middle + area.right) / 2] {
                if x - width / 2 >= area.left && x + width / 2 <= area.right {
                    wish.at(x, y, Anchor::Middle, text);
                }
            }
        }
        self.wish(wish);
    }

    /// The points of the program, as dots on the edge of the bar; those that coincide are one.
    fn points(&mut self, index: usize, lane: &WorkerLane) {
        let (_, bottom) = self.frame.workers[index];
        let mut together: Vec<(Px, Vec<&Passed>)> = Vec::new();
        for point in &lane.points {
            let x = self.x(point.at);
            match together.last_mut() {
                Some((first, points)) if x - *first < px(7) => points.push(point),
                _ => together.push((x, vec![point])),
            }
        }
        for (x, points) in together {
            let label = points.iter().map(|point| point.label.as_str()).collect::<Vec<_>>().join(" ");
            self.circle(owned!("fp-point", lane.worker), (x, bottom), px(3)).shows(&label, points[0].fact);
        }
    }

    fn elsewhere(&mut self, index: usize, lane: &WorkerLane) {
        let timeline = self.timeline;
        for stretch in &lane.elsewhere {
            let area = self.frame.worker(index, self.x(stretch.from), self.x(stretch.to));
            if area.width() < px(6) {
                continue;
            }
            self.rect(owned!("fp-elsewhere", lane.worker), area.grown(Px(0), -Px(20)), px(4)).says(&stretch.label);
            self.obstacles.bars.push(area);
            let names: Vec<&str> = stretch.rows.iter().map(|row| timeline.rows[*row].name.as_str()).collect();
            let texts = [format!("in {}", names.join(", ")), names.join(", ")];
            let y = area.middle() + Px(45);
            self.inside(6, Ground::Bar, "fp-small", area.grown(-px(6), Px(0)), y, &texts, Anchor::Start);
        }
    }

    /// Asks for the longest of `texts` that fits into `area`.
    #[expect(clippy::too_many_arguments, reason = "each is a different thing, and every caller has them all at hand")]
    fn inside(
        &mut self,
        rank: u8,
        on: Ground,
        class: &'static str,
        area: Area,
        y: Px,
        texts: &[String],
        anchor: Anchor,
    ) {
        let x = match anchor {
            Anchor::Start => area.left,
            Anchor::Middle => (area.left + area.right) / 2,
            Anchor::End => area.right,
        };
        let mut wish = Wish::new(rank, on, class);
        for text in texts {
            if Type::of(class).width(text) <= area.width() {
                wish.at(x, y, anchor, text);
            }
        }
        self.wish(wish);
    }

    /// Where a worker's bar stands at `at`, for arrows that begin or end there.
    pub(super) fn at_worker(&self, worker: crate::id::WorkerId, at: Instant) -> (Px, (Px, Px)) {
        (self.x(at), self.frame.workers[worker.index()])
    }
}
