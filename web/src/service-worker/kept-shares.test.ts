import { beforeEach, expect, test, vi } from "vitest";
import { createKeptShares } from "./kept-shares.ts";

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

test("a page gets the text of its own id alone, and once", async () => {
  const shares = createKeptShares();
  const [own, other] = [shares.keep("own"), shares.keep("of another site")];
  expect(own.id).not.toBe(other.id);
  expect(["", "lost", own.id, own.id, other.id].map(shares.take)).toEqual([
    "",
    "",
    "own",
    "",
    "of another site",
  ]);
  await Promise.all([own.gone, other.gone]);
});

test("what no page takes is gone after two minutes", async () => {
  const shares = createKeptShares();
  const first = shares.keep("first");
  vi.advanceTimersByTime(119_999);
  const second = shares.keep("second");
  vi.advanceTimersByTime(1);
  await first.gone;
  expect([first, second].map(({ id }) => shares.take(id))).toEqual(["", "second"]);
});

test("five wait at once: the oldest goes", async () => {
  const shares = createKeptShares();
  const all = ["1", "2", "3", "4", "5", "6"].map((text) => shares.keep(text));
  await all[0]?.gone;
  expect(all.map(({ id }) => shares.take(id))).toEqual(["", "2", "3", "4", "5", "6"]);
});
