// Starts the page. Until it runs, and where it cannot, the first figure stays as it stands in the HTML.
//
// The event `fencepost-ready` on the window says that it runs, and `<html data-fencepost="ready">` from then on. Where the
// page cannot start, it is `data-fencepost="failed"`, and the event is `fencepost-error`. `api.js` is for scripts that
// compute runs of their own.

// The text of a scenario, by the path of its file.
async function scenario(path) {
  return arrived(await fetch(`scenarios/${path}.fence`)).text();
}

function arrived(answer) {
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`.trim());
  return answer;
}

function load(path, done) {
  scenario(path).then(done, (error) => done(undefined, error.message));
}

// What is wrong with a text, in words. They stand in the module for scripts, which comes when somebody has made a mistake;
// where it does not come, the page still says which line it is.
function explain(text, done) {
  import("./api.js").then(({ simulate }) => {
    try {
      simulate(text);
    } catch (error) {
      done(error.message);
    }
  }, () => {});
}

// A link into the page names a scenario (`#paused-owner`). Its text comes along with the program; where it does not come,
// the page asks for it again and says so. The first one stands in the page.
async function asked() {
  const name = location.hash.slice(1);
  const links = [...document.querySelectorAll("#questions li a")].slice(1);
  const link = links.find((link) => link.pathname.endsWith(`/${name}.fence`));
  return link && scenario(link.getAttribute("href").slice("scenarios/".length, -".fence".length)).catch(() => undefined);
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
  } else if (fact) {
    const figure = document.getElementById("figure");
    // A figure higher than the window would be seen at its wrong end.
    const whole = figure.offsetHeight <= window.innerHeight;
    const shown = (!whole && figure.querySelector(`svg [data-fact="${fact}"]`)) || figure;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    shown.scrollIntoView({ block: shown === figure ? "nearest" : "center", behavior: still ? "auto" : "smooth" });
  }
}

// After the page has drawn the question that its address names, and that may have to be fetched first.
function whenShown(then) {
  requestAnimationFrame(() => {
    if (document.getElementById("explorer").getAttribute("aria-busy") === "true") whenShown(then);
    else then();
  });
}

function toHeadline() {
  focus(document.getElementById("headline"));
  document.getElementById("explorer").scrollIntoView();
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
  const [text, page] = await Promise.all([asked(), program()]);
  page.mountPage(document.getElementById("explorer"), load, explain, text);
  document.addEventListener("click", follow);
  tell("ready", new Event("fencepost-ready"));
} catch (error) {
  console.error(error);
  const note = document.getElementById("failed");
  if (note) note.firstChild.data = `The figure’s controls cannot be started: ${error.message ?? error}. `;
  tell("failed", new CustomEvent("fencepost-error", { detail: error }));
}
