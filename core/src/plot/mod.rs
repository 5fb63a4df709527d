//! Drawing: from a comparison to a timeline (instants), to a scene (places), to SVG text.
//!
//! [`timeline()`] says what is shown and when, [`layout()`] where, [`svg()`] writes it down. The page draws the same
//! [`Scene`] as nodes. `figure.css` holds the look, for both. Nothing here has an `id`, a pattern or a marker: hatches and
//! arrow heads are paths, so any number of figures can stand on one page or in shadow roots without knowing each other.

mod layout;
mod scene;
mod svg;
#[cfg(test)]
mod tests;
pub mod timeline;

pub use layout::{Options, layout};
pub use scene::{Anchor, Axis, BREAK, Break, FactRef, Handle, Item, MAX_BREAKS, Px, Scene, Shape};
pub use svg::{CSS, Style, svg};
pub use timeline::{Timeline, timeline};
