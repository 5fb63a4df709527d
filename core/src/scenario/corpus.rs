//! The scenarios that come with the crate.

/// A scenario of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Its file under `core/scenarios`, without the extension: `report-job/paused-owner`.
    pub path: &'static str,
    /// The file's text.
    pub text: &'static str,
}

/// The folders, each for a question, in the order in which one question leads to the next.
const QUESTIONS: &[(&str, &str)] = &[
    ("report-job", "Does a lock keep a paused owner from writing?"),
    ("re-check", "Does it help to check the lock just before writing?"),
    ("longer-lease", "Does a longer lease help?"),
    ("new-owner", "From when on does the destination know of the new owner?"),
    ("lost-reply", "What becomes of a write whose reply is lost?"),
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
    "re-check/pause-before-check",
    "re-check/pause-after-check",
    "longer-lease/lease-10-pause-15",
    "longer-lease/lease-20-pause-15",
    "longer-lease/lease-20-pause-25",
    "longer-lease/lease-10-pause-25",
    "new-owner/successor-has-read",
    "new-owner/late-write-before-recognition",
    "lost-reply/retry-in-one-epoch",
    "lost-reply/retry-after-handover",
    "lost-reply/first-copy-lands-late",
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
