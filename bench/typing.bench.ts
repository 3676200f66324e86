// What a key costs while a reply streams in a session of 1,000 turns, in a real Chromium: interaction to next paint of
// every key, as the browser itself reports it, at full speed and with a processor four times as slow. See README.md.
import type { Browser } from "@playwright/test";
import { startScriptedUpstream } from "../e2e/support/scripted-upstream.ts";
import { makeLongSession } from "./support/long-session.ts";
import { describeMachine } from "./support/machine.ts";
import { launchChromium } from "./support/page-bench.ts";
import { percentile } from "./support/percentile.ts";
import { startProductServer, type ProductServer } from "./support/product-server.ts";

const messages = Number(process.env["PLUMB_MESSAGES"] ?? 2000);
const keys = Number(process.env["PLUMB_KEYS"] ?? 120);
const betweenKeysMs = 80;
/** The browser reports no shorter ones; what it does not report counts as this. */
const shortestReportedMs = 16;
const speeds = [
  { slowdown: 1, goalMs: 50 },
  { slowdown: 4, goalMs: 100 },
];

interface Typed {
  /** Milliseconds for each key that was reported, sorted; the others took less than `shortestReportedMs`. */
  durations: number[];
  /** Characters of the reply that came meanwhile. */
  streamed: number;
}

async function measure(browser: Browser, server: ProductServer, slowdown: number): Promise<Typed> {
  const { person, sessionId } = await makeLongSession(server, messages);
  const context = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1440, height: 900 },
    serviceWorkers: "block",
  });
  await context.addInitScript((token: string) => localStorage.setItem("plumb.token", token), person.token);
  const page = await context.newPage();
  await page.goto(`${server.origin}/a/chat/s/${sessionId}`);
  await page.locator(`[data-message-id="${messages}"]`).waitFor({ timeout: 60_000 });
  const field = page.locator("textarea").first();
  await field.fill("Tell me everything.");
  await field.press("Enter");
  const reply = page.locator(`[data-message-id="${messages + 2}"]`);
  await reply.locator("p").first().waitFor({ timeout: 60_000 });
  // The reply is well under way, and the page has come to rest.
  await page.waitForTimeout(2000);
  const inspector = await context.newCDPSession(page);
  await inspector.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.evaluate((durationThreshold) => {
    const seen = new Map<number, number>();
    Object.assign(window, { interactions: seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId?: number })[]) {
        const id = entry.interactionId ?? 0;
        if (id !== 0) seen.set(id, Math.max(seen.get(id) ?? 0, entry.duration));
      }
    }).observe({ type: "event", durationThreshold } as PerformanceObserverInit);
  }, shortestReportedMs);
  const before = (await reply.innerText()).length;
  await field.focus();
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press(key % 6 === 5 ? "Space" : "e");
    await page.waitForTimeout(betweenKeysMs);
  }
  const durations = await page.evaluate(() => [
    ...(window as unknown as { interactions: Map<number, number> }).interactions.values(),
  ]);
  const streamed = (await reply.innerText()).length - before;
  if ((await field.inputValue()).length !== keys) throw new Error("Not every key was written.");
  if (streamed <= 0) throw new Error("The reply did not stream while the keys were pressed.");
  await person.stop(sessionId);
  await context.close();
  person.close();
  return { durations: durations.toSorted((a, b) => a - b), streamed };
}

console.log(describeMachine());
const upstream = await startScriptedUpstream();
// Forty words a second, for as long as it takes.
upstream.script({ match: { kind: "answer" }, tokens: 20_000, paceMs: 25, chunkChars: 0 });
const server = await startProductServer({
  MAX_MESSAGES_PER_SESSION: "10000",
  MODEL_BASE_URL: upstream.url,
  MODEL_NAME: "scripted",
});
const browser = await launchChromium();
try {
  for (const { slowdown, goalMs } of speeds) {
    const { durations, streamed } = await measure(browser, server, slowdown);
    const unreported = Math.max(0, keys - durations.length);
    const all = [...Array.from({ length: unreported }, () => shortestReportedMs), ...durations];
    const inp = percentile(all, 0.98);
    const missed = inp > goalMs ? "  MISSED" : "";
    console.log(
      `  ${slowdown} × slower: INP (p98 of ${keys} keys) ${inp} ms (goal ≤ ${goalMs} ms), p50 ≤ ${percentile(all, 0.5)} ms, ` +
        `worst ${all.at(-1) ?? 0} ms; ${streamed} characters came meanwhile${missed}`,
    );
    if (inp > goalMs) process.exitCode = 1;
  }
} finally {
  await browser.close();
  await server.close();
  await upstream.close();
}
