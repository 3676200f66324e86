// What a chat loads first is made smaller by a second minifier: terser finds 2.5 KB (gzip) that the build's own one leaves,
// but is too slow for the whole page (decision 0046).
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { minify } from "terser";
import type { Plugin } from "vite";

/** `index` has what React ships, where terser gains little, and the engine. */
const loadedFirst = new Set(["index", "chat", "conversation", "shared", "page-notices", "form-screens"]);

/** Before all of them. The build copies it as it is, with its comments. */
const firstScript = join("static", "first-paint.js");

/** Minifies the files named above with terser, before the build's own minifier. */
export function smallerFirstLoad(): Plugin {
  return {
    name: "plumb-smaller-first-load",
    apply: "build",
    async renderChunk(code, { name }) {
      if (!loadedFirst.has(name)) return null;
      const smaller = await minify(code, {
        module: true,
        ecma: 2020,
        // Nothing unsafe. With `unsafe_arrows` what markdown-it calls with `new` would become an arrow, and no chat would show.
        compress: { passes: 3, inline: 1, keep_fargs: false },
        format: { comments: false },
      });
      return { code: smaller.code ?? code, map: null };
    },
    writeBundle: {
      // What is written later names it by its content.
      order: "pre",
      sequential: true,
      async handler({ dir = "" }) {
        const path = join(dir, firstScript);
        const { code } = await minify(await readFile(path, "utf8"), { ecma: 2020 });
        if (code === undefined) throw new Error(`${firstScript} is empty`);
        await writeFile(path, code);
      },
    },
  };
}
