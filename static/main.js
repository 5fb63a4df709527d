// Starts the page. Until it runs, and where it cannot, the first figure stays as it stands in the HTML.
//
// The event `fencepost-ready` on the window says that it runs, and `<html data-fencepost="ready">` from then on. Where the
// page cannot start, it is `data-fencepost="failed"`, and the event is `fencepost-error`. `api.js` is for scripts that
// compute runs of their own.

async function start() {
  // Not imported above: then a file that does not arrive would end this script before it could say so.
  const { default: instance } = await import("./fencepost.js");
  const page = instance();
  await page({ module_or_path: new URL("./fencepost_bg.wasm", import.meta.url) });
  page.mountPage(document.getElementById("app"));
}

function tell(state, event) {
  document.documentElement.dataset.fencepost = state;
  window.dispatchEvent(event);
}

try {
  await start();
  tell("ready", new Event("fencepost-ready"));
} catch (error) {
  console.error(error);
  const note = document.getElementById("failed");
  if (note) note.firstChild.data = `The figure’s controls cannot be started: ${error.message ?? error}. `;
  tell("failed", new CustomEvent("fencepost-error", { detail: error }));
}
