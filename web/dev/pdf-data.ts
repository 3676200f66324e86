import { createRequire } from "node:module";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const path = "/static/pdf/";
/** Of the package: how Asian texts are coded, the fonts that every reader has, decoders of pictures, colours of print. */
const folders = ["cmaps", "standard_fonts", "wasm", "iccs"];
/** Decoders for browsers without WebAssembly, and what runs the scripts of documents. */
const unused = /nowasm|quickjs/;

/** Serves what the library that draws PDFs fetches when a document needs it. */
export function pdfData(): Plugin {
  const root = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  return {
    name: "plumb-pdf-data",
    configureServer(server) {
      server.middlewares.use(path, (request, response, next) => {
        const [folder = "", name = ""] = (request.url ?? "").replace(/^\//u, "").split("/");
        if (!folders.includes(folder) || !/^[\w.-]+$/u.test(name)) return next();
        readFile(join(root, folder, name)).then((data) => response.end(data), next);
      });
    },
    async generateBundle() {
      for (const folder of folders) {
        for (const name of await readdir(join(root, folder))) {
          if (unused.test(name)) continue;
          const source = await readFile(join(root, folder, name));
          this.emitFile({ type: "asset", fileName: `${path.slice(1)}${folder}/${name}`, source });
        }
      }
    },
  };
}
