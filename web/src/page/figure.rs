//! The figure: the core's scene as SVG nodes, and over it what can be taken hold of.
//!
//! Handles and the cursor are HTML elements: SVG elements cannot be focused everywhere.

mod drawing;
mod handle;

use std::rc::Rc;

use fencepost_core::compare::FactRef;
use fencepost_core::plot::{self, Axis, Options, Px};
use fencepost_core::time::Instant;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

use super::browser::use_style;
use super::quantity;
use super::state::{Action, Dispatch, Outcome};
use drawing::Drawing;
use handle::HandleOver;

/// Pixels that a finger moves before it means to scrub.
const TAP: f64 = 6.0;

/// The width at which a figure is drawn in a box of this width: in steps, so that a window that is being resized does not
/// lay out every pixel.
pub fn usable(width: i32) -> u32 {
    (width.max(240) as u32) / 4 * 4
}

#[derive(PartialEq, Properties)]
pub struct FigureProps {
    pub outcome: Rc<Outcome>,
    /// The width before it has been measured.
    pub first_width: u32,
    /// The cursor's instant.
    pub at: Instant,
    /// The line at the cursor.
    pub line: Option<usize>,
    /// Whether what comes after the cursor steps back.
    pub veiled: bool,
    /// While a handle is held: where the axis ended when it was taken.
    pub held: Option<Instant>,
    /// Whether the handles are out of use.
    pub locked: bool,
    pub dispatch: Dispatch,
}

#[component]
pub fn Figure(props: &FigureProps) -> Html {
    let FigureProps { outcome, dispatch, .. } = props;
    let stage = use_node_ref();
    let width = use_width(stage.clone(), props.first_width);
    let scene = use_memo((outcome.clone(), width, props.held), |(outcome, width, held)| {
        plot::layout(&outcome.timeline, Options { width: *width, until: *held })
    });
    let scrub = use_scrub(stage.clone(), scene.axis, dispatch.clone());

    let handles = scene.handles.iter().filter_map(|handle| {
        let parameter = outcome.comparison.scenario.parameter(&handle.parameter)?;
        Some(html! {
            <HandleOver
                key={handle.parameter.clone()}
                handle={handle.clone()}
                parameter={parameter.clone()}
                axis={scene.axis}
                stage={stage.clone()}
                locked={props.locked}
                {dispatch}
            />
        })
    });
    html! {
        <figure id="figure" data-held={props.held.is_some().to_string()}>
            <div
                class="stage"
                ref={&stage}
                onpointerdown={scrub.down}
                onpointermove={scrub.moved}
                onpointerup={scrub.up}
                onpointercancel={scrub.cancelled}
            >
                <Drawing scene={scene.clone()} outcome={outcome.clone()} />
                <CursorOver
                    axis={scene.axis}
                    width={scene.width}
                    height={scene.height}
                    at={props.at}
                    end={outcome.end}
                    decimals={outcome.decimals}
                    veiled={props.veiled}
                    {dispatch}
                />
                { for handles }
            </div>
        </figure>
    }
}

/// The width of the element, followed as it changes.
#[hook]
fn use_width(element: NodeRef, first: u32) -> u32 {
    let width = use_state_eq(|| first);
    {
        let width = width.clone();
        use_effect_with(element, move |element| {
            let element: Element = element.cast().expect("effects run after the element is there");
            let observed = element.clone();
            let callback = Closure::<dyn FnMut()>::new(move || width.set(usable(element.client_width())));
            let observer = ResizeObserver::new(callback.as_ref().unchecked_ref());
            if let Ok(observer) = &observer {
                observer.observe(&observed);
            }
            move || {
                if let Ok(observer) = &observer {
                    observer.disconnect();
                }
                drop(callback);
            }
        });
    }
    *width
}

/// What the figure does with a pointer that is on none of the handles.
struct Scrub {
    down: Callback<PointerEvent>,
    moved: Callback<PointerEvent>,
    up: Callback<PointerEvent>,
    cancelled: Callback<PointerEvent>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Scrubbing {
    No,
    /// A finger that may yet want to scroll the page; where it came down.
    Perhaps(f64),
    Yes,
}

#[hook]
fn use_scrub(stage: NodeRef, axis: Axis, dispatch: Dispatch) -> Scrub {
    let scrubbing = use_mut_ref(|| Scrubbing::No);
    let seek = {
        let (stage, dispatch) = (stage.clone(), dispatch.clone());
        move |event: &PointerEvent| {
            if let Some(stage) = stage.cast::<Element>() {
                dispatch.dispatch(Action::Seek(axis.at(x_in(&stage, event.client_x()))));
            }
        }
    };
    // What is drawn for a fact leads to it; anything else to the time beneath the pointer.
    let pick = {
        let (seek, dispatch) = (seek.clone(), dispatch);
        move |event: &PointerEvent| match fact_at(event) {
            Some(fact) => dispatch.dispatch(Action::SeekFact(fact)),
            None => seek(event),
        }
    };
    let down = {
        let (scrubbing, stage, pick) = (scrubbing.clone(), stage.clone(), pick.clone());
        Callback::from(move |event: PointerEvent| {
            if event.button() != 0 || !event.is_primary() || is_on_handle(&event) {
                return;
            }
            if event.pointer_type() != "mouse" {
                *scrubbing.borrow_mut() = Scrubbing::Perhaps(f64::from(event.client_x()));
                return;
            }
            *scrubbing.borrow_mut() = Scrubbing::Yes;
            if let Some(stage) = stage.cast::<Element>() {
                let _ = stage.set_pointer_capture(event.pointer_id());
            }
            pick(&event);
        })
    };
    let moved = {
        let scrubbing = scrubbing.clone();
        Callback::from(move |event: PointerEvent| {
            let now = *scrubbing.borrow();
            match now {
                Scrubbing::No => return,
                Scrubbing::Perhaps(from) if (f64::from(event.client_x()) - from).abs() < TAP => return,
                Scrubbing::Perhaps(_) => {
                    *scrubbing.borrow_mut() = Scrubbing::Yes;
                    if let Some(stage) = stage.cast::<Element>() {
                        let _ = stage.set_pointer_capture(event.pointer_id());
                    }
                }
                Scrubbing::Yes => {}
            }
            seek(&event);
        })
    };
    let up = {
        let scrubbing = scrubbing.clone();
        Callback::from(move |event: PointerEvent| {
            if matches!(scrubbing.replace(Scrubbing::No), Scrubbing::Perhaps(_)) {
                pick(&event);
            }
        })
    };
    let cancelled = Callback::from(move |_: PointerEvent| *scrubbing.borrow_mut() = Scrubbing::No);
    Scrub { down, moved, up, cancelled }
}

/// Where a place of the window is in the scene, in pixels.
fn x_in(stage: &Element, client_x: i32) -> f64 {
    f64::from(client_x) - stage.get_bounding_client_rect().left() + f64::from(stage.scroll_left())
}

fn closest(event: &PointerEvent, selector: &str) -> Option<Element> {
    event.target()?.dyn_into::<Element>().ok()?.closest(selector).ok()?
}

fn is_on_handle(event: &PointerEvent) -> bool {
    closest(event, ".handle").is_some()
}

fn fact_at(event: &PointerEvent) -> Option<FactRef> {
    let named = closest(event, "[data-fact]")?.get_attribute("data-fact")?;
    let (run, fact) = named.split_once(':')?;
    Some(FactRef { run: run.parse().ok()?, fact: fact.parse().ok()? })
}

#[derive(PartialEq, Properties)]
struct CursorProps {
    axis: Axis,
    width: Px,
    height: Px,
    at: Instant,
    end: Instant,
    decimals: usize,
    veiled: bool,
    dispatch: Dispatch,
}

/// The cursor: a line through all rows with its time, and a veil over what is still to come.
#[component]
fn CursorOver(props: &CursorProps) -> Html {
    let CursorProps { axis, at, dispatch, .. } = props;
    let x = axis.x(*at);
    let (top, height) = (("top", pixels(axis.top)), ("height", pixels(Px(axis.bottom.0 - axis.top.0))));
    let (left, width) = (("left", pixels(axis.left)), ("width", pixels(Px(axis.right.0 - axis.left.0))));
    let lanes = [
        use_style(vec![top.clone(), height.clone(), left.clone(), width.clone()]),
        // The names of leases stand above the lanes and step back with them.
        use_style(vec![("top", pixels(Px(0))), ("height", pixels(axis.bottom)), left, width]),
    ];
    // Inside the lanes, which cut off what goes beyond them.
    let inside = vec![("transform", format!("translateX({})", pixels(Px(x.0 - axis.left.0))))];
    let (thread, veil) = (use_style(inside.clone()), use_style(inside));
    let line = use_style(vec![top, height, ("transform", format!("translateX({})", pixels(x)))]);
    let onkeydown = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: KeyboardEvent| {
            let action = match &*event.key() {
                "ArrowRight" | "ArrowUp" => Action::Forward,
                "ArrowLeft" | "ArrowDown" => Action::Back,
                "Home" => Action::Start,
                "End" => Action::End,
                " " | "k" => Action::TogglePlay,
                _ => return,
            };
            event.prevent_default();
            dispatch.dispatch(action);
        })
    };
    let now = quantity::seconds(*at, props.decimals);
    // Near an edge the time stands beside the line instead of under its middle.
    let edge = match x {
        x if x.0 < 300 => "left",
        x if x.0 > props.width.0 - 300 => "right",
        _ => "none",
    };
    html! {
        <>
            <div class="lanes behind" ref={&lanes[0]}><div class="thread" ref={thread} /></div>
            <div class="lanes" ref={&lanes[1]}><div class="veil" ref={veil} data-shown={props.veiled.to_string()} /></div>
            <div
                id="cursor"
                ref={line}
                role="slider"
                tabindex="0"
                aria-label="Cursor"
                aria-valuemin="0"
                aria-valuemax={quantity::seconds(props.end, props.decimals)}
                aria-valuenow={now.clone()}
                aria-valuetext={format!("{now} seconds")}
                data-edge={edge}
                {onkeydown}
            >
                <span aria-hidden="true">{ now }{ " s" }</span>
            </div>
        </>
    }
}

fn pixels(length: Px) -> String {
    format!("{length}px")
}
