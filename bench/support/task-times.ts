import type { Browser, Page } from "@playwright/test";

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** On the clock and on the processor, in microseconds. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Its tasks hold the promises that go on after them; those of "toplevel" end before. */
const taskCategory = "disabled-by-default-devtools.timeline";

/**
 * Runs `work` and tells the processor time of the page's longest task, in milliseconds. Other than the length the browser
 * itself reports, it does not grow when other processes want the machine.
 */
export async function longestTaskOf<T>(
  browser: Browser,
  tab: Page,
  work: () => Promise<T>,
): Promise<{ result: T; longestTaskTime: number }> {
  await browser.startTracing(tab, { categories: [taskCategory] });
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
  const times = traceEvents
    .filter(({ name, ph, pid, tid }) => name === "RunTask" && ph === "X" && mainThreads.has(`${pid}/${tid}`))
    // The processor's clock of a virtual machine may lag, and charge a task with what an earlier one took.
    .map(({ dur = 0, tdur = 0 }) => Math.min(dur, tdur) / 1000);
  return { result, longestTaskTime: times.reduce((most, time) => Math.max(most, time), 0) };
}
