import { expect, test } from "vitest";
import { writtenPart } from "./written-part.ts";

test("a title writes itself letter by letter in 400 ms [SESS-005]", () => {
  const title = "二加二🧮two";
  const seen = Array.from({ length: 42 }, (_, step) => writtenPart(title, step * 10));
  expect(seen[0]).toBe("");
  expect(seen[39]).not.toBe(writtenPart(title, 100));
  expect(writtenPart(title, 399)).toBe(title);
  expect(writtenPart(title, 340)).not.toBe(title);
  expect(writtenPart(title, 400)).toBe(title);
  expect(writtenPart(title, 9999)).toBe(title);
  for (const [index, part] of seen.entries()) {
    expect(title.startsWith(part)).toBe(true);
    expect(part.length).toBeGreaterThanOrEqual(seen[index - 1]?.length ?? 0);
    expect(part).not.toMatch(/[\ud800-\udbff]$/);
  }
  expect(new Set(seen).size).toBe([...title].length + 1);
});
