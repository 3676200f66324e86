import type { Browser, Page } from "@playwright/test";
import type { TracedCall } from "./call-times.ts";
import { longestOf, type TracedTask } from "./longest-task.ts";

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
 * the trace, too: one that is not counts with its length on the clock. `calls`: of functions with the name asked for.
 */
export async function longestTaskOf<T>(
  browser: Browser,
  tab: Page,
  work: () => Promise<T>,
  called = "",
): Promise<{ result: T; longestTaskTime: number; calls: TracedCall[] }> {
  await browser.startTracing(tab, {
    categories: called === "" ? [taskCategory] : [taskCategory, callCategory],
  });
  // What starting the trace takes is no task of the page.
  await tab.waitForTimeout(300);
  // Also of a page that the work opens.
  await tab.addInitScript(noteLongTasks);
  await tab.evaluate(noteLongTasks);
  const result = await work();
  const reported = await tab.evaluate(
    () => (window as unknown as { lengthsOfLongTasks: number[] }).lengthsOfLongTasks,
  );
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
  const calls = traceEvents.filter(
    (event): event is TraceEvent & TracedCall =>
      event.name === "FunctionCall" && event.ph === "X" && event.args?.data?.functionName === called,
  );
  return { result, longestTaskTime: longestOf(tasks, reported), calls };
}

function noteLongTasks(): void {
  const lengths: number[] = [];
  const observer = new PerformanceObserver((list) =>
    lengths.push(...list.getEntries().map(({ duration }) => duration)),
  );
  observer.observe({ type: "longtask" });
  Object.assign(window, { lengthsOfLongTasks: lengths });
}
