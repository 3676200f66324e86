import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { MOST_COLUMNS, readRows, separatorOf } from "./table-rows.ts";

const rows = (text: string, separator = ",") => [...readRows(text, separator)];

/** What a table says at its end. */
function isCut(text: string): boolean {
  const reader = readRows(text, ",");
  for (;;) {
    const next = reader.next();
    if (next.done === true) return next.value;
  }
}

test.each([
  [
    "a,b\r\nc,d\n",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ['"a, b","say ""hi""","two\nlines"\nx', [["a, b", 'say "hi"', "two\nlines"], ["x"]]],
  [
    "a,,\n\n,b",
    [
      ["a", "", ""],
      ["", "b"],
    ],
  ],
  ['"never closed, \n', [["never closed, \n"]]],
  ['5" pipe,b', [['5" pipe', "b"]]],
  ['"a"b,c', [["ab", "c"]]],
  [
    "姓名,年龄\r李雷,30",
    [
      ["姓名", "年龄"],
      ["李雷", "30"],
    ],
  ],
  ["", []],
])("%j is read as rows", (text, expected) => {
  expect(rows(text)).toEqual(expected);
});

it("reads back every table that was written with quotes", () => {
  const cell = fc.string({ maxLength: 20 });
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 10 });
  fc.assert(
    fc.property(table, fc.constantFrom(",", ";", "\t"), fc.constantFrom("\n", "\r\n"), (cells, mark, end) => {
      const written = cells.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(mark));
      expect(rows(written.join(end), mark)).toEqual(cells);
    }),
  );
});

describe("bounds", () => {
  it("a row has so many cells, a cell so many characters", () => {
    expect(rows(",".repeat(10_000))[0]).toHaveLength(MOST_COLUMNS);
    expect(rows("x".repeat(100_000))[0]?.[0]).toBe(`${"x".repeat(1000)}…`);
    expect(rows(`${"x".repeat(999)}😀`)[0]?.[0]).toBe(`${"x".repeat(999)}…`);
  });

  it("what is left out is told: columns beyond the last that is shown, the rest of a cell", () => {
    const full = ["1,".repeat(MOST_COLUMNS - 1) + "1", "x".repeat(1000), ",".repeat(10_000), "a,b\n"];
    expect(full.map(isCut)).toEqual([false, false, false, false]);
    expect(["1,".repeat(MOST_COLUMNS) + "1\na", `${"x".repeat(1001)}\na`].map(isCut)).toEqual([true, true]);
  });
});

test.each([
  ["a.csv", "a,b;c\n;;;;", ","],
  ["a.csv", "a;b;c,d", ";"],
  ["a.csv", "a\tb", "\t"],
  ["a.csv", "one column", ","],
  ["a.tsv", "a,b\tc", "\t"],
  ["a.tab", "a", "\t"],
])("between the cells of %s (%j) stands %j", (name, text, separator) => {
  expect(separatorOf(name, text)).toBe(separator);
});
