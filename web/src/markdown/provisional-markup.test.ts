import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completeInline, hideUndecidedLine } from "./provisional-markup.ts";

describe("completeInline", () => {
  test.each([
    ["a **b", "a **b**"],
    ["a **b*", "a **b**"],
    ["a **b ", "a **b**"],
    ["a **", "a "],
    ["a *b **c", "a *b **c***"],
    ["a ~~b", "a ~~b~~"],
    ["a `b", "a `b`"],
    ["a ``b`", "a ``b``"],
    ["a `", "a "],
    ["a `*b` *c", "a `*b` *c*"],
    ["a [b", "a b"],
    ["a [b]", "a b"],
    ["a [b](htt", "a b"],
    ['a [b](x.example "t', "a b"],
    ["a ![b](x", "a b"],
    ["a [b](x) c", "a [b](x) c"],
    ["a [citation:1", "a [citation:1"],
    ["a $x^2", "a $x^2$"],
    ["a $$x", "a $$x$$"],
    ["a $5 b", "a $5 b"],
    ["a \\", "a "],
    ["a \\*b", "a \\*b"],
    ["snake_case_name", "snake_case_name"],
    ["2 * 3", "2 * 3"],
    ["**b** c", "**b** c"],
  ])("%j is shown as %j", (typed, shown) => {
    expect(completeInline(typed)).toBe(shown);
  });

  test("ends for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."*_~`$[]()!\\ ab1\n中") }), (text) => {
        expect(completeInline(text).length).toBeLessThanOrEqual(text.length * 2 + 8);
      }),
    );
  });
});

describe("hideUndecidedLine", () => {
  test.each([
    ["a\n-", "a\n"],
    ["a\n##", "a\n"],
    ["a\n12", "a\n"],
    ["a\n``", "a\n"],
    ["a\n> -", "a\n"],
    ["a\nb", "a\nb"],
    ["a\n- b", "a\n- b"],
    ["a\n\n| h", "a\n\n"],
    ["| h | i |\n", ""],
    ["| h | i |\n|-", ""],
    ["| h |\n|-|\n| c", "| h |\n|-|\n| c"],
  ])("%j is shown as %j", (typed, shown) => {
    expect(hideUndecidedLine(typed)).toBe(shown);
  });
});
