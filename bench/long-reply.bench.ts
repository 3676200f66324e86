import type { Browser } from "@playwright/test";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import type { DeliveryResult } from "./long-reply/delivery.tsx";
import { buildPages, launchChromium, servePages } from "./support/page-bench.ts";

const pages = ["plumb", "marked", "react-markdown", "streamdown"] as const;
type Page = (typeof pages)[number];

const sizes = numbersOf(process.env["LONG_REPLY_SIZES"]) ?? [60_000, 100_000, 200_000];
const chosen = pages.filter((page) => process.env["LONG_REPLY_PAGES"]?.split(",").includes(page) ?? true);
/** Slow pages are stopped, and what they used until then is a lower bound; the whole run stays near ten minutes. */
const capMilliseconds = (size: number) => (size <= 100_000 ? 150_000 : 40_000);

interface Measurement extends DeliveryResult {
  page: Page;
  size: number;
  scriptSeconds: number;
  /** Style and layout, which are the browser's and are not counted in the goals. */
  layoutSeconds: number;
}

const root = join(import.meta.dirname, "long-reply");
const folder = await mkdtemp(join(tmpdir(), "plumb-long-reply-"));
const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  await buildPages(root, folder, pages);
  const { origin, close } = await servePages(folder);
  closing.unshift(close);
  const browser = await launchChromium();
  closing.unshift(() => browser.close());
  printMachine(browser);
  const results: Measurement[] = [];
  for (const size of sizes) {
    for (const page of chosen) results.push(await measure(browser, origin, page, size));
  }
  printRatios(results);
} finally {
  for (const close of closing) await close();
}

function numbersOf(text: string | undefined): number[] | undefined {
  return text?.split(",").map(Number);
}

/** One delivery in a fresh page; script time is the processor time that Chromium's own counter grew by. */
async function measure(browser: Browser, origin: string, page: Page, size: number): Promise<Measurement> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const tab = await context.newPage();
  const errors: string[] = [];
  tab.on("pageerror", (error) => errors.push(error.message));
  await tab.goto(`${origin}/${page}.html`);
  await tab.waitForFunction(() => typeof window.deliver === "function");
  const session = await context.newCDPSession(tab);
  // Processor time: what others want of the machine does not count.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const counters = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const read = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { script: read("ScriptDuration"), layout: read("LayoutDuration") + read("RecalcStyleDuration") };
  };
  const before = await counters();
  const result = await tab.evaluate(([length, cap]) => window.deliver(length, cap), [
    size,
    capMilliseconds(size),
  ] as const);
  const after = await counters();
  await context.close();
  if (errors.length > 0) throw new Error(`${page}: ${errors[0]}`);
  const measured: Measurement = {
    ...result,
    page,
    size,
    scriptSeconds: after.script - before.script,
    layoutSeconds: after.layout - before.layout,
  };
  console.log(lineOf(measured));
  return measured;
}

function lineOf(result: Measurement): string {
  const capped = result.capped ? `  CAPPED at ${result.characters} characters` : "";
  return [
    `${String(result.size / 1000).padStart(4)} KB`,
    result.page.padEnd(15),
    `script ${result.scriptSeconds.toFixed(2).padStart(7)} s`,
    `layout ${result.layoutSeconds.toFixed(2).padStart(6)} s`,
    `longest append ${result.longestAppend.toFixed(1).padStart(6)} ms`,
    `longest task ${result.longestTask === 0 ? "< 50" : result.longestTask.toFixed(0)} ms`.padEnd(22),
    `tasks over 50 ms ${result.longTasks}${capped}`,
  ].join("  ");
}

function printMachine(browser: Browser): void {
  const processor = cpus()[0]?.model ?? "unknown processor";
  console.log(
    `long-reply: appends of 5 characters, each its own task and its own render, 20 a frame; no highlighting; fresh page each`,
  );
  console.log(
    `machine: ${cpus().length} × ${processor}, ${Math.round(totalmem() / 2 ** 30)} GB, Chromium ${browser.version()}, Node ${process.version}\n`,
  );
}

function printRatios(results: readonly Measurement[]): void {
  console.log("");
  const script = (page: Page, size: number) =>
    results.find((result) => result.page === page && result.size === size)?.scriptSeconds;
  const isCapped = (page: Page, size: number) =>
    results.some((result) => result.page === page && result.size === size && result.capped);
  for (const size of sizes) {
    const ours = script("plumb", size);
    if (ours === undefined) continue;
    const ratios = chosen
      .filter((page) => page !== "plumb")
      .map(
        (page) =>
          `${page} ${isCapped(page, size) ? "over " : ""}${((script(page, size) ?? 0) / ours).toFixed(1)} ×`,
      );
    console.log(`${size / 1000} KB, script time over ours: ${ratios.join(", ")}`);
  }
  const [first, last] = [sizes[0] ?? 0, sizes.at(-1) ?? 0];
  for (const page of chosen) {
    const [small, large] = [script(page, first), script(page, last)];
    if (small === undefined || large === undefined || first === last || isCapped(page, last)) continue;
    console.log(
      `growth exponent ${first / 1000} to ${last / 1000} KB, ${page}: ${(Math.log(large / small) / Math.log(last / first)).toFixed(2)}`,
    );
  }
  console.log(
    "goals: 100 KB streamdown ≥ 10 ×, best of the others ≥ 3 ×, our growth exponent ≤ 1.1, no task of ours over 50 ms",
  );
}
