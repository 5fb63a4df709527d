//! Sentences: what a fact, a row and a comparison say in plain words. The page, the list of facts beside a figure and the
//! spoken labels all take theirs from here.

use std::fmt::Write as _;

use serde::Serialize;

use crate::compare::Comparison;
use crate::epoch::{Claim, Epoch};
use crate::fact::{Conclusion, Fact, Stop};
use crate::id::{Attempt, GrantId, OperationId, WorkerId};
use crate::invariant::{Evidence, Invariant};
use crate::mechanism::{LookUp, Mechanism, OperationIds};
use crate::message::{Call, Message, Rejection, Request};
use crate::network::MAX_MESSAGES;
use crate::observation::Situation;
use crate::run::{Limit, Run};
use crate::scenario::Scenario;
use crate::simulate::MAX_CHOICES;
use crate::time::Duration;

/// Tells one run in words.
#[derive(Debug, Clone)]
pub struct Narrator<'a> {
    scenario: &'a Scenario,
    run: &'a Run,
    /// Each grant's worker and epoch, in the order of grants.
    grants: Vec<(WorkerId, Epoch)>,
}

/// How a row came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tone {
    /// Nothing was broken, and nothing came near it.
    Calm,
    /// Nothing was broken, and the destination kept it so.
    Kept,
    /// An invariant was broken.
    Broken,
    /// The run ended before it could be seen.
    Open,
}

/// What came out of one row.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Verdict {
    /// How it came out.
    pub tone: Tone,
    /// In a few words: "applied though stale", "refused: 33 < 34".
    pub label: String,
    /// What that means for the data, in a few words: "B's report is gone".
    pub effect: String,
    /// What happened and why, and for a broken row what would have stopped it.
    pub sentence: String,
    /// The fact that decided it, by its index in the run's facts.
    pub fact: Option<usize>,
}

impl<'a> Narrator<'a> {
    /// A narrator of `run`, one of `scenario`'s.
    pub fn new(scenario: &'a Scenario, run: &'a Run) -> Self {
        let grants = run
            .facts
            .iter()
            .filter_map(|entry| match entry.fact {
                Fact::Granted { worker, claim } => Some((worker, claim.epoch)),
                _ => None,
            })
            .collect();
        Self { scenario, run, grants }
    }

    /// The name of the worker that `grant` went to.
    pub fn owner(&self, grant: GrantId) -> &'a str {
        self.scenario.worker_name(self.grants[grant.index()].0)
    }

    /// The epoch handed out with `grant`.
    pub fn epoch(&self, grant: GrantId) -> Epoch {
        self.grants[grant.index()].1
    }

    /// Whether `fact` belongs in a list of what happened. Answers being sent and messages arriving do not: the facts beside
    /// them say what was decided and what was made of it.
    pub fn is_listed(fact: &Fact) -> bool {
        !matches!(fact, Fact::Delivered { .. } | Fact::Sent { message: Message::Reply(_) })
    }

    /// The sentence for the fact of this index.
    pub fn fact(&self, index: usize) -> String {
        match self.run.facts[index].fact {
            Fact::Sent { message: Message::Request(request) } => self.sent(request),
            Fact::Sent { message: Message::Reply(reply) } => {
                format!("{} answers {}.", capital(self.asked(reply.request)), self.name(reply.request.worker))
            }
            Fact::Delivered { message } => {
                let receiver = match message {
                    Message::Request(request) => self.asked(request),
                    Message::Reply(reply) => self.name(reply.request.worker),
                };
                format!("{} reaches {receiver}.", capital(&self.message(message)))
            }
            Fact::Held { message } => {
                let worker = self.name(message.request().worker);
                format!(
                    "An answer to {} arrives. {worker} is frozen and cannot read it.",
                    self.request(message.request())
                )
            }
            Fact::Lost { message } => format!("{} is lost on its way.", capital(&self.message(message))),
            Fact::Granted { worker, claim } => format!(
                "The lock service grants the lock to {} for {}: epoch {}.",
                self.name(worker),
                span(self.scenario.duration(self.scenario.lease)),
                claim.epoch
            ),
            Fact::GrantedAgain { worker, claim } => {
                format!("{} owns the lock already: the lock service repeats epoch {}.", self.name(worker), claim.epoch)
            }
            Fact::Queued { worker } => format!("The lock is taken. {} waits for it.", self.name(worker)),
            Fact::LeaseExpired { claim } => format!(
                "The lease under epoch {} ends by the lock service’s clock. {} is not told.",
                claim.epoch,
                self.owner(claim.grant)
            ),
            Fact::Released { claim } => format!("The lock under epoch {} is free again.", claim.epoch),
            Fact::ReleaseIgnored { claim } => {
                format!("The lease under epoch {} had ended before. Its release changes nothing.", claim.epoch)
            }
            Fact::Acquired { worker, claim } => {
                format!("{} learns that it owns the lock under epoch {}.", self.name(worker), claim.epoch)
            }
            Fact::Reckoned { worker, expiry, .. } => {
                let shown = expiry.micros();
                let sign = if shown < 0 { "−" } else { "" };
                let shown = span(Duration::from_micros(shown.unsigned_abs()));
                format!("By its own clock, {} expects its lease to end at {sign}{shown}.", self.name(worker))
            }
            Fact::Read { worker, version, .. } => match version.0 {
                0 => format!("{} reads the row: nothing has been written yet.", self.name(worker)),
                version => format!("{} reads the row at version {version}.", self.name(worker)),
            },
            Fact::Checked { worker, owns: true, .. } => {
                format!("{} asks the lock service whether it still owns the lock. It does, now.", self.name(worker))
            }
            Fact::Checked { worker, owns: false, .. } => {
                format!("{} asks the lock service whether it still owns the lock. It does not.", self.name(worker))
            }
            Fact::TimedOut { worker, request } => {
                format!("{} has no answer to {} and waits no longer.", self.name(worker), self.request(request))
            }
            Fact::ReplyIgnored { worker, request } => {
                format!("{} no longer waits for the answer to {}.", self.name(worker), self.request(request))
            }
            Fact::Concluded { worker, claim, operation, conclusion } => {
                let (name, result) = (self.name(worker), self.own_result(claim.grant, operation));
                match conclusion {
                    Conclusion::Done => format!("{name} concludes that its {result} was applied."),
                    Conclusion::Refused => format!("{name} concludes that its {result} was refused."),
                    Conclusion::Unknown => format!("{name} cannot tell whether its {result} was applied."),
                    Conclusion::NotSent => format!("{name} does not send its {result}."),
                }
            }
            Fact::Stopped { worker, reason, .. } => {
                let name = self.name(worker);
                match reason {
                    Stop::Finished => format!("{name} has done its work and gives up ownership."),
                    Stop::Fenced => format!("{name} now knows that it is no longer the owner, and stops."),
                    Stop::CheckFailed => format!("{name} no longer believes that it is the owner, and stops."),
                    Stop::Unanswered => format!("{name} has asked as often as it ever does, and stops."),
                }
            }
            Fact::GaveUp { worker } => format!("{} gives up asking for the lock.", self.name(worker)),
            Fact::Recognized { claim } => {
                format!("The destination recognizes epoch {}: from now on it takes writes under no other.", claim.epoch)
            }
            Fact::RecognizedAgain { claim } => {
                format!("The destination has recognized epoch {} before, and says so again.", claim.epoch)
            }
            Fact::RegistrationRefused { claim, rejection, current } => {
                format!(
                    "The destination does not recognize epoch {}: {}.",
                    claim.epoch,
                    reason(claim, rejection, current)
                )
            }
            Fact::Applied { claim, operation, version, .. } => {
                let what = self.result(claim.grant, operation);
                let mut text = format!("The destination applies {what} under epoch {}", claim.epoch);
                let broken: Vec<&Evidence> =
                    self.run.violations_at(index).map(|violation| &violation.evidence).collect();
                match broken.first() {
                    Some(evidence) => {
                        let _ = write!(text, ". {}.", capital(&self.harm(evidence, index)));
                    }
                    None if self.sighted(index, Situation::LateWriteApplied) => {
                        let newest = self.newest_before(index);
                        let _ = write!(text, ", though the lock went to {} by then.", self.owner(newest));
                    }
                    None => {
                        let _ = write!(text, ": version {}.", version.0);
                    }
                }
                text
            }
            Fact::Rejected { claim, operation, rejection, current, .. } => {
                let what = self.result(claim.grant, operation);
                format!("The destination refuses {what}: {}.", reason(claim, rejection, current))
            }
            Fact::Replayed { claim, operation, .. } => {
                let what = self.result(claim.grant, operation);
                format!("The destination has applied {what} before: it gives the same answer and changes nothing.")
            }
            Fact::Froze { worker, length } => format!("{} freezes for {}.", self.name(worker), span(length)),
            Fact::Thawed { worker } => {
                format!("{} runs again and does not know that it stood still.", self.name(worker))
            }
            Fact::ComputeBegan { worker, .. } => format!("{} begins to compute.", self.name(worker)),
            Fact::ComputeEnded { worker, operation } => {
                let grant = self.grant_of(worker, index);
                format!("{} has computed its {}.", self.name(worker), self.own_result(grant, operation))
            }
        }
    }

    /// What went wrong on the way, in one sentence: the longest freeze, the first message lost, and the handover.
    fn opening(&self) -> Option<String> {
        let mut clauses = Vec::new();
        let mut freeze = None;
        let mut expired: Option<Claim> = None;
        let mut successor = None;
        for entry in &self.run.facts {
            match entry.fact {
                Fact::Froze { worker, length } if freeze.is_none_or(|(longest, _)| longest <= length) => {
                    freeze = Some((length, worker));
                }
                Fact::Lost { message } if clauses.is_empty() => {
                    clauses.push(format!("{} is lost", self.message(message)));
                }
                Fact::LeaseExpired { claim } if expired.is_none() => expired = Some(claim),
                Fact::Granted { worker, claim } if expired.is_some() && successor.is_none() => {
                    successor = Some((worker, claim.epoch));
                }
                _ => {}
            }
        }
        if let Some((length, worker)) = freeze {
            clauses.push(format!("{} freezes for {}", self.name(worker), span(length)));
        }
        match (expired, successor) {
            (Some(expired), Some((worker, epoch))) => {
                let whose = self.grants[expired.grant.index()].0;
                let lease = match freeze {
                    Some((_, frozen)) if frozen == whose => "its lease ends meanwhile".to_owned(),
                    _ => format!("{}’s lease ends", self.name(whose)),
                };
                clauses.push(lease);
                clauses.push(format!("{} takes over under epoch {epoch}", self.name(worker)));
            }
            (None, _) if freeze.is_some() => clauses.push("no lease ends meanwhile".to_owned()),
            _ => {}
        }
        let clauses: Vec<&str> = clauses.iter().map(String::as_str).collect();
        (!clauses.is_empty()).then(|| format!("{}.", capital(&clauses_joined(&clauses))))
    }

    /// What came out of the run.
    pub fn verdict(&self) -> Verdict {
        self.broken().or_else(|| self.stopped()).or_else(|| self.kept()).unwrap_or_else(|| self.calm())
    }

    /// The verdict where the run ran into a limit of the model: there is none.
    fn stopped(&self) -> Option<Verdict> {
        let limit = match self.run.stopped_at? {
            Limit::Messages => format!("more than {MAX_MESSAGES} messages would be in flight"),
            Limit::Choices => format!("more than {MAX_CHOICES} things would happen"),
        };
        Some(Verdict {
            tone: Tone::Open,
            label: "stopped at a limit".to_owned(),
            effect: limit.clone(),
            sentence: format!("The run ends before its time: {limit}, which is as far as the model goes."),
            fact: self.run.facts.len().checked_sub(1),
        })
    }

    /// The verdict where an invariant was broken: the gravest one decides, and of that one the first.
    fn broken(&self) -> Option<Verdict> {
        let violation =
            self.run.violations.iter().min_by_key(|violation| (violation.evidence.invariant, violation.fact))?;
        let Evidence { invariant, by, operation, .. } = violation.evidence;
        let who = self.owner(by);
        let harm = self.harm(&violation.evidence, violation.fact);
        let (label, effect, sentence) = match invariant {
            Invariant::NoStaleOverwrite => {
                let newer = self.newer_writer(by, violation.fact);
                let (other, result) = (self.owner(newer), self.scenario.result.as_str());
                (
                    "applied though stale".to_owned(),
                    format!("{other}’s {result} is gone"),
                    format!(
                        "{who} writes under epoch {} after {other} has written under epoch {}, and {}. {harm}. What stops \
                         it: a destination that checks the epoch in the transaction that applies the write.",
                        self.epoch(by),
                        self.epoch(newer),
                        self.let_through(),
                        harm = capital(&harm),
                    ),
                )
            }
            Invariant::NoLostUpdate => {
                let lost = operation.and_then(|operation| self.result_of(operation, violation.fact));
                let lost = lost.unwrap_or_else(|| "an acknowledged write".to_owned());
                (
                    "a write is lost".to_owned(),
                    format!("{lost} is gone"),
                    format!(
                        "{}, although its writer was told that it had been applied: the write over it was computed from what \
                         had been read before. What stops it: an owner that registers its epoch before it reads, so that \
                         nobody else can write after that.",
                        capital(&harm)
                    ),
                )
            }
            Invariant::AppliedOnce => (
                "applied twice".to_owned(),
                format!("{who}’s {} counts double", self.scenario.result),
                format!(
                    "{}. Both tries carry epoch {}, so an epoch cannot tell them apart. What stops it: the operation’s ID, \
                     recorded in the transaction that applies it.",
                    capital(&harm),
                    self.epoch(by)
                ),
            ),
            Invariant::SameAnswer => (
                "refused though applied".to_owned(),
                format!("{who}’s {} stands all the same", self.scenario.result),
                format!("{}. What stops it: {}", capital(&harm), self.cure_for_wrong_answers()),
            ),
            Invariant::EpochsIncrease | Invariant::RecognizedNeverDecreases => {
                (invariant.name().to_owned(), capital(&harm), format!("{}.", capital(&harm)))
            }
        };
        Some(Verdict { tone: Tone::Broken, label, effect, sentence, fact: Some(violation.fact) })
    }

    /// The verdict where the destination, or a check, kept things right.
    fn kept(&self) -> Option<Verdict> {
        let decided = |situation| self.run.sightings.iter().find(|sighting| sighting.situation == situation);
        let result = &self.scenario.result;
        let verdict =
            |label, effect, sentence, fact| Verdict { tone: Tone::Kept, label, effect, sentence, fact: Some(fact) };
        if let Some(sighting) = decided(Situation::StaleWriteRejected)
            && let Fact::Rejected { claim, current: Some(current), .. } = self.run.facts[sighting.fact].fact
        {
            let who = self.owner(claim.grant);
            let newest = self.newest_before(sighting.fact);
            let other = self.owner(newest);
            let written = self.run.facts[..sighting.fact]
                .iter()
                .any(|entry| matches!(entry.fact, Fact::Applied { claim, .. } if claim.grant == newest));
            let effect =
                if written { format!("{other}’s {result} stays") } else { format!("{other} is the only writer") };
            return Some(verdict(
                format!("refused: {} < {current}", claim.epoch),
                effect,
                format!(
                    "{who} still believes that it owns the lock. The destination goes by epoch {current}, finds {} on {who}’s \
                     write, and refuses it in the same transaction. {who} learns from the answer that it has been replaced.",
                    claim.epoch
                ),
                sighting.fact,
            ));
        }
        if let Some(sighting) = decided(Situation::WriteReplayed)
            && let Fact::Replayed { claim, .. } = self.run.facts[sighting.fact].fact
        {
            let who = self.owner(claim.grant);
            return Some(verdict(
                "replayed".to_owned(),
                format!("{who}’s {result} counts once"),
                format!(
                    "{who} had no answer and sent its {result} again. The destination finds the operation’s ID among those it \
                     has applied, changes nothing, and gives the first answer once more."
                ),
                sighting.fact,
            ));
        }
        if let Some(sighting) = decided(Situation::CheckFailed)
            && let Fact::Stopped { worker, .. } = self.run.facts[sighting.fact].fact
        {
            let who = self.name(worker);
            return Some(verdict(
                "not sent".to_owned(),
                format!("{who} noticed in time"),
                format!(
                    "{who} asked the lock service before writing, and this time the pause was over by then. A pause after the \
                     answer would not be noticed."
                ),
                sighting.fact,
            ));
        }
        if let Some(sighting) = decided(Situation::LateWriteApplied)
            && let Fact::Applied { claim, .. } = self.run.facts[sighting.fact].fact
        {
            let (who, other) = (self.owner(claim.grant), self.owner(self.newest_before(sighting.fact)));
            return Some(verdict(
                "admitted, rightly".to_owned(),
                format!("{other} builds on {who}’s {result}"),
                format!(
                    "{who}’s write comes after the lock went to {other}, but before {other} has read: the destination has not \
                     heard of {other} yet, and {other} reads what {who} wrote. Nothing is lost."
                ),
                sighting.fact,
            ));
        }
        None
    }

    fn calm(&self) -> Verdict {
        let result = &self.scenario.result;
        let applied = self.run.facts.iter().enumerate().find_map(|(index, entry)| match entry.fact {
            Fact::Applied { claim, .. } => Some((index, claim)),
            _ => None,
        });
        let Some((fact, claim)) = applied else {
            return Verdict {
                tone: Tone::Calm,
                label: "nothing is written".to_owned(),
                effect: String::new(),
                sentence: "No write reaches the destination.".to_owned(),
                fact: None,
            };
        };
        let who = self.owner(claim.grant);
        let handover = self.run.reached(Situation::Handover);
        let (effect, sentence) = if handover {
            ("one owner after the other".to_owned(), "Each owner writes in its own time. Nothing is lost.".to_owned())
        } else {
            (
                "no handover".to_owned(),
                format!(
                    "{who} writes under its own lease and gives the lock back. There is no handover, and nothing to refuse."
                ),
            )
        };
        Verdict {
            tone: Tone::Calm,
            label: "in time".to_owned(),
            effect: if handover { effect } else { format!("{who}’s {result} stands, {effect}") },
            sentence,
            fact: Some(fact),
        }
    }

    /// What a violation did, as a clause.
    fn harm(&self, evidence: &Evidence, fact: usize) -> String {
        let Evidence { invariant, by, against, operation } = *evidence;
        let who = self.owner(by);
        let result = &self.scenario.result;
        match invariant {
            Invariant::NoStaleOverwrite => {
                let newer = self.newer_writer(by, fact);
                format!(
                    "{who}’s {result} under epoch {} replaces {}’s under epoch {}",
                    self.epoch(by),
                    self.owner(newer),
                    self.epoch(newer)
                )
            }
            Invariant::NoLostUpdate => {
                let lost = operation.and_then(|operation| self.result_of(operation, fact));
                let lost = lost.unwrap_or_else(|| "an acknowledged write".to_owned());
                format!("{lost} is overwritten")
            }
            Invariant::AppliedOnce => format!("{who}’s {result} is applied a second time"),
            Invariant::SameAnswer => format!("{who}’s {result} has been applied, yet its repeat is answered “refused”"),
            Invariant::EpochsIncrease => match against {
                Some(higher) => format!("epoch {} is handed out after {}", self.epoch(by), self.epoch(higher)),
                None => format!("epoch {} does not increase", self.epoch(by)),
            },
            Invariant::RecognizedNeverDecreases => match against {
                Some(newer) => {
                    format!("the destination goes back from epoch {} to {}", self.epoch(newer), self.epoch(by))
                }
                None => format!("the destination goes back to epoch {}", self.epoch(by)),
            },
        }
    }

    /// What makes the destination answer what it has applied as applied.
    fn cure_for_wrong_answers(&self) -> &'static str {
        match self.run.mechanism.operation_ids {
            OperationIds::Off => {
                "the operation’s ID, recorded in the transaction that applies it and looked up before the guard: what has \
                 been applied is then answered as applied, whoever owns the lock by then."
            }
            OperationIds::InTransaction => {
                "looking the operation up before the guard, so that what has been applied is answered as applied, whoever \
                 owns the lock by then."
            }
        }
    }

    /// Why the destination let a stale write through.
    fn let_through(&self) -> String {
        format!("the destination admits {}", self.run.mechanism.guard.admits())
    }

    fn sent(&self, request: Request) -> String {
        let name = self.name(request.worker);
        let again = if request.attempt > Attempt::FIRST { " again" } else { "" };
        match request.call {
            Call::Acquire => format!("{name} asks{again} for the lock."),
            Call::Register { grant } => {
                format!("{name} asks the destination{again} to recognize epoch {}.", self.epoch(grant))
            }
            Call::Write { grant, operation, .. } => {
                format!(
                    "{name} sends its {}{again}, under epoch {}.",
                    self.own_result(grant, operation),
                    self.epoch(grant)
                )
            }
            Call::Release { .. } => format!("{name} tells the lock service{again} that it gives the lock back."),
        }
    }

    /// A request as a thing: "A's report", "A's request for the lock".
    fn request(&self, request: Request) -> String {
        let name = self.name(request.worker);
        match request.call {
            Call::Acquire => format!("{name}’s request for the lock"),
            Call::Register { grant } => format!("{name}’s registration of epoch {}", self.epoch(grant)),
            Call::Write { grant, operation, .. } => self.result(grant, operation),
            Call::Release { .. } => format!("{name}’s release"),
        }
    }

    /// A message as a thing: a request, or the answer to one.
    fn message(&self, message: Message) -> String {
        match message {
            Message::Request(request) => self.request(request),
            Message::Reply(reply) => format!("the answer to {}", self.request(reply.request)),
        }
    }

    fn asked(&self, request: Request) -> &'static str {
        match request.call {
            Call::Acquire | Call::Release { .. } => "the lock service",
            Call::Register { .. } | Call::Write { .. } => "the destination",
        }
    }

    fn name(&self, worker: WorkerId) -> &'a str {
        self.scenario.worker_name(worker)
    }

    /// What an operation of `grant` brings, as its owner would call it: "report", "report 2".
    fn own_result(&self, grant: GrantId, operation: OperationId) -> String {
        let (worker, _) = self.grants[grant.index()];
        let result = &self.scenario.result;
        match self.scenario.workers[worker.index()].operations {
            1 => result.clone(),
            _ => format!("{result} {}", self.scenario.sharing.index(operation) + 1),
        }
    }

    /// The same as others would call it: "A's report".
    fn result(&self, grant: GrantId, operation: OperationId) -> String {
        format!("{}’s {}", self.owner(grant), self.own_result(grant, operation))
    }

    /// The result of an operation that was applied before the fact of this index.
    fn result_of(&self, operation: OperationId, before: usize) -> Option<String> {
        self.run.facts[..=before].iter().find_map(|entry| match entry.fact {
            Fact::Applied { claim, operation: applied, .. } if applied == operation => {
                Some(self.result(claim.grant, operation))
            }
            _ => None,
        })
    }

    /// The newest grant other than `by` under which a write was applied before the fact of this index.
    fn newer_writer(&self, by: GrantId, before: usize) -> GrantId {
        self.run.facts[..before]
            .iter()
            .filter_map(|entry| match entry.fact {
                Fact::Applied { claim, .. } => Some(claim.grant),
                _ => None,
            })
            .max()
            .unwrap_or(by)
    }

    fn newest_before(&self, fact: usize) -> GrantId {
        let granted = self.run.facts[..fact].iter().filter(|entry| matches!(entry.fact, Fact::Granted { .. })).count();
        GrantId(granted.saturating_sub(1) as u8)
    }

    /// The grant that `worker` believed in at the fact of this index.
    fn grant_of(&self, worker: WorkerId, fact: usize) -> GrantId {
        let acquired = self.run.facts[..fact].iter().rev().find_map(|entry| match entry.fact {
            Fact::Acquired { worker: who, claim } if who == worker => Some(claim.grant),
            _ => None,
        });
        acquired.expect("only an owner computes")
    }

    fn sighted(&self, fact: usize, situation: Situation) -> bool {
        self.run.sightings.iter().any(|sighting| sighting.fact == fact && sighting.situation == situation)
    }
}

/// A mechanism in a few words, for a lane of the figure.
pub fn mechanism(mechanism: &Mechanism) -> String {
    let guard = mechanism.guard.label();
    match (mechanism.operation_ids, mechanism.look_up) {
        (OperationIds::Off, _) => guard.to_owned(),
        (OperationIds::InTransaction, LookUp::BeforeGuard) => format!("{guard}, operation IDs"),
        (OperationIds::InTransaction, LookUp::AfterGuard) => format!("{guard}, then operation IDs"),
    }
}

/// What happened, and what the rows of a comparison made of it. Rows that came out alike are named together.
pub fn headline(comparison: &Comparison) -> String {
    let mut text = String::new();
    let mut groups: Vec<(Vec<&str>, Verdict)> = Vec::new();
    for (index, run) in comparison.runs.iter().enumerate() {
        let narrator = Narrator::new(&comparison.scenario, run);
        if index == 0 {
            text = narrator.opening().unwrap_or_default();
        }
        let verdict = narrator.verdict();
        match groups.iter_mut().find(|(_, known)| known.label == verdict.label && known.effect == verdict.effect) {
            Some((names, _)) => names.push(&run.name),
            None => groups.push((vec![&run.name], verdict)),
        }
    }
    for (names, verdict) in &groups {
        if !text.is_empty() {
            text.push(' ');
        }
        if groups.len() == 1 {
            text += &verdict.sentence;
        } else {
            let _ = write!(text, "{} – {}; {}.", capital(&list(names)), verdict.label, verdict.effect);
        }
    }
    text
}

/// A refusal's reason as a clause.
fn reason(claim: Claim, rejection: Rejection, current: Option<Epoch>) -> String {
    let current = current.map_or_else(|| "none".to_owned(), |epoch| epoch.to_string());
    match rejection {
        Rejection::StaleEpoch => format!("epoch {} is lower than {current}", claim.epoch),
        Rejection::EpochAhead => {
            format!("epoch {} has not been registered, and {current} is the current one", claim.epoch)
        }
        Rejection::OtherGrant => format!("epoch {current} was registered by another grant"),
        Rejection::RowAbsent => "no epoch has been registered".to_owned(),
    }
}

/// A length of time as people read it: "15 s", "4.04 s", "20 ms", "2 min".
pub fn span(duration: Duration) -> String {
    let text = duration.to_string();
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len()));
    let unit = match unit {
        "m" => "min",
        "us" => "µs",
        _ => unit,
    };
    format!("{number} {unit}")
}

/// Names joined as in a sentence: "a", "a and b", "a, b and c".
pub(crate) fn list(names: &[&str]) -> String {
    joined(names, " and ")
}

/// Clauses joined as in a sentence: "a", "a, and b", "a, b, and c".
fn clauses_joined(clauses: &[&str]) -> String {
    joined(clauses, ", and ")
}

fn joined(parts: &[&str], before_last: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{}{before_last}{last}", first.join(", ")),
    }
}

/// `text` with a capital letter. Names and sentences begin with ASCII letters; the tables for all others would add 8 KB to
/// a page.
pub(crate) fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
