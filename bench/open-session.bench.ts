// What a session of 2,000 messages costs the page that opens it, in a real Chromium: by its address in a fresh tab, and by
// a click in the sidebar of a page that runs. See README.md.
import type { Browser, Page } from "@playwright/test";
import { makeLongSession, type LongSession } from "./support/long-session.ts";
import { describeMachine } from "./support/machine.ts";
import { launchChromium } from "./support/page-bench.ts";
import { startProductServer, type ProductServer } from "./support/product-server.ts";
import { longestTaskOf } from "./support/task-times.ts";

const messages = Number(process.env["PLUMB_MESSAGES"] ?? 2000);
const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 3);
const goals = { paintMs: 300, taskMs: 50, nodes: 3000, heapMegabytes: 150 };

interface Opened {
  /** Milliseconds from the beginning to the frame after the last reply stood on the screen. */
  paintMs: number;
  /** The browser's first picture with something in it, of whatever the page is made of; null after a click. */
  firstPictureMs: number | null;
  /** Milliseconds to the frame after the first of all messages stood on the screen. */
  firstMessageMs: number;
  /** Processor time of the page's longest task until 3 s after that. */
  taskMs: number;
  /** The longest on the clock, as the browser reports it; 0: none over 50 ms. */
  longMs: number;
  /** Elements of the document, and all nodes the browser holds, texts too. */
  elements: number;
  nodes: number;
  /** In use after a collection. */
  heapMegabytes: number;
}

/** Resolves when the reply is on the screen, with the page's clock of the frame that shows it, and of any message before it. */
function whenShown(page: Page, messageId: number): Promise<{ first: number; shown: number }> {
  return page.evaluate(
    (id) =>
      new Promise<{ first: number; shown: number }>((resolve) => {
        const isShown = (element: Element): boolean => {
          const { height, top, bottom } = element.getBoundingClientRect();
          // A page hides what it still makes.
          const isVisible = element.checkVisibility({ visibilityProperty: true });
          return isVisible && height > 0 && top < innerHeight && bottom > 0;
        };
        const afterFrame = (then: (at: number) => void) =>
          requestAnimationFrame(() => setTimeout(() => then(performance.now())));
        let first: Promise<number> | null = null;
        const look = () => {
          const messages = [...document.querySelectorAll("[data-message-id]")].reverse();
          if (first === null && messages.some(isShown)) first = new Promise(afterFrame);
          const reply = messages.find((message) => message.getAttribute("data-message-id") === String(id));
          const firstAt = first;
          if (reply !== undefined && firstAt !== null && isShown(reply)) {
            afterFrame((shown) => void firstAt.then((at) => resolve({ first: at, shown })));
          } else requestAnimationFrame(look);
        };
        look();
      }),
    messageId,
  );
}

/** In the page: opens the session from the sidebar. The page's clock at that moment. */
function clickRow(href: string): number {
  const row = document.querySelector<HTMLElement>(`a[href="${href}"]`);
  if (row === null) throw new Error("The session is not in the sidebar.");
  const now = performance.now();
  row.click();
  return now;
}

async function measure(
  browser: Browser,
  server: ProductServer,
  { person, sessionId, lastMessageId }: LongSession,
  how: "address" | "click",
): Promise<Opened> {
  const context = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1440, height: 900 },
    serviceWorkers: "block",
  });
  await context.addInitScript((token: string) => localStorage.setItem("plumb.token", token), person.token);
  const page = await context.newPage();
  const path = `/a/chat/s/${sessionId}`;
  if (how === "click") await page.goto(server.origin, { waitUntil: "networkidle" });
  const opened = await longestTaskOf(browser, page, async () => {
    let began = 0;
    if (how === "address") await page.goto(server.origin + path, { waitUntil: "commit" });
    else began = await page.evaluate(clickRow, path);
    const { first, shown } = await whenShown(page, lastMessageId);
    // What the page does of its own accord afterwards counts in its tasks.
    await page.waitForTimeout(3000);
    return { began, first, shown };
  });
  const { began, first, shown } = opened.result;
  const firstPictureMs = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null,
  );
  const longMs = await page.evaluate(
    (from) =>
      new Promise<number>((resolve) => {
        const longest = (entries: PerformanceEntryList) =>
          entries
            .filter(({ startTime }) => startTime >= from)
            .reduce((ms, one) => Math.max(ms, one.duration), 0);
        new PerformanceObserver((list) => resolve(longest(list.getEntries()))).observe({
          type: "longtask",
          buffered: true,
        });
        setTimeout(() => resolve(0), 1000);
      }),
    began,
  );
  const inspector = await context.newCDPSession(page);
  await inspector.send("HeapProfiler.collectGarbage");
  await inspector.send("Performance.enable");
  const { metrics } = await inspector.send("Performance.getMetrics");
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  await context.close();
  return {
    paintMs: shown - began,
    firstPictureMs: how === "address" ? firstPictureMs : null,
    firstMessageMs: first - began,
    taskMs: opened.longestTaskTime,
    longMs,
    elements,
    nodes: metric("Nodes"),
    heapMegabytes: metric("JSHeapUsedSize") / 1e6,
  };
}

function report(how: string, opened: readonly Opened[]): void {
  const middle = (of: (one: Opened) => number) =>
    opened.map(of).toSorted((a, b) => a - b)[Math.floor(opened.length / 2)] ?? Number.NaN;
  const figures = [
    { name: "last reply painted", value: middle(({ paintMs }) => paintMs), unit: " ms", goal: goals.paintMs },
    { name: "longest task", value: middle(({ taskMs }) => taskMs), unit: " ms", goal: goals.taskMs },
    { name: "elements", value: middle(({ elements }) => elements), unit: "", goal: goals.nodes },
    {
      name: "heap",
      value: middle(({ heapMegabytes }) => heapMegabytes),
      unit: " MB",
      goal: goals.heapMegabytes,
    },
  ];
  console.log(`  by ${how}, the middle of ${opened.length}:`);
  for (const { name, value, unit, goal } of figures) {
    const missed = value > goal ? "  MISSED" : "";
    console.log(
      `    ${name.padEnd(20)} ${value.toFixed(0).padStart(6)}${unit} (goal ≤ ${goal}${unit})${missed}`,
    );
    if (value > goal) process.exitCode = 1;
  }
  console.log(`    first message painted ${middle(({ firstMessageMs }) => firstMessageMs).toFixed(0)} ms`);
  if (opened.every(({ firstPictureMs }) => firstPictureMs !== null)) {
    const first = middle(({ firstPictureMs }) => firstPictureMs ?? Number.NaN);
    console.log(`    first contentful paint ${first.toFixed(0)} ms`);
  }
  console.log(`    longest task on the clock ${middle(({ longMs }) => longMs).toFixed(0)} ms`);
  console.log(`    all nodes the browser holds ${middle(({ nodes }) => nodes).toFixed(0)}`);
}

console.log(describeMachine());
const server = await startProductServer({ MAX_MESSAGES_PER_SESSION: "10000" });
const browser = await launchChromium();
try {
  const session = await makeLongSession(server, messages);
  console.log(`a session of ${messages} messages`);
  for (const how of ["address", "click"] as const) {
    const opened: Opened[] = [];
    for (let round = 0; round < rounds; round += 1) opened.push(await measure(browser, server, session, how));
    report(how, opened);
  }
  session.person.close();
} finally {
  await browser.close();
  await server.close();
}
