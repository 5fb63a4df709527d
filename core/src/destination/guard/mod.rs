//! The rules by which a destination admits a write, a file each.
//!
//! A new guard is one file here and one line in the list below.

mod client_check;
mod deadline;
mod greater_than;
mod holder;
mod max_seen;
mod none;
mod promise;
mod registered;
mod row_version;
mod self_check;

use serde::{Deserialize, Serialize};

pub(super) use max_seen::is_highest;
pub(super) use registered::is_current;

use super::control_row::ControlRow;
use super::transaction::Write;
use crate::mechanism::Mechanism;
use crate::message::Rejection;

/// What a guard's file has to say.
trait Rule {
    /// Its name in the scenario language.
    const NAME: &'static str;
    /// The rule in a few words, for a lane of the figure.
    const LABEL: &'static str;
    /// Where the rule is described or used.
    const SOURCE: &'static str;
    /// Whether a new owner registers its epoch at the destination.
    const REGISTERS: bool = false;
    /// Whether the worker makes sure that it is the owner just before it acts.
    const CHECKS: bool = false;
    /// Whether the destination itself may refuse.
    const JUDGES: bool = true;

    /// Whether `row` admits `write`.
    fn check(row: &ControlRow, write: &Write, mechanism: &Mechanism) -> Result<(), Rejection>;

    /// What the guard itself changes in the row when the write is applied.
    fn admitted(_row: &mut ControlRow, _write: &Write, _mechanism: &Mechanism) {}
}

/// Declares the guards: the name of the variant, and the file that holds its rule.
macro_rules! guards {
    ($($(#[$doc:meta])* $variant:ident = $module:ident,)+) => {
        /// The rule by which the destination admits a write.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Guard {
            $($(#[$doc])* $variant,)+
        }

        impl Guard {
            /// All guards, weakest first.
            pub const ALL: &'static [Guard] = &[$(Guard::$variant,)+];

            /// Its name in the scenario language.
            pub const fn name(self) -> &'static str {
                match self { $(Guard::$variant => <$module::Rule as Rule>::NAME,)+ }
            }

            /// The rule in a few words, for a lane of the figure.
            pub fn label(self) -> &'static str {
                match self { $(Guard::$variant => <$module::Rule as Rule>::LABEL,)+ }
            }

            /// Where the rule is described or used: an address.
            pub fn source(self) -> &'static str {
                match self { $(Guard::$variant => <$module::Rule as Rule>::SOURCE,)+ }
            }

            /// Whether a new owner registers its epoch at the destination.
            pub const fn registers(self) -> bool {
                match self { $(Guard::$variant => <$module::Rule as Rule>::REGISTERS,)+ }
            }

            /// Whether the worker makes sure that it is the owner just before it acts.
            pub const fn checks(self) -> bool {
                match self { $(Guard::$variant => <$module::Rule as Rule>::CHECKS,)+ }
            }

            /// Whether the destination itself may refuse.
            pub const fn judges(self) -> bool {
                match self { $(Guard::$variant => <$module::Rule as Rule>::JUDGES,)+ }
            }

            pub(super) fn check(self, row: &ControlRow, write: &Write, mechanism: &Mechanism) -> Result<(), Rejection> {
                match self { $(Guard::$variant => <$module::Rule as Rule>::check(row, write, mechanism),)+ }
            }

            pub(super) fn admitted(self, row: &mut ControlRow, write: &Write, mechanism: &Mechanism) {
                match self { $(Guard::$variant => <$module::Rule as Rule>::admitted(row, write, mechanism),)+ }
            }
        }
    };
}

guards! {
    /// Admits every write.
    None = none,
    /// The worker asks whether it still owns the lock; the destination admits every write.
    ClientCheck = client_check,
    /// The worker's own clock says that its lease runs; the destination admits every write.
    SelfCheck = self_check,
    /// The epoch is no lower than the highest seen.
    MaxSeen = max_seen,
    /// The epoch is higher than the highest seen.
    GreaterThan = greater_than,
    /// The row's version is the one that the worker read.
    RowVersion = row_version,
    /// The write's deadline is not over by the destination's own clock.
    Deadline = deadline,
    /// The grant is the one named as the holder in the same store.
    Holder = holder,
    /// The epoch is no lower than the promised one.
    Promise = promise,
    /// The epoch is the registered one, from the same grant.
    Registered = registered,
}
