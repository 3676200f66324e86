import katex from "katex";
import { describe, expect, test } from "vitest";
import { completeTex } from "./complete-tex.ts";

function isDrawable(tex: string): boolean {
  try {
    katex.renderToString(tex, { throwOnError: true, displayMode: true });
    return true;
  } catch {
    return false;
  }
}

describe("completeTex", () => {
  test.each([
    ["x^", "x"],
    ["x^{2", "x^{2}"],
    ["\\alp", undefined],
    ["a + \\alp", "a +"],
    ["a \\\\", "a \\\\"],
    ["a & \\theta\n\\end{b", "a & \\theta"],
    ["\\begin{pmatrix} a & b \\\\ c", "\\begin{pmatrix} a & b \\\\ c\\end{pmatrix}"],
    ["\\left( \\frac{a}{b", "\\left( \\frac{a}{b}\\right."],
    ["\\{ a", "\\{ a"],
  ])("%j is first completed to %j", (typed, expected) => {
    expect(completeTex(typed)[0]).toBe(expected);
  });

  test.each([
    "x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}",
    "\\begin{aligned}\na &= \\left( b + c \\right)^2 \\\\\nd &= \\text{one or two} \\\\\n\\end{aligned}",
    "R = \\begin{bmatrix}\n\\cos\\theta & -\\sin\\theta\\\\\n\\sin\\theta & \\cos\\theta\n\\end{bmatrix}",
    "\\sum_{k=1}^{\\infty} \\frac{1}{k^2} = \\frac{\\pi^2}{6}",
  ])("%j can be drawn at nearly every character", (tex) => {
    const cuts = Array.from({ length: tex.length }, (_, index) => tex.slice(0, index + 1));
    const failed = cuts.filter((cut) => {
      const ways = completeTex(cut);
      return ways.length > 0 && !ways.some(isDrawable);
    });
    expect(failed.length).toBeLessThan(tex.length / 8);
    expect(completeTex(tex)[0]).toBe(tex);
  });
});
