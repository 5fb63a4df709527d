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
  tell("ready", new Event("fencepost-ready"));
} catch (error) {
  console.error(error);
  const note = document.getElementById("failed");
  if (note) note.firstChild.data = `The figure’s controls cannot be started: ${error.message ?? error}. `;
  tell("failed", new CustomEvent("fencepost-error", { detail: error }));
}
