import { describe, expect, test } from "vitest";
import { blockingTime, layoutShift } from "./blocking-time.ts";

const ms = 1000;

describe("the time in which a hand would wait", () => {
  test("is what tasks have over 50 ms", () => {
    const tasks = [
      { ts: 0, dur: 50 * ms },
      { ts: 100 * ms, dur: 80 * ms },
      { ts: 200 * ms, dur: 250 * ms },
    ];
    expect(blockingTime(tasks, 0)).toBe(30 + 200);
  });

  test("begins with the first picture, also in the middle of a task", () => {
    const tasks = [
      { ts: 0, dur: 300 * ms },
      { ts: 400 * ms, dur: 300 * ms },
    ];
    expect(blockingTime(tasks, 600 * ms)).toBe(50);
    expect(blockingTime(tasks, 900 * ms)).toBe(0);
  });

  test("does not grow when others want the processor", () => {
    expect(blockingTime([{ ts: 0, dur: 900 * ms, tdur: 70 * ms }], 0)).toBe(20);
  });

  test("knows nothing of a task whose end was lost", () => {
    expect(blockingTime([{ ts: 0 }], 0)).toBe(0);
  });
});

describe("how much the page shifts", () => {
  test("is the sum of what follows closely, the largest there is", () => {
    const shifts = [
      { at: 0, value: 0.01 },
      { at: 900, value: 0.02 },
      { at: 2000, value: 0.025 },
    ];
    expect(layoutShift(shifts)).toBeCloseTo(0.03);
    expect(layoutShift([])).toBe(0);
  });

  test("goes on for five seconds at most", () => {
    const shifts = Array.from({ length: 8 }, (_none, index) => ({ at: index * 900, value: 0.01 }));
    expect(layoutShift(shifts)).toBeCloseTo(0.06);
  });
});
