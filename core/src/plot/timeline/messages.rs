//! Messages worth drawing: writes on their way, and whatever is late, lost or not heard.

use super::{Arrow, Ending, Teller, Way, approximately, told};
use crate::fact::{Conclusion, Fact};
use crate::message::{Answer, Call, Message, Sought};
use crate::time::Instant;

/// The messages of all runs; those to the lock service only of the row `main`. The same message of several runs is one
/// arrow with several ways.
pub(super) fn arrows(tellers: &[Teller<'_>], main: usize) -> Vec<Arrow> {
    let mut arrows: Vec<(Message, Arrow)> = Vec::new();
    for teller in tellers {
        for (index, entry) in teller.run.facts.iter().enumerate() {
            let Fact::Sent { message } = entry.fact else { continue };
            let to_lock = matches!(
                message.request().call,
                Call::Mint { .. } | Call::Acquire { .. } | Call::Renew { .. } | Call::Release { .. }
            );
            if to_lock && teller.row != main {
                continue;
            }
            let Some(way) = way(teller, index, entry.at, message) else { continue };
            let alike = |known: &Message| alike(*known, message);
            match arrows
                .iter_mut()
                .find(|(known, arrow)| alike(known) && arrow.ways.iter().all(|way| way.row != teller.row))
            {
                Some((_, arrow)) => arrow.ways.push(way),
                None => {
                    let reply = matches!(message, Message::Reply(_));
                    let worker = message.request().worker;
                    let outside = matches!(
                        message.request().call,
                        Call::Effect { .. } | Call::LookUp { of: Sought::Effect | Sought::EffectAtLast, .. }
                    );
                    arrows.push((message, Arrow { worker, to_lock, outside, reply, ways: vec![way] }));
                }
            }
        }
    }
    arrows.into_iter().map(|(_, arrow)| arrow).collect()
}

/// Whether two runs mean the same message: what it was computed from, and what the answer is, may differ.
fn alike(one: Message, other: Message) -> bool {
    let key = |message: Message| {
        let request = message.request();
        let call = match request.call {
            Call::Write { grant, operation, .. } => (0, Some(grant), Some(operation)),
            Call::Register { grant } => (1, Some(grant), None),
            Call::Acquire { .. } => (2, None, None),
            Call::Mint { .. } => (4, None, None),
            Call::Renew { grant, term } => (5 + usize::from(term.0), Some(grant), None),
            Call::LookUp { grant, operation, of: Sought::Write } => (1_000, Some(grant), Some(operation)),
            Call::LookUp { grant, operation, of: Sought::Effect } => (1_002, Some(grant), Some(operation)),
            Call::LookUp { grant, operation, of: Sought::EffectAtLast } => (1_003, Some(grant), Some(operation)),
            Call::Effect { grant, operation, .. } => (1_001, Some(grant), Some(operation)),
            Call::Release { grant } => (3, Some(grant), None),
        };
        (matches!(message, Message::Reply(_)), request.worker, request.attempt, call)
    };
    key(one) == key(other)
}

/// The way of the message sent in the fact of this index, if it is worth drawing.
fn way(teller: &Teller<'_>, sent_index: usize, sent: Instant, message: Message) -> Option<Way> {
    let facts = &teller.run.facts;
    let (index, ended, end) = facts.iter().enumerate().skip(sent_index).find_map(|(index, entry)| {
        let end = match entry.fact {
            Fact::Delivered { message: of } if of == message => Ending::Arrived,
            Fact::Held { message: of } if of == message => Ending::Held,
            Fact::Lost { message: of } if of == message => Ending::Lost,
            _ => return None,
        };
        Some((index, entry.at, end))
    })?;
    let usual = teller.comparison.scenario.duration(teller.comparison.scenario.latency);
    let transit = ended.since(sent);
    let late = transit > usual && end != Ending::Lost;
    let name = teller.name(message.request().worker);
    let texts = match (message, end) {
        (Message::Request(_), Ending::Lost) => vec!["lost on its way".to_owned(), "lost".to_owned()],
        (Message::Request(request), _) => {
            let what = match request.call {
                Call::Write { .. } => "write",
                Call::Register { .. } => "registration",
                Call::Mint { .. } | Call::Acquire { .. } => "request",
                Call::Renew { .. } => "renewal",
                Call::LookUp { .. } => "question",
                Call::Effect { .. } => "effect",
                Call::Release { .. } => "release",
            };
            if late {
                let length = approximately(transit);
                vec![format!("{what} under way for {length}"), format!("under way {length}")]
            } else {
                Vec::new()
            }
        }
        (Message::Reply(_), Ending::Lost) => vec!["answer lost".to_owned(), "lost".to_owned()],
        (Message::Reply(_), Ending::Held) => {
            vec![format!("{name} is frozen: answer unread"), "answer unread".to_owned(), "unread".to_owned()]
        }
        (Message::Reply(reply), Ending::Arrived) => match conclusion(teller, index) {
            Some(conclusion) if is_news(teller, sent_index, reply.answer) => {
                vec![format!("{name} {}", told(conclusion))]
            }
            _ if late => vec!["answer late".to_owned()],
            _ => Vec::new(),
        },
    };
    let always = matches!(message, Message::Request(request) if matches!(request.call, Call::Write { .. } | Call::Effect { .. }));
    let fact = teller.fact(index);
    let label = teller.narrator.fact(index);
    (always || late || !texts.is_empty()).then_some(Way { row: teller.row, sent, ended, end, late, texts, label, fact })
}

/// What the worker concludes from what reached it in the fact of this index.
fn conclusion(teller: &Teller<'_>, delivered: usize) -> Option<Conclusion> {
    match teller.run.facts.get(delivered + 1)?.fact {
        Fact::Concluded { conclusion, .. } => Some(conclusion),
        _ => None,
    }
}

/// Whether the answer sent in the fact of this index is more than the usual "applied".
fn is_news(teller: &Teller<'_>, sent_index: usize, answer: Answer) -> bool {
    let decided = sent_index.checked_sub(1).map(|before| teller.run.facts[before].fact);
    matches!(answer, Answer::Refused { .. }) || matches!(decided, Some(Fact::Replayed { .. }))
}
