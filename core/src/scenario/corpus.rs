//! The scenarios that come with the crate.

/// A scenario of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Its file under `core/scenarios`, without the extension: `report-job/paused-owner`.
    pub path: &'static str,
    /// The file's text.
    pub text: &'static str,
}

/// The folders, each for a question, in the order in which one question leads to the next. The corpus is in this order, and
/// within a question in the order in which its scenarios are to be read.
pub(super) const QUESTIONS: &[(&str, &str)] = &[
    ("report-job", "Does a lock keep a paused owner from writing?"),
    ("believers", "Can a sound lock service keep two workers from believing that they own the lock?"),
    ("re-check", "Does it help to check the lock just before writing?"),
    ("longer-lease", "Does a longer lease help?"),
    ("renewal", "Does it help to renew the lease all the time?"),
    ("own-clock", "Can an owner tell by its own clock that its time is over?"),
    ("whose-clock", "By whose clock does a lease end?"),
    ("giving-back", "When may the lock be given back?"),
    ("equal-epochs", "Which comparison of epochs admits the owner, and nobody else?"),
    ("new-owner", "From when on does the destination know of the new owner?"),
    ("tokens", "Which numbers can stand for an epoch?"),
    ("one-step", "Do check and change have to be one step?"),
    ("lost-reply", "What becomes of a write whose reply is lost?"),
    ("recovery", "What has to outlast a restart?"),
    ("expired-lease", "Is a write refused because its lease has ended?"),
    ("reads", "Does a check of writes protect what is read?"),
    ("replicas", "Can a copy say who the owner is?"),
    ("outside", "What about effects that no destination checks?"),
    ("efficiency", "What is a lock good for, then?"),
    ("lost-lease", "What does an owner do that has lost its lease?"),
    ("handover", "How long does a handover take?"),
    ("clocks", "What if the clocks are wrong?"),
    ("store-goes-back", "What if the lock service forgets?"),
    ("epoch-numbers", "What if epochs repeat, run out, or are compared wrongly?"),
    ("late-answer", "What if the answer comes late?"),
    ("twice", "When is a job done twice?"),
    ("release", "Whose lock does a release end?"),
    ("old-knowledge", "What does a former owner still say?"),
    ("presets", "How do known systems set their locks?"),
];

/// Declares the corpus: a path under `core/scenarios` a line.
macro_rules! corpus {
    ($($path:literal,)+) => {
        /// Every scenario that comes with the crate, question by question.
        pub const CORPUS: &[Entry] = &[$(Entry {
            path: $path,
            text: include_str!(concat!("../../scenarios/", $path, ".fence")),
        },)+];
    };
}

corpus! {
    "report-job/paused-owner",
    "report-job/published-in-time",
    "report-job/overtaken-while-working",
    "report-job/resumed-after-publication",
    "believers/both-believe",
    "re-check/pause-before-check",
    "re-check/pause-after-check",
    "re-check/lagging-replica-asked",
    "re-check/epoch-read-then-write",
    "longer-lease/lease-10-pause-15",
    "longer-lease/lease-20-pause-15",
    "longer-lease/lease-20-pause-25",
    "longer-lease/lease-10-pause-25",
    "longer-lease/owner-crashes",
    "renewal/pause-6-lease-5",
    "renewal/frozen-with-its-renewer",
    "renewal/renewer-outlives-the-work",
    "own-clock/frozen-before-its-look",
    "own-clock/suspended-before-its-look",
    "own-clock/frozen-after-its-look",
    "whose-clock/clock-set-ahead",
    "whose-clock/compared-with-now",
    "giving-back/released-before-the-work-ended",
    "equal-epochs/second-write-in-one-epoch",
    "equal-epochs/repeat-in-one-epoch",
    "new-owner/successor-has-read",
    "new-owner/highest-seen-is-not-enough",
    "new-owner/late-write-before-recognition",
    "new-owner/registered-after-reading",
    "new-owner/successor-trusts-leftovers",
    "tokens/time-of-day",
    "tokens/random-number",
    "tokens/wrapped-counter",
    "tokens/compared-as-text",
    "tokens/declared-by-the-client",
    "tokens/replica-without-the-grant",
    "tokens/restored-from-a-backup",
    "one-step/held-between-check-and-change",
    "one-step/crash-between-change-and-record",
    "lost-reply/retry-in-one-epoch",
    "lost-reply/new-id-per-retry",
    "lost-reply/retry-after-handover",
    "lost-reply/first-copy-lands-late",
    "recovery/destination-restarts",
    "recovery/late-registration",
    "expired-lease/expired-and-nobody-took-over",
    "reads/old-balance-mailed",
    "replicas/each-admits-its-owner",
    "replicas/paid-on-a-replicas-word",
    "outside/mail-sent-twice",
    "outside/relay-crashes",
    "outside/payment-key",
    "outside/file-switched-back",
    "efficiency/work-done-twice",
    "efficiency/lock-given-up-halfway",
    "lost-lease/shutdown-outlasts-lease",
    "lost-lease/owner-is-not-told",
    "lost-lease/starved-processes-hand-over",
    "lost-lease/longer-lease-rides-out-stalls",
    "lost-lease/crash-leaves-lock-taken",
    "handover/pause-just-before-a-renewal",
    "handover/pause-just-after-a-renewal",
    "handover/crash-is-noticed-late",
    "handover/candidates-clock-runs-fast",
    "clocks/clock-runs-on-in-a-freeze",
    "clocks/clock-stands-still-in-a-suspend",
    "clocks/deadline-read-on-another-clock",
    "clocks/deadline-computed-before-call",
    "clocks/store-clock-set-forward",
    "clocks/store-clock-set-back",
    "store-goes-back/epochs-given-out-again",
    "store-goes-back/newest-owner-shut-out",
    "store-goes-back/replica-lacks-the-latest-grant",
    "epoch-numbers/two-winners-one-epoch",
    "epoch-numbers/range-runs-out",
    "epoch-numbers/ten-comes-before-nine",
    "epoch-numbers/deposed-writer-declares-higher",
    "late-answer/granted-to-an-ended-session",
    "late-answer/lock-taken-answer-lost",
    "late-answer/lock-asked-for-again",
    "late-answer/pointer-switched-from-an-old-table",
    "twice/job-waits-longer-than-hidden",
    "twice/lock-silently-not-held",
    "release/release-ends-anothers-grant",
    "old-knowledge/former-leader-answers-reads",
    "old-knowledge/owner-looked-up-in-a-lagging-replica",
    "presets/client-go",
    "presets/redis-set-nx-px",
    "presets/redlock",
    "presets/redlock-server-forgets",
    "presets/redisson-watchdog",
    "presets/redisson-fenced-lock",
    "presets/etcd-session",
    "presets/curator-collection-longer-than-session",
    "presets/consul-lock-delay",
    "presets/chubby-lock-delay",
    "presets/dynamodb-lock-client",
    "presets/hazelcast-fenced-lock",
    "presets/shedlock",
    "presets/azure-blob-lease",
    "presets/bullmq",
    "presets/kafka-transactional-producer",
    "presets/hdfs-journal-nodes",
    "presets/yugabyte-write-deadline",
    "presets/gcs-generation-match",
    "presets/s3-if-match",
    "presets/elasticsearch-if-seq-no",
}

impl Entry {
    /// The scenario's name, which is its file's.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }

    /// What it shows, as a headline: the first line of its comment, without the full stop.
    pub fn title(&self) -> &'static str {
        let line = self.text.lines().next().unwrap_or_default();
        line.trim_start_matches("# ").trim_end_matches('.')
    }

    /// The question that its folder answers.
    pub fn question(&self) -> &'static str {
        let folder = self.path.split('/').next().unwrap_or_default();
        QUESTIONS.iter().find(|(name, _)| *name == folder).map_or("", |(_, question)| question)
    }
}

/// The scenario of the corpus called `name`.
pub fn find(name: &str) -> Option<&'static Entry> {
    CORPUS.iter().find(|entry| entry.name() == name)
}
