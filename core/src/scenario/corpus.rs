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
    ("new-owner", "From when on does the destination know of the new owner?"),
    ("equal-epochs", "Which comparison of epochs admits the owner, and nobody else?"),
    ("one-step", "Do check, change and record have to be one step?"),
    ("expired-lease", "Is a write refused because its lease has ended?"),
    ("lost-reply", "What becomes of a request whose reply is lost?"),
    ("outside", "What about effects that no destination checks?"),
    ("reads", "Does a check of writes protect what is read?"),
    ("replicas", "Can a copy say who the owner is?"),
    ("tokens", "Which numbers can stand for an epoch?"),
    ("store-goes-back", "What if the lock service forgets what it has granted?"),
    ("own-clock", "Can an owner tell by its own clock that its time is over?"),
    ("clocks", "By whose clock does a lease end?"),
    ("renewal", "Does it help to renew the lease all the time?"),
    ("lost-lease", "What does an owner do that has lost its lease?"),
    ("handover", "When does a candidate get the lock?"),
    ("release", "When may the lock be given back, and by whom?"),
    ("recovery", "What has to outlast a restart of the destination?"),
    ("efficiency", "What is a lock good for, then?"),
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
    "re-check/epoch-read-then-write",
    "re-check/pointer-switched-from-an-old-table",
    "longer-lease/lease-10-pause-15",
    "longer-lease/lease-20-pause-15",
    "longer-lease/lease-20-pause-25",
    "longer-lease/lease-10-pause-25",
    "longer-lease/starved-processes-hand-over",
    "longer-lease/longer-lease-rides-out-stalls",
    "longer-lease/owner-crashes",
    "new-owner/successor-has-read",
    "new-owner/successor-trusts-leftovers",
    "new-owner/late-write-before-recognition",
    "new-owner/registered-after-reading",
    "equal-epochs/second-write-in-one-epoch",
    "equal-epochs/repeat-in-one-epoch",
    "one-step/held-between-check-and-change",
    "one-step/crash-between-change-and-record",
    "expired-lease/expired-and-nobody-took-over",
    "lost-reply/retry-in-one-epoch",
    "lost-reply/new-id-per-retry",
    "lost-reply/retry-after-handover",
    "lost-reply/first-copy-lands-late",
    "lost-reply/lock-taken-answer-lost",
    "lost-reply/lock-asked-for-again",
    "outside/mail-sent-twice",
    "outside/relay-crashes",
    "outside/payment-key",
    "outside/file-switched-back",
    "outside/job-waits-longer-than-hidden",
    "outside/lock-silently-not-held",
    "reads/old-balance-mailed",
    "reads/former-leader-answers-reads",
    "replicas/lagging-replica-asked",
    "replicas/paid-on-a-replicas-word",
    "replicas/each-admits-its-owner",
    "tokens/time-of-day",
    "tokens/random-number",
    "tokens/two-winners-one-epoch",
    "tokens/ten-comes-before-nine",
    "tokens/range-runs-out",
    "tokens/deposed-writer-declares-higher",
    "store-goes-back/replica-lacks-the-latest-grant",
    "store-goes-back/epochs-given-out-again",
    "store-goes-back/newest-owner-shut-out",
    "own-clock/frozen-before-its-look",
    "own-clock/suspended-before-its-look",
    "own-clock/frozen-after-its-look",
    "clocks/store-clock-set-forward",
    "clocks/store-clock-set-back",
    "clocks/deadline-read-on-another-clock",
    "clocks/deadline-computed-before-call",
    "renewal/pause-6-lease-5",
    "renewal/pause-just-before-a-renewal",
    "renewal/frozen-with-its-renewer",
    "renewal/renewer-outlives-the-work",
    "lost-lease/shutdown-outlasts-lease",
    "lost-lease/owner-is-not-told",
    "handover/crash-is-noticed-late",
    "handover/candidates-clock-runs-fast",
    "handover/granted-to-an-ended-session",
    "release/released-before-the-work-ended",
    "release/release-ends-anothers-grant",
    "recovery/destination-restarts",
    "recovery/late-registration",
    "efficiency/work-done-twice",
    "efficiency/lock-given-up-halfway",
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
