//! The rules by which a destination admits a write, a file each.
//!
//! A new guard is one file here and one line in the list below.

mod client_check;
mod max_seen;
mod none;
mod registered;

use serde::{Deserialize, Serialize};

use super::control_row::ControlRow;
use super::transaction::Write;
use crate::message::Rejection;
use crate::program::Program;

/// What a guard's file has to say.
trait Rule {
    /// Its name in the scenario language.
    const NAME: &'static str;
    /// The rule in a few words, for a lane of the figure.
    const LABEL: &'static str;
    /// Where the rule is described or used.
    const SOURCE: &'static str;
    /// What it asks of the worker's program.
    const PROGRAM: Program;

    /// Whether `row` admits `write`.
    fn check(row: &ControlRow, write: &Write) -> Result<(), Rejection>;

    /// What the guard itself changes in the row when the write is applied.
    fn admitted(_row: &mut ControlRow, _write: &Write) {}
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

            /// What it asks of the worker's program.
            pub fn program(self) -> Program {
                match self { $(Guard::$variant => <$module::Rule as Rule>::PROGRAM,)+ }
            }

            pub(super) fn check(self, row: &ControlRow, write: &Write) -> Result<(), Rejection> {
                match self { $(Guard::$variant => <$module::Rule as Rule>::check(row, write),)+ }
            }

            pub(super) fn admitted(self, row: &mut ControlRow, write: &Write) {
                match self { $(Guard::$variant => <$module::Rule as Rule>::admitted(row, write),)+ }
            }
        }
    };
}

guards! {
    /// Admits every write.
    None = none,
    /// The worker asks the lock service; the destination admits every write.
    ClientCheck = client_check,
    /// The epoch is no lower than the highest seen on a write.
    MaxSeen = max_seen,
    /// The epoch is the registered one, from the same grant.
    Registered = registered,
}
