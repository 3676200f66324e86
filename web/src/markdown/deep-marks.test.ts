import { describe, expect, test } from "vitest";
import { deepestMarks } from "./deep-marks.ts";
import { parseInline } from "./markdown-parser.ts";

/** How deep marks stand in each other, and the words that are shown. */
function read(text: string, growing = false) {
  let depth = 0;
  let deepest = 0;
  let words = "";
  for (const token of parseInline(text, { growing })) {
    deepest = Math.max(deepest, (depth += token.nesting));
    words += token.content;
  }
  return { deepest, words, left: depth };
}

describe("marks in marks", () => {
  test.each([
    ["*a _b ", "_ *"],
    ["**a ", " b**"],
    ["~a *b ", "* ~"],
    ["<sub>*a ", "*</sub>"],
    ["[*a ", "*](https://a.example)"],
  ])("%s are shown as they were typed where they stand too deep", (open, close) => {
    for (const count of [10, 60, 2000]) {
      const { deepest, left } = read(`${open.repeat(count)}x${close.repeat(count)}`);
      expect(deepest).toBeLessThanOrEqual(deepestMarks + 1);
      expect(left).toBe(0);
      const cut = read(open.repeat(count), true);
      expect(cut.deepest).toBeLessThanOrEqual(deepestMarks + 1);
      expect(cut.left).toBe(0);
    }
    const deep = read(`${"**a ".repeat(60)}x${" b**".repeat(60)}`);
    expect(deep.words).toContain("**a x b**");
  });

  test("are marks as deep as people write them", () => {
    const { deepest, words } = read(`${"**a ".repeat(20)}x${" b**".repeat(20)}`);
    expect(deepest).toBe(20);
    expect(words).not.toMatch(/[*_]/);
  });
});
