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

export type Ended = TracedTask & { dur: number };

/** The browser reports tasks from 50 ms on, in whole milliseconds. */
const reportedExactly = 2;

export interface LongestTask {
  /** In milliseconds. */
  time: number;
  /** Null where the trace has lost it, or there is none. */
  task: Ended | null;
}

/** The longest of the tasks. `reported`: lengths in milliseconds of the long ones on the clock, as the browser told. */
export function longestOf(tasks: readonly TracedTask[], reported: readonly number[]): LongestTask {
  const inOrder = tasks
    .toSorted((a, b) => a.ts - b.ts)
    .map((task, index, all) => ({ ...task, dur: task.dur ?? (all[index + 1]?.ts ?? task.ts) - task.ts }));
  const all = inOrder.map((task, index) => ({ time: processorTime(task, inOrder[index + 1]) / 1000, task }));
  const lengths = inOrder.map(({ dur }) => dur / 1000).toSorted((a, b) => b - a);
  const lost = reported
    .toSorted((a, b) => b - a)
    .filter((length, index) => length > (lengths[index] ?? 0) + reportedExactly);
  return [...all, ...lost.map((time) => ({ time, task: null }))].reduce<LongestTask>(
    (longest, each) => (each.time > longest.time ? each : longest),
    { time: 0, task: null },
  );
}

/** Something the browser did, as a trace tells it; times in microseconds. */
export interface TracedWork {
  name: string;
  ts: number;
  dur: number;
}

/** What a task did for longest, and for how long: "Layout 12 ms, MajorGC 9 ms". What holds other work counts without it. */
export function workOf({ ts, dur }: Ended, work: readonly TracedWork[], most = 4): string {
  const inside = work
    .filter((each) => each.ts >= ts && each.ts + each.dur <= ts + dur)
    .toSorted((a, b) => a.ts - b.ts || b.dur - a.dur);
  const own = new Map<string, number>();
  const open: TracedWork[] = [];
  const add = (name: string, time: number) => own.set(name, (own.get(name) ?? 0) + time);
  for (const each of inside) {
    while (open.length > 0 && (open.at(-1)?.ts ?? 0) + (open.at(-1)?.dur ?? 0) <= each.ts) open.pop();
    const holder = open.at(-1);
    if (holder !== undefined) add(holder.name, -each.dur);
    add(each.name, each.dur);
    open.push(each);
  }
  return [...own]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, time]) => `${name} ${(time / 1000).toFixed(0)} ms`)
    .join(", ");
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
