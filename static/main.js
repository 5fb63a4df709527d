// Starts the page. Until it runs, and where it cannot, the first figure stays as it stands in the HTML.
//
// The event `fencepost-ready` on the window says that it runs, and `<html data-fencepost="ready">` from then on. Where the
// page cannot start, it is `data-fencepost="failed"`, and the event is `fencepost-error`. `api.js` is for scripts that
// compute runs of their own.

// The questions as the list has them: links to their texts, which lead to their figures once the program runs. The page's
// address names one (`#paused-owner`).
const links = [...document.querySelectorAll("#questions li a")];
const files = links.map((link) => link.getAttribute("href"));
const addresses = files.map((file) => `#${file.slice(file.lastIndexOf("/") + 1, -".fence".length)}`);
const next = document.getElementById("next-question");
const picker = document.getElementById("question");
const explorer = document.getElementById("explorer");
const editor = document.getElementById("scenario");
let frame;
// What is there once somebody has asked for a search, and what shows a counterexample that it has found.
let search;
let openFound;

function asked() {
  const question = location.hash ? addresses.indexOf(location.hash) : 0;
  return question < 0 ? undefined : question;
}

function arrived(answer) {
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`.trim());
  return answer;
}

async function text(question) {
  return arrived(await fetch(files[question])).text();
}

// The text that the address asks for comes along with the program; where it does not come, the page asks for it again and
// says so. The first one stands in the page.
async function askedText() {
  return asked() ? text(asked()).catch(() => undefined) : undefined;
}

// What the page's program has done for it: see `host.rs`.
const host = {
  asked,

  takeText() {
    const text = editor.querySelector("pre").textContent;
    editor.replaceChildren();
    return text;
  },

  titles: () => links.map((link) => link.textContent),

  show(question, busy) {
    search?.leave(question);
    explorer.setAttribute("aria-busy", busy);
    picker.disabled = false;
    picker.selectedIndex = question;
    const topic = links[question].closest("ol > li").firstChild.data;
    document.querySelector(".picker label").textContent = topic;
    document.title = `${links[question].textContent} – Fencepost`;
    document.querySelector("#questions [aria-current]")?.removeAttribute("aria-current");
    links[question].setAttribute("aria-current", "page");
    // After the last question there is no next one.
    if (question + 1 === links.length) return next.remove();
    next.href = addresses[question + 1];
    next.lastElementChild.textContent = links[question + 1].textContent;
    next.hidden = false;
    if (!next.isConnected) document.getElementById("questions").prepend(next);
  },

  width: () => document.getElementById("figure").clientWidth,

  followWidth(changed) {
    const stage = document.querySelector("#figure .stage");
    new ResizeObserver(() => changed(stage.clientWidth)).observe(stage);
  },

  followSearch(open) {
    openFound = open;
  },

  isInView() {
    const { top, bottom } = explorer.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  },

  isStill: () => matchMedia("(prefers-reduced-motion: reduce)").matches,

  play(tick) {
    const step = (before) => {
      frame = requestAnimationFrame((now) => {
        // The next one first, so that what this one does can end it.
        step(now);
        tick(now - (before ?? now));
      });
    };
    step();
  },

  pause() {
    cancelAnimationFrame(frame);
  },

  // Scrolls the list, and never the page, with room for a line before and after.
  followFacts() {
    const list = document.querySelector("#facts ol");
    const line = list.querySelector("[aria-current]");
    if (!line) return;
    const [area, place] = [list.getBoundingClientRect(), line.getBoundingClientRect()];
    const above = place.top - place.height - area.top;
    const below = place.bottom + place.height - area.bottom;
    list.scrollTop += above < 0 ? above : Math.max(below, 0);
    // Who steps with the keys from inside the list stays at the line that is current.
    const focused = document.activeElement;
    if (list.contains(focused) && !line.contains(focused)) line.querySelector("button").focus();
  },

  write(text) {
    const field = document.getElementById("scenario-text");
    const before = field.value;
    let start = 0;
    while (start < before.length && before[start] === text[start]) start += 1;
    let end = 0;
    const most = Math.min(before.length, text.length) - start;
    while (end < most && before.at(-1 - end) === text.at(-1 - end)) end += 1;
    if (before !== text) field.setRangeText(text.slice(start, text.length - end), start, before.length - end, "preserve");
    search?.follow(text);
  },

  showKeys() {
    const keys = document.getElementById("keys");
    if (!keys.open) keys.showModal();
  },

  load(question, done) {
    text(question).then(done, (error) => done(undefined, error.message));
  },

  // The words stand in the module for scripts. Where that does not come, the page still says which line it is.
  explain(text, done) {
    import("./api.js").then(({ simulate }) => {
      try {
        simulate(text);
      } catch (error) {
        done(error.message);
      }
    }, () => {});
  },

  kept: (question) => kept(files[question]),
  keep: (question, text) => keep(files[question], text),
  keptOpened: (question) => kept(`${files[question]}:opened`),
  keepOpened: (question, text) => keep(`${files[question]}:opened`, text),
};

// A browser may refuse to keep anything: then nothing is kept.
function kept(name) {
  try {
    return sessionStorage.getItem(`fencepost:${name}`);
  } catch {
    return undefined;
  }
}

function keep(name, text) {
  try {
    if (text === undefined) sessionStorage.removeItem(`fencepost:${name}`);
    else sessionStorage.setItem(`fencepost:${name}`, text);
  } catch {}
}

// A new question is read from the top, and a verdict's moment is looked at in the figure. Both are below the window's edge
// where the reader has pressed something further down.
function follow(event) {
  const link = event.target.closest("#questions a[href^='#']");
  const fact = event.target.closest(".verdict button")?.dataset.fact;
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
    if (link.hash === location.hash) whenShown(toHeadline);
    // Only now: going back in the history is no click, and leaves the focus and the place to the browser.
    else window.addEventListener("hashchange", () => whenShown(toHeadline), { once: true });
  } else if (event.target.id === "as-it-was") {
    // The button goes away with the change that it takes back.
    focus(document.getElementById("about-title"));
  } else if (event.target.id === "search-start") {
    startSearch();
  } else if (fact) {
    const figure = document.getElementById("figure");
    // A figure higher than the window would be seen at its wrong end.
    const whole = figure.offsetHeight <= window.innerHeight;
    const shown = (!whole && figure.querySelector(`svg [data-fact="${fact}"]`)) || figure;
    const behavior = host.isStill() ? "auto" : "smooth";
    shown.scrollIntoView({ block: shown === figure ? "nearest" : "center", behavior });
  }
}

async function startSearch() {
  const result = document.getElementById("search-result");
  try {
    search ??= await import("./search-panel.js");
  } catch (error) {
    result.textContent = `The search is not here: ${error.message}. Try again, or load the page again.`;
    return;
  }
  search.begin(picker.selectedIndex, (text) => {
    openFound(text);
    whenShown(toHeadline);
  });
}

// The line numbers go along with the text.
function scrolled({ target }) {
  if (target.id !== "scenario-text") return;
  document.querySelector(".gutter > div").style.transform = `translateY(${-target.scrollTop}px)`;
}

// After the page has drawn the question that its address names, and that may have to be fetched first.
function whenShown(then) {
  requestAnimationFrame(() => {
    if (explorer.getAttribute("aria-busy") === "true") whenShown(then);
    else then();
  });
}

function toHeadline() {
  focus(document.getElementById("headline"));
  explorer.scrollIntoView();
}

function focus(element) {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

async function program() {
  const file = fetch(new URL("./fencepost_bg.wasm", import.meta.url));
  // Not imported above: then a file that does not arrive would end this script before it could say so.
  const { default: instance } = await import("./fencepost.js");
  // Not streamed: that would take a server that names the type of the file.
  const bytes = await arrived(await file).arrayBuffer();
  return instance(await WebAssembly.compile(bytes));
}

// A panic in the program is a trap, and the program is of no more use: a panel says so, over a page that stays as it was.
window.addEventListener("error", ({ error }) => {
  if (!(error instanceof WebAssembly.RuntimeError)) return;
  const panel = document.getElementById("panic");
  panel.querySelector("code").textContent = error.stack || error.message;
  panel.hidden = false;
});

function tell(state, event) {
  document.documentElement.dataset.fencepost = state;
  window.dispatchEvent(event);
}

try {
  const [text, page] = await Promise.all([askedText(), program()]);
  links.forEach((link, question) => { link.href = addresses[question]; });
  page.mountPage(explorer, editor, host, text);
  picker.addEventListener("change", () => { location.hash = addresses[picker.selectedIndex]; });
  document.addEventListener("click", follow);
  document.addEventListener("scroll", scrolled, true);
  tell("ready", new Event("fencepost-ready"));
} catch (error) {
  console.error(error);
  const note = document.getElementById("failed");
  if (note) note.firstChild.data = `The figure’s controls cannot be started: ${error.message ?? error}. `;
  tell("failed", new CustomEvent("fencepost-error", { detail: error }));
}
