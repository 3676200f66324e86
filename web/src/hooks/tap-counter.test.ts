import { expect, test } from "vitest";
import { tapCounter } from "./tap-counter.ts";

test("five taps within two seconds count, and the count starts again [SHELL-053]", () => {
  const tap = tapCounter();
  expect([0, 100, 200, 300, 1999].map(tap)).toEqual([false, false, false, false, true]);
  expect([2000, 2100, 2200, 2300].map(tap)).toEqual([false, false, false, false]);
});

test("five slower taps do not [SHELL-053]", () => {
  const tap = tapCounter();
  expect([0, 500, 1000, 1500, 2000, 2500].map(tap)).toEqual([false, false, false, false, false, false]);
});
