import { chromium, type Browser } from "@playwright/test";
import { createServer } from "node:http";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { build, type Plugin } from "vite";
import { unusedMarkdownRules } from "../../web/dev/unused-markdown-rules.ts";
import { unusedReact } from "../../web/dev/unused-react.ts";

/** What the product's build makes of React and of the parser. */
export const productPlugins = (): Plugin[] => [unusedMarkdownRules(), unusedReact()];

/**
 * Builds pages of `root` into `outDir`, as the product's own are. `plugins`: where they draw with the product's renderer,
 * what its build makes of the libraries that it uses.
 */
export async function buildPages(
  root: string,
  outDir: string,
  names: readonly string[],
  plugins: Plugin[] = [],
): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: "error",
    esbuild: false,
    plugins,
    build: {
      outDir,
      emptyOutDir: true,
      chunkSizeWarningLimit: 20_000,
      rolldownOptions: { input: names.map((name) => join(root, `${name}.html`)) },
    },
    worker: { format: "es" },
  });
}

const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};

/** Serves a folder on this machine. */
export async function servePages(
  directory: string,
): Promise<{ origin: string; close: () => Promise<unknown> }> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    readFile(join(directory, path)).then(
      (content) =>
        response.setHeader("content-type", types[extname(path)] ?? "application/octet-stream").end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The page server has no port.");
  const close = () => new Promise((resolve) => server.close(resolve));
  return { origin: `http://127.0.0.1:${address.port}`, close };
}

/** The machine's Chromium, or the one named by CHROMIUM_PATH. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
  return chromium.launch({
    ...(existsSync(executablePath) ? { executablePath } : {}),
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
}
