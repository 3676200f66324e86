import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

const path = "/static/fingerprint.js";

/** Serves the library by which /static/device-id.js tells devices apart, as it comes: loaded only where it is wanted. */
export function deviceScript(): Plugin {
  const file = new URL("fp.esm.js", import.meta.resolve("@fingerprintjs/fingerprintjs"));
  return {
    name: "plumb-device-script",
    configureServer(server) {
      server.middlewares.use(path, (_request, response, next) => {
        response.setHeader("content-type", "text/javascript");
        readFile(file).then((data) => response.end(data), next);
      });
    },
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: path.slice(1), source: await readFile(file) });
    },
  };
}
