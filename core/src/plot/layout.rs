//! Where everything stands.

use super::scene::{Axis, Px, Scene};
use super::timeline::Timeline;
use crate::time::Instant;

/// How a figure is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The width in CSS pixels.
    pub width: u32,
    /// The axis reaches at least so far: while a handle is dragged, the time under the pointer must not move.
    pub until: Option<Instant>,
}

impl Options {
    /// For this width, in CSS pixels.
    pub fn width(width: u32) -> Self {
        Self { width, until: None }
    }
}

/// Lays `timeline` out.
pub fn layout(timeline: &Timeline, options: Options) -> Scene {
    let width = Px(options.width as i32 * 10);
    let axis = Axis { left: Px(1500), right: Px(width.0 - 200), end: timeline.end, top: Px(0), bottom: Px(4000) };
    Scene { width, height: Px(4500), axis, items: Vec::new(), handles: Vec::new(), label: timeline.label.clone() }
}
