//! Sentences: what a fact, a row and a comparison say in plain words. The page, the list of facts beside a figure and the
//! spoken labels all take theirs from here.
//!
//! A sentence says nothing that the facts do not show: each looks up what it asserts, since a scenario may be anything.

mod bounds;
mod headline;
mod path;
mod verdict;

use std::fmt::Write as _;

use crate::destination::Guard;
use crate::epoch::{Claim, Token};
use crate::event::Process;
use crate::fact::{Conclusion, Fact, Stop};
use crate::id::{Attempt, GrantId, OperationId, WorkerId};
use crate::mechanism::{Asks, Candidates, Effect, LeaseBy, LookUp, Mechanism, OperationIds, Switch, TokenKind};
use crate::message::{Call, Message, Rejection, Request, Sought};
use crate::observation::Situation;
use crate::run::Run;
use crate::scenario::Scenario;
use crate::time::Duration;

pub use bounds::bounds;
pub use headline::headline;
pub use path::path;
pub use verdict::{Tone, Verdict};

/// Tells one run in words.
#[derive(Debug, Clone)]
pub struct Narrator<'a> {
    scenario: &'a Scenario,
    run: &'a Run,
    /// Each grant's worker and epoch, in the order of grants.
    grants: Vec<(WorkerId, Token)>,
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
    pub fn epoch(&self, grant: GrantId) -> Token {
        self.grants[grant.index()].1
    }

    /// The epoch that `grant`'s owner claims at the fact of this index: what was handed out to it, or what it has declared.
    fn claimed(&self, index: usize, grant: GrantId) -> Token {
        // Few runs have declarations, and those that have none may be long.
        let declares = self.run.mechanism.token == TokenKind::Declared;
        let before = if declares { &self.run.facts[..index] } else { &[] };
        let declared = before.iter().rev().find_map(|entry| match entry.fact {
            Fact::Declared { claim, .. } if claim.grant == grant => Some(claim.epoch),
            _ => None,
        });
        declared.unwrap_or_else(|| self.epoch(grant))
    }

    /// Whether `fact` belongs in a list of what happened. Answers being sent and messages arriving do not: the facts beside
    /// them say what was decided and what was made of it.
    pub fn is_listed(fact: &Fact) -> bool {
        !matches!(fact, Fact::Delivered { .. } | Fact::Sent { message: Message::Reply(_) })
    }

    /// The sentence for the fact of this index.
    pub fn fact(&self, index: usize) -> String {
        match self.run.facts[index].fact {
            Fact::Sent { message: Message::Request(request) } => self.sent(index, request),
            Fact::Sent { message: Message::Reply(reply) } => {
                format!("{} answers {}.", capital(self.asked(reply.request)), self.name(reply.request.worker))
            }
            Fact::Delivered { message } => {
                let receiver = match message {
                    Message::Request(request) => self.asked(request),
                    Message::Reply(reply) => self.name(reply.request.worker),
                };
                format!("{} reaches {receiver}.", capital(&self.message(index, message)))
            }
            Fact::Held { message } => {
                let worker = self.name(message.request().worker);
                format!(
                    "An answer to {} arrives. {worker} is frozen and cannot read it.",
                    self.request(index, message.request())
                )
            }
            Fact::Lost { message } => format!("{} is lost on its way.", capital(&self.message(index, message))),
            Fact::Granted { worker, claim } => format!(
                "The lock service grants the lock to {} for {}: epoch {}.",
                self.name(worker),
                span(self.scenario.duration(self.scenario.lease)),
                claim.epoch
            ),
            Fact::GrantedAgain { worker, claim } => {
                format!("{} owns the lock already: the lock service repeats epoch {}.", self.name(worker), claim.epoch)
            }
            Fact::Queued { worker } => format!("The lock is taken. {}’s request waits its turn.", self.name(worker)),
            Fact::LeaseExpired { claim } => self.expired(index, claim),
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
            Fact::Checked { worker, owns, .. } => self.checked(worker, owns),
            Fact::TimedOut { worker, request } => {
                format!("{} has no answer to {} and waits no longer.", self.name(worker), self.request(index, request))
            }
            Fact::ReplyIgnored { worker, request } => {
                format!("{} no longer waits for the answer to {}.", self.name(worker), self.request(index, request))
            }
            Fact::Concluded { worker, claim, operation, conclusion } => {
                let (name, result) = (self.name(worker), self.own_result(claim.grant, operation));
                match conclusion {
                    Conclusion::Done => format!("{name} concludes that its {result} was applied."),
                    Conclusion::Refused => format!("{name} concludes that its {result} was refused."),
                    Conclusion::Unknown => format!("{name} cannot tell whether its {result} was applied."),
                    Conclusion::NotSent => format!("{name} does not send its {result}."),
                    Conclusion::Failed => format!("{name} takes its {result} for failed."),
                    Conclusion::EffectFailed => {
                        format!("{name} takes {} for its {result} for failed.", self.effect())
                    }
                }
            }
            Fact::Stopped { worker, claim, reason } => {
                let name = self.name(worker);
                match reason {
                    Stop::Fenced if self.newest_before(index) == claim.grant => {
                        format!("{name} is refused, though its grant is the latest, and stops.")
                    }
                    Stop::Finished => format!("{name} has done its work and gives up ownership."),
                    Stop::Fenced => format!("{name} now knows that it is no longer the owner, and stops."),
                    Stop::CheckFailed => format!("{name} no longer believes that it is the owner, and stops."),
                    Stop::Unanswered => format!("{name} has asked as often as it ever does, and stops."),
                    Stop::LeaseLost => format!("{name} takes note that its lease is lost, and stops."),
                }
            }
            Fact::GaveUp { worker } => format!("{} gives up asking for the lock.", self.name(worker)),
            Fact::Recognized { claim, .. } => {
                format!("The destination recognizes epoch {}: from now on it takes writes under no other.", claim.epoch)
            }
            Fact::RecognizedAgain { claim, .. } => {
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
                match self.run.violations_at(index).next() {
                    Some(violation) => {
                        let _ = write!(text, ". {}.", capital(&self.harm(violation)));
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
            Fact::Duplicated { message } => {
                format!("The network carries {} a second time.", self.message(index, message))
            }
            Fact::Minted { worker, epoch } => {
                format!(
                    "The lock service makes token {epoch} for {}, which has yet to ask for the lock.",
                    self.name(worker)
                )
            }
            Fact::Denied { worker } => format!("The lock is taken. {} is to ask again later.", self.name(worker)),
            Fact::Renewed { claim, .. } => format!("The lock service renews the lease under epoch {}.", claim.epoch),
            Fact::RenewalRefused { claim } => {
                format!("The lease under epoch {} has ended before: it is not renewed.", claim.epoch)
            }
            Fact::ReleasedByAnother { claim, by } => format!(
                "The release of {} ends the lease of {} under epoch {}.",
                self.owner(by.grant),
                self.owner(claim.grant),
                claim.epoch
            ),
            Fact::ClockSkewed => "A clock is set, or runs beyond the margin allowed for.".to_owned(),
            Fact::IssuerRestored { grant } => match grant.0 {
                0 => "The lock service goes on with what it knew before its first grant.".to_owned(),
                later => format!(
                    "The lock service goes on with what it knew after epoch {}.",
                    self.epoch(GrantId(later - 1))
                ),
            },
            Fact::ReplicaCaughtUp => "The lock service’s replica catches up.".to_owned(),
            Fact::Extended { worker, claim, .. } => {
                format!("{} hears that its lease under epoch {} runs on.", self.name(worker), claim.epoch)
            }
            Fact::LocalDeadlinePassed { worker, claim } => {
                format!("By {}’s own clock, its lease under epoch {} is over.", self.name(worker), claim.epoch)
            }
            Fact::ReadRefused { worker, claim, rejection, current, .. } => format!(
                "The destination does not let {} read: {}.",
                self.name(worker),
                reason(claim, rejection, current)
            ),
            Fact::Declared { worker, claim } => {
                format!("{} declares a higher epoch of its own: {}.", self.name(worker), claim.epoch)
            }
            Fact::Admitted { claim, operation, .. } => format!(
                "The destination’s check lets {} pass. It has not been applied yet.",
                self.result(claim.grant, operation)
            ),
            Fact::Recorded { claim, operation, .. } => {
                format!("The destination records that {} has been applied.", self.result(claim.grant, operation))
            }
            Fact::LookedUp { claim, operation, applied } => {
                let found = if applied { "has been applied" } else { "has not been applied" };
                format!("The destination finds that {} {found}.", self.result(claim.grant, operation))
            }
            Fact::DeadlinePassed { claim } => {
                format!("By the destination’s clock, the deadline of writes under epoch {} is over.", claim.epoch)
            }
            Fact::ControlRowLost => "The destination comes back without its control row.".to_owned(),
            Fact::Merged { into, version, .. } => {
                format!("Replica {} takes over what the other one has: version {}.", into.0 + 1, version.0)
            }
            Fact::Effected { claim, operation, .. } => {
                let mut text =
                    format!("{} goes out for {}", capital(self.effect()), self.result(claim.grant, operation));
                match self.run.violations_at(index).next() {
                    Some(violation) => {
                        let _ = write!(text, ". {}.", capital(&self.harm(violation)));
                    }
                    None => text.push('.'),
                }
                text
            }
            Fact::EffectRepeated { claim, operation } => format!(
                "The provider knows the key of {}: it gives the first answer again.",
                self.result(claim.grant, operation)
            ),
            Fact::EffectRefused { claim, operation } => format!(
                "{} for {} is refused: one of a higher epoch stands.",
                capital(self.effect()),
                self.result(claim.grant, operation)
            ),
            Fact::EffectLookedUp { claim, operation, effected } => {
                let found = if effected { "has been paid" } else { "has not been paid, as far as it can tell" };
                let mut text = format!("The provider finds that {} {found}", self.result(claim.grant, operation));
                if let Some(violation) = self.run.violations_at(index).next() {
                    let _ = write!(text, ". {}", capital(&self.harm(violation)));
                }
                text + "."
            }
            Fact::EffectChecked { worker, clear, .. } => {
                let found = if clear { "finds nothing newer published" } else { "finds something newer published" };
                format!("{} looks, and {found}.", self.name(worker))
            }
            Fact::OutboxCleared { .. } => "The relay notes that the outbox row has been carried out.".to_owned(),
            Fact::KeyPruned { .. } => "The provider forgets an idempotency key.".to_owned(),
            Fact::Crashed { process } => match process {
                Process::Worker { worker } => format!("{} crashes and starts again.", self.name(worker)),
                Process::LockService => "The lock service crashes and starts again.".to_owned(),
                Process::Destination => "The destination crashes and starts again.".to_owned(),
            },
            Fact::Suspended { worker, length } => {
                format!("{}’s machine is suspended for {}.", self.name(worker), span(length))
            }
            Fact::Resumed { worker } => {
                format!("{}’s machine runs again. Its clock has stood still.", self.name(worker))
            }
            Fact::Stuck { worker, length } => {
                format!("{}’s work is stuck for {}; the process runs on.", self.name(worker), span(length))
            }
            Fact::Unstuck { worker } => format!("{}’s work goes on.", self.name(worker)),
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

    /// By whose clock a lease ends depends on the mechanism: where the lock is a record that the candidates judge, by that of
    /// the candidate which takes it for over, and which asks for the lock with that.
    fn expired(&self, index: usize, claim: Claim) -> String {
        let (epoch, owner) = (claim.epoch, self.owner(claim.grant));
        let Mechanism { candidates, lease_by, .. } = self.run.mechanism;
        let watched = candidates == Candidates::Watch;
        if !watched && lease_by != LeaseBy::Written {
            return format!("The lease under epoch {epoch} ends by the lock service’s clock. {owner} is not told.");
        }
        let successor = self.run.facts[index..].iter().find_map(|entry| match entry.fact {
            Fact::Granted { worker, .. } => Some(self.name(worker)),
            _ => None,
        });
        let candidate = successor.unwrap_or("A candidate");
        if watched {
            format!(
                "{candidate} has seen the record under epoch {epoch} unchanged for a lease by its own clock, and takes it for \
                 over. {owner} is not told."
            )
        } else {
            let whose = successor.map_or_else(|| "the candidate’s".to_owned(), |name| format!("{name}’s"));
            format!(
                "By {whose} clock, the end that {owner} wrote down for epoch {epoch} has come. {owner} is not told."
            )
        }
    }

    /// How a worker makes sure that it still owns the lock depends on the mechanism.
    fn checked(&self, worker: WorkerId, owns: bool) -> String {
        let name = self.name(worker);
        let mechanism = &self.run.mechanism;
        if mechanism.guard == Guard::SelfCheck {
            let found = if owns { "its lease still runs by it" } else { "its lease is over by it" };
            return format!("{name} looks at its own clock: {found}.");
        }
        let asked = match mechanism.asks {
            Asks::Lock => "the lock service",
            Asks::LockReplica => "a replica of the lock service",
            Asks::Destination => {
                let found = if owns { "No" } else { "Yes" };
                return format!("{name} asks the destination whether it knows a higher epoch. {found}.");
            }
        };
        let found = if owns { "It does, now" } else { "It does not" };
        format!("{name} asks {asked} whether it still owns the lock. {found}.")
    }

    /// A request that is sent by the fact of this index.
    fn sent(&self, index: usize, request: Request) -> String {
        let name = self.name(request.worker);
        let again = if request.attempt > Attempt::FIRST { " again" } else { "" };
        match request.call {
            Call::Mint { .. } => format!("{name} asks{again} for a token."),
            Call::Renew { grant, .. } => format!("{name} asks to renew its lease under epoch {}.", self.epoch(grant)),
            Call::LookUp { grant, operation, of } => {
                let result = self.own_result(grant, operation);
                match of {
                    Sought::Write => format!("{name} asks what became of its {result}."),
                    Sought::Effect => format!("{name} asks the provider{again} whether its {result} has been paid."),
                    Sought::EffectAtLast => {
                        format!("{name} asks the provider for the last time whether its {result} has been paid.")
                    }
                }
            }
            Call::Effect { grant, operation, .. } => {
                let what = self.effect();
                format!("{name} sends {what}{again} for its {}.", self.own_result(grant, operation))
            }
            Call::Acquire { .. } => format!("{name} asks{again} for the lock."),
            Call::Register { grant } => {
                format!("{name} asks the destination{again} to recognize epoch {}.", self.claimed(index, grant))
            }
            Call::Write { grant, operation, .. } => {
                format!(
                    "{name} sends its {}{again}, under epoch {}.",
                    self.own_result(grant, operation),
                    self.claimed(index, grant)
                )
            }
            Call::Release { .. } => format!("{name} tells the lock service{again} that it gives the lock back."),
        }
    }

    /// A request as a thing, at the fact of this index: "A's report", "A's request for the lock".
    fn request(&self, index: usize, request: Request) -> String {
        let name = self.name(request.worker);
        match request.call {
            Call::Mint { .. } => format!("{name}’s request for a token"),
            Call::Renew { .. } => format!("{name}’s renewal"),
            Call::LookUp { grant, operation, of: Sought::Write } => {
                format!("{name}’s question about {}", self.result(grant, operation))
            }
            Call::LookUp { grant, operation, of: Sought::Effect | Sought::EffectAtLast } => {
                format!("{name}’s question about {} for {}", self.effect(), self.result(grant, operation))
            }
            Call::Effect { grant, operation, .. } => {
                format!("{} for {}", self.effect(), self.result(grant, operation))
            }
            Call::Acquire { .. } => format!("{name}’s request for the lock"),
            Call::Register { grant } => format!("{name}’s registration of epoch {}", self.claimed(index, grant)),
            Call::Write { grant, operation, .. } => self.result(grant, operation),
            Call::Release { .. } => format!("{name}’s release"),
        }
    }

    /// A message as a thing, at the fact of this index: a request, or the answer to one.
    fn message(&self, index: usize, message: Message) -> String {
        match message {
            Message::Request(request) => self.request(index, request),
            Message::Reply(reply) => format!("the answer to {}", self.request(index, reply.request)),
        }
    }

    fn asked(&self, request: Request) -> &'static str {
        match request.call {
            Call::Mint { .. } | Call::Acquire { .. } | Call::Renew { .. } | Call::Release { .. } => "the lock service",
            Call::Register { .. } | Call::Write { .. } | Call::LookUp { of: Sought::Write, .. } => "the destination",
            Call::LookUp { of: Sought::Effect | Sought::EffectAtLast, .. } => "the provider",
            Call::Effect { .. } => "the world outside",
        }
    }

    /// The effect that operations have outside, with its article.
    fn effect(&self) -> &'static str {
        match self.run.mechanism.effect {
            Effect::None | Effect::Mail => "a mail",
            Effect::Payment => "a payment",
            Effect::File => "a published file",
        }
    }

    fn name(&self, worker: WorkerId) -> &'a str {
        self.scenario.worker_name(worker)
    }

    /// What an operation of `grant` brings, as its owner would call it: "report", "report 2".
    fn own_result(&self, grant: GrantId, operation: OperationId) -> String {
        let (worker, _) = self.grants[grant.index()];
        result(self.scenario, worker, self.scenario.sharing.index(operation))
    }

    /// The same as others would call it: "A's report".
    fn result(&self, grant: GrantId, operation: OperationId) -> String {
        format!("{}’s {}", self.owner(grant), self.own_result(grant, operation))
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

/// What `worker`'s operation of this index (from 0) brings, as the worker itself would call it: "report", "report 2".
pub(crate) fn result(scenario: &Scenario, worker: WorkerId, index: u8) -> String {
    match scenario.workers[worker.index()].operations {
        1 => scenario.result.clone(),
        _ => format!("{} {}", scenario.result, index + 1),
    }
}

/// A mechanism in a few words, for a lane of the figure.
pub fn mechanism(mechanism: &Mechanism) -> String {
    let guard = mechanism.guard.label();
    let ids = match (mechanism.operation_ids, mechanism.look_up) {
        (OperationIds::Off, _) => "",
        (OperationIds::InTransaction, LookUp::BeforeGuard) => ", operation IDs",
        (OperationIds::InTransaction, LookUp::AfterGuard) => ", then operation IDs",
        (OperationIds::AfterTransaction, LookUp::BeforeGuard) => ", operation IDs recorded later",
        (OperationIds::AfterTransaction, LookUp::AfterGuard) => ", then operation IDs recorded later",
    };
    let mut told = format!("{guard}{ids}");
    let known = [Switch::Guard, Switch::OperationIds, Switch::LookUp];
    for (switch, value) in mechanism.settings().filter(|(switch, _)| !known.contains(switch)) {
        let _ = write!(told, ", {} {value}", switch.name());
    }
    told
}

/// A refusal's reason as a clause.
fn reason(claim: Claim, rejection: Rejection, known: Option<Token>) -> String {
    let current = known.map_or_else(|| "none".to_owned(), |epoch| epoch.to_string());
    match rejection {
        Rejection::StaleEpoch if claim.epoch.to_string() == current => {
            format!("epoch {} is not higher than {current}", claim.epoch)
        }
        Rejection::StaleEpoch => format!("epoch {} is lower than {current}", claim.epoch),
        Rejection::EpochAhead => {
            format!("epoch {} has not been registered, and {current} is the current one", claim.epoch)
        }
        Rejection::OtherGrant if known.is_none() => "the store names another holder, or none".to_owned(),
        Rejection::OtherGrant => format!("epoch {current} was registered by another grant"),
        Rejection::RowAbsent => "no epoch has been registered".to_owned(),
        Rejection::VersionConflict => "the row has been changed since it was read".to_owned(),
        Rejection::DeadlinePassed => "its deadline is over by the destination’s clock".to_owned(),
    }
}

/// A length of time as people read it: "15 s", "4.04 s", "20 ms", "2 min". Of what lasts a second or more, no more is told
/// than whole milliseconds.
pub fn span(duration: Duration) -> String {
    const SECOND: u64 = 1_000_000;
    let micros = duration.micros();
    let told = if micros < SECOND { micros } else { (micros + 500) / 1_000 * 1_000 };
    let text = Duration::from_micros(told).to_string();
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
