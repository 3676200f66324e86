import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "vite";
import type { PageBuild } from "../src/service-worker/page-build.ts";

const worker = join(import.meta.dirname, "..", "src", "service-worker", "service-worker.ts");
/** What the page needs besides its assets. */
const files = ["/static/first-paint.js", "/static/favicon.svg"];
/** Larger ones, such as the library for PDF, and fonts are kept when they are first used (bytes). */
const LARGEST_KEPT_AT_ONCE = 300_000;

/** Builds `sw.js` when all else is written: it knows by name what the page consists of. */
export function serviceWorker(): Plugin {
  return {
    name: "plumb-service-worker",
    apply: "build",
    async writeBundle({ dir = "" }, bundle) {
      const page = await readFile(join(dir, "index.html"), "utf8");
      const entry = /<script type="module"[^>]* src="([^"]+)"/u.exec(page)?.[1];
      if (entry === undefined) throw new Error("the page names no script of its own");
      const assets = Object.values(bundle)
        .filter((file) => /^static\/assets\/.*\.(js|css)$/u.test(file.fileName))
        .filter((file) => sizeOf(file) <= LARGEST_KEPT_AT_ONCE)
        .map(({ fileName }) => `/${fileName}`)
        .toSorted();
      const hash = createHash("sha256").update(page).update(assets.join());
      for (const path of files) hash.update(await readFile(join(dir, path)));
      const id = hash.digest("hex").slice(0, 16);
      await build({
        configFile: false,
        root: join(import.meta.dirname, ".."),
        logLevel: "warn",
        publicDir: false,
        define: { PAGE_BUILD: JSON.stringify({ id, entry, assets, files } satisfies PageBuild) },
        build: {
          outDir: dir,
          emptyOutDir: false,
          rolldownOptions: { input: worker, output: { entryFileNames: "sw.js", format: "iife" } },
        },
      });
    },
  };
}

function sizeOf(
  file: { type: "chunk"; code: string } | { type: "asset"; source: string | Uint8Array },
): number {
  return file.type === "chunk" ? Buffer.byteLength(file.code) : Buffer.byteLength(file.source);
}
