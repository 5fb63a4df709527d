//! The facts as sentences: the picture's equal for those who read or hear it.

use std::rc::Rc;

use fencepost_core::story::Line;
use web_sys::HtmlElement;
use yew::prelude::*;

use super::browser;
use super::quantity;
use super::state::{Action, Dispatch, Outcome};

#[derive(PartialEq, Properties)]
pub struct FactsProps {
    pub outcome: Rc<Outcome>,
    /// The line at the cursor.
    pub line: Option<usize>,
    pub dispatch: Dispatch,
}

/// The list, which keeps the line at the cursor in view.
#[component]
pub fn Facts(props: &FactsProps) -> Html {
    let FactsProps { outcome, line: current, dispatch } = props;
    let area = use_node_ref();
    use_effect_with((area.clone(), *current, outcome.clone()), |(area, ..)| {
        if let Some(area) = area.cast::<HtmlElement>() {
            keep_current_in_view(&area);
        }
    });

    let runs = &outcome.comparison.runs;
    // Without a current line the first one can be reached by the tab key.
    let focusable = current.unwrap_or(0);
    let lines = outcome.lines.iter().enumerate().map(|(index, line)| {
        let only = (line.facts.len() < runs.len()).then(|| {
            let names: Vec<&str> = line.facts.iter().map(|fact| runs[fact.run].name.as_str()).collect();
            AttrValue::from(names.join(", "))
        });
        html! {
            <FactLine
                key={index}
                {index}
                line={line.clone()}
                {only}
                decimals={outcome.decimals}
                current={*current == Some(index)}
                focusable={focusable == index}
                first_difference={outcome.difference == Some(index)}
                dispatch={dispatch.clone()}
            />
        }
    });
    html! {
        <section id="facts" aria-labelledby="facts-title">
            <h2 id="facts-title">{ "What happens, in order" }</h2>
            <ol ref={area}>{ for lines }</ol>
        </section>
    }
}

/// Scrolls the list, and never the page.
fn keep_current_in_view(area: &HtmlElement) {
    let Ok(Some(current)) = area.query_selector("[aria-current]") else { return };
    let (list, line) = (area.get_bounding_client_rect(), current.get_bounding_client_rect());
    // Room for a line before and after, so that what comes next can be read.
    let margin = line.height();
    let above = line.top() - margin - list.top();
    let below = line.bottom() + margin - list.bottom();
    let by = if above < 0.0 { above } else { below.max(0.0) };
    if by != 0.0 {
        area.set_scroll_top(area.scroll_top() + by as i32);
    }
    // Who steps with the keys from inside the list stays at the line that is current.
    let focused = browser::document().active_element().filter(|focused| area.contains(Some(focused)));
    if let Some(focused) = focused
        && !current.contains(Some(&focused))
        && let Ok(Some(button)) = current.query_selector("button")
    {
        let button: HtmlElement = wasm_bindgen::JsCast::unchecked_into(button);
        let _ = button.focus();
    }
}

#[derive(PartialEq, Properties)]
struct FactLineProps {
    index: usize,
    line: Rc<Line>,
    /// The rows where it happened, if not in all.
    only: Option<AttrValue>,
    decimals: usize,
    current: bool,
    focusable: bool,
    first_difference: bool,
    dispatch: Dispatch,
}

#[component]
fn FactLine(props: &FactLineProps) -> Html {
    let onclick = {
        let (dispatch, index) = (props.dispatch.clone(), props.index);
        Callback::from(move |_: MouseEvent| dispatch.dispatch(Action::SeekLine(index)))
    };
    let only = props.only.as_ref().map(|rows| html! { <span class="rows">{ rows }</span> });
    let mark = props.first_difference.then(|| html! { <span class="mark">{ "first difference" }</span> });
    html! {
        <li aria-current={props.current.then_some("step")}>
            <button type="button" tabindex={if props.focusable { "0" } else { "-1" }} {onclick}>
                <span class="time">{ quantity::seconds(props.line.at, props.decimals) }{ " s" }</span>
                <span class="told">{ &props.line.text }{ " " }{ only }{ " " }{ mark }</span>
            </button>
        </li>
    }
}
