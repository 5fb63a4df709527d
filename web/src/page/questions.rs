//! Which question is shown. It stands in the page's address (`#paused-owner`), so that it can be linked to and the
//! browser's own back and forward work.

use fencepost_core::scenario::{CORPUS, Entry};
use gloo_events::EventListener;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::browser;
use super::state::{Action, Dispatch};

/// The question that the page's address asks for.
pub fn asked_for() -> Option<usize> {
    let hash = browser::window().location().hash().ok()?;
    CORPUS.iter().position(|entry| hash.strip_prefix('#') == Some(entry.name()))
}

/// Follows the page's address.
#[hook]
pub fn use_address(dispatch: Dispatch) {
    use_effect_with((), move |()| {
        let listener = EventListener::new(&browser::window(), "hashchange", move |_| {
            let is_empty = browser::window().location().hash().is_ok_and(|hash| hash.is_empty());
            if let Some(question) = asked_for().or(is_empty.then_some(0)) {
                dispatch.dispatch(Action::Choose(question));
            }
        });
        || drop(listener)
    });
}

fn address(entry: &Entry) -> String {
    format!("#{}", entry.name())
}

/// The folders of the corpus as they follow each other: a question, and the indices of its scenarios.
fn groups() -> Vec<(&'static str, Vec<usize>)> {
    let mut groups: Vec<(&'static str, Vec<usize>)> = Vec::new();
    for (index, entry) in CORPUS.iter().enumerate() {
        match groups.last_mut() {
            Some((question, members)) if *question == entry.question() => members.push(index),
            _ => groups.push((entry.question(), vec![index])),
        }
    }
    groups
}

#[derive(PartialEq, Properties)]
pub struct QuestionProps {
    pub question: usize,
}

/// The picker above the figure.
#[component]
pub fn Picker(props: &QuestionProps) -> Html {
    let onchange = Callback::from(|event: Event| {
        let picked: HtmlSelectElement = event.target_unchecked_into();
        if let Some(entry) = CORPUS.get(picked.selected_index() as usize) {
            // The address leads, the page follows.
            let _ = browser::window().location().set_hash(entry.name());
        }
    });
    let select = use_node_ref();
    use_effect_with((select.clone(), props.question), |(select, question)| {
        if let Some(select) = select.cast::<HtmlSelectElement>() {
            select.set_selected_index(*question as i32);
        }
    });
    let entry = &CORPUS[props.question];
    let option = |&index: &usize| {
        html! { <option selected={index == props.question}>{ CORPUS[index].title() }</option> }
    };
    html! {
        <div class="picker">
            <label for="question">{ entry.question() }</label>
            <select id="question" ref={select} {onchange}>
                { for groups().iter().map(|(question, members)| html! {
                    <optgroup label={*question}>{ for members.iter().map(option) }</optgroup>
                }) }
            </select>
        </div>
    }
}

/// All questions, and the way to the next one.
#[component]
pub fn Questions(props: &QuestionProps) -> Html {
    let link = |&index: &usize| {
        let entry = &CORPUS[index];
        let current = (index == props.question).then_some("page");
        html! { <li><a href={address(entry)} aria-current={current}>{ entry.title() }</a></li> }
    };
    // A new question is read from the top of its figure.
    let onclick = Callback::from(|_: MouseEvent| {
        if let Some(explorer) = browser::document().get_element_by_id("app") {
            explorer.scroll_into_view();
        }
    });
    let next = CORPUS.get(props.question + 1).map(|entry| {
        html! {
            <a id="next-question" href={address(entry)} onclick={onclick.clone()}>
                <small>{ "Next question" }</small>
                { entry.title() }
            </a>
        }
    });
    html! {
        <nav id="questions" aria-label="Questions">
            { next }
            <details>
                <summary>{ "All questions" }</summary>
                <ol {onclick}>
                    { for groups().iter().map(|(question, members)| html! {
                        <li>{ *question }<ul>{ for members.iter().map(link) }</ul></li>
                    }) }
                </ol>
            </details>
        </nav>
    }
}
