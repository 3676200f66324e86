import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { build } from "vite";

const web = join(import.meta.dirname, "..", "..", "web");
const fixed = join(web, "public");
const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
};

/** Builds the page that draws answers by themselves and serves it, with the page and the library that draw diagrams. */
export async function serveAnswersPage(): Promise<{ url: string; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "plumb-answers-"));
  await build({
    root: join(web, "dev"),
    configFile: false,
    logLevel: "error",
    build: {
      outDir: folder,
      rolldownOptions: { input: join(web, "dev", "answers.html") },
      chunkSizeWarningLimit: 20_000,
    },
    worker: { format: "es" },
  });
  const library = createRequire(join(web, "package.json")).resolve("mermaid/dist/mermaid.min.js");
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    const file =
      path === "/static/mermaid.js" ? library : join(path.startsWith("/static/") ? fixed : folder, path);
    readFile(file).then(
      (content) => response.setHeader("content-type", types[extname(path)] ?? "text/plain").end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The page server has no port.");
  const close = async () => {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  };
  return { url: `http://127.0.0.1:${address.port}/answers.html`, close };
}
