// How soon the chat shows and can be used on a slow line, in a real Chromium: 50 KB/s and 400 ms for each round trip.
import { chromium, type Browser } from "@playwright/test";
import { LoadClient } from "../e2e/support/load-client.ts";
import { makeLongSession } from "./support/long-session.ts";
import { startProductServer, type ProductServer } from "./support/product-server.ts";

const bytesPerSecond = 50_000;
const latencyMs = 400;
const rounds = 3;

interface Times {
  /** Milliseconds from the call of the address to the first picture, and to what the page is opened for. */
  firstPaint: number;
  usable: number;
}

async function load(
  browser: Browser,
  server: ProductServer,
  path: string,
  { token, ready }: { token: string | null; ready: string },
): Promise<Times> {
  const context = await browser.newContext({ locale: "en-US", serviceWorkers: "block" });
  if (token !== null) {
    await context.addInitScript((value: string) => localStorage.setItem("plumb.token", value), token);
  }
  const page = await context.newPage();
  const line = await context.newCDPSession(page);
  await line.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await page.goto(server.origin + path, { waitUntil: "commit" });
  await page.locator(ready).first().waitFor({ timeout: 60_000 });
  const times = await page.evaluate(() => ({
    firstPaint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
    usable: performance.now(),
  }));
  await context.close();
  return times;
}

function report(name: string, times: readonly Times[], goalMs: number): void {
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
  const seconds = (value: number) => (value / 1000).toFixed(2);
  console.log(
    `  ${name.padEnd(8)} first picture ${seconds(middle(times.map(({ firstPaint }) => firstPaint)))} s (goal ≤ 2 s), ` +
      `usable ${seconds(middle(times.map(({ usable }) => usable)))} s (goal ≤ ${goalMs / 1000} s)`,
  );
}

const server = await startProductServer({});
const browser = await chromium.launch({
  executablePath: process.env["PLUMB_CHROMIUM"] ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  const person = await LoadClient.signUp(() => server.origin, server.codeFor);
  console.log(`first visits at ${bytesPerSecond / 1000} KB/s and ${latencyMs} ms, the middle of ${rounds}`);
  const { sessionId } = await makeLongSession(server, 6, person);
  const shared = await person.must("/api/v0/share/create", {
    chat_session_id: sessionId,
    message_ids: [1, 2, 3, 4, 5, 6],
  });
  for (const [name, path, how] of [
    ["sign-in", "/sign_in", { token: null, ready: "form input" }],
    ["chat", "/", { token: person.token, ready: "textarea" }],
    ["share", `/share/${String(shared["share_id"])}`, { token: null, ready: '[data-message-id="2"] p' }],
  ] as const) {
    const times: Times[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await load(browser, server, path, how));
    report(name, times, 6000);
  }
  person.close();
} finally {
  await browser.close();
  await server.close();
}
