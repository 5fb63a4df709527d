// What the figures are computed with, for scripts of your own: `import { simulate, explore, corpus } from "./api.js"`,
// typed in `api.d.ts`. All are ready once it has been imported. The page itself does without, but for its search.

import start, { simulate, explore, Search, widen, corpus } from "./fencepost_api.js";

await start({ module_or_path: new URL("fencepost_api_bg.wasm", import.meta.url) });

export { simulate, explore, Search, widen, corpus };
