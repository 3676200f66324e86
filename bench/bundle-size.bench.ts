// What the sign-in page and the chat page load before anybody touches them, in a real Chromium, compressed by gzip.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { chromium, type Browser } from "@playwright/test";
import { LoadClient } from "../e2e/support/load-client.ts";
import { loadedFiles, weightLimits, weightOf, type LoadedFile } from "../e2e/support/page-weight.ts";
import { startProductServer, type ProductServer } from "./support/product-server.ts";

const kilobyte = 1000;

/** What a page of this address loads in a browser that knows nothing but `token`. */
async function loads(
  browser: Browser,
  server: ProductServer,
  path: string,
  token: string | null,
): Promise<LoadedFile[]> {
  const context = await browser.newContext({ locale: "en-US" });
  if (token !== null) {
    await context.addInitScript((value: string) => localStorage.setItem("plumb.token", value), token);
  }
  const files = await loadedFiles(await context.newPage(), server.origin + path);
  await context.close();
  return files;
}

/** What the entry page itself names: scripts, styles and preloads. */
function namedByEntry(): number {
  const folder = new URL("../web/dist/", import.meta.url);
  const html = readFileSync(new URL("index.html", folder), "utf8");
  const named = [...html.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="(\/[^"]+\.(?:js|css))"/g)];
  const sizes = named.map(
    ([, path = ""]) => gzipSync(readFileSync(new URL(`.${path}`, folder)), { level: 9 }).length,
  );
  return gzipSync(html, { level: 9 }).length + sizes.reduce((sum, size) => sum + size, 0);
}

function report(name: string, files: readonly LoadedFile[], goal: number): void {
  const code = files.filter(({ isCode }) => isCode);
  const rest = weightOf(files.filter(({ isCode }) => !isCode));
  console.log(
    `  ${name.padEnd(8)} ${weightOf(code).toFixed(1)} KB in ${code.length} files (goal ≤ ${goal} KB)` +
      `; fonts, images and others ${rest.toFixed(1)} KB`,
  );
  for (const file of code.toSorted((a, b) => b.gzip - a.gzip).slice(0, 6)) {
    console.log(`           ${weightOf([file]).toFixed(1).padStart(6)} KB ${file.path}`);
  }
}

const server = await startProductServer({});
const browser = await chromium.launch({
  executablePath: process.env["PLUMB_CHROMIUM"] ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  const person = await LoadClient.signUp(() => server.origin, server.codeFor);
  console.log("gzip of HTML, scripts and styles loaded first");
  console.log(`  named by the entry page: ${(namedByEntry() / kilobyte).toFixed(1)} KB`);
  report("sign-in", await loads(browser, server, "/sign_in", null), weightLimits.signIn);
  report("chat", await loads(browser, server, "/", person.token), weightLimits.chat);
  person.close();
} finally {
  await browser.close();
  await server.close();
}
