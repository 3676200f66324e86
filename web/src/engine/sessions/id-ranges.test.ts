import * as fc from "fast-check";
import { expect, it } from "vitest";
import { idsOf, rangesOf } from "./id-ranges.ts";

it.each([
  [[], ""],
  [[7], "7"],
  [[1, 2, 3, 5, 8, 9], "1-3,5,8-9"],
])("%j is %j", (ids, text) => {
  expect(rangesOf(ids)).toBe(text);
  expect(idsOf(text, 10)).toEqual(ids);
});

it("gives back any rising ids", () => {
  const rising = fc.uniqueArray(fc.integer({ min: 1, max: 60 })).map((ids) => ids.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(rising, (ids) => {
      expect(idsOf(rangesOf(ids), 100)).toEqual(ids);
    }),
  );
});

it.each(["x", "1,", "0", "-3", "5-2", "3-4,4", "9,3", "1-11", "1-999999999999", "1.5", "1-2-3"])(
  "of %j nothing is read",
  (text) => expect(idsOf(text, 10)).toEqual([]),
);
