import { beforeEach, expect, test } from "vitest";
import { keepLog, logQueue } from "./log-queue.ts";

beforeEach(() => logQueue.setState({ lines: [] }));
const texts = () => logQueue.getState().lines.map(({ text }) => text);

test("the log queue is trimmed at 1000 entries, the oldest first [PLAT-013]", () => {
  for (let index = 0; index < 1000; index += 1) keepLog(index, `line ${index}`);
  expect(texts()).toHaveLength(1000);
  keepLog(1000, "one more");
  expect(texts()).toHaveLength(1000);
  expect([texts()[0], texts().at(-1)]).toEqual(["line 1", "one more"]);
});

test("a detail is kept as text, cut where it is long, whatever it is", () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  for (const detail of [new TypeError("no"), { a: 1 }, circle, () => 1, "x".repeat(9000), null])
    keepLog(1, "said", detail);
  expect(texts().map((text) => text.slice(0, 24))).toEqual([
    "said TypeError: no",
    'said {"a":1}',
    "said [object Object]",
    "said () => 1",
    `said "${"x".repeat(18)}`,
    "said null",
  ]);
  expect(Math.max(...texts().map((text) => text.length))).toBeLessThan(520);
});
