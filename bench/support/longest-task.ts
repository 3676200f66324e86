/** A task of the page's main thread; times in microseconds. */
export interface TracedTask {
  /** Begin and length on the clock. */
  ts: number;
  /** None where the trace has lost its end. */
  dur?: number;
  /** Begin and length on the processor; a trace may lack them. */
  tts?: number;
  tdur?: number;
}

type Ended = TracedTask & { dur: number };

/** The browser reports tasks from 50 ms on, in whole milliseconds. */
const reportedExactly = 2;

/** The longest of the tasks, in milliseconds. `reported`: lengths of the long ones on the clock, as the browser told. */
export function longestOf(tasks: readonly TracedTask[], reported: readonly number[]): number {
  const inOrder = tasks
    .toSorted((a, b) => a.ts - b.ts)
    .map((task, index, all) => ({ ...task, dur: task.dur ?? (all[index + 1]?.ts ?? task.ts) - task.ts }));
  const times = inOrder.map((task, index) => processorTime(task, inOrder[index + 1]) / 1000);
  const lengths = inOrder.map(({ dur }) => dur / 1000).toSorted((a, b) => b - a);
  const lost = reported
    .toSorted((a, b) => b - a)
    .filter((length, index) => length > (lengths[index] ?? 0) + reportedExactly);
  return [...times, ...lost].reduce((most, time) => Math.max(most, time), 0);
}

/**
 * The processor's clock of a virtual machine may lag: it charges a task with what one before it took, or the next with
 * what this one took. So a task has all that was charged until the next began, and never more than its length.
 */
function processorTime({ dur, tts, tdur }: Ended, next: TracedTask | undefined): number {
  if (tdur === undefined) return dur;
  const untilNext = tts === undefined || next?.tts === undefined ? tdur : next.tts - tts;
  return Math.min(dur, Math.max(tdur, untilNext));
}
