//! The page's script, as the program sees it: `host` in `static/main.js`. It knows where texts are, and sees to what stands
//! in the page's HTML and is of use without the program too: the picker and the list of questions, the list of keys. What is
//! scrolled and focused is its business as well.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// What the script does for the program. Questions are numbered as the list has them.
    #[derive(Clone, PartialEq)]
    pub type Host;

    /// The text of the first question, which stands in the page: from now on its place is the editor's.
    #[wasm_bindgen(method, js_name = takeText)]
    pub fn take_text(this: &Host) -> String;

    /// What each question shows, in a sentence.
    #[wasm_bindgen(method)]
    pub fn titles(this: &Host) -> Vec<String>;

    /// The question that the page's address asks for.
    #[wasm_bindgen(method)]
    pub fn asked(this: &Host) -> Option<usize>;

    /// Has the page show which question it is about, and whether that one's text is still on its way.
    #[wasm_bindgen(method)]
    pub fn show(this: &Host, question: usize, busy: bool);

    /// The width of the figure, in CSS pixels.
    #[wasm_bindgen(method)]
    pub fn width(this: &Host) -> f64;

    /// Calls `changed(width)` whenever the figure has another width, from now on.
    #[wasm_bindgen(method, js_name = followWidth)]
    pub fn follow_width(this: &Host, changed: JsValue);

    /// Calls `open(text)` whenever a counterexample is to be shown, from now on.
    #[wasm_bindgen(method, js_name = followSearch)]
    pub fn follow_search(this: &Host, open: JsValue);

    /// Whether any of the figure and of what belongs to it can be seen.
    #[wasm_bindgen(method, js_name = isInView)]
    pub fn is_in_view(this: &Host) -> bool;

    /// Whether the reader has asked for as little motion as possible.
    #[wasm_bindgen(method, js_name = isStill)]
    pub fn is_still(this: &Host) -> bool;

    /// Calls `tick(milliseconds)` with every frame, with the time since the frame before, until [`Host::pause`].
    #[wasm_bindgen(method)]
    pub fn play(this: &Host, tick: &JsValue);

    /// Ends that.
    #[wasm_bindgen(method)]
    pub fn pause(this: &Host);

    /// Has the list of facts show the line at the cursor.
    #[wasm_bindgen(method, js_name = followFacts)]
    pub fn follow_facts(this: &Host);

    /// Puts a text into the text field, and leaves the caret where it stood in it.
    #[wasm_bindgen(method)]
    pub fn write(this: &Host, text: &str);

    /// Opens the list of keys.
    #[wasm_bindgen(method, js_name = showKeys)]
    pub fn show_keys(this: &Host);

    /// Fetches the text of a question and calls `done(text)`, or `done(undefined, why)` where it does not come.
    #[wasm_bindgen(method)]
    pub fn load(this: &Host, question: usize, done: JsValue);

    /// Finds words for what is wrong with a text, which are not part of the program, and calls `done(words)`. Where they do
    /// not come it calls nothing.
    #[wasm_bindgen(method)]
    pub fn explain(this: &Host, text: &str, done: JsValue);

    /// The text that was written for a question before the page was loaded again.
    #[wasm_bindgen(method)]
    pub fn kept(this: &Host, question: usize) -> Option<String>;

    /// Keeps a text that was written for a question until the tab is closed; without one, forgets it.
    #[wasm_bindgen(method)]
    pub fn keep(this: &Host, question: usize, text: Option<&str>);

    /// The counterexample that was shown in a question's place before the page was loaded again.
    #[wasm_bindgen(method, js_name = keptOpened)]
    pub fn kept_opened(this: &Host, question: usize) -> Option<String>;

    /// Keeps that, in the same way.
    #[wasm_bindgen(method, js_name = keepOpened)]
    pub fn keep_opened(this: &Host, question: usize, text: Option<&str>);
}
