//! What happened and what became of it, for a whole comparison.

use super::{Narrator, Verdict, capital, joined, list, span};
use crate::compare::Comparison;
use crate::fact::Fact;
use crate::id::WorkerId;
use crate::message::Message;
use crate::time::{Duration, Instant};

/// What happened, and what the rows of a comparison made of it. Rows that came out alike are named together.
pub fn headline(comparison: &Comparison) -> String {
    let mut groups: Vec<(Vec<&str>, Verdict)> = Vec::new();
    for run in &comparison.runs {
        let verdict = Narrator::new(&comparison.scenario, run).verdict();
        match groups.iter_mut().find(|(_, known)| known.label == verdict.label && known.clause == verdict.clause) {
            Some((names, _)) => names.push(&run.name),
            None => groups.push((vec![&run.name], verdict)),
        }
    }
    let teller = comparison.row_with_most(|fact| matches!(fact, Fact::Froze { .. } | Fact::Lost { .. }));
    let teller = comparison.runs.get(teller).map(|run| Narrator::new(&comparison.scenario, run));
    let mut text = teller.and_then(|narrator| narrator.opening()).unwrap_or_default();
    for (names, verdict) in &groups {
        if !text.is_empty() {
            text.push(' ');
        }
        if groups.len() == 1 {
            text += &verdict.sentence;
        } else {
            text += &format!("{}: {}.", capital(&list(names)), verdict.clause);
        }
    }
    text
}

impl Narrator<'_> {
    /// What went wrong on the way, in one sentence and in the order of time: freezes, messages lost or long under way, and
    /// the first handover.
    fn opening(&self) -> Option<String> {
        let mut clauses: Vec<(Instant, String)> = Vec::new();
        let mut frozen: Option<(WorkerId, Instant, Duration)> = None;
        let mut handed_over = false;
        let mut expired = false;
        for (index, entry) in self.run.facts.iter().enumerate() {
            match entry.fact {
                Fact::Froze { worker, length } => {
                    frozen = Some((worker, entry.at, length));
                    clauses.push((entry.at, format!("{} freezes for {}", self.name(worker), span(length))));
                }
                Fact::Lost { message } => clauses.push((entry.at, format!("{} is lost", self.message(index, message)))),
                Fact::Sent { message } => {
                    if let Some(time) = self.delay(index, message) {
                        clauses.push((
                            entry.at,
                            format!("{} is under way for {}", self.message(index, message), span(time)),
                        ));
                    }
                }
                Fact::LeaseExpired { claim } if !handed_over => {
                    expired = true;
                    let successor = self.run.facts[index..].iter().find_map(|entry| match entry.fact {
                        Fact::Granted { worker, claim } => Some((worker, claim.epoch)),
                        _ => None,
                    });
                    let Some((worker, epoch)) = successor else { continue };
                    handed_over = true;
                    let (whose, _) = self.grants[claim.grant.index()];
                    let lease = match frozen {
                        Some((who, from, length)) if who == whose && entry.at <= from + length => {
                            "its lease ends meanwhile".to_owned()
                        }
                        _ => format!("{}’s lease ends", self.name(whose)),
                    };
                    clauses.push((entry.at, lease));
                    let verb = if worker == whose { "is granted the lock again" } else { "takes over" };
                    clauses.push((entry.at, format!("{} {verb} under epoch {epoch}", self.name(worker))));
                }
                _ => {}
            }
        }
        if clauses.is_empty() {
            return None;
        }
        if frozen.is_some() && !expired {
            clauses.push((self.run.end(), "no lease ends meanwhile".to_owned()));
        }
        let clauses: Vec<&str> = clauses.iter().map(|(_, clause)| clause.as_str()).collect();
        Some(format!("{}.", capital(&joined(&clauses, ", and "))))
    }

    /// How long the message sent at the fact of this index was under way, if that was longer than messages are.
    fn delay(&self, sent: usize, message: Message) -> Option<Duration> {
        let arrived = self.run.facts[sent..].iter().find_map(|entry| match entry.fact {
            Fact::Delivered { message: arrived } | Fact::Held { message: arrived } if arrived == message => {
                Some(entry.at)
            }
            _ => None,
        })?;
        let time = arrived.since(self.run.facts[sent].at);
        (time > self.scenario.duration(self.scenario.latency)).then_some(time)
    }
}
