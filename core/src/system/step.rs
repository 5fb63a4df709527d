//! What each choice does.

use super::{Config, Driver, State};
use crate::command::Command;
use crate::destination::{
    self, Destination, Fate, Holder, Merged, Outbox, Pending, Recognition, RememberedCheck, Stage, Transaction, Write,
};
use crate::epoch::{Claim, MAX_TOKENS, Token, TokenPlace};
use crate::event::{Event, Process};
use crate::fact::{Fact, Stop};
use crate::id::{Attempt, GrantId, OperationId, ReplicaId, Term, WireId, WorkerId};
use crate::issuer::Acquisition;
use crate::mechanism::{
    Asks, Atomicity, Candidates, Durability, Effect, Mechanism, NoReply, OperationIds, Release, Storage, Through,
    TokenKind,
};
use crate::message::{Answer, Call, Message, Reply, Request, Sought};
use crate::outside::Outcome;
use crate::run::Limit;
use crate::worker::{Heard, Task, Tenure, Try, Worker};

impl State {
    /// Carries `event` out, telling `driver` what happened.
    ///
    /// # Errors
    /// A limit of the model: the state is then between two states, and the run ends there.
    ///
    /// # Panics
    /// If `event` is not enabled.
    pub fn step(&mut self, config: &Config, event: Event, driver: &mut impl Driver) -> Result<(), Limit> {
        Step { config, state: self, driver }.carry_out(event)
    }
}

/// One choice being carried out.
struct Step<'a, D> {
    config: &'a Config,
    state: &'a mut State,
    driver: &'a mut D,
}

type Done = Result<(), Limit>;

impl<D: Driver> Step<'_, D> {
    fn carry_out(&mut self, event: Event) -> Done {
        match event {
            Event::Expire { grant } => return self.expire(grant),
            Event::Deliver { message } => return self.deliver(message),
            Event::Lose { message } => {
                self.state.network.take(message);
                self.state.left.losses -= 1;
                self.fact(Fact::Lost { message });
            }
            Event::Duplicate { message } => {
                self.state.network.send(message).map_err(|_full| Limit::Messages)?;
                self.state.left.duplicates -= 1;
                self.fact(Fact::Duplicated { message });
                self.driver.command(Command::Send(message));
            }
            Event::Step { worker } => return self.step(worker),
            Event::TimeOut { worker } => self.time_out(worker),
            Event::Renew { worker } => return self.renew(worker),
            Event::PassLocalDeadline { grant } => {
                let granted = self.state.ledger.get_mut(grant);
                granted.clocks.ended_locally += 1;
                let worker = granted.worker;
                let ended = granted.clocks.ended_locally;
                // Terms that the owner has heard to be over are no news; that the latest is over is.
                let news = matches!(*self.state.worker(worker), Worker::Owner(Tenure { grant: own, term, .. })
                    if own == grant && ended == term.0 + 1);
                if news {
                    self.fact(Fact::LocalDeadlinePassed { worker, claim: self.claim(grant) });
                }
            }
            Event::PassDeadline { grant } => {
                self.state.ledger.get_mut(grant).clocks.ended_there += 1;
                self.fact(Fact::DeadlinePassed { claim: self.claim(grant) });
            }
            Event::Notice { worker } => {
                let grant = self.state.worker(worker).believes().expect("only a believer can lose its lease");
                self.stops(worker, grant, Stop::LeaseLost);
            }
            Event::Suspend { worker } => {
                self.state.left.suspends -= 1;
                for grant in self.state.grants_of(worker) {
                    self.state.ledger.get_mut(grant).clocks.local_lifted = true;
                }
            }
            Event::SkewClock => {
                self.state.left.skews -= 1;
                if let Some(grant) = self.state.issuer.live() {
                    self.state.ledger.get_mut(grant).clocks.lifted = true;
                }
                if self.mechanism().token == TokenKind::Timestamp {
                    self.state.issuer.set_clock_back();
                }
                self.fact(Fact::ClockSkewed);
            }
            Event::Crash { process } => self.crash(process),
            Event::Restore { grant } => {
                let token = self.state.ledger.get(grant).token;
                let bump = self.mechanism().storage == Storage::RestoredWithBump;
                self.state.left.failovers -= 1;
                self.state.issuer.restore((!bump).then_some(token));
                self.fact(Fact::IssuerRestored { grant });
            }
            Event::CatchUp => {
                self.state.issuer.catch_up();
                self.fact(Fact::ReplicaCaughtUp);
            }
            Event::Proceed { place } => return self.proceed(place),
            Event::Merge { into } => {
                let (config, state) = (self.config, *self.state);
                let token = |grant| state.claim(config, grant).epoch;
                let Merged { data_of, recognized, .. } = self.state.destination.merge(into, &config.mechanism, token);
                let version = self.state.destination.row(into).version();
                self.fact(Fact::Merged { into, version, data_of });
                if let Some(claim) = recognized {
                    self.fact(Fact::Recognized { claim, replica: into });
                }
            }
            Event::Relay { operation } => self.relay(operation),
            Event::Prune { operation } => {
                self.state.left.prunes -= 1;
                self.state.outside.prune(operation);
                self.fact(Fact::KeyPruned { operation });
            }
        }
        Ok(())
    }

    fn mechanism(&self) -> &Mechanism {
        &self.config.mechanism
    }

    fn claim(&self, grant: GrantId) -> Claim {
        self.state.claim(self.config, grant)
    }

    fn crash(&mut self, process: Process) {
        self.state.left.crashes -= 1;
        match process {
            Process::Worker { worker } => {
                let incarnation = &mut self.state.incarnations[worker.index()];
                incarnation.0 += 1;
                *self.worker(worker) = Worker::new(self.config.mechanism.program());
            }
            Process::LockService => self.state.issuer.restart(),
            Process::Destination => {
                let durable = self.mechanism().control_row == Durability::Durable;
                self.state.destination.restart(durable);
            }
        }
        self.fact(Fact::Crashed { process });
        if process == Process::Destination && self.mechanism().control_row != Durability::Durable {
            self.fact(Fact::ControlRowLost);
        }
    }

    // The lock service.

    fn expire(&mut self, grant: GrantId) -> Done {
        assert!(self.state.issuer.end(grant), "only a lease that runs can end");
        self.fact(Fact::LeaseExpired { claim: self.claim(grant) });
        self.grant_to_waiting()
    }

    fn grant_to_waiting(&mut self) -> Done {
        let Some((request, token)) = self.state.issuer.grant_to_waiting(self.next_grant()) else {
            return Ok(());
        };
        self.granted(request, token)?;
        if self.mechanism().candidates == Candidates::Session {
            // The lease is that of the session it waited with: it can end before its owner would have it end.
            let latest = GrantId(self.state.ledger.len() - 1);
            self.state.ledger.get_mut(latest).clocks.local_lifted = true;
        }
        Ok(())
    }

    /// The grant that would be made now, while the run has grants left.
    fn next_grant(&self) -> Option<GrantId> {
        let made = self.state.ledger.len();
        (made < self.config.grants).then_some(GrantId(made))
    }

    fn granted(&mut self, request: Request, token: TokenPlace) -> Done {
        let token = existing(token)?;
        let grant = GrantId(self.state.ledger.len());
        self.state.ledger.push(request.worker, token);
        self.fact(Fact::Granted { worker: request.worker, claim: self.claim(grant) });
        // Where lock and data are in one store, the same step names the new holder.
        let holder = Holder { grant, worker: request.worker };
        self.state.destination.name_holder(&self.config.mechanism, holder);
        self.driver.command(Command::HoldLease(grant, Term::FIRST));
        self.reply(request, Answer::Granted { grant })
    }

    // The network.

    fn deliver(&mut self, message: Message) -> Done {
        self.state.network.take(message);
        self.fact(Fact::Delivered { message });
        match message {
            Message::Request(request) => self.receive(request),
            Message::Reply(reply) => {
                self.hear(reply);
                Ok(())
            }
        }
    }

    fn receive(&mut self, request: Request) -> Done {
        let worker = request.worker;
        match request.call {
            Call::Mint { .. } => {
                let mechanism = self.config.mechanism;
                let token = existing(self.state.issuer.mint(&mechanism))?;
                self.fact(Fact::Minted { worker, epoch: self.config.tokens.at(token) });
                self.reply(request, Answer::Minted { token })
            }
            Call::Acquire { .. } => {
                let (next, mechanism) = (self.next_grant(), self.config.mechanism);
                match self.state.issuer.acquire(request, next, &mechanism) {
                    Acquisition::Granted(token) => self.granted(request, token),
                    Acquisition::Again(grant) => {
                        self.fact(Fact::GrantedAgain { worker, claim: self.claim(grant) });
                        self.reply(request, Answer::Granted { grant })
                    }
                    Acquisition::Queued => {
                        self.fact(Fact::Queued { worker });
                        Ok(())
                    }
                    Acquisition::Taken => {
                        self.fact(Fact::Denied { worker });
                        self.reply(request, Answer::Taken)
                    }
                }
            }
            Call::Renew { grant, term } => {
                let claim = self.claim(grant);
                if self.state.issuer.renew(grant, term) {
                    self.fact(Fact::Renewed { claim, term });
                    self.driver.command(Command::HoldLease(grant, term));
                    self.reply(request, Answer::Renewed)
                } else {
                    self.fact(Fact::RenewalRefused { claim });
                    self.reply(request, Answer::NotRenewed)
                }
            }
            Call::Release { grant } => self.release(request, grant),
            Call::Register { grant } => {
                let (fact, answer) = self.register(worker, grant);
                self.fact(fact);
                self.reply(request, answer)
            }
            Call::Write { .. } => self.write(request),
            Call::LookUp { grant, operation, of: Sought::Write } => {
                let replica = self.replica_of(worker);
                let row = self.state.destination.row(replica);
                // Whichever of its names it was applied under.
                let applied = (1..=self.config.attempts)
                    .any(|attempt| row.has_applied(self.wire_id(operation, Attempt(attempt))));
                self.fact(Fact::LookedUp { claim: self.claim(grant), operation, applied });
                self.reply(request, Answer::Found { applied })
            }
            Call::LookUp { grant, operation, of: Sought::Effect | Sought::EffectAtLast } => {
                let effected = self.state.outside.look_up(operation);
                self.fact(Fact::EffectLookedUp { claim: self.claim(grant), operation, effected });
                self.reply(request, Answer::EffectFound { effected })
            }
            Call::Effect { grant, operation, snapshot } => {
                let answer = match self.effect(grant, operation, snapshot) {
                    Outcome::Effected | Outcome::Repeated => Answer::Effected,
                    Outcome::Refused => Answer::NotEffected,
                };
                self.reply(request, answer)
            }
        }
    }

    fn release(&mut self, request: Request, grant: GrantId) -> Done {
        let claim = self.claim(grant);
        let live = self.state.issuer.live();
        let ended = match (self.mechanism().release, live) {
            (_, Some(live)) if live == grant => Some(live),
            (Release::Unconditional, Some(live)) => Some(live),
            _ => None,
        };
        let fact = match ended {
            Some(ended) if ended == grant => Fact::Released { claim },
            Some(ended) => Fact::ReleasedByAnother { claim: self.claim(ended), by: claim },
            None => Fact::ReleaseIgnored { claim },
        };
        if let Some(ended) = ended {
            self.state.issuer.end(ended);
        }
        self.fact(fact);
        self.reply(request, Answer::Released)?;
        self.grant_to_waiting()
    }

    // The destination.

    fn replica_of(&self, worker: WorkerId) -> ReplicaId {
        Destination::replica_of(self.mechanism(), worker)
    }

    fn wire_id(&self, operation: OperationId, attempt: Attempt) -> WireId {
        if self.mechanism().no_reply == NoReply::NewId {
            WireId::of_attempt(operation, attempt)
        } else {
            WireId::of(operation)
        }
    }

    fn register(&mut self, worker: WorkerId, grant: GrantId) -> (Fact, Answer) {
        let claim = self.claim(grant);
        let replica = self.replica_of(worker);
        let row = self.state.destination.row_mut(replica);
        let current = row.current();
        match Transaction::begin(row, &self.config.mechanism).register(claim) {
            Ok(Recognition::New) => (Fact::Recognized { claim, replica }, Answer::Recognized),
            Ok(Recognition::Repeat) => (Fact::RecognizedAgain { claim, replica }, Answer::Recognized),
            Err(rejection) => (Fact::RegistrationRefused { claim, rejection, current }, Answer::Refused { rejection }),
        }
    }

    fn write(&mut self, request: Request) -> Done {
        let mechanism = self.config.mechanism;
        let write = self.write_of(request);
        let replica = self.replica_of(request.worker);
        let version = self.state.destination.next_version();
        let Named { claim, operation, attempt, .. } = self.named(request);
        if mechanism.transaction == Atomicity::Split {
            return match destination::check(self.state.destination.row(replica), &mechanism, &write) {
                Ok(_remembered) => {
                    self.fact(Fact::Admitted { claim, operation, attempt });
                    self.take_on(Pending { request, stage: Stage::Apply })
                }
                Err(fate) => self.answer_write(request, fate),
            };
        }
        let current = self.state.destination.row(replica).recognized();
        let fate = destination::transact(self.state.destination.row_mut(replica), &mechanism, &write, version);
        if fate == Fate::Applied {
            self.applied(request, current);
            if mechanism.operation_ids == OperationIds::AfterTransaction {
                return self.take_on(Pending { request, stage: Stage::Record });
            }
        }
        self.answer_write(request, fate)
    }

    /// Goes on with a write that takes several steps.
    fn proceed(&mut self, place: u8) -> Done {
        let mechanism = self.config.mechanism;
        let Pending { request, stage } = self.state.destination.take_out(place);
        let remembered = RememberedCheck::recalled(self.write_of(request));
        let replica = self.replica_of(request.worker);
        let version = self.state.destination.next_version();
        match stage {
            Stage::Apply => {
                let current = self.state.destination.row(replica).recognized();
                remembered.apply(self.state.destination.row_mut(replica), &mechanism, version);
                self.applied(request, current);
                self.state.destination.put_back(place, Pending { request, stage: Stage::Record });
                Ok(())
            }
            Stage::Record => {
                remembered.record(self.state.destination.row_mut(replica), &mechanism);
                if mechanism.operation_ids != OperationIds::Off {
                    let Named { claim, operation, attempt, .. } = self.named(request);
                    self.fact(Fact::Recorded { claim, operation, attempt });
                }
                self.answer_write(request, Fate::Applied)
            }
        }
    }

    fn take_on(&mut self, pending: Pending) -> Done {
        self.state.destination.take_on(pending).map_err(|_busy| Limit::Pending)
    }

    /// The row has been changed; before that, `current` was the current epoch.
    fn applied(&mut self, request: Request, current: Option<Claim>) {
        self.state.destination.count_change();
        let version = self.state.destination.newest;
        let Named { claim, operation, attempt, snapshot } = self.named(request);
        let replica = self.replica_of(request.worker);
        if self.state.destination.row(replica).recognized() != current {
            // The write has raised the promise.
            self.fact(Fact::Recognized { claim, replica });
        }
        self.fact(Fact::Applied { claim, operation, attempt, snapshot, version, replica });
        if self.mechanism().through == Through::Outbox && self.mechanism().effect != Effect::None {
            self.state.destination.outbox[operation.index()] = Outbox::Waiting(claim.grant);
        }
    }

    fn answer_write(&mut self, request: Request, fate: Fate) -> Done {
        let Named { claim, operation, attempt, .. } = self.named(request);
        match fate {
            Fate::Applied => self.reply(request, Answer::Applied),
            Fate::Replayed => {
                self.fact(Fact::Replayed { claim, operation, attempt });
                self.reply(request, Answer::Applied)
            }
            Fate::Rejected(rejection) => {
                let current = self.state.destination.row(self.replica_of(request.worker)).current();
                self.fact(Fact::Rejected { claim, operation, attempt, rejection, current });
                self.reply(request, Answer::Refused { rejection })
            }
        }
    }

    fn named(&self, request: Request) -> Named {
        let Call::Write { grant, operation, snapshot, .. } = request.call else {
            unreachable!("only writes reach the row")
        };
        Named { claim: self.claim(grant), operation, attempt: request.attempt, snapshot }
    }

    fn write_of(&self, request: Request) -> Write {
        let Call::Write { grant, operation, snapshot, term } = request.call else {
            unreachable!("only writes reach the row")
        };
        Write {
            worker: request.worker,
            claim: self.claim(grant),
            id: self.wire_id(operation, request.attempt),
            snapshot,
            overdue: self.state.ledger.get(grant).clocks.ended_there > term.0,
        }
    }

    // Outside.

    fn effect(&mut self, grant: GrantId, operation: OperationId, snapshot: crate::id::Version) -> Outcome {
        let claim = self.claim(grant);
        let outcome = self.state.outside.carry_out(&self.config.mechanism, claim, operation);
        self.fact(match outcome {
            Outcome::Effected => Fact::Effected { claim, operation, snapshot },
            Outcome::Repeated => Fact::EffectRepeated { claim, operation },
            Outcome::Refused => Fact::EffectRefused { claim, operation },
        });
        outcome
    }

    /// The relay carries an outbox row out, or notes that it has been.
    fn relay(&mut self, operation: OperationId) {
        let row = &mut self.state.destination.outbox[operation.index()];
        match *row {
            Outbox::Empty => panic!("only an outbox row can be relayed"),
            Outbox::Waiting(grant) => {
                *row = Outbox::Relayed(grant);
                // What was decided in the transaction that wrote the row stays decided, whatever the row has become since.
                let version = self.state.destination.newest;
                self.effect(grant, operation, version);
            }
            Outbox::Relayed(_) => {
                *row = Outbox::Empty;
                self.fact(Fact::OutboxCleared { operation });
            }
        }
    }

    // The workers.

    fn step(&mut self, id: WorkerId) -> Done {
        let incarnation = self.state.incarnations[id.index()];
        match self.state.workers[id.index()] {
            Worker::Unminted { attempt } => {
                *self.worker(id) = Worker::Minting { attempt };
                self.request(Request { worker: id, attempt, call: Call::Mint { incarnation } })
            }
            Worker::Outside { attempt, minted } => {
                *self.worker(id) = Worker::Acquiring { attempt, minted };
                self.request(Request { worker: id, attempt, call: Call::Acquire { incarnation, minted } })
            }
            Worker::Owner(tenure) => self.work(id, tenure),
            Worker::Minting { .. } | Worker::Acquiring { .. } | Worker::Releasing { .. } | Worker::Gone => {
                panic!("a worker that waits or is gone takes no step")
            }
        }
    }

    fn work(&mut self, worker: WorkerId, tenure: Tenure) -> Done {
        let Tenure { grant, index, task, term, open, .. } = tenure;
        let claim = self.claim(grant);
        let operation = self.config.sharing.operation(grant, index);
        let job = self.config.job(worker, &self.state.left);
        match task {
            Task::Register { attempt, then } => {
                self.worker(worker).set_task(Task::Registering { attempt, then });
                self.request(Request { worker, attempt, call: Call::Register { grant } })
            }
            Task::Read { .. } => {
                self.read(worker, claim, operation);
                Ok(())
            }
            Task::Check { then, effect } => {
                let owns = self.owns(worker, tenure);
                self.fact(Fact::Checked { worker, claim, owns });
                if owns {
                    self.worker(worker).has_checked(then, effect, job);
                } else {
                    self.stops(worker, grant, Stop::CheckFailed);
                }
                Ok(())
            }
            Task::CheckEffect(then) => {
                let clear = self.state.outside.is_clear(&self.config.mechanism, claim);
                self.fact(Fact::EffectChecked { worker, claim, operation, clear });
                if clear {
                    self.worker(worker).has_checked_effect(then);
                } else {
                    self.stops(worker, grant, Stop::Fenced);
                }
                Ok(())
            }
            Task::Effect(then) => {
                self.worker(worker).has_asked_for_effect(then);
                let Try { snapshot, attempt } = then;
                self.request(Request { worker, attempt, call: Call::Effect { grant, operation, snapshot } })
            }
            Task::Publish(then) => {
                self.worker(worker).has_published(then);
                let Try { snapshot, attempt } = then;
                self.request(Request { worker, attempt, call: Call::Write { grant, operation, snapshot, term } })
            }
            Task::LookUp(then) => {
                self.worker(worker).set_task(Task::LookingUp(then));
                let call = Call::LookUp { grant, operation, of: Sought::Write };
                self.request(Request { worker, attempt: then.attempt, call })
            }
            Task::LookUpEffect(then) => {
                self.worker(worker).set_task(Task::LookingUpEffect(then));
                let call = Call::LookUp { grant, operation, of: open.sought(then.attempt) };
                self.request(Request { worker, attempt: then.attempt, call })
            }
            Task::ReleaseEarly(then) => {
                self.worker(worker).has_released_early(then, job);
                let call = Call::Release { grant };
                self.send(Message::Request(Request { worker, attempt: Attempt::FIRST, call }))
            }
            Task::Release => {
                self.fact(Fact::Stopped { worker, claim, reason: Stop::Finished });
                *self.worker(worker) = Worker::Releasing { grant };
                self.request(Request { worker, attempt: Attempt::FIRST, call: Call::Release { grant } })
            }
            Task::Registering { .. }
            | Task::LookingUpEffect(_)
            | Task::Effecting(_)
            | Task::Publishing(_)
            | Task::LookingUp(_) => {
                panic!("a worker that waits takes no step")
            }
        }
    }

    /// Reads the row, as far as the destination lets it.
    fn read(&mut self, worker: WorkerId, claim: Claim, operation: OperationId) {
        let mechanism = self.config.mechanism;
        let replica = self.replica_of(worker);
        let row = self.state.destination.row_mut(replica);
        let (version, current) = (row.version(), row.current());
        match destination::read(row, &mechanism, claim) {
            Ok(None) => {}
            Ok(Some(Recognition::New)) => self.fact(Fact::Recognized { claim, replica }),
            Ok(Some(Recognition::Repeat)) => self.fact(Fact::RecognizedAgain { claim, replica }),
            Err(rejection) => {
                self.fact(Fact::ReadRefused { worker, claim, operation, rejection, current });
                return self.stops(worker, claim.grant, Stop::Fenced);
            }
        }
        let job = self.config.job(worker, &self.state.left);
        self.worker(worker).has_read(version, job);
        self.fact(Fact::Read { worker, claim, operation, version, replica });
    }

    /// Whether a worker still owns the lock, by the way in which its mechanism makes sure.
    fn owns(&self, worker: WorkerId, Tenure { grant, term, .. }: Tenure) -> bool {
        let mechanism = self.mechanism();
        if mechanism.guard == destination::Guard::SelfCheck {
            return self.state.ledger.get(grant).clocks.ended_locally <= term.0;
        }
        match mechanism.asks {
            Asks::Lock => self.state.issuer.live() == Some(grant),
            Asks::LockReplica => self.state.issuer.live_in_replica() == Some(grant),
            Asks::Destination => {
                let current = self.state.destination.row(self.replica_of(worker)).current();
                current.is_none_or(|current: Token| mechanism.orders(self.claim(grant).epoch, current).is_ge())
            }
        }
    }

    /// A worker stops, and says what it knows of the operation it is at.
    fn stops(&mut self, worker: WorkerId, grant: GrantId, reason: Stop) {
        let (operation, conclusion) = (self.operation(worker), self.state.worker(worker).would_conclude());
        *self.worker(worker) = Worker::Gone;
        let claim = self.claim(grant);
        if let (Some(operation), Some(conclusion)) = (operation, conclusion) {
            self.fact(Fact::Concluded { worker, claim, operation, conclusion });
        }
        self.fact(Fact::Stopped { worker, claim, reason });
    }

    /// The operation that a worker is at.
    fn operation(&self, worker: WorkerId) -> Option<OperationId> {
        match *self.state.worker(worker) {
            Worker::Owner(Tenure { grant, index, .. }) => Some(self.config.sharing.operation(grant, index)),
            Worker::Unminted { .. }
            | Worker::Minting { .. }
            | Worker::Outside { .. }
            | Worker::Acquiring { .. }
            | Worker::Releasing { .. }
            | Worker::Gone => None,
        }
    }

    fn renew(&mut self, worker: WorkerId) -> Done {
        let grant = self.state.worker(worker).believes().expect("only a believer renews");
        let clocks = &mut self.state.ledger.get_mut(grant).clocks;
        clocks.sent = clocks.sent.next();
        let call = Call::Renew { grant, term: clocks.sent };
        self.send(Message::Request(Request { worker, attempt: Attempt::FIRST, call }))
    }

    fn request(&mut self, request: Request) -> Done {
        self.send(Message::Request(request))?;
        self.driver.command(Command::AwaitReply(request));
        Ok(())
    }

    fn reply(&mut self, request: Request, answer: Answer) -> Done {
        self.send(Message::Reply(Reply { request, answer }))
    }

    fn send(&mut self, message: Message) -> Done {
        self.state.network.send(message).map_err(|_full| Limit::Messages)?;
        self.fact(Fact::Sent { message });
        self.driver.command(Command::Send(message));
        Ok(())
    }

    fn hear(&mut self, reply: Reply) {
        let worker = reply.request.worker;
        let mut hearer = *self.state.worker(worker);
        let (tries, operation) = (hearer.tries(), self.operation(worker));
        let heard = hears(&mut hearer, self.state, self.config, reply);
        *self.worker(worker) = hearer;
        if hearer.tries() > tries {
            self.state.left.retries -= 1;
        }
        if let (Answer::Granted { grant }, Heard::GoesOn) = (reply.answer, heard) {
            self.fact(Fact::Acquired { worker, claim: self.claim(grant) });
        }
        self.take_in(reply.request, operation, heard);
    }

    fn time_out(&mut self, worker: WorkerId) {
        let request = self.state.awaited(self.config, worker).expect("only a worker that waits can time out");
        self.fact(Fact::TimedOut { worker, request });
        let job = self.config.job(worker, &self.state.left);
        let (tries, operation) = (self.state.worker(worker).tries(), self.operation(worker));
        let heard = self.worker(worker).timed_out(job);
        if self.state.worker(worker).tries() > tries {
            self.state.left.retries -= 1;
        }
        self.take_in(request, operation, heard);
    }

    /// Tells what a worker, at `operation`, made of a reply to `request`, or of having none.
    fn take_in(&mut self, request: Request, operation: Option<OperationId>, heard: Heard) {
        let worker = request.worker;
        let stopped = match heard {
            Heard::GoesOn => return,
            Heard::Ignored => return self.fact(Fact::ReplyIgnored { worker, request }),
            Heard::GaveUp => return self.fact(Fact::GaveUp { worker }),
            Heard::Extended => {
                if let Call::Renew { grant, term } = request.call {
                    self.fact(Fact::Extended { worker, claim: self.claim(grant), term });
                }
                return;
            }
            Heard::Declares => return self.declare(worker),
            Heard::Stopped(reason) => Some(reason),
            Heard::Concluded(conclusion, stopped) => {
                let (Some(operation), Some(grant)) = (operation, request.call.grant()) else {
                    unreachable!("only a believer has operations")
                };
                self.fact(Fact::Concluded { worker, claim: self.claim(grant), operation, conclusion });
                stopped
            }
        };
        if let (Some(reason), Some(grant)) = (stopped, request.call.grant()) {
            self.fact(Fact::Stopped { worker, claim: self.claim(grant), reason });
        }
    }

    /// A worker calls its epoch by the next higher number, whatever the lock service gave it.
    fn declare(&mut self, worker: WorkerId) {
        let grant = self.state.worker(worker).believes().expect("only a believer declares");
        let highest = self.state.ledger.grants.iter().flatten().map(|granted| granted.token).max();
        let next = TokenPlace(highest.expect("a grant was made").0 + 1);
        if usize::from(next.0) < MAX_TOKENS {
            self.state.ledger.get_mut(grant).token = next;
        }
        self.fact(Fact::Declared { worker, claim: self.claim(grant) });
    }

    fn worker(&mut self, worker: WorkerId) -> &mut Worker {
        &mut self.state.workers[worker.index()]
    }

    fn fact(&mut self, fact: Fact) {
        self.driver.fact(fact);
        self.state.history.observe(&fact, |evidence| self.driver.violation(evidence));
        if let Some(situation) = self.state.watch.observe(&fact) {
            self.driver.situation(situation);
        }
    }
}

/// What a write names.
struct Named {
    claim: Claim,
    operation: OperationId,
    attempt: Attempt,
    snapshot: crate::id::Version,
}

/// The token, if a run can hand it out.
fn existing(token: TokenPlace) -> Result<TokenPlace, Limit> {
    if usize::from(token.0) < MAX_TOKENS { Ok(token) } else { Err(Limit::Tokens) }
}

/// Gives `reply` to the worker that it is for.
pub(super) fn hears(worker: &mut Worker, state: &State, config: &Config, Reply { request, answer }: Reply) -> Heard {
    let id = request.worker;
    let job = config.job(id, &state.left);
    let index = |operation| config.sharing.index(operation);
    match request.call {
        Call::Mint { incarnation } | Call::Acquire { incarnation, .. }
            if incarnation != state.incarnations[id.index()] =>
        {
            Heard::Ignored
        }
        Call::Mint { .. } => match answer {
            Answer::Minted { token } => worker.minted(token),
            _ => unreachable!("a token is made, and nothing else"),
        },
        Call::Acquire { .. } => match answer {
            Answer::Granted { grant } => worker.acquired(grant, job),
            Answer::Taken => worker.heard_taken(),
            _ => unreachable!("an issuer grants, or says that the lock is taken"),
        },
        Call::Renew { grant, term } => worker.heard_of_renewal(grant, term, answer == Answer::Renewed),
        Call::Register { grant } => worker.heard_of_registration(grant, answer, job),
        Call::Write { grant, operation, .. } => {
            worker.heard_of_write(grant, index(operation), request.attempt, answer, job)
        }
        Call::LookUp { grant, operation, of } => match answer {
            Answer::Found { applied } => {
                worker.heard_of_look_up(grant, index(operation), request.attempt, applied, job)
            }
            Answer::EffectFound { effected } => {
                worker.heard_of_effect_look_up(grant, index(operation), request.attempt, of, effected)
            }
            _ => unreachable!("a look-up finds, or finds not"),
        },
        Call::Effect { grant, operation, .. } => {
            worker.heard_of_effect(grant, index(operation), answer == Answer::Effected)
        }
        Call::Release { grant } => worker.heard_of_release(grant),
    }
}
