import type { Browser, Page } from "@playwright/test";
import type { TracedCall } from "./call-times.ts";
import { longestOf, workOf, type TracedTask, type TracedWork } from "./longest-task.ts";

interface TraceEvent extends Partial<TracedTask> {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  args?: { name?: string; data?: { functionName?: string } };
}

/** Its tasks hold the promises that go on after them; those of "toplevel" end before. */
const taskCategory = "disabled-by-default-devtools.timeline";
const callCategory = "devtools.timeline";

/**
 * Runs `work` and tells the processor time of the page's longest task, in milliseconds. Other than the length the browser
 * itself reports, it does not grow when other processes want the machine. Every long task the browser reports must be in
 * the trace, too: one that is not counts with its length on the clock. `longestTaskWork`: what that task did. `calls`: of
 * functions with the name asked for.
 */
export async function longestTaskOf<T>(
  browser: Browser,
  tab: Page,
  work: () => Promise<T>,
  called = "",
): Promise<{ result: T; longestTaskTime: number; longestTaskWork: string; calls: TracedCall[] }> {
  const categories = called === "" ? [taskCategory] : [taskCategory, callCategory];
  const { result, tasks, traceEvents } = await traced(browser, tab, categories, async () => {
    // Also of a page that the work opens.
    await tab.addInitScript(noteLongTasks);
    await tab.evaluate(noteLongTasks);
    const done = await work();
    // What stopping the trace takes is no task of the page either.
    const reported = await tab.evaluate(
      () => (window as unknown as { lengthsOfLongTasks: number[] }).lengthsOfLongTasks,
    );
    return { done, reported };
  });
  const calls = traceEvents.filter(
    (event): event is TraceEvent & TracedCall =>
      event.name === "FunctionCall" && event.ph === "X" && event.args?.data?.functionName === called,
  );
  const longest = longestOf(tasks, result.reported);
  const mainThread = traceEvents.filter(({ pid, tid }) => tasks[0]?.pid === pid && tasks[0].tid === tid);
  const parts = mainThread.filter(
    (event): event is TraceEvent & TracedWork =>
      event.ph === "X" && event.dur !== undefined && event.ts !== undefined && event.name !== "RunTask",
  );
  const longestTaskWork = longest.task === null ? "not in the trace" : workOf(longest.task, parts);
  return { result: result.done, longestTaskTime: longest.time, longestTaskWork, calls };
}

/**
 * Runs `work`, which opens one page, and tells the tasks of its main thread, with the time of its first picture by the same
 * clock in microseconds.
 */
export async function tasksOf<T>(
  browser: Browser,
  tab: Page,
  work: () => Promise<T>,
): Promise<{ result: T; tasks: TracedTask[]; firstPicture: number }> {
  const { result, tasks, traceEvents } = await traced(browser, tab, [taskCategory, callCategory], work);
  const pictures = traceEvents.filter(({ name }) => name === "firstContentfulPaint");
  const first = Math.min(...pictures.map(({ ts }) => ts ?? Infinity));
  if (!Number.isFinite(first)) throw new Error("The trace has no first picture.");
  return { result, tasks, firstPicture: first };
}

async function traced<T>(
  browser: Browser,
  tab: Page,
  categories: string[],
  work: () => Promise<T>,
): Promise<{ result: T; tasks: (TraceEvent & TracedTask)[]; traceEvents: TraceEvent[] }> {
  await browser.startTracing(tab, { categories });
  // What starting the trace takes is no task of the page.
  await tab.waitForTimeout(300);
  const result = await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = traceEvents.filter(
    (event): event is TraceEvent & TracedTask =>
      event.name === "RunTask" &&
      (event.ph === "X" || event.ph === "B") &&
      mainThreads.has(`${event.pid}/${event.tid}`),
  );
  return { result, tasks, traceEvents };
}

function noteLongTasks(): void {
  const lengths: number[] = [];
  const observer = new PerformanceObserver((list) =>
    lengths.push(...list.getEntries().map(({ duration }) => duration)),
  );
  observer.observe({ type: "longtask" });
  Object.assign(window, { lengthsOfLongTasks: lengths });
}
