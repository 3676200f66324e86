import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { textParts } from "./long-text.tsx";
import { StreamingMarkdown } from "./streaming-markdown.tsx";

const letters = fc.constantFrom("word ", "服务器，", "e\u0301", "葛\u{e0100}", "👩\u200d👩", "𠮷", "QWxsZXM");
const longTexts = fc
  .array(fc.tuple(letters, fc.integer({ min: 1, max: 4000 })), { minLength: 1, maxLength: 12 })
  .map((runs) => runs.map(([letter, count]) => letter.repeat(count)).join(""));

test("a long text has parts of one node each, and growing changes only the last of them", () => {
  fc.assert(
    fc.property(longTexts, fc.double({ min: 0, max: 1, noNaN: true }), (text, share) => {
      const parts = textParts(text);
      expect(parts.join("")).toBe(text);
      for (const part of parts) expect(part.length).toBeLessThanOrEqual(10_002);
      const before = textParts(text.slice(0, Math.floor(text.length * share)));
      expect(parts.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    }),
    { numRuns: 50 },
  );
});

test("no letter is cut, nor its accent or its variant taken off", () => {
  const letters = ["𠮷", "e\u0301", "葛\u{e0100}", "服\ufe00", "👩\u200d👩", "word "];
  for (const letter of letters) {
    for (const lead of ["", "a", "ab"]) {
      const [, ...further] = textParts(lead + letter.repeat(20_000));
      expect(further.length).toBeGreaterThan(1);
      for (const part of further) expect(letter.startsWith(part.slice(0, letter.length))).toBe(true);
    }
  }
});

test("what is drawn of a very long line is all of it", () => {
  const line = "服务器把每一个回答都记在日志里，".repeat(5000);
  expect(renderToStaticMarkup(<StreamingMarkdown streaming={false} text={line} />)).toContain(line);
});
