import { expect, test } from "vitest";
import { shownWaitSecs } from "./waiting-time.ts";

const T = 1_790_000_000_000;
const after = (ms: number, askedAt = T, mountedAt = T) =>
  shownWaitSecs({ askedAt, mountedAt, now: mountedAt + ms, longestMs: 600_000 });

test("the waiting place says nothing for three seconds, then the whole seconds", () => {
  expect([0, 2999, 3000, 12_400, 61_000].map((ms) => after(ms))).toEqual([null, null, 3, 12, 61]);
});

test("a page that was reloaded counts from the question", () => {
  expect(after(0, T - 12_000)).toBe(12);
});

test("a clock that differs from the server's never shows nonsense", () => {
  expect(after(5000, T + 60_000)).toBe(5);
  expect(after(5000, T - 3_600_000)).toBe(5);
});
