//! Which question is shown. It stands in the page's address (`#paused-owner`), so that it can be linked to and the
//! browser's own back and forward work.
//!
//! The picker above the figure and the list below it stand in the page's HTML, where they are of use without a script too.

use web_sys::{Element, HtmlAnchorElement, HtmlSelectElement};

use super::browser::{document, find, window};
use super::state::{Question, Session};

/// The questions, as the list has them.
pub fn read() -> Vec<Question> {
    let mut questions = Vec::new();
    for link in links() {
        let Some(path) = link.get_attribute("href") else { continue };
        let path = path.trim_start_matches("scenarios/").trim_end_matches(".fence").to_owned();
        let topic = link.closest("ol > li").ok().flatten().and_then(|group| group.first_child());
        let topic = topic.and_then(|text| text.text_content()).unwrap_or_default();
        let question = Question { path, topic, title: link.text_content().unwrap_or_default() };
        // From now on the link leads to the question's figure instead of to its text.
        let _ = link.set_attribute("href", &address(&question));
        questions.push(question);
    }
    questions
}

fn links() -> impl Iterator<Item = Element> {
    let links = document().query_selector_all("#questions li a").expect("the selector is correct");
    (0..links.length()).filter_map(move |index| links.item(index)).map(wasm_bindgen::JsCast::unchecked_into)
}

fn address(question: &Question) -> String {
    ["#", question.name()].concat()
}

/// The question that the page's address asks for.
pub fn asked_for(questions: &[Question]) -> Option<usize> {
    let hash = window().location().hash().ok()?;
    Session::find(questions, hash.strip_prefix('#')?)
}

/// The question that the page's address asks for after it has changed.
pub fn asked_anew(questions: &[Question]) -> Option<usize> {
    let is_empty = window().location().hash().is_ok_and(|hash| hash.is_empty());
    asked_for(questions).or(is_empty.then_some(0))
}

/// Goes to the question of this index. The address leads, the page follows.
pub fn go_to(question: usize) {
    if let Some(address) = links().nth(question).and_then(|link| link.get_attribute("href")) {
        let _ = window().location().set_hash(&address);
    }
}

/// The link to the next question, which is not on the page where there is none.
pub fn next_link() -> Option<HtmlAnchorElement> {
    let link: HtmlAnchorElement = find("#next-question")?;
    link.set_hidden(false);
    Some(link)
}

/// Has the picker, the list and the link to the `next` question show which question it is.
pub fn show(session: &Session, next: Option<&HtmlAnchorElement>) {
    let wanted = session.wanted();
    if let Some(select) = find::<HtmlSelectElement>("#question") {
        select.set_disabled(false);
        select.set_selected_index(wanted as i32);
    }
    let question = &session.questions[wanted];
    if let Some(label) = find::<Element>(".picker label") {
        label.set_text_content(Some(&question.topic));
    }
    document().set_title(&[&question.title, " – Fencepost"].concat());
    for (index, link) in links().enumerate() {
        let _ = match index == wanted {
            true => link.set_attribute("aria-current", "page"),
            false => link.remove_attribute("aria-current"),
        };
    }
    let Some(next) = next else { return };
    let Some(question) = session.questions.get(wanted + 1) else { return next.remove() };
    let _ = next.set_attribute("href", &address(question));
    if let Some(title) = next.last_element_child() {
        title.set_text_content(Some(&question.title));
    }
    if let Some(list) = find::<Element>("#questions").filter(|_| !next.is_connected()) {
        let _ = list.prepend_with_node_1(next);
    }
}
