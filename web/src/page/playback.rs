//! Playing: a frame of the browser at a time, and nothing at all while the figure stands still.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use fencepost_core::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use yew::Callback;

use super::browser;
use super::state::Action;

/// Longest time that one frame counts for: a tab that was hidden goes on where it was.
const LONGEST_FRAME_MS: f64 = 100.0;

type OnFrame = Closure<dyn FnMut(f64)>;

/// Asks for one frame after another until it is dropped.
pub struct Frames {
    pending: Rc<Cell<i32>>,
    /// Refers to itself, to ask for the next frame; emptying it ends that.
    callback: Rc<RefCell<Option<OnFrame>>>,
}

impl Frames {
    /// Says with each frame how much time has passed since the one before.
    pub fn start(dispatch: Callback<Action>) -> Self {
        let glide = !browser::reduces_motion();
        let frames = Self { pending: Rc::default(), callback: Rc::default() };
        let (pending, callback) = (frames.pending.clone(), Rc::downgrade(&frames.callback));
        let mut before = None;
        let frame = Closure::new(move |now: f64| {
            let milliseconds = (now - before.unwrap_or(now)).clamp(0.0, LONGEST_FRAME_MS);
            before = Some(now);
            dispatch.emit(Action::Tick { passed: Duration::from_micros((milliseconds * 1_000.0) as u64), glide });
            if let Some(callback) = callback.upgrade() {
                pending.set(request(&callback));
            }
        });
        *frames.callback.borrow_mut() = Some(frame);
        frames.pending.set(request(&frames.callback));
        frames
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        let _ = browser::window().cancel_animation_frame(self.pending.get());
        self.callback.borrow_mut().take();
    }
}

fn request(callback: &RefCell<Option<OnFrame>>) -> i32 {
    let callback = callback.borrow();
    let function = callback.as_ref().map(|callback| callback.as_ref().unchecked_ref());
    function.and_then(|function| browser::window().request_animation_frame(function).ok()).unwrap_or(0)
}
