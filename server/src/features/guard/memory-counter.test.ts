import { expect, test } from "vitest";
import { MemoryCounter } from "./memory-counter.ts";

const once = { limit: 1, windowMs: 60_000 };

test("any number of addresses takes a bounded number of windows: the oldest are forgotten", () => {
  const counter = new MemoryCounter();
  for (let address = 0; address < 50_000; address++) counter.countHit(`ip:${address}`, once, 0);
  expect(counter.waitOf("ip:0", once, 1)).toBe(59_999);
  for (let address = 50_000; address < 60_000; address++) counter.countHit(`ip:${address}`, once, 0);
  expect(counter.waitOf("ip:9999", once, 1)).toBe(null);
  expect(counter.waitOf("ip:10000", once, 1)).toBe(59_999);
  expect(counter.waitOf("ip:59999", once, 1)).toBe(59_999);
});

test("a window that has ended is forgotten by the sweep, another is kept", () => {
  const counter = new MemoryCounter();
  counter.countHit("old", once, 0);
  counter.countHit("new", once, 30_000);
  counter.sweep(60_000);
  expect(counter.waitOf("old", once, 59_999)).toBe(null);
  expect(counter.waitOf("new", once, 60_000)).toBe(30_000);
});

test("a limit of 0 refuses everything", () => {
  const counter = new MemoryCounter();
  expect(counter.countHit("key", { limit: 0, windowMs: 1000 }, 0)).toBe(1000);
  expect(counter.waitOf("key", { limit: 0, windowMs: 1000 }, 0)).toBe(1000);
});
