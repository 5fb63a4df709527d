//! While a worker stands still: frozen, suspended, stuck, or crashed.

use super::{Halt, HaltKind, Teller};
use crate::event::Process;
use crate::fact::Fact;
use crate::id::WorkerId;
use crate::message::Message;
use crate::words::span;

/// Halts of one kind that run into one another are one.
pub(super) fn halts(teller: &Teller<'_>, worker: WorkerId) -> Vec<Halt> {
    let mut halts: Vec<Halt> = Vec::new();
    // Those that have not ended.
    let mut open: Vec<HaltKind> = Vec::new();
    for (index, entry) in teller.run.facts.iter().enumerate() {
        let (kind, begins) = match entry.fact {
            Fact::Froze { worker: who, .. } if who == worker => (HaltKind::Freeze, true),
            Fact::Thawed { worker: who } if who == worker => (HaltKind::Freeze, false),
            Fact::Suspended { worker: who, .. } if who == worker => (HaltKind::Suspend, true),
            Fact::Resumed { worker: who } if who == worker => (HaltKind::Suspend, false),
            Fact::Stuck { worker: who, .. } if who == worker => (HaltKind::Stick, true),
            Fact::Unstuck { worker: who } if who == worker => (HaltKind::Stick, false),
            Fact::Crashed { process: Process::Worker { worker: who } } if who == worker => (HaltKind::Crash, true),
            // What it asks first tells that it runs again.
            Fact::Sent { message: Message::Request(request) } if request.worker == worker => (HaltKind::Crash, false),
            _ => continue,
        };
        if begins && kind == HaltKind::Crash {
            // Nothing else can hold a process that is gone.
            for halt in &mut halts {
                if open.contains(&halt.kind) && halt.to > entry.at {
                    halt.to = entry.at;
                }
            }
            open.clear();
        }
        match open.iter().position(|other| *other == kind) {
            None if begins => {
                open.push(kind);
                let (to, fact) = (teller.run.end(), teller.fact(index));
                halts.push(Halt { kind, from: entry.at, to, label: String::new(), fact });
            }
            Some(place) if !begins => {
                open.remove(place);
                if let Some(last) = halts.iter_mut().rfind(|halt| halt.kind == kind) {
                    last.to = entry.at;
                }
            }
            _ => {}
        }
    }
    let name = teller.name(worker);
    for halt in &mut halts {
        let length = span(halt.to.since(halt.from));
        halt.label = match halt.kind {
            HaltKind::Freeze => format!("{name} is frozen for {length}. It takes no step and cannot know."),
            HaltKind::Suspend => {
                format!("{name}’s machine is suspended for {length}. It takes no step, and its clock stands still.")
            }
            HaltKind::Stick => format!("{name}’s work is stuck for {length}. The rest of its process runs on."),
            HaltKind::Crash => {
                format!("{name} crashes and is gone for {length}. It believes nothing, and starts anew after that.")
            }
        };
    }
    halts
}
