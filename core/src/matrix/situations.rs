//! The situations that mechanisms are held against: what goes on, what goes wrong, and what is asked.

use crate::invariant::Invariant::{
    self, AppliedOnce, EffectOnce, NewestAdmitted, NoInterleaving, NoLostUpdate, NoStaleEffect, NoStaleOverwrite,
    NoStaleRead, RecognizedNeverDecreases, SameAnswer,
};
use crate::observation::Situation::{
    self as Seen, CheckFailed, CrashSeen, DeadlineMissed, EffectSeen, ExpiredWriteApplied, Handover,
    LockServiceRestored, ReplyLost, TwoBelievers,
};

/// One situation: a column of the matrix.
#[derive(Debug)]
pub struct Situation {
    /// Its name, which is also the scenario's.
    pub name: &'static str,
    /// What it is about.
    pub group: Group,
    /// What happens, in a few words.
    pub title: &'static str,
    /// What happens, and what should come of it.
    pub explanation: &'static str,
    /// Where it is described, or where it happened: an address.
    pub source: &'static str,
    /// The lines of the scenario that bring it about, beside its mechanism.
    pub settings: &'static [&'static str],
    /// The bounds of the search, as the `explore` line has them, but for the retries.
    pub bounds: &'static str,
    /// How many requests may be sent again.
    pub retries: u8,
    /// What is asked.
    pub question: Question,
    /// The situation that is the same, or goes further, but for what makes this one: what is broken there as well is not
    /// broken by this.
    pub plain: Option<&'static str>,
}

/// What situations are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Who may write, read and act.
    Ownership,
    /// Requests that come again.
    Repeats,
    /// The destination's own crashes and copies.
    Destination,
    /// The numbers that the lock service hands out.
    Numbers,
    /// Clocks, pauses and releases.
    Time,
    /// What happens outside.
    Effects,
}

/// What is asked of a mechanism in a situation.
#[derive(Debug, Clone, Copy)]
pub enum Question {
    /// Whether these invariants hold.
    Holds {
        /// The invariants.
        asked: &'static [Invariant],
        /// What a search must reach, or it has not looked at the situation at all.
        reaches: Option<Seen>,
    },
    /// Neither answer is wrong: which of the two is given.
    Policy {
        /// What shows that the write is let in.
        accepts: &'static [Seen],
        /// What shows that it is not.
        refuses: &'static [Seen],
    },
}

impl Group {
    /// All of them, in the order of the matrix.
    pub const ALL: [Group; 6] =
        [Group::Ownership, Group::Repeats, Group::Destination, Group::Numbers, Group::Time, Group::Effects];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Group::Ownership => "ownership",
            Group::Repeats => "repeats",
            Group::Destination => "destination",
            Group::Numbers => "numbers",
            Group::Time => "time",
            Group::Effects => "effects",
        }
    }

    /// Whether what a worker does that meets a conflict is part of what is asked. Elsewhere it would be searched in vain.
    pub(super) const fn is_about_tries(self) -> bool {
        matches!(self, Group::Ownership | Group::Repeats)
    }

    /// What it is about, in a few words.
    pub const fn title(self) -> &'static str {
        match self {
            Group::Ownership => "Who may write, read and act",
            Group::Repeats => "Requests that come again",
            Group::Destination => "Crashes and copies of the destination",
            Group::Numbers => "The numbers that the lock service hands out",
            Group::Time => "Clocks, pauses and releases",
            Group::Effects => "What happens outside",
        }
    }
}

/// That these hold; the search must have come to `reaches`.
const fn holds(asked: &'static [Invariant], reaches: Seen) -> Question {
    Question::Holds { asked, reaches: Some(reaches) }
}

/// Two owners, one after the other.
const TWO_OWNERS: &str = "workers 2, grants 2, operations 1";
/// A grant after them: one of the two crashes, starts again and asks for the lock once more.
const THREE_GRANTS: &str = "workers 2, grants 3, operations 1, crashes 1";
/// One owner.
const ONE_OWNER: &str = "workers 1, grants 1, operations 1";

impl Situation {
    /// All of them, by group.
    pub const ALL: &'static [Situation] = &[
        Situation {
            name: "late-write",
            group: Group::Ownership,
            title: "The former owner writes after its successor",
            explanation: "The owner stands still, or its write is under way for long. Its lease ends, the next owner writes, and then the old write arrives.",
            source: "https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html",
            settings: &[],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoStaleOverwrite], Handover),
            plain: None,
        },
        Situation {
            name: "successor-has-read",
            group: Group::Ownership,
            title: "The former owner writes between its successor’s read and write",
            explanation: "The next owner has the lock and has read, but has not written yet. A write of the former owner that comes now changes what the next one builds on.",
            source: "https://fpj.systems/2016/02/10/note-on-fencing-and-distributed-locks/",
            settings: &[],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoInterleaving, NoLostUpdate], Handover),
            plain: None,
        },
        Situation {
            name: "second-write",
            group: Group::Ownership,
            title: "The owner writes a second time",
            explanation: "Nobody else is there. The owner carries out two operations under one grant, and both must be taken.",
            source: "https://www.codesprintpro.com/blog/system-design-distributed-lock-fencing-tokens/",
            settings: &[],
            bounds: "workers 1, grants 1, operations 2",
            retries: 0,
            question: Question::Holds { asked: &[NewestAdmitted], reaches: None },
            plain: None,
        },
        Situation {
            name: "owner-returns",
            group: Group::Ownership,
            title: "A former owner becomes the owner again",
            explanation: "A worker loses the lock, another works under it, and the first starts anew and gets it back: writes of its two grants come from the same worker. It takes three grants to see what a name that is used twice lets in.",
            source: "https://github.com/coalesce-labs/catalyst/issues/3244",
            settings: &[],
            bounds: THREE_GRANTS,
            retries: 0,
            question: holds(&[NoStaleOverwrite, NoInterleaving, NoLostUpdate], CrashSeen),
            plain: None,
        },
        Situation {
            name: "expired-unclaimed",
            group: Group::Ownership,
            title: "The lease has ended and nobody has taken over",
            explanation: "A write comes after its lease has ended, while nobody else owns the lock. Taking it harms nobody and refusing it is safe: it is a matter of policy.",
            source: "https://github.com/ohdearquant/khive/issues/2551",
            settings: &[],
            bounds: "workers 1, grants 1, operations 1",
            retries: 0,
            question: Question::Policy { accepts: &[ExpiredWriteApplied], refuses: &[CheckFailed, DeadlineMissed] },
            plain: None,
        },
        Situation {
            name: "answer-from-an-old-read",
            group: Group::Ownership,
            title: "A former owner acts on what it read",
            explanation: "The former owner has read and tells others what it read, after the next owner has changed it. Nothing is written, so a check of writes is never asked.",
            source: "https://github.com/hashicorp/consul/issues/54",
            settings: &["effect mail"],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoStaleRead, NoStaleEffect], EffectSeen),
            plain: None,
        },
        Situation {
            name: "answer-from-a-checked-read",
            group: Group::Ownership,
            title: "The same, but reads are checked too",
            explanation: "The destination answers a read only for the epoch that it goes by. The answer can still be old by the time that somebody acts on it.",
            source: "https://github.com/hashicorp/raft/issues/108",
            settings: &["reads current", "effect mail"],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoStaleRead, NoStaleEffect], EffectSeen),
            plain: None,
        },
        Situation {
            name: "lagging-lock-replica",
            group: Group::Ownership,
            title: "Ownership is asked of a replica that is behind",
            explanation: "The worker’s check goes to a copy of the lock service that has not heard of the next grant.",
            source: "https://developer.hashicorp.com/consul/docs/automate/session",
            settings: &["asks lock-replica"],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoStaleOverwrite], Handover),
            plain: Some("late-write"),
        },
        Situation {
            name: "duplicate",
            group: Group::Repeats,
            title: "The network carries a request twice",
            explanation: "The write of one owner arrives two times under one epoch. It should change the data once, and both answers should say so.",
            source: "https://github.com/bedrock-kv/bedrock/issues/297",
            settings: &[],
            bounds: "workers 1, grants 1, operations 1, duplicates 1",
            retries: 0,
            question: Question::Holds { asked: &[AppliedOnce, SameAnswer], reaches: None },
            plain: None,
        },
        Situation {
            name: "duplicate-with-ids",
            group: Group::Repeats,
            title: "The same, with operation IDs",
            explanation: "The destination records the operation’s ID with the write, and answers a copy from the record.",
            source: "https://github.com/bedrock-kv/bedrock/issues/297",
            settings: &["operation-ids in-transaction"],
            bounds: "workers 1, grants 1, operations 1, duplicates 1",
            retries: 0,
            question: Question::Holds { asked: &[AppliedOnce, SameAnswer], reaches: None },
            plain: None,
        },
        Situation {
            name: "lost-reply",
            group: Group::Repeats,
            title: "The reply is lost and the owner tries again",
            explanation: "The write was applied, but the answer never came. The owner still has the lock and sends the same operation once more.",
            source: "https://github.com/bedrock-kv/bedrock/issues/297",
            settings: &[],
            bounds: "workers 1, grants 1, operations 1, losses 1",
            retries: 1,
            question: holds(&[AppliedOnce, SameAnswer], ReplyLost),
            plain: None,
        },
        Situation {
            name: "lost-reply-with-ids",
            group: Group::Repeats,
            title: "The same, with operation IDs",
            explanation: "The destination records the operation’s ID with the write, and answers the second try from the record.",
            source: "https://docs.stripe.com/api/idempotent_requests",
            settings: &["operation-ids in-transaction"],
            bounds: "workers 1, grants 1, operations 1, losses 1",
            retries: 1,
            question: holds(&[AppliedOnce, SameAnswer], ReplyLost),
            plain: None,
        },
        Situation {
            name: "new-id-per-try",
            group: Group::Repeats,
            title: "Every try has a new operation ID",
            explanation: "The worker makes a new ID each time it sends the write, so that the destination cannot tell a second try from a second operation.",
            source: "https://github.com/square/square-mcp-server/issues/31",
            settings: &["operation-ids in-transaction", "no-reply new-id"],
            bounds: ONE_OWNER,
            retries: 1,
            question: Question::Holds { asked: &[AppliedOnce], reaches: None },
            plain: None,
        },
        Situation {
            name: "retry-after-handover",
            group: Group::Repeats,
            title: "Reply lost, handover, then the second try",
            explanation: "The write was applied and its answer lost. By the second try somebody else owns the lock. What was applied must not be reported as refused.",
            source: "https://docs.stripe.com/api/idempotent_requests",
            settings: &[],
            bounds: "workers 2, grants 2, operations 1, losses 1",
            retries: 1,
            question: holds(&[SameAnswer], ReplyLost),
            plain: None,
        },
        Situation {
            name: "retry-after-handover-with-ids",
            group: Group::Repeats,
            title: "The same, with operation IDs",
            explanation: "The destination looks the operation up among those it has applied before it asks who the owner is.",
            source: "https://docs.stripe.com/api/idempotent_requests",
            settings: &["operation-ids in-transaction"],
            bounds: "workers 2, grants 2, operations 1, losses 1",
            retries: 1,
            question: holds(&[SameAnswer], ReplyLost),
            plain: None,
        },
        Situation {
            name: "late-copy",
            group: Group::Repeats,
            title: "A copy comes after the owner’s next write",
            explanation: "The network holds on to a copy of the owner’s first write and delivers it after the second, under the same epoch.",
            source: "https://github.com/apache/iceberg/issues/14096",
            settings: &[],
            bounds: "workers 1, grants 1, operations 2, duplicates 1",
            retries: 0,
            question: Question::Holds { asked: &[NoLostUpdate], reaches: None },
            plain: None,
        },
        Situation {
            name: "late-copy-after-handover",
            group: Group::Repeats,
            title: "A copy comes after the next owner’s write",
            explanation: "The write was sent and applied while its owner had the lock. A copy of it arrives after the next owner has written.",
            source: "https://github.com/apache/iceberg/issues/14096",
            settings: &[],
            bounds: "workers 2, grants 2, operations 1, duplicates 1",
            retries: 0,
            question: holds(&[NoStaleOverwrite], Handover),
            plain: Some("late-write"),
        },
        Situation {
            name: "between-check-and-apply",
            group: Group::Destination,
            title: "Check and change are two steps",
            explanation: "The destination checks a write in one step and applies it in the next. It may stand still or crash in between, and other writes pass.",
            source: "https://github.com/apache/iceberg/issues/15446",
            settings: &["transaction split"],
            bounds: "workers 2, grants 2, operations 1, crashes 1",
            retries: 0,
            question: holds(&[NoStaleOverwrite, NoLostUpdate], Handover),
            plain: Some("owner-returns"),
        },
        Situation {
            name: "between-apply-and-record",
            group: Group::Destination,
            title: "The operation ID is recorded after the change",
            explanation: "The destination applies the write, and crashes before it has recorded the operation’s ID. The second try finds no record.",
            source: "https://thuongduong.com/blogs/redis/idempotency.html",
            settings: &["operation-ids after-transaction"],
            bounds: "workers 1, grants 1, operations 1, crashes 1",
            retries: 1,
            question: holds(&[AppliedOnce, SameAnswer], CrashSeen),
            plain: None,
        },
        Situation {
            name: "between-record-and-reply",
            group: Group::Destination,
            title: "The destination crashes before it answers",
            explanation: "Change and operation ID are recorded in one transaction, and the answer dies with the process. The second try is answered from the record.",
            source: "https://docs.stripe.com/api/idempotent_requests",
            settings: &["operation-ids in-transaction"],
            bounds: "workers 1, grants 1, operations 1, losses 1, crashes 1",
            retries: 1,
            question: holds(&[AppliedOnce, SameAnswer], ReplyLost),
            plain: None,
        },
        Situation {
            name: "destination-recovers",
            group: Group::Destination,
            title: "The destination restarts with its control row",
            explanation: "Processes crash and start again. What the destination goes by was written durably and is still there.",
            source: "https://hadoop.apache.org/docs/stable/hadoop-project-dist/hadoop-hdfs/HDFSHighAvailabilityWithQJM.html",
            settings: &["control-row durable"],
            bounds: "workers 2, grants 2, operations 1, crashes 1",
            retries: 0,
            question: holds(&[NoStaleOverwrite, RecognizedNeverDecreases], CrashSeen),
            plain: Some("owner-returns"),
        },
        Situation {
            name: "row-lost-fails-closed",
            group: Group::Destination,
            title: "The control row is lost and nothing passes",
            explanation: "The destination restarts without its control row, and refuses every write until a new owner has registered.",
            source: "https://hadoop.apache.org/docs/stable/hadoop-project-dist/hadoop-hdfs/HDFSHighAvailabilityWithQJM.html",
            settings: &["control-row fails-closed"],
            bounds: "workers 2, grants 2, operations 1, crashes 1",
            retries: 0,
            question: holds(&[NoStaleOverwrite, RecognizedNeverDecreases], CrashSeen),
            plain: Some("owner-returns"),
        },
        Situation {
            name: "row-lost-fails-open",
            group: Group::Destination,
            title: "The control row is lost and everything passes",
            explanation: "The destination restarts without its control row, and takes writes as if there had never been an owner.",
            source: "https://hadoop.apache.org/docs/stable/hadoop-project-dist/hadoop-hdfs/HDFSHighAvailabilityWithQJM.html",
            settings: &["control-row fails-open"],
            bounds: "workers 2, grants 2, operations 1, crashes 1",
            retries: 0,
            question: holds(&[NoStaleOverwrite, RecognizedNeverDecreases], CrashSeen),
            plain: Some("owner-returns"),
        },
        Situation {
            name: "row-lost-re-registered",
            group: Group::Destination,
            title: "The control row is lost and whoever comes registers again",
            explanation: "The destination restarts without its control row, and who is refused for that registers again. It may be a former owner.",
            source: "https://hadoop.apache.org/docs/stable/hadoop-project-dist/hadoop-hdfs/HDFSHighAvailabilityWithQJM.html",
            settings: &["control-row re-registered"],
            bounds: "workers 2, grants 2, operations 1, crashes 1",
            retries: 0,
            question: holds(&[NoStaleOverwrite, RecognizedNeverDecreases], CrashSeen),
            plain: Some("owner-returns"),
        },
        Situation {
            name: "two-replicas",
            group: Group::Destination,
            title: "Two copies of the destination take writes",
            explanation: "Each copy judges by what it has heard itself, and what was written last stays when they are brought together.",
            source: "https://github.com/hashicorp/raft/issues/108",
            settings: &["replicas last-write"],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoStaleOverwrite, NoStaleRead], Handover),
            plain: Some("late-write"),
        },
        Situation {
            name: "equal-epochs",
            group: Group::Numbers,
            title: "Two owners carry the same epoch",
            explanation: "The next number is read and written back without compare-and-set, so that two grants can carry the same one.",
            source: "https://github.com/hydra-db/hydradb/pull/210",
            settings: &["token unchecked"],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoStaleOverwrite, NewestAdmitted], TwoBelievers),
            plain: Some("late-write"),
        },
        Situation {
            name: "minted-before-the-grant",
            group: Group::Numbers,
            title: "The epoch is made before the lock is granted",
            explanation: "Each worker fetches its number first and asks for the lock then, so that numbers need not follow the order of grants.",
            source: "https://github.com/bsm/redislock/issues/93",
            settings: &["mint before-grant"],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoStaleOverwrite, NewestAdmitted], Handover),
            plain: Some("late-write"),
        },
        Situation {
            name: "issuer-restored",
            group: Group::Numbers,
            title: "The lock service is restored from a backup",
            explanation: "The lock service goes on with what an old backup knew, and hands out the numbers since then a second time.",
            source: "https://github.com/etcd-io/etcd/issues/16028",
            settings: &["issuer restored"],
            bounds: "workers 2, grants 3, operations 1, crashes 1, failovers 1",
            retries: 0,
            question: holds(&[NoStaleOverwrite, NewestAdmitted], LockServiceRestored),
            plain: Some("owner-returns"),
        },
        Situation {
            name: "issuer-restored-with-bump",
            group: Group::Numbers,
            title: "The same, with the counter set beyond all numbers",
            explanation: "The restored lock service does not know of the last grants either, but its counter goes on above every number ever handed out.",
            source: "https://github.com/etcd-io/website/pull/818",
            settings: &["issuer restored-with-bump"],
            bounds: "workers 2, grants 3, operations 1, crashes 1, failovers 1",
            retries: 0,
            question: holds(&[NoStaleOverwrite, NewestAdmitted], LockServiceRestored),
            plain: Some("owner-returns"),
        },
        Situation {
            name: "issuer-fails-over",
            group: Group::Numbers,
            title: "A replica takes over that lacks the latest grant",
            explanation: "The lock service’s leader dies before the latest grant has reached the replica that takes over, which grants the lock once more.",
            source: "https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/",
            settings: &["issuer fails-over"],
            bounds: "workers 2, grants 2, operations 1, failovers 1",
            retries: 0,
            question: holds(&[NoStaleOverwrite, NewestAdmitted], LockServiceRestored),
            plain: Some("late-write"),
        },
        Situation {
            name: "epoch-overflow",
            group: Group::Numbers,
            title: "The counter overflows",
            explanation: "The counter has two bits. After its highest number it begins again at 0, and the newest owner carries the lowest number.",
            source: "https://github.com/apache/kafka/pull/19910",
            settings: &["epochs from 2 to 3", "token wrapping"],
            bounds: THREE_GRANTS,
            retries: 0,
            question: holds(&[NoStaleOverwrite, NewestAdmitted], Handover),
            plain: Some("owner-returns"),
        },
        Situation {
            name: "tokens-as-text",
            group: Group::Numbers,
            title: "Epochs are compared as text",
            explanation: "The numbers are sound, but the destination compares them as text: “10” comes before “9”.",
            source: "https://kriasoft.com/syncguard/fencing",
            settings: &["epochs from 9", "token text"],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoStaleOverwrite, NewestAdmitted], Handover),
            plain: Some("late-write"),
        },
        Situation {
            name: "random-tokens",
            group: Group::Numbers,
            title: "Tokens are random",
            explanation: "Each grant has a random value. It tells two owners apart, but not which of them is the newer.",
            source: "https://github.com/coalesce-labs/catalyst/issues/3244",
            settings: &["token random"],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoStaleOverwrite, NewestAdmitted], Handover),
            plain: Some("late-write"),
        },
        Situation {
            name: "declared-epochs",
            group: Group::Numbers,
            title: "The client says what its epoch is",
            explanation: "Whoever is refused for a stale epoch simply declares a higher one.",
            source: "https://github.com/durable-streams/durable-streams/issues/405",
            settings: &["token declared"],
            bounds: "workers 2, grants 2, operations 1",
            retries: 1,
            question: holds(&[NoStaleOverwrite, NewestAdmitted], Handover),
            plain: Some("late-write"),
        },
        Situation {
            name: "timestamps-as-tokens",
            group: Group::Numbers,
            title: "Tokens are times of a clock that is set back",
            explanation: "The lock service hands out its wall clock’s time, and the clock is set between two grants.",
            source: "https://github.com/redis/redis/issues/416",
            settings: &["token timestamp"],
            bounds: "workers 2, grants 2, operations 1, skews 1",
            retries: 0,
            question: holds(&[NoStaleOverwrite, NewestAdmitted], Handover),
            plain: Some("late-write"),
        },
        Situation {
            name: "clock-step",
            group: Group::Time,
            title: "A wall clock is set while a lease runs",
            explanation: "Leases end by the lock service’s wall clock. It is set ahead, and the lock is free although its owner is well and in time.",
            source: "https://github.com/valkey-io/valkey/issues/2651",
            settings: &["lease-by wall"],
            bounds: "workers 2, grants 2, operations 1, skews 1",
            retries: 0,
            question: holds(&[NoStaleOverwrite], Handover),
            plain: Some("late-write"),
        },
        Situation {
            name: "two-clocks",
            group: Group::Time,
            title: "A deadline is written on one clock and read on another",
            explanation: "The owner writes the end of its lease by its own clock, and the candidate reads it by another, which is ahead.",
            source: "https://github.com/denoland/celld/issues/132",
            settings: &["lease-by written"],
            bounds: "workers 2, grants 2, operations 1, skews 1",
            retries: 0,
            question: holds(&[NoStaleOverwrite], Handover),
            plain: Some("late-write"),
        },
        Situation {
            name: "suspended-machine",
            group: Group::Time,
            title: "The owner’s machine is suspended",
            explanation: "Unlike in a freeze, the owner’s monotonic clock stands still too: when it wakes, it still sees time left in a lease that is long over.",
            source: "https://github.com/cert-manager/cert-manager/pull/8464",
            settings: &[],
            bounds: "workers 2, grants 2, operations 1, suspends 1",
            retries: 0,
            question: holds(&[NoStaleOverwrite], Handover),
            plain: Some("late-write"),
        },
        Situation {
            name: "stuck-thread",
            group: Group::Time,
            title: "The work is stuck while the lease is renewed",
            explanation: "A thread of its own renews the lease, whatever becomes of the work, and the worker stops when it hears that the lease is lost.",
            source: "https://github.com/redisson/redisson/issues/5115",
            settings: &["renewal thread"],
            bounds: "workers 2, grants 2, operations 1, renewals 1",
            retries: 0,
            question: holds(&[NoStaleOverwrite], Handover),
            plain: Some("late-write"),
        },
        Situation {
            name: "early-release",
            group: Group::Time,
            title: "The lock is given back before the work has ended",
            explanation: "The owner releases the lock while its write is still to come, as on cancellation, and the next owner begins at once.",
            source: "https://github.com/kubernetes/client-go/issues/728",
            settings: &["release early"],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoStaleOverwrite], TwoBelievers),
            plain: Some("late-write"),
        },
        Situation {
            name: "unconditional-release",
            group: Group::Time,
            title: "A release ends somebody else’s grant",
            explanation: "A former owner gives back what is no longer its own and so frees the lock of the present one, who knows nothing of it.",
            source: "https://github.com/redis/redis-py/issues/415",
            settings: &["release unconditional"],
            bounds: THREE_GRANTS,
            retries: 0,
            question: holds(&[NoStaleOverwrite], Handover),
            plain: Some("owner-returns"),
        },
        Situation {
            name: "mail",
            group: Group::Effects,
            title: "A mail is sent again",
            explanation: "The operation sends a mail, and the worker hears no answer. No transaction takes a mail back, and no key tells the second one from the first.",
            source: "https://github.com/lukas-krecan/ShedLock/issues/2201",
            settings: &["effect mail"],
            bounds: ONE_OWNER,
            retries: 1,
            question: holds(&[EffectOnce], EffectSeen),
            plain: None,
        },
        Situation {
            name: "mail-through-outbox",
            group: Group::Effects,
            title: "A mail goes through an outbox row",
            explanation: "The write leaves a row in the destination’s own transaction, with the operation’s ID, and a relay sends the mail. The relay may crash before it has noted that.",
            source: "https://github.com/lukas-krecan/ShedLock/issues/2201",
            settings: &["operation-ids in-transaction", "effect mail", "through outbox"],
            bounds: "workers 1, grants 1, operations 1, crashes 1",
            retries: 1,
            question: holds(&[EffectOnce], EffectSeen),
            plain: None,
        },
        Situation {
            name: "stale-mail-through-outbox",
            group: Group::Effects,
            title: "A former owner’s mail goes through an outbox row",
            explanation: "The mail is decided in the transaction that writes, so that a check of the write is a check of the mail. A former owner’s mail goes out only if its write is let in.",
            source: "https://github.com/lukas-krecan/ShedLock/issues/2201",
            settings: &["operation-ids in-transaction", "effect mail", "through outbox"],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoStaleOverwrite, NoStaleEffect], EffectSeen),
            plain: Some("late-write"),
        },
        // A payment whose outcome is looked up is one more entry here.
        Situation {
            name: "payment-without-key",
            group: Group::Effects,
            title: "A payment without a key is tried again",
            explanation: "The provider has no way to tell a second try from a second payment.",
            source: "https://docs.stripe.com/api/idempotent_requests",
            settings: &["effect payment"],
            bounds: ONE_OWNER,
            retries: 1,
            question: holds(&[EffectOnce], EffectSeen),
            plain: None,
        },
        Situation {
            name: "payment-with-key",
            group: Group::Effects,
            title: "A payment with an idempotency key is tried again",
            explanation: "The provider keeps the key, and answers the second try with the first result.",
            source: "https://docs.stripe.com/api/idempotent_requests",
            settings: &["effect payment", "key kept"],
            bounds: ONE_OWNER,
            retries: 1,
            question: holds(&[EffectOnce], EffectSeen),
            plain: None,
        },
        Situation {
            name: "payment-with-forgotten-key",
            group: Group::Effects,
            title: "The provider has forgotten the key",
            explanation: "Keys are kept for a time only. A try that comes later is a new payment.",
            source: "https://docs.stripe.com/api/idempotent_requests",
            settings: &["effect payment", "key pruned"],
            bounds: "workers 1, grants 1, operations 1, prunes 1",
            retries: 1,
            question: holds(&[EffectOnce], EffectSeen),
            plain: None,
        },
        Situation {
            name: "file-unconditional",
            group: Group::Effects,
            title: "A file’s reference is switched, whatever it is",
            explanation: "The worker writes its file under a new name and then lets the published reference point to it, whoever has published since.",
            source: "https://github.com/apache/iceberg/issues/15446",
            settings: &["effect file"],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoStaleEffect], EffectSeen),
            plain: None,
        },
        Situation {
            name: "file-in-two-steps",
            group: Group::Effects,
            title: "The reference is looked at, then switched",
            explanation: "The worker looks whether a higher epoch has been published, and switches the reference in a second step.",
            source: "https://github.com/apache/iceberg/issues/15446",
            settings: &["effect file", "switched in-two-steps"],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoStaleEffect], EffectSeen),
            plain: None,
        },
        Situation {
            name: "file-conditional",
            group: Group::Effects,
            title: "The reference is switched on a condition",
            explanation: "The store switches the reference only if no higher epoch has been published, in one step.",
            source: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html",
            settings: &["effect file", "switched conditionally"],
            bounds: TWO_OWNERS,
            retries: 0,
            question: holds(&[NoStaleEffect], EffectSeen),
            plain: None,
        },
    ];

    /// The situation called `name`.
    pub fn find(name: &str) -> Option<&'static Situation> {
        Self::ALL.iter().find(|situation| situation.name == name)
    }

    /// The invariants that it asks for: none where it asks for a policy.
    pub fn asked(&self) -> &'static [Invariant] {
        match self.question {
            Question::Holds { asked, .. } => asked,
            Question::Policy { .. } => &[],
        }
    }
}
