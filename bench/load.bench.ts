// How soon the sign-in page and the chat show on a phone, whether they then take a hand and stand still: a first visit in a
// real Chromium, slowed as Lighthouse slows it for a phone. See README.md.
import type { Browser, Page } from "@playwright/test";
import { blockingTime, layoutShift, type Shift } from "./support/blocking-time.ts";
import { makeLongSession } from "./support/long-session.ts";
import { describeMachine } from "./support/machine.ts";
import { launchChromium } from "./support/page-bench.ts";
import { startProductServer } from "./support/product-server.ts";
import { tasksOf } from "./support/task-times.ts";

const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 5);
const goals = { largestMs: 1500, blockedMs: 100, shift: 0.02 };
/** Lighthouse's "slow 4G" and its phone: bits a second, milliseconds, how many times slower. */
const line = { downBits: 1_638_400, upBits: 768_000, latencyMs: 150 };
const processorSlowdown = 4;
const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
};
/** Without a long task and an answer for so long, nothing comes any more. */
const quietMs = 5000;
const sessions = 12;
const messages = 40;

interface Noted {
  largest: { at: number; what: string };
  shifts: Shift[];
  longTasks: { until: number; ms: number }[];
}

interface Loaded {
  firstMs: number;
  largestMs: number;
  /** The largest thing that was painted, for whoever looks for the reason. */
  largest: string;
  /** Over 50 ms, after the first picture: processor time, and as the browser tells it by the clock. */
  blockedMs: number;
  blockedClockMs: number;
  shift: number;
}

/** In the page, before all else: notes what the browser tells. */
function noteLoad(): void {
  const noted: Noted = { largest: { at: 0, what: "" }, shifts: [], longTasks: [] };
  Object.assign(window, { noted });
  const watch = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch("largest-contentful-paint", (entry) => {
    const { element } = entry as PerformanceEntry & { element: Element | null };
    const what = `${element?.tagName.toLowerCase() ?? "?"} "${(element?.textContent ?? "").slice(0, 40)}"`;
    noted.largest = { at: entry.startTime, what };
  });
  watch("layout-shift", (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) noted.shifts.push({ at: entry.startTime, value });
  });
  watch("longtask", ({ startTime, duration }) =>
    noted.longTasks.push({ until: startTime + duration, ms: duration }),
  );
}

/** In the page: whether nothing has come for `ms`. */
function isQuiet(ms: number): boolean {
  const { longTasks } = (window as unknown as { noted: Noted }).noted;
  const ends = [
    ...longTasks.map(({ until }) => until),
    ...performance
      .getEntriesByType("resource")
      .map((entry) => (entry as PerformanceResourceTiming).responseEnd),
    ...performance.getEntriesByName("first-contentful-paint").map(({ startTime }) => startTime),
  ];
  return ends.length > 0 && performance.now() - Math.max(...ends) > ms;
}

async function measure(
  browser: Browser,
  address: string,
  token: string | null,
  shown: string,
): Promise<Loaded> {
  const context = await browser.newContext({ locale: "en-US", serviceWorkers: "block", ...phone });
  if (token !== null) {
    await context.addInitScript((value: string) => localStorage.setItem("plumb.token", value), token);
  }
  await context.addInitScript(noteLoad);
  const page: Page = await context.newPage();
  const throttle = await context.newCDPSession(page);
  await throttle.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: line.latencyMs,
    downloadThroughput: line.downBits / 8,
    uploadThroughput: line.upBits / 8,
  });
  await throttle.send("Emulation.setCPUThrottlingRate", { rate: processorSlowdown });
  const { tasks, firstPicture } = await tasksOf(browser, page, async () => {
    await page.goto(address, { waitUntil: "commit" });
    await page.locator(shown).first().waitFor({ timeout: 60_000 });
    await page.waitForFunction(isQuiet, quietMs, { polling: 500, timeout: 60_000 });
  });
  const { noted, firstMs } = await page.evaluate(() => ({
    noted: (window as unknown as { noted: Noted }).noted,
    firstMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  }));
  await context.close();
  return {
    firstMs,
    largestMs: noted.largest.at,
    largest: noted.largest.what,
    blockedMs: blockingTime(tasks, firstPicture),
    blockedClockMs: noted.longTasks
      .filter(({ until }) => until > firstMs)
      .reduce((sum, { until, ms }) => sum + Math.max(0, Math.min(ms, until - firstMs) - 50), 0),
    shift: layoutShift(noted.shifts),
  };
}

function report(name: string, loads: readonly Loaded[]): void {
  const middle = (of: (one: Loaded) => number) =>
    loads.map(of).toSorted((a, b) => a - b)[Math.floor(loads.length / 2)] ?? Number.NaN;
  console.log(`  ${name}, the middle of ${loads.length}:`);
  const judge = (what: string, value: number, goal: number, digits: number, unit: string) => {
    const missed = value <= goal ? "" : "  MISSED";
    const text = value.toFixed(digits).padStart(7);
    console.log(`    ${what.padEnd(26)} ${text}${unit} (goal ≤ ${goal}${unit})${missed}`);
    if (missed !== "") process.exitCode = 1;
  };
  judge(
    "largest picture (LCP)",
    middle(({ largestMs }) => largestMs),
    goals.largestMs,
    0,
    " ms",
  );
  judge(
    "blocked (TBT)",
    middle(({ blockedMs }) => blockedMs),
    goals.blockedMs,
    0,
    " ms",
  );
  judge(
    "shift (CLS)",
    middle(({ shift }) => shift),
    goals.shift,
    4,
    "",
  );
  const [first, clock] = [middle(({ firstMs }) => firstMs), middle(({ blockedClockMs }) => blockedClockMs)];
  console.log(`    first picture ${first.toFixed(0)} ms; blocked by the clock ${clock.toFixed(0)} ms`);
  console.log(`    the largest was ${loads.at(-1)?.largest}`);
}

console.log(describeMachine());
const server = await startProductServer({});
const browser = await launchChromium();
try {
  const { person, sessionId } = await makeLongSession(server, messages);
  for (let count = 1; count < sessions; count += 1) await makeLongSession(server, 2, person);
  console.log(
    `first visits at ${line.downBits / 1024} kbit/s, ${line.latencyMs} ms and a processor ${processorSlowdown} times slower`,
  );
  for (const [name, path, token, shown] of [
    ["sign-in", "/sign_in", null, "form input"],
    ["chat", "/", person.token, "textarea"],
    [
      `a chat of ${messages} messages`,
      `/a/chat/s/${sessionId}`,
      person.token,
      `[data-message-id="${messages}"]`,
    ],
  ] as const) {
    const loads: Loaded[] = [];
    for (let round = 0; round < rounds; round += 1) {
      loads.push(await measure(browser, server.origin + path, token, shown));
    }
    report(name, loads);
  }
  person.close();
} finally {
  await browser.close();
  await server.close();
}
