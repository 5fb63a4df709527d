//! Workers taking their steps.

use super::Simulator;
use super::process::Place;
use super::queue::What;
use crate::event::Event;
use crate::fact::Fact;
use crate::id::{OperationId, WorkerId};
use crate::program::Point;
use crate::run::Limit;
use crate::scenario::{Side, Start};
use crate::time::Instant;

impl Simulator<'_> {
    pub(super) fn start(&mut self, worker: WorkerId, at: Instant) {
        let process = self.process(worker);
        process.started = true;
        let at = process.ready(at);
        self.set_step(worker, at);
    }

    pub(super) fn call_standbys(&mut self) {
        for (worker, spec) in self.config.worker_ids().zip(&self.scenario.workers) {
            if spec.start == Start::OnExpiry && !self.process(worker).started {
                self.start(worker, self.log.now);
            }
        }
    }

    pub(super) fn set_step(&mut self, worker: WorkerId, at: Instant) {
        self.process(worker).step_at = Some(at);
        self.queue.push(at, What::Step(worker));
    }

    /// Lets a worker that has a step to take, and none planned, take it as soon as its process runs.
    pub(super) fn plan_step(&mut self, worker: WorkerId) {
        let now = self.log.now;
        let next = self.state.worker(worker).next();
        let process = self.process(worker);
        if next.is_some() && process.started && process.step_at.is_none() && !process.computes_next {
            let from = if next == Some(Point::Acquire) { now.max(process.asks_from) } else { now };
            let at = process.ready(from);
            self.set_step(worker, at);
        }
    }

    pub(super) fn step(&mut self, worker: WorkerId) -> Result<(), Limit> {
        let now = self.log.now;
        if self.process(worker).step_at != Some(now) {
            return Ok(());
        }
        assert!(self.process(worker).runs(), "a frozen process takes no step");
        let Some(point) = self.state.worker(worker).next() else {
            // What it was to do has been overtaken by a reply.
            self.process(worker).step_at = None;
            return Ok(());
        };
        let place = self.place(worker);
        if self.process(worker).computing {
            self.process(worker).computing = false;
            let operation = self.operation(worker);
            self.tell(Fact::ComputeEnded { worker, operation });
            if self.befalls(Side::After, Point::Compute, worker, place)? {
                return Ok(());
            }
        }
        let here = Some((point, place));
        if self.process(worker).arrived != here {
            let process = self.process(worker);
            process.arrived = here;
            process.arrived_at = now;
            if self.befalls(Side::Before, point, worker, place)? {
                return Ok(());
            }
        }
        let process = self.process(worker);
        process.step_at = None;
        process.arrived = None;
        process.computes_next = point == Point::Read;
        self.choose(Event::Step { worker })?;
        self.befalls(Side::After, point, worker, place)?;
        if point == Point::Read && self.process(worker).computes_next {
            if self.state.worker(worker).believes().is_none() {
                // It was not let read.
                self.process(worker).computes_next = false;
                return Ok(());
            }
            self.befalls(Side::Before, Point::Compute, worker, place)?;
            let at = self.process(worker).ready(now);
            self.queue.push(at, What::Compute(worker));
        }
        Ok(())
    }

    /// The worker begins to compute what it will write.
    pub(super) fn compute(&mut self, worker: WorkerId) -> Result<(), Limit> {
        let now = self.log.now;
        if !self.process(worker).computes_next {
            return Ok(());
        }
        let at = self.process(worker).ready(now);
        if at > now {
            self.queue.push(at, What::Compute(worker));
            return Ok(());
        }
        if self.state.worker(worker).next().is_none() {
            // It has stopped meanwhile.
            self.process(worker).computes_next = false;
            return Ok(());
        }
        let length = self.scenario.duration(self.scenario.workers[worker.index()].compute);
        let process = self.process(worker);
        process.computes_next = false;
        process.computing = true;
        let operation = self.operation(worker);
        self.tell(Fact::ComputeBegan { worker, operation });
        self.set_step(worker, now + length);
        Ok(())
    }

    /// The operation that a believer is at.
    fn operation(&self, worker: WorkerId) -> OperationId {
        let grant = self.state.worker(worker).believes().expect("only a believer has an operation");
        let (index, _) = self.state.worker(worker).progress();
        self.config.sharing.operation(grant, index)
    }

    fn place(&self, worker: WorkerId) -> Place {
        let state = self.state.worker(worker);
        let (index, attempt) = state.progress();
        Place { operation: index + 1, attempt: attempt.0, grant: state.believes() }
    }
}
