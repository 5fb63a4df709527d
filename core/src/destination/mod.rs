//! The destination: where the effect lands, and the only place that can refuse a stale write.
//!
//! It knows nothing of leases, of time, or of the lock service: it goes by what stands in its own control row.

mod control_row;
mod guard;
mod replicas;
mod transaction;

pub use control_row::{ControlRow, Holder};
pub use guard::Guard;
pub use replicas::{Destination, MAX_PENDING, Merged, Outbox, Pending, Stage};
pub use transaction::{Admitted, Fate, Recognition, RememberedCheck, Transaction, Write, check, read, transact};
