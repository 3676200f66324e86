import fc from "fast-check";
import { expect, test } from "vitest";
import { splitName } from "./split-name.ts";

test.each([
  ["notes.txt", "notes.txt", ""],
  ["收成数据汇总表.csv", "收成数据", "汇总表.csv"],
  ["quarterly report 2026.pdf", "quarterly report 2", "026.pdf"],
  ["年度财务分析报告最终修订版.docx", "年度财务分析报告最终", "修订版.docx"],
  ["a very long name without an extension", "a very long name without an extens", "ion"],
  ["family 👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦 photo.png", "family 👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦 ph", "oto.png"],
  [".configuration-of-everything", ".configuration-of-everyth", "ing"],
])("%s is cut before its end", (name, start, end) => {
  expect(splitName(name)).toEqual({ start, end });
});

test("no name loses a character, and no end is long", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (name) => {
      const { start, end } = splitName(name);
      expect(start + end).toBe(name);
      expect([...new Intl.Segmenter().segment(end)].length).toBeLessThanOrEqual(10);
    }),
  );
});
