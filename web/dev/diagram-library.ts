import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

const path = "/static/mermaid.js";

/**
 * Serves the diagram library as one plain script beside `/static/diagram.html`. That page has no origin, so it can
 * load plain scripts from the product's static path but no modules.
 */
export function diagramLibrary(): Plugin {
  const read = () => readFile(createRequire(import.meta.url).resolve("mermaid/dist/mermaid.min.js"));
  return {
    name: "plumb-diagram-library",
    configureServer(server) {
      server.middlewares.use(path, (_request, response) => {
        response.setHeader("content-type", "text/javascript");
        void read().then((script) => response.end(script));
      });
    },
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: path.slice(1), source: await read() });
    },
  };
}
