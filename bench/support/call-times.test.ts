import { expect, test } from "vitest";
import { timeOfCalls } from "./call-times.ts";

test("calls together have their processor time, which other processes do not make longer", () => {
  const calls = [
    { dur: 90_000, tdur: 2000 },
    { dur: 3000, tdur: 3000 },
  ];
  expect(timeOfCalls(calls, 2)).toBe(5);
});

test("a call of which the trace tells no processor time has its length", () => {
  expect(timeOfCalls([{ dur: 4000 }, { dur: 9000, tdur: 1000 }], 2)).toBe(5);
});

test("those the trace has lost count as the others; where it has lost too many it says nothing", () => {
  const calls = Array.from({ length: 19 }, () => ({ dur: 5000, tdur: 1000 }));
  expect(timeOfCalls(calls, 20)).toBe(20);
  expect(() => timeOfCalls(calls, 30)).toThrow("only 19");
});
