// Searches for a counterexample, in a worker, so that the page never waits: `search-panel.js` starts it.
//
// It is sent `{ text, row, limit }` once, with `null` for each row in turn, and perhaps `"cancel"` later on. It answers with
// `{ rows }`, then `{ progress }` again and again and `{ found }` for each row, and at last `{ ended }`; or with what kept it
// from that, `{ mistake }` in the text or `{ failure }`. Before and between all these `{ alive }` says that it is there.

// How long it searches in one go, in milliseconds: so soon it hears that it is called off.
const SLICE = 40;
// How long the page hears nothing new.
const NEWS = 150;
const ALIVE = 1000;

let cancelled = false;

self.addEventListener("message", ({ data }) => {
  if (data === "cancel") cancelled = true;
  else work(data);
});

async function work({ text, row, limit }) {
  alive();
  setInterval(alive, ALIVE);
  try {
    // Not imported above: then a file that does not arrive would end this script before it could say so.
    const { Search, simulate, widen } = await import("./api.js");
    const rows = row === null ? simulate(text).runs.map((run) => run.name) : [row];
    postMessage({ rows });
    for (const name of rows) {
      if (!cancelled) await go(new Search(text, name, limit));
    }
    postMessage({ ended: { cancelled, wider: widen(text) } });
  } catch (error) {
    // A mistake in the text is thrown as a plain object.
    postMessage(error instanceof Error ? { failure: error.message } : { mistake: error });
  }
}

function alive() {
  postMessage({ alive: true });
}

async function go(search) {
  const began = performance.now();
  let told = began;
  let states = 1000;
  let progress = search.progress();
  while (progress.searching && !cancelled) {
    const before = performance.now();
    progress = search.advance(states);
    const now = performance.now();
    states = Math.ceil(states * Math.min(Math.max(SLICE / (now - before), 0.5), 2));
    if (now - told >= NEWS || told === began) {
      told = now;
      postMessage({ progress: { ...progress, rate: (progress.states * 1000) / (now - began) } });
    }
    // What has been sent meanwhile is heard now.
    await new Promise((resume) => setTimeout(resume));
  }
  if (progress.searching) search.cancel();
  postMessage({ found: search.report() });
  search.free();
}
