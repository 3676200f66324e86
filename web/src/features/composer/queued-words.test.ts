import { expect, test } from "vitest";
import { queuedBeginning, queuedEnd } from "./queued-words.ts";

test.each([
  ["One.", "One.", ""],
  ["One,\nof two lines.", "One,\nof two lines.", ""],
  ["The first.\n\nThe second.", "The first.", "The second."],
  ["The first.\n\nThe second.\n\nThe third,\nof two lines.", "The first.", "The third,\nof two lines."],
  ["One, and nothing behind it.\n\n  ", "One, and nothing behind it.\n\n  ", ""],
  ["", "", ""],
])("of %j both ends are shown", (text, beginning, end) => {
  expect([queuedBeginning(text), queuedEnd(text)]).toEqual([beginning, end]);
});

test("of long ones no more than shows", () => {
  const text = `${"a".repeat(10_000)}\n\n${"b".repeat(10_000)}`;
  expect(queuedBeginning(text)).toBe("a".repeat(400));
  expect(queuedEnd(text)).toBe("b".repeat(400));
});
