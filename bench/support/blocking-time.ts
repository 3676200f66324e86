// What web.dev calls Total Blocking Time and Cumulative Layout Shift, of what a browser told.
import type { TracedTask } from "./longest-task.ts";

/** A task may take so long before it keeps a hand waiting (milliseconds). */
const UNNOTICED_MS = 50;
/** Shifts that follow each other so closely are one, for so long at most (milliseconds). */
const SAME_SHIFT = { pauseMs: 1000, lengthMs: 5000 };

/**
 * Milliseconds by which tasks are longer than 50 ms, all together; what a task had done before `fromMicros` does not count.
 * Lengths are processor time where the trace tells it, which other processes do not make longer.
 */
export function blockingTime(tasks: readonly TracedTask[], fromMicros: number): number {
  return tasks.reduce((sum, { ts, dur, tdur }) => {
    if (dur === undefined) return sum;
    const after = Math.min(dur, ts + dur - fromMicros);
    return sum + Math.max(0, Math.min(after, tdur ?? dur) / 1000 - UNNOTICED_MS);
  }, 0);
}

export interface Shift {
  /** When, in milliseconds. */
  at: number;
  /** How much of the screen moved, times how far. */
  value: number;
}

/** The largest sum of shifts that follow each other. */
export function layoutShift(shifts: readonly Shift[]): number {
  let [largest, sum, began, before] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  for (const { at, value } of shifts) {
    const isSame = at - before < SAME_SHIFT.pauseMs && at - began < SAME_SHIFT.lengthMs;
    if (!isSame) [sum, began] = [0, at];
    sum += value;
    before = at;
    largest = Math.max(largest, sum);
  }
  return largest;
}
