//! Playing: a frame of the browser at a time, and nothing at all while the figure stands still.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use fencepost_core::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use yew::prelude::*;

use super::browser;
use super::state::{Action, Dispatch};

/// Longest time that one frame counts for: a tab that was hidden goes on where it was.
const LONGEST_FRAME_MS: f64 = 100.0;

/// Ticks while `playing`.
#[hook]
pub fn use_playback(playing: bool, dispatch: Dispatch) {
    use_effect_with(playing, move |&playing| {
        let frames = playing.then(|| {
            let glide = !browser::reduces_motion();
            Frames::start(move |milliseconds| {
                let passed = Duration::from_micros((milliseconds * 1_000.0) as u64);
                dispatch.dispatch(Action::Tick { passed, glide });
            })
        });
        || drop(frames)
    });
}

type Callback = Closure<dyn FnMut(f64)>;

/// Asks for one frame after another until it is dropped.
struct Frames {
    pending: Rc<Cell<i32>>,
    /// Refers to itself, to ask for the next frame; emptying it ends that.
    callback: Rc<RefCell<Option<Callback>>>,
}

impl Frames {
    /// Calls `each` with the milliseconds since the frame before.
    fn start(each: impl Fn(f64) + 'static) -> Self {
        let pending = Rc::new(Cell::new(0));
        let callback: Rc<RefCell<Option<Callback>>> = Rc::default();
        let frame = {
            let (pending, callback) = (pending.clone(), Rc::downgrade(&callback));
            let mut before = None;
            Closure::new(move |now: f64| {
                each((now - before.unwrap_or(now)).clamp(0.0, LONGEST_FRAME_MS));
                before = Some(now);
                if let Some(callback) = callback.upgrade() {
                    pending.set(request(&callback));
                }
            })
        };
        *callback.borrow_mut() = Some(frame);
        pending.set(request(&callback));
        Self { pending, callback }
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        let _ = browser::window().cancel_animation_frame(self.pending.get());
        self.callback.borrow_mut().take();
    }
}

fn request(callback: &RefCell<Option<Callback>>) -> i32 {
    let callback = callback.borrow();
    let function = callback.as_ref().map(|callback| callback.as_ref().unchecked_ref());
    function.and_then(|function| browser::window().request_animation_frame(function).ok()).unwrap_or(0)
}
