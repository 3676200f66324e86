// Replies that are hard to draw, in Chromium: texts that cost a careless renderer their square as they grow in pieces of
// 5 characters (the exponent of their growth counts), and large answers that are opened at once (no task may block the
// page). Layout is the browser's own and counts in the tasks.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HardResult } from "./long-reply/hard.tsx";
import { growingTexts, openedTexts } from "./long-reply/hard-texts.ts";
import { describeMachine } from "./support/machine.ts";
import { buildPages, launchChromium, servePages } from "./support/page-bench.ts";

const [small, large] = [50_000, 200_000];
const only = process.env["HARD_REPLIES"]?.split(";");
const isChosen = (name: string) => only?.includes(name) ?? true;

const folder = await mkdtemp(join(tmpdir(), "plumb-hard-replies-"));
const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
const missed: string[] = [];
try {
  await buildPages(join(import.meta.dirname, "long-reply"), folder, ["hard"]);
  const { origin, close } = await servePages(folder);
  closing.unshift(close);
  const browser = await launchChromium();
  closing.unshift(() => browser.close());
  console.log(`${describeMachine()}, Chromium ${browser.version()}\n`);

  /** One case in a fresh page. */
  const run = async (name: string, size: number | null): Promise<HardResult> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const tab = await context.newPage();
    await tab.goto(`${origin}/hard.html`);
    await tab.waitForFunction(() => typeof window.growAnswer === "function");
    const result = await tab.evaluate(
      ([of, length]) => (length === null ? window.openAnswer(of) : window.growAnswer(of, length)),
      [name, size] as const,
    );
    await context.close();
    return result;
  };

  console.log(`growing, ${small / 1000} and ${large / 1000} KB in pieces of 5 characters: exponent ≤ 1.2`);
  for (const name of Object.keys(growingTexts).filter(isChosen)) {
    const [first, second] = [await run(name, small), await run(name, large)];
    const exponent =
      Math.log(second.appendMilliseconds / first.appendMilliseconds) /
      Math.log(second.characters / first.characters);
    report(name, exponent <= 1.2, `exponent ${exponent.toFixed(2)}`, second);
  }
  if (isChosen("code blocks")) {
    const [few, many] = [await run("few code blocks", 150_000), await run("many code blocks", 150_000)];
    const ratio = many.appendMilliseconds / many.characters / (few.appendMilliseconds / few.characters);
    report("1,500 code blocks over 15", ratio <= 1.5, `time a character × ${ratio.toFixed(2)} (≤ 1.5)`, many);
  }
  console.log("\nopened at once: no task over 50 ms");
  for (const name of Object.keys(openedTexts).filter(isChosen)) {
    const result = await run(name, null);
    report(name, result.longestTask <= 50, "", result);
  }
} finally {
  for (const close of closing) await close();
}
if (missed.length > 0) console.log(`\nmissed: ${missed.join(", ")}`);

function report(name: string, met: boolean, figure: string, result: HardResult): void {
  if (!met) missed.push(name);
  const longest = result.longestTask === 0 ? "< 50 ms" : `${result.longestTask.toFixed(0)} ms`;
  console.log(
    `${name.padEnd(28)} ${figure.padEnd(34)} ${(result.appendMilliseconds / 1000).toFixed(2).padStart(6)} s  ` +
      `longest task ${longest.padStart(8)}, over 50 ms ${result.longTasks}${met ? "" : "  MISSED"}`,
  );
}
