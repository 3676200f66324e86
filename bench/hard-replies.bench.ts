// Replies that are hard to draw, in Chromium: texts that cost a careless renderer their square as they grow in pieces of
// 5 characters (the exponent of their growth counts), and large answers that grow or are opened at once (no task may
// block the page). Layout is the browser's own and counts in the tasks. All counts with its processor time, so that
// other processes on the machine do not make it longer; what a task took on the clock is told where it was over 50 ms.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HardResult } from "./long-reply/hard.tsx";
import { growingTexts, openedTexts } from "./long-reply/hard-texts.ts";
import { timeOfCalls } from "./support/call-times.ts";
import { describeMachine } from "./support/machine.ts";
import { longestTaskOf } from "./support/task-times.ts";
import { buildPages, launchChromium, productPlugins, servePages } from "./support/page-bench.ts";

const [small, large] = [50_000, 200_000];
const only = process.env["HARD_REPLIES"]?.split(";");
const isChosen = (name: string) => only?.includes(name) ?? true;

interface Measured extends HardResult {
  /** Processor time of the longest task, in milliseconds. */
  longestTaskTime: number;
  longestTaskWork: string;
  /** That of all appends together. */
  appendTime: number;
}

const folder = await mkdtemp(join(tmpdir(), "plumb-hard-replies-"));
const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
const missed: string[] = [];
try {
  await buildPages(join(import.meta.dirname, "long-reply"), folder, ["hard"], productPlugins());
  const { origin, close } = await servePages(folder);
  closing.unshift(close);
  const browser = await launchChromium();
  closing.unshift(() => browser.close());
  console.log(`${describeMachine()}, Chromium ${browser.version()}\n`);

  /** One case in a fresh page. `size`: for texts of any size, in characters. */
  const run = async (
    how: "grow" | "open",
    name: string,
    size: number,
    pace: "full" | "even" = "full",
  ): Promise<Measured> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const tab = await context.newPage();
    await tab.goto(`${origin}/hard.html`);
    await tab.waitForFunction(() => typeof window.growAnswer === "function");
    const work = () =>
      tab.evaluate(
        ([of, length, grows, at]) =>
          grows ? window.growAnswer(of, length, at) : window.openAnswer(of, length),
        [name, size, how === "grow", pace] as const,
      );
    const { result, calls, ...longest } = await longestTaskOf(browser, tab, work, "appendSome");
    await context.close();
    return { ...result, ...longest, appendTime: timeOfCalls(calls, result.appendTasks) };
  };

  console.log(
    `growing, ${small / 1000} and ${large / 1000} KB in pieces of 5 characters: exponent ≤ 1.2, no task over 50 ms`,
  );
  for (const name of Object.keys(growingTexts).filter(isChosen)) {
    const [first, second] = [await run("grow", name, small), await run("grow", name, large)];
    const exponent =
      Math.log(second.appendTime / first.appendTime) / Math.log(second.characters / first.characters);
    report(name, exponent <= 1.2, `exponent ${exponent.toFixed(2)}`, second);
  }
  if (isChosen("code blocks")) {
    const [few, many] = await inTurns("few code blocks", "many code blocks");
    const ratio = many.appendTime / many.characters / (few.appendTime / few.characters);
    report("1,500 code blocks over 15", ratio <= 1.5, `time a character × ${ratio.toFixed(2)} (≤ 1.5)`, many);
  }
  for (const name of Object.keys(openedTexts).filter(isChosen))
    report(name, true, "", await run("grow", name, large));
  console.log("\nopened at once: no task over 50 ms");
  for (const name of [...Object.keys(growingTexts), ...Object.keys(openedTexts)].filter(isChosen))
    report(name, true, "", await run("open", name, large));

  /** The quickest of three runs of each. */
  async function inTurns(first: string, second: string): Promise<[Measured, Measured]> {
    const runs: [Measured, Measured][] = [];
    for (let round = 0; round < 3; round++)
      runs.push([await run("grow", first, 150_000, "even"), await run("grow", second, 150_000, "even")]);
    return [quickest(runs.map(([each]) => each)), quickest(runs.map(([, each]) => each))];
  }
} finally {
  for (const close of closing) await close();
}
if (missed.length > 0) console.log(`\nmissed: ${missed.join(", ")}`);

function quickest(runs: readonly Measured[]): Measured {
  const first = runs.reduce((least, each) => (each.appendTime < least.appendTime ? each : least));
  const { longestTaskTime, longestTaskWork } = runs.reduce((most, each) =>
    each.longestTaskTime > most.longestTaskTime ? each : most,
  );
  return { ...first, longestTaskTime, longestTaskWork };
}

function report(name: string, reached: boolean, figure: string, result: Measured): void {
  const met = reached && result.longestTaskTime <= 50;
  if (!met) missed.push(name);
  const { appendTime, longestTaskTime, longestTaskWork, longestTask, longTasks } = result;
  const reported =
    longTasks === 0 ? "" : ` (on the clock ${longestTask.toFixed(0)} ms, over 50 ms ${longTasks})`;
  console.log(
    `${name.padEnd(28)} ${figure.padEnd(34)} ${(appendTime / 1000).toFixed(2).padStart(6)} s  ` +
      `longest task ${longestTaskTime.toFixed(0).padStart(3)} ms${reported}${met ? "" : `  MISSED: ${longestTaskWork}`}`,
  );
}
