import { describe, expect, test } from "vitest";
import { longestOf, workOf, type TracedTask } from "./longest-task.ts";

/** Tasks one behind the other: their length on the clock and the processor time each is charged with, in milliseconds. */
function tasks(
  ...lengths: [clock: number, charged: number | undefined, chargedAfter?: number][]
): (TracedTask & { dur: number })[] {
  let [ts, tts] = [0, 0];
  return lengths.map(([clock, charged, after = 0]) => {
    const task = {
      ts,
      dur: clock * 1000,
      ...(charged === undefined ? {} : { tts, tdur: charged * 1000 }),
    };
    ts += clock * 1000;
    tts += ((charged ?? 0) + after) * 1000;
    return task;
  });
}

describe("the longest task of a page", () => {
  test("counts with its processor time, which other processes do not make longer", () => {
    expect(longestOf(tasks([10, 9], [200, 30], [10, 9]), [200]).time).toBe(30);
  });

  test("has no more than its length, though a late clock charges it with what one before it took", () => {
    expect(longestOf(tasks([40, 40], [2, 30], [5, 5]), []).time).toBe(40);
  });

  test("has what a late clock charged only after its end", () => {
    expect(longestOf(tasks([80, 10, 70], [5, 5]), [80]).time).toBe(80);
  });

  test("counts with its length where the trace tells no processor time", () => {
    expect(longestOf(tasks([10, 9], [559, undefined], [10, 9]), [559]).time).toBe(559);
  });

  test("lasts until the next one where the trace has lost its end", () => {
    const [first, ...others] = tasks([300, undefined], [10, 9]);
    expect(longestOf([{ ts: first?.ts ?? 0 }, ...others], []).time).toBe(300);
  });

  test("is also one that the browser reports and the trace has lost", () => {
    expect(longestOf(tasks([60, 20], [27, 27]), [559, 60]).time).toBe(559);
    expect(longestOf([], [70]).time).toBe(70);
  });

  test("is told with what it did, each kind of work without what it held", () => {
    const work = [
      { name: "GC", ts: 0, dur: 9000 },
      { name: "Call", ts: 10_000, dur: 40_000 },
      { name: "Layout", ts: 15_000, dur: 10_000 },
      { name: "Layout", ts: 30_000, dur: 5000 },
      { name: "Style", ts: 32_000, dur: 1000 },
      { name: "Paint", ts: 55_000, dur: 3000 },
    ];
    const told = "Call 25 ms, Layout 14 ms, Paint 3 ms, Style 1 ms";
    expect(workOf({ ts: 10_000, dur: 50_000 }, work)).toBe(told);
  });
});
