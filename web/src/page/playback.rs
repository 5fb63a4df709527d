//! Playing: a frame of the browser at a time, and nothing at all while the figure stands still.

use fencepost_core::time::Duration;
use wasm_bindgen::closure::Closure;
use yew::Callback;

use super::state::Action;
use crate::host::Host;

/// Longest time that one frame counts for: a tab that was hidden goes on where it was.
const LONGEST_FRAME_MS: f64 = 100.0;

/// Asks for one frame after another until it is dropped.
pub struct Frames {
    host: Host,
    /// What the script calls in the meantime.
    _tick: Closure<dyn FnMut(f64)>,
}

impl Frames {
    /// Says with each frame how much time has passed since the one before.
    pub fn start(host: &Host, dispatch: Callback<Action>) -> Self {
        let glide = !host.is_still();
        let tick = Closure::new(move |milliseconds: f64| {
            let milliseconds = milliseconds.clamp(0.0, LONGEST_FRAME_MS);
            dispatch.emit(Action::Tick { passed: Duration::from_micros((milliseconds * 1_000.0) as u64), glide });
        });
        host.play(tick.as_ref());
        Self { host: host.clone(), _tick: tick }
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        self.host.pause();
    }
}
