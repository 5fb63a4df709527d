//! The page: one [`Session`], parts that draw it, and [`events`] that change it.
//!
//! # Selectors that tests may rely on
//! | selector | what it is |
//! |---|---|
//! | `#question` | the picker, a `<select>`; `#questions [aria-current]` is the link to the current one, `#next-question` the link on |
//! | `#explorer` | all that shows the question's run; `[aria-busy="true"]` while another question's text is on its way |
//! | `#headline` | what came out, in a sentence; `[data-coming="loading"]` while another question's text is on its way, `[data-coming="failed"]` where it does not come: then `#try-again` asks for it again |
//! | `#figure svg` | the figure; `#figure [data-row="unfenced"]` what it shows of that row alone, `[data-fact]` of a fact |
//! | `.handle[data-parameter="pause"]` | the handle of a parameter, a slider |
//! | `#cursor` | the cursor, a slider over time, called “Time”; `#cursor-time` says its time |
//! | `#play` `#to-start` `#back` `#step` `#to-end` `#to-difference` | the controls |
//! | `#parameter-pause` | the typed value of a parameter; `#parameter-pause-problem` why it is none |
//! | `.verdict[data-row="unfenced"]` | a row's verdict; its `data-tone` is `calm`, `kept`, `impaired`, `broken` or `open` |
//! | `#search-row` `#search-start` | the row to search, and the button that begins; what comes of it stands in `#search-result`, which `search-panel.js` describes |
//! | `#return` | back from a counterexample to one's own scenario; `#opened` says that one is shown |
//! | `#facts li` | the lines of the story; `[aria-current="step"]` is the one at the cursor |
//! | `#announcer` | what a screen reader is to say |
//! | `#scenario-text` `#scenario-error` | the text, and what is wrong with it: `[data-line]` and `[data-column]` say where |
//! | `#restore` `#reset` `#as-it-was` | back to the question's own text |
//!
//! `index.html` holds the rest: the picker and the list of questions; `#keys`, the dialog that lists the keys; `#panic`, shown when the program has failed.

mod controls;
mod editor;
mod events;
mod facts;
mod figure;
mod markup;
mod parameters;
mod playback;
mod quantity;
mod search;
mod state;
mod verdicts;

use std::rc::Rc;

use fencepost_core::scenario::Scenario;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use web_sys::Element;
use yew::prelude::*;

use crate::host::Host;
use markup::{Markup, list};
use playback::Frames;
use state::{Action, Session};

/// Mounts the page, as [`crate::mount_page`] says.
pub fn mount(root: Element, editor: Element, host: Host, asked: Option<String>) {
    // The first figure stands in the HTML already. One of the same width takes its place, so that nothing jumps.
    let props = PageProps { width: figure::usable(host.width()), editor, host, asked };
    yew::Renderer::<Page>::with_root_and_props(root, props).render();
}

static PAGE: Markup = Markup::new(
    "{}{}{}<div class='panel'>{}{}</div>{}{}<div class='told-twice'>{}{}</div>\
     <p id='announcer' class='unseen' aria-live='polite'>{}</p>{}",
);

static HEADLINE: Markup = Markup::new("<p id='headline'>{}</p>");

static LOADING: Markup = Markup::new("<p id='headline' data-coming='loading'><span>Loading “{}” …</span></p>");

static FAILED: Markup = Markup::new(
    "<p id='headline' data-coming='failed'><span>“{}” is not here: {}. What follows is still “{}”. \
     <button id='try-again' type='button' class='worded'>Try again</button></span></p>",
);

static ABOUT: Markup =
    Markup::new("<section id='about' aria-labelledby='about-title'><h2 id='about-title'>Why</h2>{}{}{}</section>");

static EDITED: Markup = Markup::new(
    "<p class='note'>You have changed this scenario; what follows is about it as it was. \
     <button id='as-it-was' type='button' class='worded'>Reset</button></p>",
);

static PARAGRAPH: Markup = Markup::new("<p>{}</p>");

static SOURCES: Markup = Markup::new("<p class='sources'>Read on: {}</p>");

static LINK: Markup = Markup::new("<a href='{}' rel='noopener'>{}</a>");

static NO_LINK: Markup = Markup::new("<span>{}</span>");

#[derive(PartialEq, Properties)]
struct PageProps {
    /// The figure's width before it has been measured.
    width: u32,
    /// Where the scenario's text goes, below the list of questions.
    editor: Element,
    host: Host,
    asked: Option<String>,
}

/// The one component. What it draws is cheap to draw, but for the two parts that it keeps.
struct Page {
    session: Rc<Session>,
    /// The session as the browser has it, but for what Yew sees to.
    shown: Option<Rc<Session>>,
    /// The scene, drawn.
    drawing: Html,
    /// The list of facts.
    facts: Html,
    /// There while it plays.
    frames: Option<Frames>,
}

impl Component for Page {
    type Message = Action;
    type Properties = PageProps;

    fn create(context: &Context<Self>) -> Self {
        let PageProps { width, host, asked, .. } = context.props();
        let mut session = Rc::new(Session::open(host.titles(), &host.take_text(), host.kept(0), *width));
        if let Some(text) = host.kept_opened(0) {
            session = session.reduce(Action::Open(text));
        }
        if let Some(question) = host.asked() {
            session = session.reduce(Action::Choose(question));
            if let Some((question, text)) = session.awaited().zip(asked.clone()) {
                session = session.reduce(arrive(host, question, text));
            }
        }
        events::listen(host, &context.link().callback(|action| action));
        Self {
            drawing: figure::draw_scene(&session.scene, &session.outcome),
            facts: facts::draw(&session.outcome, session.line()),
            session,
            shown: None,
            frames: None,
        }
    }

    fn update(&mut self, _: &Context<Self>, action: Action) -> bool {
        let next = self.session.reduce(action);
        let before = std::mem::replace(&mut self.session, next);
        let session = &self.session;
        if !Rc::ptr_eq(&before.scene, &session.scene) {
            self.drawing = figure::draw_scene(&session.scene, &session.outcome);
        }
        if !Rc::ptr_eq(&before.outcome, &session.outcome) || before.line() != session.line() {
            self.facts = facts::draw(&session.outcome, session.line());
        }
        !Rc::ptr_eq(&before, session)
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let session = &*self.session;
        let outcome = &session.outcome;
        PAGE.fill()
            .with(headline(session))
            .with(search::opened(session))
            .with(figure::draw(session, &self.drawing))
            .with(controls::draw(session))
            .with(parameters::draw(session))
            .with(verdicts::draw(outcome))
            .with(search::draw(outcome))
            .with(self.facts.clone())
            .with(about(&outcome.comparison.scenario, session))
            .with(&session.announcement)
            .with(create_portal(editor::draw(session), context.props().editor.clone()))
            .done()
    }

    /// Has the browser follow in what Yew does not see to.
    fn rendered(&mut self, context: &Context<Self>, first: bool) {
        let now = self.session.clone();
        let before = self.shown.replace(now.clone());
        let before = before.as_deref();
        let host = &context.props().host;
        let dispatch = || context.link().callback(|action| action);
        if first {
            figure::follow_width(host, dispatch());
            search::follow(host, dispatch());
        }
        if before.is_none_or(|before| before.coming != now.coming || before.question != now.question) {
            host.show(now.wanted(), now.awaited().is_some());
        }
        if before.is_none_or(|before| !Rc::ptr_eq(before.text(), now.text())) {
            host.write(now.text());
        }
        if let Some(mistake) = &now.mistake
            && mistake.message.is_empty()
            && before.is_none_or(|before| before.mistake.is_none() || !Rc::ptr_eq(before.text(), now.text()))
        {
            explain(host, now.text().clone(), dispatch());
        }
        if before.is_none_or(|before| !Rc::ptr_eq(&before.outcome, &now.outcome) || before.line() != now.line()) {
            host.follow_facts();
        }
        if now.held.is_none()
            && before.is_none_or(|before| before.held.is_some() || !Rc::ptr_eq(&before.drafts, &now.drafts))
        {
            for (question, draft) in now.drafts.iter().enumerate() {
                if let Some(draft) = draft {
                    host.keep(question, (draft.text != draft.original).then_some(&*draft.text));
                    host.keep_opened(question, draft.counterexample());
                }
            }
        }
        if now.playing.is_none() {
            self.frames = None;
        } else if self.frames.is_none() {
            self.frames = Some(Frames::start(host, dispatch()));
        }
        if before.and_then(Session::awaited) != now.awaited()
            && let Some(question) = now.awaited()
        {
            load(host, question, dispatch());
        }
    }
}

/// Asks for the text of a question.
fn load(host: &Host, question: usize, dispatch: Callback<Action>) {
    let mine = host.clone();
    let done = once(move |text, why| {
        dispatch.emit(match text {
            Some(text) => arrive(&mine, question, text),
            None => Action::Fail { question, why: why.unwrap_or_default() },
        });
    });
    host.load(question, done);
}

/// The text of a question is here.
fn arrive(host: &Host, question: usize, text: String) -> Action {
    Action::Arrive { question, text, kept: host.kept(question), opened: host.kept_opened(question) }
}

/// Asks for the words for what is wrong with `text`.
fn explain(host: &Host, text: Rc<str>, dispatch: Callback<Action>) {
    let asked = text.clone();
    host.explain(
        &asked,
        once(move |message, _| dispatch.emit(Action::Explain { text, message: message.unwrap_or_default() })),
    );
}

/// A function for the script to call when it has done what it was asked for.
fn once(done: impl FnOnce(Option<String>, Option<String>) + 'static) -> JsValue {
    Closure::once_into_js(done)
}

/// What came out; or, when another question has been asked for, what has become of that.
fn headline(session: &Session) -> Html {
    let Some(coming) = &session.coming else {
        return HEADLINE.fill().with(&session.outcome.headline).done();
    };
    let title = &session.titles[coming.question];
    match &coming.failure {
        None => LOADING.fill().with(title).done(),
        Some(why) => FAILED.fill().with(title).with(why).with(&session.titles[session.question]).done(),
    }
}

/// What the scenario's own comment says of it. Its first paragraph is the title, which stands in the picker.
fn about(scenario: &Scenario, session: &Session) -> Html {
    let paragraphs = scenario.description().into_iter().skip(1).map(|text| PARAGRAPH.fill().with(text).done());
    let sources: Vec<Html> = scenario.sources().map(source).collect();
    ABOUT
        .fill()
        .with(session.is_edited().then(|| EDITED.fill().done()))
        .with(list(paragraphs.collect()))
        .with((!sources.is_empty()).then(|| SOURCES.fill().with(list(sources)).done()))
        .done()
}

/// A link, for addresses that are ones: a scenario's comment may say anything.
fn source(address: &str) -> Html {
    match address.strip_prefix("https://") {
        Some(shown) => LINK.fill().with(address.to_owned()).with(shown.trim_end_matches('/').to_owned()).done(),
        None => NO_LINK.fill().with(address.to_owned()).done(),
    }
}
