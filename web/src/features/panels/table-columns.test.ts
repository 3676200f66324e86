import { expect, test } from "vitest";
import { columnWidths } from "./table-columns.ts";

test("a column is as wide as its cells, within bounds; full-width characters take two places", () => {
  expect(columnWidths([["a", "姓名年龄", "x".repeat(100)], ["abcdef"]])).toEqual([6, 8, 28]);
  expect(columnWidths([])).toEqual([]);
});

test("a column that begins far below the first rows is shown, too", () => {
  const rows = Array.from({ length: 500 }, (_, at) => (at === 499 ? ["a", "b", "c"] : ["a"]));
  expect(columnWidths(rows)).toHaveLength(3);
});
