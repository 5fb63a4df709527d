// The search for a counterexample as the page shows it, in `#search-result`. It comes when somebody first asks for a search.
//
// The search runs in a worker of its own, `search.js`, for the text as it stood when it began. It goes on while the text is
// changed, and what it finds says then that it is about the older text; leaving the question, or the page, calls it off.
//
// Selectors that tests may rely on:
// `#search-result[data-state]`       `searching`, `done`, `cancelled`, `mistaken` or `failed`
// `#search-states` `#search-cancel`  how many states there are so far, and the button that calls it off
// `.found[data-row]`                 what was found of a row; its `data-outcome` is `broken`, `none` or `open`
// `[data-invariant]` `.open`         a broken invariant in there, and the button that opens its counterexample
// `#search-bounds` `.wider button`   the bounds in words, and the buttons that search further
// `#search-older`                    shown while the text is another than the one that was searched
// `#search-retry`                    tries again what has failed

// The most states of a search, unless somebody asks for the most that there can be.
const LIMIT = 2_000_000;
const MOST = 16_000_000;

// A worker that has been killed says nothing of it. These are seconds in which the page itself was awake: a machine that
// wakes up finds both where they were.
const SILENCE = 12;

// How seldom the progress is read out, in milliseconds.
const READ_OUT = 15_000;

const { format } = new Intl.NumberFormat("en");

// The last search asked for: `{ base, text, row, limit, question }`. `base` is the person's text; the one that is searched may
// have larger bounds.
let asked;
// Its worker, while it runs.
let worker;
let clock;
let silent;
let readOut;
let rows;
let found;
// The button whose counterexample was opened last.
let opener;
// Shows a counterexample in the figure.
let show;

const styled = new Promise((resolve) => {
  const link = make("link", { rel: "stylesheet", href: new URL("./search.css", import.meta.url).href });
  // Without it all is there, only plainer.
  link.onload = link.onerror = resolve;
  document.head.append(link);
});

document.addEventListener("click", ({ target }) => {
  // The way back ends where it began.
  if (target.id === "return") requestAnimationFrame(() => opener?.isConnected && opener.focus());
});
window.addEventListener("pagehide", () => {
  if (worker) fail("It was stopped when the page was left.");
});

// Searches the page's text, in the row that is chosen.
export async function begin(question, open) {
  show = open;
  await styled;
  const base = currentText();
  const chosen = part("search-row").selectedOptions[0];
  const row = chosen.dataset.every === undefined ? chosen.value : null;
  search({ base, text: base, row, limit: LIMIT, question });
}

// The text has changed.
export function follow(text) {
  if (!asked) return;
  const buttons = [...document.querySelectorAll("#search-result .open")];
  for (const button of buttons) {
    if (button.scenario === text) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  part("search-older").hidden = text === asked.base || buttons.some((button) => button.scenario === text);
}

// Another question is shown.
export function leave(question) {
  if (!asked || question === asked.question) return;
  stop();
  asked = undefined;
  part("search-result").replaceChildren();
  delete part("search-result").dataset.state;
}

function currentText() {
  return part("scenario-text").value;
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

function button(text, pressed, attributes = {}) {
  const element = make("button", { type: "button", class: "worded", ...attributes }, text);
  element.addEventListener("click", pressed);
  return element;
}

function counted(number, one, several) {
  return `${format(number)} ${number === 1 ? one : several}`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// The search

function search(ask) {
  stop();
  asked = ask;
  rows = undefined;
  found = [];
  silent = 0;
  readOut = performance.now();
  layOut();
  try {
    worker = new Worker(new URL("./search.js", import.meta.url), { type: "module" });
  } catch (error) {
    fail(`This browser does not start it: ${error.message}`);
    return;
  }
  const mine = worker;
  worker.addEventListener("message", ({ data }) => mine === worker && heard(data));
  worker.addEventListener("messageerror", () => mine === worker && fail("Its answer cannot be read."));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    if (mine !== worker) return;
    fail(event.message ? `It ended with “${event.message}”.` : "Its script did not arrive, or may not run here.");
  });
  clock = setInterval(() => {
    silent += 1;
    if (silent > SILENCE) fail("It does not answer any more: the browser may have ended it.");
  }, 1000);
  worker.postMessage({ text: ask.text, row: ask.row, limit: ask.limit });
}

function stop() {
  clearInterval(clock);
  worker?.terminate();
  worker = undefined;
}

function cancel() {
  // Before it has begun there is nothing to report.
  if (!rows) {
    stop();
    finish("cancelled", "You have stopped the search before it began.");
    return;
  }
  part("search-cancel").setAttribute("aria-disabled", "true");
  worker?.postMessage("cancel");
}

function heard({ rows: named, progress, found: report, ended, mistake, failure }) {
  silent = 0;
  if (named) {
    rows = named;
    tell(`Searching ${rows[0]}.`);
    name(rows[0]);
  } else if (progress) {
    showProgress(progress);
  } else if (report) {
    found.push(report);
    part("search-found").append(article(report, rows.length > 1 ? "h4" : "h3"));
    if (found.length < rows.length) name(rows[found.length]);
    follow(currentText());
  } else if (mistake) {
    stop();
    // What stands between backticks is code.
    const message = mistake.message.split("`").map((text, part) => (part % 2 ? make("code", {}, text) : text));
    const place = mistake.line ? `Line ${mistake.line}, column ${mistake.column}. ` : "";
    finish("mistaken", "Nothing was searched.", make("p", {}, make("strong", {}, place), ...message));
  } else if (failure) {
    fail(`It ended with “${failure}”.`);
  } else if (ended) {
    stop();
    end(ended);
  }
}

// What is shown

function part(id) {
  return document.getElementById(id);
}

// The parts, all empty.
function layOut() {
  const result = part("search-result");
  const bar = make("progress", { id: "search-bar", max: asked.limit, value: 0 });
  bar.setAttribute("aria-label", `States found, of at most ${format(asked.limit)}`);
  const held = result.contains(document.activeElement);
  result.replaceChildren(
    // Here before it says anything, or nobody would be told.
    make("p", { id: "search-status", class: "unseen", role: "status" }),
    make(
      "div",
      { id: "search-progress" },
      make("p", { id: "search-name" }, "Loading the search …"),
      bar,
      make(
        "p",
        { class: "figures" },
        make("span", {}, make("span", { id: "search-states" }), ` of at most ${format(asked.limit)}`),
        make("span", { id: "search-depth" }),
        make("span", { id: "search-rate" }),
      ),
      make("p", { id: "search-sofar" }),
      button("Stop the search", cancel, { id: "search-cancel" }),
    ),
    make("div", { id: "search-summary" }),
    make(
      "p",
      { id: "search-older", class: "note" },
      "The text has been changed since this search began: what stands here is about it as it was.",
    ),
    make("div", { id: "search-found" }),
    make("div", { id: "search-after" }),
  );
  result.dataset.state = "searching";
  follow(currentText());
  // The button that was pressed has gone.
  if (held) part("search-cancel").focus();
}

function name(row) {
  const place = rows.length > 1 ? ` · row ${found.length + 1} of ${rows.length}` : "";
  part("search-name").replaceChildren(make("strong", {}, `Searching ${row}`), place);
  showProgress({ states: 0, depth: 0, rate: 0, broken: [] });
}

function showProgress({ states, depth, rate, broken }) {
  part("search-bar").value = states;
  part("search-states").textContent = counted(states, "state", "states");
  part("search-depth").textContent = `${counted(depth, "step", "steps")} deep`;
  // Two digits are as many as stand still for a moment.
  part("search-rate").textContent = rate ? `${format(Number(rate.toPrecision(2)))} states a second` : "";
  part("search-sofar").textContent = broken.length
    ? `Broken so far: ${broken.join(", ")}. When you stop the search, you can open it.`
    : "";
  if (performance.now() - readOut >= READ_OUT) tell(`${format(states)} states, ${depth} steps deep.`);
}

// Has a screen reader say it.
function tell(text) {
  readOut = performance.now();
  part("search-status").textContent = text;
}

// Ends what is shown of a search, with `title` as its outcome, and takes the reader there who has waited for it.
function finish(state, title, ...rest) {
  const here = document.activeElement === document.body || part("search").contains(document.activeElement);
  part("search-result").dataset.state = state;
  part("search-progress").remove();
  part("search-summary").replaceChildren(make("h3", { tabindex: -1 }, title), ...rest);
  tell(here ? "" : title);
  if (!here) return;
  // Who has scrolled on to something else is not pulled back.
  const { top, bottom } = part("search").getBoundingClientRect();
  part("search-summary").firstChild.focus({ preventScroll: bottom < 0 || top > innerHeight });
}

function fail(why) {
  stop();
  const kept = found.length ? "What it had found by then stands below." : "Nothing of yours is lost.";
  const retry = button("Try again", () => search(asked), { id: "search-retry" });
  finish("failed", "The search has failed.", make("p", {}, `${why} ${kept}`), make("p", {}, retry));
}

function end({ cancelled, wider }) {
  const broken = found.filter((report) => report.broken.length);
  const open = found.filter((report) => outcome(report) === "open");
  const missing = rows.slice(found.length);
  const [one] = found;
  const steps = (reports) => Math.min(...reports.flatMap((report) => report.broken.map((found) => found.steps)));
  let title;
  if (broken.length) {
    const which = rows.length === 1 ? `${capital(rows[0])} can be broken` : `${broken.length} of ${rows.length} rows can be broken`;
    title = `${which}: the shortest schedule takes ${counted(steps(broken), "step", "steps")}.`;
  } else if (cancelled) {
    title = "You have stopped the search. Nothing was found broken until then.";
  } else if (open.length) {
    title = "The search is not complete. Nothing was found broken so far.";
  } else {
    const extent = rows.length === 1 ? `${format(one.states)} states, complete.` : "every row complete.";
    title = `No violation within these bounds: ${extent}`;
  }
  const left = missing.length ? make("p", {}, `Not searched: ${missing.join(", ")}.`) : undefined;
  finish(cancelled ? "cancelled" : "done", title, ...[left].filter(Boolean));
  part("search-after").replaceChildren(...after(wider));
  if (one) part("search-after").prepend(within(one));
}

function within({ bounds }) {
  return make(
    "p",
    { id: "search-bounds" },
    make("strong", {}, "The bounds: "),
    `at most ${bounds.join(", ")}. `,
    "How late messages are, in which order they arrive, and how long anybody stands still has no bound.",
  );
}

// What else can be searched.
function after(wider) {
  const again = (change) => () => search({ ...asked, ...change });
  const buttons = wider.map(({ bound, text }) => button(bound, again({ text })));
  if (asked.limit < MOST && found.some(({ stoppedAt }) => stoppedAt?.split(", ").includes("states"))) {
    buttons.unshift(button(`${format(MOST)} states`, again({ limit: MOST })));
  }
  if (!buttons.length) return [];
  const label = make("p", { id: "search-wider" }, "Search further, with up to:");
  return [make("div", { class: "wider", role: "group", "aria-labelledby": "search-wider" }, label, ...buttons)];
}

function outcome({ broken, complete }) {
  return broken.length ? "broken" : complete ? "none" : "open";
}

// What was found of one row.
function article(report, level) {
  const { row, label, broken } = report;
  const kind = outcome(report);
  const list = [...broken].sort((one, other) => one.steps - other.steps).map((found) => item(found, row));
  return make(
    "article",
    { class: "found", "data-row": row, "data-outcome": kind },
    make("header", {}, make(level, {}, row), make("small", {}, label)),
    make("p", { class: "extent" }, extent(report, kind)),
    list.length ? make("ul", {}, ...list) : undefined,
  );
}

function extent({ states, depth, complete, stoppedAt }, kind) {
  const size = `${counted(states, "state", "states")}, ${counted(depth, "step", "steps")} deep`;
  if (complete) return `${kind === "none" ? "No violation within these bounds. " : ""}Complete: ${size}.`;
  const why = stoppedAt.split(", ").map((name) => {
    if (name === "cancelled") return "you stopped it";
    if (name === "states") return "that is the most that it may have";
    if (name === "memory") return "its memory is full";
    return `some schedules go beyond what the model counts (${name})`;
  });
  const rest = kind === "open" ? "Nothing was found broken so far." : "What is not listed may be broken, too.";
  return `Not complete, ${size}: ${why.join("; ")}. ${rest}`;
}

function item({ invariant, holdsWhen, steps, told, scenario }, row) {
  const number = counted(steps, "step", "steps");
  const open = button("Open", () => {
    opener = open;
    show(scenario);
  }, { class: "worded open", "aria-label": `Open the schedule that breaks ${invariant} in ${row}` });
  open.scenario = scenario;
  return make(
    "li",
    { "data-invariant": invariant },
    make("p", {}, make("strong", {}, invariant), ` · ${number}`),
    make("p", { class: "sentence" }, `What is broken: “${holdsWhen}”`),
    scenario ? open : make("p", { class: "note" }, "No times bring this about by the clock: it can only be read."),
    make("details", {}, make("summary", {}, `The ${number}`), make("ol", {}, ...told.map((line) => make("li", {}, line)))),
  );
}
