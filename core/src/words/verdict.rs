//! What came out of one run, in words.

use serde::Serialize;

use super::{Narrator, capital, list};
use crate::destination::{Guard, MAX_PENDING};
use crate::epoch::{Claim, MAX_TOKENS, Token};
use crate::event::Process;
use crate::fact::{Conclusion, Fact, Stop};
use crate::id::{GrantId, MAX_GRANTS, OperationId, Version, WorkerId};
use crate::invariant::{Evidence, Invariant};
use crate::mechanism::{Effect, OperationIds, TokenKind};
use crate::message::{Call, Message, Rejection, Request};
use crate::network::MAX_MESSAGES;
use crate::run::{Entry, Limit, Violation};
use crate::simulate::MAX_CHOICES;

/// How a row came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tone {
    /// Nothing was broken, and nobody had to be kept from it.
    Calm,
    /// Nothing was broken, and the destination, or a check, kept it so.
    Kept,
    /// An invariant was broken, but no data and no effect came to harm: an owner was shut out, or numbers were handed out
    /// in no order.
    Impaired,
    /// Data was lost, an effect came about twice or from old data, or somebody was told what is not so.
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
    /// The same as a clause: "A's report replaces B's newer one".
    pub clause: String,
    /// What happened and why, and for a broken row what would have stopped it.
    pub sentence: String,
    /// The fact that decided it, by its index in the run's facts.
    pub fact: Option<usize>,
}

/// How much a violation matters to who wants to know what became of the data: the least comes first, and is the gravest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gravity {
    /// Data or effects came to harm, or somebody was told what is not so. In this order.
    Harm(u8),
    /// A rule was broken, without harm so far. In this order.
    Rule(u8),
    /// Numbers were handed out in no order, and nothing else came of it: a destination may well do without that order.
    Order,
}

impl Gravity {
    fn tone(self) -> Tone {
        match self {
            Gravity::Harm(_) => Tone::Broken,
            Gravity::Rule(_) | Gravity::Order => Tone::Impaired,
        }
    }
}

/// The texts of a verdict.
struct Texts {
    label: String,
    effect: String,
    clause: String,
    sentence: String,
}

impl Texts {
    fn into_verdict(self, tone: Tone, fact: Option<usize>) -> Verdict {
        let Texts { label, effect, clause, sentence } = self;
        Verdict { tone, label, effect, clause, sentence, fact }
    }
}

/// A write that was applied.
#[derive(Clone, Copy)]
struct Write {
    fact: usize,
    claim: Claim,
    operation: OperationId,
    snapshot: Version,
    version: Version,
}

const CHECKS_EPOCH: &str =
    "What stops it: a destination that checks the epoch in the transaction that applies the write.";
const REGISTERS_FIRST: &str =
    "What stops it: an owner that registers its epoch before it reads, so that nobody else can write after that.";
const RECORDS_ID: &str = "What stops it: the operation’s ID, recorded in the transaction that applies it.";
const RECORDS_AND_LOOKS_UP: &str = "What stops it: the operation’s ID, recorded in the transaction that applies it and \
                                    looked up before the guard.";
const LOOKS_UP_FIRST: &str = "What stops it: looking the operation up before the guard, so that what has been applied is \
                              answered as applied, whoever owns the lock by then.";

impl Narrator<'_> {
    /// What came out of the run: what came to harm, if anything; else what was broken without harm; else what kept it from
    /// being broken; else how it went.
    pub fn verdict(&self) -> Verdict {
        let graded = self.run.violations.iter().map(|violation| (self.gravity(violation), violation));
        let gravest = graded.min_by_key(|(gravity, violation)| (*gravity, violation.fact));
        let broken = |gravity: Gravity, violation: &Violation| {
            self.broken(violation).into_verdict(gravity.tone(), Some(violation.fact))
        };
        if let Some((gravity @ Gravity::Harm(_), violation)) = gravest {
            return broken(gravity, violation);
        }
        if let Some(limit) = self.run.stopped_at {
            return stopped(limit).into_verdict(Tone::Open, self.run.facts.len().checked_sub(1));
        }
        let calm = || self.unclear().or_else(|| self.late()).unwrap_or_else(|| self.calm());
        match gravest {
            None => self.kept().unwrap_or_else(calm),
            Some((gravity @ Gravity::Order, violation)) => {
                // What kept the data in order did so although the numbers are in none; and random ones do not claim to be.
                let random = self.run.mechanism.token == TokenKind::Random;
                match self.kept().or_else(|| random.then(calm)) {
                    Some(mut verdict) => {
                        verdict.sentence += &format!(" Meanwhile, {}.", self.harm(violation));
                        verdict
                    }
                    None => broken(gravity, violation),
                }
            }
            Some((gravity, violation)) => broken(gravity, violation),
        }
    }

    // What was broken. The gravest invariant decides, and of that one the first violation.

    fn gravity(&self, violation: &Violation) -> Gravity {
        match violation.evidence.invariant {
            Invariant::NoStaleOverwrite if self.replaces_nothing(violation) => Gravity::Rule(0),
            Invariant::NewestAdmitted => Gravity::Rule(1),
            Invariant::ReleaseOwn => Gravity::Rule(2),
            Invariant::RecognizedNeverDecreases => Gravity::Rule(3),
            Invariant::EpochsIncrease => Gravity::Order,
            Invariant::NoStaleOverwrite => Gravity::Harm(0),
            Invariant::NoLostUpdate => Gravity::Harm(1),
            Invariant::AppliedOnce => Gravity::Harm(2),
            Invariant::EffectOnce => Gravity::Harm(3),
            Invariant::NoStaleEffect => Gravity::Harm(4),
            Invariant::SameAnswer => Gravity::Harm(5),
            Invariant::NoInterleaving => Gravity::Harm(6),
            Invariant::NoStaleRead => Gravity::Harm(7),
        }
    }

    /// Whether data or an effect came to harm by it, or somebody was told what is not so.
    pub fn harms(&self, violation: &Violation) -> bool {
        matches!(self.gravity(violation), Gravity::Harm(_))
    }

    /// Whether what a former owner has written was computed from the newest owner's own write.
    fn replaces_nothing(&self, violation: &Violation) -> bool {
        let newer = self.newest_write(violation.evidence.by, violation.fact);
        let write = self.write_at(violation.fact);
        write.zip(newer).is_some_and(|(write, newer)| write.snapshot >= newer.version)
    }

    fn broken(&self, violation: &Violation) -> Texts {
        let Evidence { invariant, by, operation, .. } = violation.evidence;
        let harm = capital(&self.harm(violation));
        let lost = operation.and_then(|operation| self.first_write(operation, violation.fact));
        match (invariant, lost) {
            (Invariant::NoStaleOverwrite, _) => self.stale(violation, &harm),
            (Invariant::NoLostUpdate, Some(lost)) => {
                let (mine, theirs) =
                    (self.writer_of(by, violation.fact), self.result(lost.claim.grant, lost.operation));
                let cure = if by == lost.claim.grant { RECORDS_ID } else { REGISTERS_FIRST };
                Texts {
                    label: "a write is lost".to_owned(),
                    effect: format!("{mine} replaces {}", self.others(by, lost)),
                    clause: format!("{mine} replaces {}, which was acknowledged", self.others(by, lost)),
                    sentence: format!(
                        "{mine} was computed from what had been read before {theirs} was written, so it replaces {theirs}, \
                         although {} was told that it had been applied. {cure}",
                        self.owner(lost.claim.grant)
                    ),
                }
            }
            (Invariant::AppliedOnce, Some(first)) => {
                let result = self.result(first.claim.grant, first.operation);
                let sentence = if first.claim.grant == by {
                    format!(
                        "{harm}. Both tries carry epoch {}, so no epoch can tell them apart. {RECORDS_ID}",
                        self.epoch(by)
                    )
                } else {
                    format!("{harm}. An epoch tells owners apart, not operations. {RECORDS_ID}")
                };
                Texts {
                    label: "applied twice".to_owned(),
                    effect: format!("one {}, two changes", self.scenario.result),
                    clause: format!("{result} is applied twice"),
                    sentence,
                }
            }
            (Invariant::SameAnswer, Some(first)) => {
                let result = self.result(first.claim.grant, first.operation);
                let cure = match self.run.mechanism.operation_ids {
                    OperationIds::Off => RECORDS_AND_LOOKS_UP,
                    OperationIds::InTransaction | OperationIds::AfterTransaction => LOOKS_UP_FIRST,
                };
                Texts {
                    label: "refused though applied".to_owned(),
                    effect: format!("{result} had been applied"),
                    clause: format!("{result} is called refused, though it had been applied"),
                    sentence: format!("{harm}. {cure}"),
                }
            }
            _ => self.broken_besides(violation),
        }
    }

    /// What was broken besides a write.
    fn broken_besides(&self, violation: &Violation) -> Texts {
        let Violation { fact, evidence: Evidence { invariant, by, against, .. } } = *violation;
        let clause = self.harm(violation);
        let harm = capital(&clause);
        let (who, result) = (self.owner(by), &self.scenario.result);
        let other = self.owner(against.unwrap_or(by));
        let (label, effect, cure) = match invariant {
            Invariant::NoInterleaving => {
                ("built on old data".to_owned(), format!("{other} had read before {who} wrote"), REGISTERS_FIRST)
            }
            Invariant::NewestAdmitted => {
                let cure = if !self.run.holds(Invariant::EpochsIncrease) {
                    "Nothing is lost, and the work stands still. What stops it: a lock service whose epochs increase; no \
                     destination can tell which of two owners is the newer if the numbers do not."
                } else {
                    "Nothing is lost, and the work stands still."
                };
                ("newest owner refused".to_owned(), "nothing lost, work stands still".to_owned(), cure)
            }
            Invariant::EffectOnce => {
                let (done, nouns) = self.effect_words();
                match self.run.facts[fact].fact {
                    Fact::EffectLookedUp { .. } => {
                        ("forgotten".to_owned(), "the provider cannot tell any more".to_owned(), "")
                    }
                    Fact::Concluded { .. } => (format!("{done}, yet “failed”"), format!("{who} does not know"), ""),
                    _ => (format!("{done} twice"), format!("one {result}, two {nouns}"), ""),
                }
            }
            Invariant::NoStaleEffect => {
                let label = match self.run.mechanism.effect {
                    Effect::None | Effect::Mail => "mailed from old data",
                    Effect::Payment => "paid on old data",
                    Effect::File => "older file published",
                };
                (label.to_owned(), format!("from before {other}’s change"), "")
            }
            Invariant::NoStaleRead => ("old data read".to_owned(), format!("{who} reads an older version"), ""),
            Invariant::ReleaseOwn => ("another’s lock released".to_owned(), clause.clone(), ""),
            Invariant::RecognizedNeverDecreases => {
                ("epoch goes back".to_owned(), "older owners could write".to_owned(), "")
            }
            Invariant::EpochsIncrease if against.is_some_and(|higher| self.epoch(higher) == self.epoch(by)) => {
                (format!("epoch {} twice", self.epoch(by)), "nothing lost in this run".to_owned(), "")
            }
            Invariant::EpochsIncrease => ("epochs out of order".to_owned(), "nothing lost in this run".to_owned(), ""),
            Invariant::NoStaleOverwrite | Invariant::NoLostUpdate | Invariant::AppliedOnce | Invariant::SameAnswer => {
                (invariant.name().to_owned(), harm.clone(), "")
            }
        };
        let sentence = if cure.is_empty() { format!("{harm}.") } else { format!("{harm}. {cure}") };
        Texts { label, effect, clause, sentence }
    }

    /// A write of an older grant after one of a newer.
    fn stale(&self, violation: &Violation, harm: &str) -> Texts {
        let by = violation.evidence.by;
        let (who, result) = (self.owner(by), &self.scenario.result);
        let write = self.write_at(violation.fact);
        let newer = self.newest_write(by, violation.fact);
        let (Some(write), Some(newer)) = (write, newer) else {
            // A replica took the older write over from the other one.
            return Texts {
                label: "older data wins".to_owned(),
                effect: harm.to_owned(),
                clause: self.harm(violation),
                sentence: format!("{harm}. {CHECKS_EPOCH}"),
            };
        };
        let other = self.owner(newer.claim.grant);
        let let_through = match self.run.mechanism.guard {
            Guard::ClientCheck => self.last_check(by, violation.fact),
            guard if guard.registers() || matches!(guard, Guard::MaxSeen | Guard::GreaterThan) => {
                let before = &self.run.facts[..violation.fact];
                let lost = before.iter().any(|entry| entry.fact == Fact::ControlRowLost);
                let why = if lost {
                    "The destination has lost its control row."
                } else {
                    "The destination’s check lets it pass."
                };
                why.to_owned()
            }
            _ => "The destination looks at no epoch.".to_owned(),
        };
        let sentence = format!(
            "{who} writes under epoch {} after {other} has written under epoch {}. {let_through} {harm}. {CHECKS_EPOCH}",
            self.epoch(by),
            self.epoch(newer.claim.grant),
        );
        if write.snapshot < newer.version {
            Texts {
                label: "applied though stale".to_owned(),
                effect: format!("{other}’s {result} is gone"),
                clause: format!("{who}’s {result} replaces {other}’s newer one"),
                sentence,
            }
        } else {
            Texts {
                label: "former owner writes last".to_owned(),
                effect: "nothing is lost".to_owned(),
                clause: format!("{who} writes last, though {other} owns the lock by then"),
                sentence,
            }
        }
    }

    /// What the last check of the lock before the fact of this index said, and how old its answer was by then.
    fn last_check(&self, by: GrantId, fact: usize) -> String {
        let asked = self.run.facts[..fact].iter().rev().find_map(|entry| match entry.fact {
            Fact::Checked { worker, claim, owns: true } if claim.grant == by => Some((worker, entry.at)),
            _ => None,
        });
        match asked {
            Some((worker, at)) => format!(
                "{} had asked the lock service and was told that it owns the lock, {} before the write arrived; the \
                 destination looks at no epoch.",
                self.name(worker),
                super::span(self.run.facts[fact].at.since(at))
            ),
            None => "The destination looks at no epoch.".to_owned(),
        }
    }

    /// What a violation did, as a clause.
    pub(super) fn harm(&self, violation: &Violation) -> String {
        let Violation { fact, evidence: Evidence { invariant, by, against, operation } } = *violation;
        let first = operation.and_then(|operation| self.first_write(operation, fact));
        match (invariant, first) {
            (Invariant::NoStaleOverwrite, _) => {
                let (Some(write), Some(newer)) = (self.write_at(fact), self.newest_write(by, fact)) else {
                    let newer = violation.evidence.against.map_or("its successor", |newer| self.owner(newer));
                    return format!("{}’s {} comes back over {newer}’s", self.owner(by), self.scenario.result);
                };
                let mine = self.result(by, write.operation);
                let other = self.owner(newer.claim.grant);
                if write.snapshot < newer.version {
                    format!("{mine} replaces {other}’s, which {} has not read", self.owner(by))
                } else {
                    format!("{mine} builds on {other}’s, but comes after the lock went to {other}")
                }
            }
            (Invariant::NoLostUpdate, Some(lost)) => {
                format!("{} is overwritten", self.result(lost.claim.grant, lost.operation))
            }
            (Invariant::AppliedOnce, Some(first)) => {
                format!("{} is applied a second time", self.result(first.claim.grant, first.operation))
            }
            (Invariant::SameAnswer, Some(first)) => {
                let result = self.result(first.claim.grant, first.operation);
                if first.claim.grant != by {
                    format!(
                        "{result} has been applied, yet {}’s try at the same operation is answered “refused”",
                        self.owner(by)
                    )
                } else if self.has_concluded(first.operation, fact) {
                    format!(
                        "{result} has been applied, yet a late copy of it is answered “refused”, though nobody waits for that"
                    )
                } else {
                    format!("{result} has been applied, yet its repeat is answered “refused”")
                }
            }
            (Invariant::RecognizedNeverDecreases, _) => match against {
                Some(newer) => {
                    format!("the destination goes back from epoch {} to {}", self.epoch(newer), self.epoch(by))
                }
                None => format!("the destination goes back to epoch {}", self.epoch(by)),
            },
            (Invariant::NoInterleaving, _) => {
                let newer = self.owner(against.unwrap_or(by));
                format!("{newer} builds on what it read before {}’s last change", self.owner(by))
            }
            (Invariant::NewestAdmitted, _) => {
                format!("{} owns the lock by the latest grant, and is refused as if it did not", self.owner(by))
            }
            (Invariant::EffectOnce, _) => {
                let mut effect = self.effect().to_owned();
                if let Some(operation) = operation {
                    effect = format!("{effect} for {}", self.result(by, operation));
                }
                match self.run.facts[fact].fact {
                    Fact::EffectLookedUp { .. } => format!("the provider has forgotten {effect}"),
                    Fact::Concluded { .. } => {
                        format!("{effect} has gone out, yet {} takes it for failed", self.owner(by))
                    }
                    _ if self.has_gone_out(operation, fact) => format!("{effect} goes out a second time"),
                    _ => format!("{effect} goes out after {} has taken it for failed", self.owner(by)),
                }
            }
            (Invariant::NoStaleEffect, _) => {
                let newer = self.owner(against.unwrap_or(by));
                format!("{} of {} is based on what was read before {newer}’s change", self.effect(), self.owner(by))
            }
            (Invariant::ReleaseOwn, _) => {
                format!("{} ends the lease of {}", self.owner(by), self.owner(against.unwrap_or(by)))
            }
            (Invariant::NoStaleRead, _) => format!("{} reads what is no longer the newest version", self.owner(by)),
            (Invariant::EpochsIncrease, _) => match against {
                Some(higher) => format!("epoch {} is handed out after {}", self.epoch(by), self.epoch(higher)),
                None => format!("epoch {} does not increase", self.epoch(by)),
            },
            (Invariant::NoLostUpdate | Invariant::AppliedOnce | Invariant::SameAnswer, None) => {
                unreachable!("the evidence names an operation that was applied")
            }
        }
    }

    /// Whether the effect of `operation` has come about before this fact.
    fn has_gone_out(&self, operation: Option<OperationId>, fact: usize) -> bool {
        self.run.facts[..fact]
            .iter()
            .any(|entry| matches!(entry.fact, Fact::Effected { operation: of, .. } if Some(of) == operation))
    }

    /// Whether the write of `operation` under this grant has been sent before this fact.
    fn has_sent_write(&self, claim: Claim, operation: OperationId, fact: usize) -> bool {
        self.run.facts[..fact].iter().any(|entry| {
            matches!(entry.fact, Fact::Sent { message: Message::Request(Request { call, .. }) }
                if matches!(call, Call::Write { grant, operation: of, .. } if (grant, of) == (claim.grant, operation)))
        })
    }

    // What kept it from being broken.

    fn kept(&self) -> Option<Verdict> {
        self.run.facts.iter().enumerate().find_map(|(index, entry)| {
            let texts = match entry.fact {
                Fact::Rejected { claim, operation, rejection: Rejection::VersionConflict, .. }
                    if self.redone(index, claim, operation).is_some() =>
                {
                    let applied = self.redone(index, claim, operation)?;
                    return Some(self.redoes(claim, operation).into_verdict(Tone::Kept, Some(applied)));
                }
                Fact::Rejected { claim, rejection, current, .. } => self.refused(index, claim, rejection, current),
                Fact::RegistrationRefused { claim, rejection, current } => {
                    let who = self.owner(claim.grant);
                    let why = super::reason(claim, rejection, current);
                    Texts {
                        label: short_reason(claim, rejection, current),
                        effect: format!("{who} never begins"),
                        clause: format!("{who} is refused before it begins, since {why}"),
                        sentence: format!(
                            "{who} asks the destination to recognize its epoch, and is refused before it has \
                                           read anything: {why}."
                        ),
                    }
                }
                Fact::Replayed { claim, operation, .. } => self.replayed(index, claim, operation)?,
                Fact::EffectRepeated { claim, operation } => self.effect_kept(claim, operation, false),
                Fact::EffectRefused { claim, operation } => self.effect_kept(claim, operation, true),
                Fact::Stopped { worker, claim, reason: Stop::CheckFailed } => self.noticed(index, worker, claim),
                _ => return None,
            };
            Some(texts.into_verdict(Tone::Kept, Some(index)))
        })
    }

    /// The fact by which an operation was applied under `claim` after it was refused by the fact of this index.
    fn redone(&self, index: usize, claim: Claim, operation: OperationId) -> Option<usize> {
        let writes = self.writes(self.run.facts.len()).filter(|write| write.fact > index);
        writes
            .filter(|write| (write.claim.grant, write.operation) == (claim.grant, operation))
            .map(|write| write.fact)
            .next()
    }

    fn redoes(&self, claim: Claim, operation: OperationId) -> Texts {
        let (who, result) = (self.owner(claim.grant), self.result(claim.grant, operation));
        Texts {
            label: "refused, then redone".to_owned(),
            effect: "nothing lost, work done twice".to_owned(),
            clause: format!("{result} is refused, since the row has changed, and is computed anew"),
            sentence: format!(
                "{result} was computed from a row that has been changed since. The destination refuses it; {who} reads again, \
                 computes again, and its second try is applied. Nothing is lost; the work is what it costs."
            ),
        }
    }

    fn refused(&self, index: usize, claim: Claim, rejection: Rejection, current: Option<Token>) -> Texts {
        let who = self.owner(claim.grant);
        let why = super::reason(claim, rejection, current);
        let current_owner = self.grants.iter().rposition(|&(_, epoch)| Some(epoch) == current);
        let current_owner = current_owner.map(|grant| GrantId(grant as u8)).filter(|&grant| grant != claim.grant);
        let stays = match current {
            Some(_) => current_owner.filter(|&grant| self.writes(index).any(|write| write.claim.grant == grant)),
            // A destination that goes by no epoch keeps what was written last.
            None => self.writes(index).last().map(|write| write.claim.grant).filter(|&grant| grant != claim.grant),
        };
        let effect = match stays {
            Some(grant) => format!("{}’s {} stays", self.owner(grant), self.scenario.result),
            None => format!("{who} changes nothing"),
        };
        let sentence = if self.believes(claim, index) {
            format!(
                "{who} still believes that it owns the lock. The destination finds epoch {} on {who}’s write and refuses it in \
                 the same transaction: {why}. The answer tells {who} that it has been replaced.",
                claim.epoch
            )
        } else if self.has_crashed(claim, index) {
            format!(
                "{who}’s write was still under way when {who} crashed. The destination finds epoch {} on it and refuses it: \
                 {why}.",
                claim.epoch
            )
        } else {
            format!(
                "A late copy of {who}’s write arrives when {who} no longer believes that it owns the lock. The destination \
                 refuses it: {why}."
            )
        };
        Texts {
            label: short_reason(claim, rejection, current),
            effect,
            clause: format!("{who}’s {} is refused, since {why}", self.scenario.result),
            sentence,
        }
    }

    fn replayed(&self, index: usize, claim: Claim, operation: OperationId) -> Option<Texts> {
        let first = self.first_write(operation, index)?;
        let (who, result) = (self.owner(claim.grant), self.result(first.claim.grant, operation));
        let story = if first.claim.grant != claim.grant {
            format!(
                "{who}’s try is the same operation as {result}, which has been applied under epoch {}.",
                first.claim.epoch
            )
        } else if self.has_concluded(operation, index) {
            format!("A copy of {result} that was still under way arrives after {who} has had its answer.")
        } else {
            format!("{who} had no answer and sent its {} again.", self.own_result(claim.grant, operation))
        };
        Some(Texts {
            label: "replayed".to_owned(),
            effect: format!("{result} counts once"),
            clause: format!("{result} is applied once"),
            sentence: format!(
                "{story} The destination finds the operation’s ID among those it has applied, changes nothing, and gives the \
                 first answer once more."
            ),
        })
    }

    /// An effect of which nothing more came, since it had come about before, or since one of a higher epoch stands.
    fn effect_kept(&self, claim: Claim, operation: OperationId, refused: bool) -> Texts {
        let (who, result) = (self.owner(claim.grant), self.own_result(claim.grant, operation));
        let effect = self.effect();
        let (done, _) = self.effect_words();
        if refused {
            Texts {
                label: format!("not {done}"),
                effect: "the newer one stands".to_owned(),
                clause: format!("{effect} of {who} is refused, since a newer one stands"),
                sentence: format!(
                    "{who} wants {effect} for its {result}. One of a higher epoch stands, the condition is part of the step that \
                     would replace it, and so it stays."
                ),
            }
        } else {
            Texts {
                label: format!("{done} once"),
                effect: "the repeat gets the first answer".to_owned(),
                clause: format!("{effect} for {who}’s {result} comes about once"),
                sentence: format!(
                    "{who} asks for {effect} that has been made before. The provider knows its key, makes no second one, and \
                     gives the first answer again."
                ),
            }
        }
    }

    /// What one does who brings the effect about, and what several are called.
    fn effect_words(&self) -> (&'static str, &'static str) {
        match self.run.mechanism.effect {
            Effect::None | Effect::Mail => ("mailed", "mails"),
            Effect::Payment => ("paid", "payments"),
            Effect::File => ("published", "files"),
        }
    }

    fn noticed(&self, index: usize, worker: WorkerId, claim: Claim) -> Texts {
        let who = self.name(worker);
        let sent = self.run.facts[..index].iter().rev().any(|entry| {
            matches!(entry.fact, Fact::Concluded { claim: of, conclusion: Conclusion::Unknown, .. } if of == claim)
        });
        if sent {
            return Texts {
                label: "outcome unknown".to_owned(),
                effect: format!("{who} cannot tell"),
                clause: format!("{who} cannot tell what became of its {}", self.scenario.result),
                sentence: format!(
                    "{who} asks the lock service before it tries again, and learns that the lock is another’s. \
                                   What became of its first try it does not know."
                ),
            };
        }
        let any = self.writes(self.run.facts.len()).next().is_some();
        let thawed = self.run.facts[..index]
            .iter()
            .any(|entry| matches!(entry.fact, Fact::Thawed { worker: of } if of == worker));
        let pause = if thawed { "The pause was over by then; a pause" } else { "A pause" };
        Texts {
            label: "not sent".to_owned(),
            effect: if any { format!("{who} noticed in time") } else { format!("no {} arrives", self.scenario.result) },
            clause: format!("{who} notices and does not write"),
            sentence: format!(
                "{who} asks the lock service before it writes, learns that the lock is no longer its own, and does not write. \
                 {pause} after the answer would go unnoticed."
            ),
        }
    }

    // What left somebody not knowing.

    fn unclear(&self) -> Option<Verdict> {
        self.run.facts.iter().enumerate().find_map(|(index, entry)| {
            let Fact::Concluded { worker, claim, operation, conclusion: Conclusion::Unknown } = entry.fact else {
                return None;
            };
            let (who, result) = (self.name(worker), &self.scenario.result);
            if !self.has_sent_write(claim, operation, index) {
                let effect = format!("{} for {who}’s {result}", self.effect());
                let truth = match self.has_gone_out(Some(operation), self.run.facts.len()) {
                    true => format!("{} goes out, but {who} does not hear of that", capital(&effect)),
                    false => format!("{} never goes out, and {who} does not hear of that", capital(&effect)),
                };
                let texts = Texts {
                    label: "outcome unknown".to_owned(),
                    effect: format!("{who} cannot tell"),
                    clause: format!("{who} cannot tell whether {effect} has gone out"),
                    sentence: format!(
                        "{truth}. To {who} a lost request and a lost answer look alike, so it does not say “failed”."
                    ),
                };
                return Some(texts.into_verdict(Tone::Calm, Some(index)));
            }
            let truth = match self.first_write(operation, self.run.facts.len()) {
                Some(_) => format!("{who}’s {result} is applied, but no answer reaches {who}"),
                None => format!("{who}’s {result} is never applied, and no answer reaches {who}"),
            };
            let texts = Texts {
                label: "outcome unknown".to_owned(),
                effect: format!("{who} cannot tell"),
                clause: format!("{who} cannot tell whether its {result} was applied"),
                sentence: format!(
                    "{truth}. To {who} a lost write and a lost answer look alike, so it does not say “failed”."
                ),
            };
            Some(texts.into_verdict(Tone::Calm, Some(index)))
        })
    }

    // What came late and did no harm.

    fn late(&self) -> Option<Verdict> {
        self.writes(self.run.facts.len()).find_map(|write| {
            let newest = self.newest_before(write.fact);
            if newest > write.claim.grant {
                return Some(self.after_handover(write, newest));
            }
            let ended = self.run.facts[..write.fact]
                .iter()
                .any(|entry| matches!(entry.fact, Fact::LeaseExpired { claim } if claim == write.claim));
            let who = self.owner(write.claim.grant);
            ended.then(|| {
                Texts {
                    label: "late, but unopposed".to_owned(),
                    effect: "nobody had taken over".to_owned(),
                    clause: format!("{who}’s {} comes late, when nobody has taken over", self.scenario.result),
                    sentence: format!(
                        "{who}’s lease is over when its write arrives, but the lock has gone to nobody since. By its epoch the \
                         write is admitted; by a deadline it would not be."
                    ),
                }
                .into_verdict(Tone::Calm, Some(write.fact))
            })
        })
    }

    /// A write under a former grant that nothing speaks against.
    fn after_handover(&self, write: Write, newest: GrantId) -> Verdict {
        let (who, other, result) = (self.owner(write.claim.grant), self.owner(newest), &self.scenario.result);
        let read = |facts: &[Entry]| {
            facts.iter().any(|entry| matches!(entry.fact, Fact::Read { claim, .. } if claim.grant == newest))
        };
        let (before, after) = self.run.facts.split_at(write.fact);
        let goes_by_epochs = matches!(self.run.mechanism.guard, Guard::MaxSeen | Guard::Registered);
        let (tone, texts) = if read(before) {
            let texts = Texts {
                label: "late, unacknowledged".to_owned(),
                effect: format!("{other} had read before"),
                clause: format!("{who}’s {result} comes after {other} has read"),
                sentence: format!(
                    "{who}’s write is applied after {other} has read, so {other} does not know of it. Nobody was told that it had \
                     been applied before it was replaced, so no promise is broken."
                ),
            };
            (Tone::Calm, texts)
        } else if !read(after) {
            let texts = Texts {
                label: "late, and admitted".to_owned(),
                effect: format!("{other} never reads"),
                clause: format!("{who}’s {result} comes after the lock went to {other}"),
                sentence: format!(
                    "{who}’s write is applied after the lock went to {other}, but {other} never reads, and builds \
                                   on nothing."
                ),
            };
            (Tone::Calm, texts)
        } else if goes_by_epochs {
            let texts = Texts {
                label: "admitted, rightly".to_owned(),
                effect: format!("{other} builds on {who}’s {result}"),
                clause: format!("{who}’s late {result} is admitted, and {other} builds on it"),
                sentence: format!(
                    "{who}’s write comes after the lock went to {other}, but before {other} has read: the destination has not \
                     heard of {other} yet, and {other} reads what {who} wrote."
                ),
            };
            (Tone::Kept, texts)
        } else {
            let texts = Texts {
                label: "late, and harmless".to_owned(),
                effect: format!("{other} builds on {who}’s {result}"),
                clause: format!("{who}’s late {result} is applied, and {other} happens to read after it"),
                sentence: format!(
                    "{who}’s write comes after the lock went to {other}, but before {other} has read, so {other} builds on it. \
                     That is luck: the destination looked at nothing, and a moment later the same write does harm."
                ),
            };
            (Tone::Calm, texts)
        };
        texts.into_verdict(tone, Some(write.fact))
    }

    // How it went where nothing came between.

    fn calm(&self) -> Verdict {
        let Some(write) = self.writes(self.run.facts.len()).next() else {
            // Decided when the last of them gave up its ownership, or its wish for it.
            let last = self
                .run
                .facts
                .iter()
                .rposition(|entry| matches!(entry.fact, Fact::Stopped { .. } | Fact::GaveUp { .. }))
                .or(self.run.facts.len().checked_sub(1));
            return self.nothing().into_verdict(Tone::Calm, last);
        };
        let (who, result) = (self.owner(write.claim.grant), &self.scenario.result);
        let texts = if self.grants.len() == 1 {
            let released = self
                .run
                .facts
                .iter()
                .any(|entry| matches!(entry.fact, Fact::Released { claim } if claim == write.claim));
            let release = if released { " and gives the lock back" } else { "" };
            Texts {
                label: "in time".to_owned(),
                effect: format!("{who}’s {result} stands, no handover"),
                clause: format!("{who}’s {result} arrives in time"),
                sentence: format!(
                    "{who} writes under its own lease{release}. There is no handover, and nothing to refuse."
                ),
            }
        } else {
            Texts {
                label: "in time".to_owned(),
                effect: "one owner after the other".to_owned(),
                clause: "each write arrives under the newest grant".to_owned(),
                sentence: "Each write arrives while its own grant is the newest one, so there is nothing to refuse."
                    .to_owned(),
            }
        };
        texts.into_verdict(Tone::Calm, Some(write.fact))
    }

    fn nothing(&self) -> Texts {
        let mut gave_up: Vec<&str> = Vec::new();
        for entry in &self.run.facts {
            if let Fact::GaveUp { worker } = entry.fact {
                gave_up.push(self.name(worker));
            }
        }
        let why = if gave_up.is_empty() {
            String::new()
        } else {
            format!(" No answer of the lock service came in time for {}.", list(&gave_up))
        };
        Texts {
            label: "nothing is written".to_owned(),
            effect: format!("no {} arrives", self.scenario.result),
            clause: format!("no {} arrives", self.scenario.result),
            sentence: format!("No write reaches the destination.{why}"),
        }
    }

    // What the facts show.

    /// The writes applied before the fact of this index, in their order.
    fn writes(&self, before: usize) -> impl Iterator<Item = Write> + '_ {
        self.run.facts[..before].iter().enumerate().filter_map(|(fact, entry)| match entry.fact {
            Fact::Applied { claim, operation, snapshot, version, .. } => {
                Some(Write { fact, claim, operation, snapshot, version })
            }
            _ => None,
        })
    }

    fn write_at(&self, fact: usize) -> Option<Write> {
        self.writes(fact + 1).last().filter(|write| write.fact == fact)
    }

    /// The first application of an operation, up to the fact of this index.
    fn first_write(&self, operation: OperationId, until: usize) -> Option<Write> {
        let until = (until + 1).min(self.run.facts.len());
        self.writes(until).find(|write| write.operation == operation)
    }

    /// The last write under the newest grant that is newer than `by`, before the fact of this index.
    fn newest_write(&self, by: GrantId, before: usize) -> Option<Write> {
        let mut newest: Option<Write> = None;
        for write in self.writes(before).filter(|write| write.claim.grant > by) {
            if newest.is_none_or(|newest| newest.claim.grant <= write.claim.grant) {
                newest = Some(write);
            }
        }
        newest
    }

    /// What the last write under `grant`, up to the fact of this index, brought: "B's report".
    fn writer_of(&self, grant: GrantId, until: usize) -> String {
        let write = self.writes(until + 1).filter(|write| write.claim.grant == grant).last();
        write.map_or_else(|| self.owner(grant).to_owned(), |write| self.result(grant, write.operation))
    }

    /// The lost write as it is called beside another's: "A's"; in full where both are of one worker.
    fn others(&self, by: GrantId, lost: Write) -> String {
        let owner = self.owner(lost.claim.grant);
        if owner == self.owner(by) { self.result(lost.claim.grant, lost.operation) } else { format!("{owner}’s") }
    }

    /// Whether the worker of `claim` believes in it at the fact of this index.
    fn believes(&self, claim: Claim, fact: usize) -> bool {
        self.run.facts[..fact].iter().rev().find_map(|entry| match entry.fact {
            Fact::Acquired { claim: of, .. } if of.grant == claim.grant => Some(true),
            Fact::Stopped { claim: of, .. } if of.grant == claim.grant => Some(false),
            Fact::Crashed { process: Process::Worker { worker } } if worker == self.grants[claim.grant.index()].0 => {
                Some(false)
            }
            _ => None,
        }) == Some(true)
    }

    /// Whether the worker of `claim` has lost it by a crash before the fact of this index.
    fn has_crashed(&self, claim: Claim, fact: usize) -> bool {
        let crashed = |entry: &Entry| match entry.fact {
            Fact::Crashed { process: Process::Worker { worker } } => worker == self.grants[claim.grant.index()].0,
            _ => false,
        };
        let before = &self.run.facts[..fact];
        let acquired = before
            .iter()
            .rposition(|entry| matches!(entry.fact, Fact::Acquired { claim: of, .. } if of.grant == claim.grant));
        let stopped = |entry: &Entry| matches!(entry.fact, Fact::Stopped { claim: of, .. } if of.grant == claim.grant);
        let mut ends = before[acquired.unwrap_or(0)..].iter().filter(|entry| crashed(entry) || stopped(entry));
        ends.next().is_some_and(crashed)
    }

    /// Whether somebody has been told, before the fact of this index, that `operation` was applied.
    fn has_concluded(&self, operation: OperationId, before: usize) -> bool {
        self.run.facts[..before].iter().any(|entry| {
            matches!(entry.fact, Fact::Concluded { operation: of, conclusion: Conclusion::Done, .. } if of == operation)
        })
    }
}

/// A refusal in a few words.
fn short_reason(claim: Claim, rejection: Rejection, current: Option<Token>) -> String {
    match (rejection, current) {
        (Rejection::StaleEpoch, Some(current)) => format!("refused: {} < {current}", claim.epoch),
        (Rejection::EpochAhead, Some(current)) => format!("refused: {} > {current}", claim.epoch),
        (Rejection::VersionConflict, _) => "refused: row changed".to_owned(),
        (Rejection::DeadlinePassed, _) => "refused: too late".to_owned(),
        _ => "refused".to_owned(),
    }
}

fn stopped(limit: Limit) -> Texts {
    let limit = match limit {
        Limit::Messages => format!("more than {MAX_MESSAGES} messages would be in flight"),
        Limit::Grants => format!("the lock would be granted more than {MAX_GRANTS} times"),
        Limit::Tokens => format!("more than {MAX_TOKENS} tokens would be made"),
        Limit::Pending => format!("more than {MAX_PENDING} writes would be under way in the destination"),
        Limit::Renewals => format!("a lease would be renewed more than {} times", u8::MAX),
        Limit::Choices => format!("more than {MAX_CHOICES} things would happen"),
    };
    Texts {
        label: "stopped at a limit".to_owned(),
        effect: limit.clone(),
        clause: format!("the run stops, since {limit}"),
        sentence: format!("The run ends before its time: {limit}, which is as far as the model goes."),
    }
}
