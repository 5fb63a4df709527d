// Starts the page. Until it runs, and where it cannot, the first figure stays as it stands in the HTML.
//
// The event `fencepost-ready` on the window says that it runs, and `<html data-fencepost="ready">` from then on. Where the
// page cannot start, it is `data-fencepost="failed"`, and the event is `fencepost-error`. `api.js` is for scripts that
// compute runs of their own.

// The text of a scenario, by the path of its file.
async function scenario(path) {
  const answer = await fetch(`scenarios/${path}.fence`);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`.trim());
  return answer.text();
}

function load(path, done) {
  scenario(path).then(done, (error) => done(undefined, error.message));
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
  // Not imported above: then a file that does not arrive would end this script before it could say so.
  const { default: instance } = await import("./fencepost.js");
  const page = instance();
  await page({ module_or_path: new URL("./fencepost_bg.wasm", import.meta.url) });
  return page;
}

function tell(state, event) {
  document.documentElement.dataset.fencepost = state;
  window.dispatchEvent(event);
}

try {
  const [text, page] = await Promise.all([asked(), program()]);
  page.mountPage(document.getElementById("explorer"), load, text);
  document.addEventListener("click", follow);
  tell("ready", new Event("fencepost-ready"));
} catch (error) {
  console.error(error);
  const note = document.getElementById("failed");
  if (note) note.firstChild.data = `The figure’s controls cannot be started: ${error.message ?? error}. `;
  tell("failed", new CustomEvent("fencepost-error", { detail: error }));
}
