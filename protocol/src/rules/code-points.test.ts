import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePointLength, firstCodePoints, hasAtMost } from "./code-points.ts";

describe("code points", () => {
  it("agrees with the language's own iteration on any text, lone surrogates included", () => {
    const anyText = fc
      .array(fc.integer({ min: 0xd7f0, max: 0xe010 }))
      .map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: "binary" })), fc.nat({ max: 12 }), (text, max) => {
        const points = [...text];
        expect(codePointLength(text)).toBe(points.length);
        expect(hasAtMost(text, max)).toBe(points.length <= max);
        expect(firstCodePoints(text, max)).toBe(points.slice(0, max).join(""));
      }),
    );
  });
});
