import fc from "fast-check";
import { expect, test } from "vitest";
import { isUnseen, oneLine } from "./one-line.ts";

test.each([
  ["  My  chat \n again ", "My chat again"],
  ["\u200b\u200b", ""],
  ["\u200d\ufe0f\u2060\u00ad\u034f\u061c", ""],
  ["\u3164 \u2800\u115f\uffa0", ""],
  ["\u202e\u2066\ufeff", ""],
  ["\u{e0041}\u{e0100}", ""],
  ["\u200bTutor\u200b", "Tutor"],
  ["\ud800x\udc00", "x"],
  // What joins and chooses within a name, or at its end, is a part of it.
  ["❤\ufe0f", "❤\ufe0f"],
  ["👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"],
  ["می\u200cخواهم", "می\u200cخواهم"],
])("%j is the line %j", (text, line) => {
  expect(oneLine(text)).toBe(line);
  expect(isUnseen(text)).toBe(line === "");
});

test("a line is its own line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(oneLine(oneLine(text))).toBe(oneLine(text));
    }),
  );
});

test("what can't be seen is what no line is left of", () => {
  const unseen = fc.constantFrom(
    " ",
    "\n",
    "\0",
    "\u200b",
    "\u2060",
    "\u2800",
    "\ufe0f",
    "\ud800",
    "x",
    "❤\ufe0f",
  );
  fc.assert(fc.property(fc.string({ unit: unseen }), (text) => isUnseen(text) === (oneLine(text) === "")));
});

test("a text of any length is gone through once", () => {
  const run = "\u200b".repeat(100_000);
  expect(oneLine(`x${run}y`)).toHaveLength(100_002);
  expect(isUnseen(run)).toBe(true);
});
