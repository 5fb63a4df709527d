//! What must hold, a file each: a memory, and a look at every fact.
//!
//! All judge by grant and by business operation, never by token or by the ID on the wire. A new invariant is one file here
//! and one line in the list below.

mod applied_once;
pub(crate) mod effect_once;
mod epochs_increase;
mod newest_admitted;
mod no_interleaving;
pub(crate) mod no_lost_update;
mod no_stale_effect;
mod no_stale_overwrite;
mod no_stale_read;
mod recognized_never_decreases;
mod release_own;
mod same_answer;

use serde::Serialize;

use crate::epoch::Claim;
use crate::fact::Fact;
use crate::id::{GrantId, MAX_GRANTS, OperationId, OperationSet, Version};

/// What an invariant's file has to say.
trait Rule {
    /// What it must remember of the facts so far: as little as will do, or states of a search stop merging.
    type Memory: Copy + Eq + std::hash::Hash + Default + std::fmt::Debug;
    /// Its name in the scenario language.
    const NAME: &'static str;
    /// What holds, as a sentence.
    const HOLDS_WHEN: &'static str;
    /// Where the need for it is described.
    const SOURCE: &'static str;

    /// Looks at a fact, and returns evidence if it breaks the invariant. `record` is what has happened before it.
    fn observe(memory: &mut Self::Memory, record: &Record, fact: &Fact) -> Option<Evidence>;

    /// Shows every version that it remembers, each to be numbered anew by a rule that keeps their order.
    fn versions(_memory: &mut Self::Memory, _each: impl FnMut(&mut Version)) {}
}

/// What has happened so far, as far as several invariants go by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Record {
    /// The latest grant.
    pub(crate) newest: Option<GrantId>,
    /// The operations that have been applied, wherever.
    pub(crate) applied: OperationSet,
    /// The newest version that each grant has made.
    pub(crate) latest: [Version; MAX_GRANTS],
}

impl Record {
    fn observe(&mut self, fact: &Fact) {
        match *fact {
            Fact::Granted { claim, .. } => self.newest = Some(claim.grant),
            Fact::Applied { claim, operation, version, .. } => {
                self.applied.insert(operation);
                self.latest[claim.grant.index()] = version;
            }
            _ => {}
        }
    }

    /// The newest version of all.
    fn newest_version(&self) -> Version {
        self.latest.into_iter().max().unwrap_or_default()
    }
}

/// What shows that an invariant is broken, with the fact at which it broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Evidence {
    /// The broken invariant.
    pub invariant: Invariant,
    /// The grant whose act broke it.
    pub by: GrantId,
    /// The newer (or higher) grant that it ran into, where the invariant compares grants.
    pub against: Option<GrantId>,
    /// The business operation concerned: the stale, lost, repeated or misreported one.
    pub operation: Option<OperationId>,
}

/// What happens most, and is no invariant's business: messages on their way, and what a worker makes of them.
fn is_on_the_way(fact: &Fact) -> bool {
    matches!(
        fact,
        Fact::Sent { .. }
            | Fact::Delivered { .. }
            | Fact::Lost { .. }
            | Fact::Duplicated { .. }
            | Fact::TimedOut { .. }
            | Fact::ReplyIgnored { .. }
            | Fact::Queued { .. }
            | Fact::Acquired { .. }
            | Fact::Stopped { .. }
    )
}

/// Declares the invariants: the name of the variant, and the file (and field) that holds its rule.
macro_rules! invariants {
    ($($(#[$doc:meta])* $variant:ident = $module:ident,)+) => {
        /// An invariant, by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Invariant {
            $($(#[$doc])* $variant,)+
        }

        impl Invariant {
            /// All of them.
            pub const ALL: &'static [Invariant] = &[$(Invariant::$variant,)+];

            /// Its name in the scenario language.
            pub const fn name(self) -> &'static str {
                match self { $(Invariant::$variant => <$module::Rule as Rule>::NAME,)+ }
            }

            /// What holds, as a sentence.
            pub fn holds_when(self) -> &'static str {
                match self { $(Invariant::$variant => <$module::Rule as Rule>::HOLDS_WHEN,)+ }
            }

            /// Where the need for it is described: an address.
            pub fn source(self) -> &'static str {
                match self { $(Invariant::$variant => <$module::Rule as Rule>::SOURCE,)+ }
            }
        }

        /// What the invariants together remember of a run.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct History {
            pub(crate) record: Record,
            $($module: <$module::Rule as Rule>::Memory,)+
        }

        crate::explore::bits::pack_fields!(History { record, $($module),+ });

        impl History {
            /// Shows a fact to every invariant; `broken` gets the evidence of each one that it breaks.
            pub fn observe(&mut self, fact: &Fact, mut broken: impl FnMut(Evidence)) {
                if is_on_the_way(fact) {
                    return;
                }
                $(if let Some(evidence) = <$module::Rule as Rule>::observe(&mut self.$module, &self.record, fact) {
                    broken(evidence);
                })+
                self.record.observe(fact);
            }

            /// Shows every version that an invariant remembers.
            #[inline]
            pub(crate) fn for_each_version(&mut self, mut each: impl FnMut(&mut Version)) {
                self.record.latest.iter_mut().for_each(&mut each);
                $(<$module::Rule as Rule>::versions(&mut self.$module, &mut each);)+
            }
        }
    };
}

invariants! {
    /// No write of an older grant is applied after one of a newer grant.
    NoStaleOverwrite = no_stale_overwrite,
    /// No acknowledged write is overwritten by one computed from an older snapshot.
    NoLostUpdate = no_lost_update,
    /// Each business operation changes the destination at most once.
    AppliedOnce = applied_once,
    /// An applied operation is never answered, or taken for, anything but applied.
    SameAnswer = same_answer,
    /// Tokens of one resource's grants are unique and increase.
    EpochsIncrease = epochs_increase,
    /// The destination's current epoch never goes back.
    RecognizedNeverDecreases = recognized_never_decreases,
    /// No newer owner acts on what an older grant has changed since.
    NoInterleaving = no_interleaving,
    /// The latest grant is never refused as if it were a former one.
    NewestAdmitted = newest_admitted,
    /// Each effect outside comes about at most once, and its outcome can be looked up.
    EffectOnce = effect_once,
    /// No effect is based on what a newer grant has changed since.
    NoStaleEffect = no_stale_effect,
    /// A release ends only the releaser's own grant.
    ReleaseOwn = release_own,
    /// A read returns what was written last.
    NoStaleRead = no_stale_read,
}

#[cfg(test)]
mod testing {
    use super::{Evidence, Fact, History, Invariant};

    /// Shows `facts` to every invariant, and expects `invariant` to be broken by the facts of these indexes and by no other.
    #[track_caller]
    pub(super) fn check(invariant: Invariant, facts: &[Fact], expected: &[usize]) {
        let mut history = History::default();
        let mut broken = Vec::new();
        for (index, fact) in facts.iter().enumerate() {
            history.observe(fact, |evidence: Evidence| {
                if evidence.invariant == invariant {
                    broken.push(index);
                }
            });
        }
        assert_eq!(broken, expected, "{} is broken at these facts", invariant.name());
    }
}
