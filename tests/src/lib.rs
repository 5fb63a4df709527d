//! Acceptance tests of Fencepost, and what they share.

#[cfg(feature = "browser")]
pub mod browser;
pub mod drawn;
#[cfg(feature = "browser")]
pub mod environment;
pub mod measured;
#[cfg(feature = "browser")]
pub mod site;
pub mod told;
pub mod walk;
