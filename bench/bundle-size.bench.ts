// What the sign-in page and the chat page load before anybody touches them, in a real Chromium, compressed by gzip.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { chromium, type Browser } from "@playwright/test";
import { LoadClient } from "../e2e/support/load-client.ts";
import { startProductServer, type ProductServer } from "./support/product-server.ts";

const kilobyte = 1000;
const counted = new Set(["document", "script", "stylesheet", "font", "image", "fetch", "other", "manifest"]);

interface Loaded {
  path: string;
  type: string;
  gzip: number;
}

/** Everything a page gets until the network has been still, but for the API's answers. */
async function loads(
  browser: Browser,
  server: ProductServer,
  path: string,
  token: string | null,
): Promise<Loaded[]> {
  const context = await browser.newContext({ locale: "en-US" });
  if (token !== null) {
    await context.addInitScript((value: string) => localStorage.setItem("plumb.token", value), token);
  }
  const page = await context.newPage();
  const loaded: Promise<Loaded | null>[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith("/api/") || response.status() !== 200) return;
    const type = response.request().resourceType();
    if (!counted.has(type)) return;
    loaded.push(
      response.body().then(
        (body) => ({ path: pathname, type, gzip: gzipSync(body, { level: 9 }).length }),
        () => null,
      ),
    );
  });
  await page.goto(server.origin + path, { waitUntil: "networkidle" });
  const all = (await Promise.all(loaded)).filter((file) => file !== null);
  await context.close();
  return all;
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

function report(name: string, files: readonly Loaded[], goal: number): void {
  const code = files.filter(
    ({ type, path }) => ["document", "script", "stylesheet"].includes(type) || path.endsWith(".js"),
  );
  const total = code.reduce((sum, { gzip }) => sum + gzip, 0);
  const rest = files.filter((file) => !code.includes(file));
  const restTotal = rest.reduce((sum, { gzip }) => sum + gzip, 0);
  console.log(
    `  ${name.padEnd(8)} ${(total / kilobyte).toFixed(1)} KB in ${code.length} files (goal ≤ ${goal} KB)` +
      `; fonts, images and others ${(restTotal / kilobyte).toFixed(1)} KB`,
  );
  for (const { path, gzip } of code.toSorted((a, b) => b.gzip - a.gzip).slice(0, 6)) {
    console.log(`           ${(gzip / kilobyte).toFixed(1).padStart(6)} KB ${path}`);
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
  report("sign-in", await loads(browser, server, "/sign_in", null), 130);
  report("chat", await loads(browser, server, "/", person.token), 200);
  person.close();
} finally {
  await browser.close();
  await server.close();
}
