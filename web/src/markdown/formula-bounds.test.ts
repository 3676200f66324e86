import katex from "katex";
import { describe, expect, test } from "vitest";
import { completeTex } from "./complete-tex.ts";
import { deepestFormula, isBeyondBounds, longestFormula } from "./formula-bounds.ts";
import { formulaOptions } from "./formula-options.ts";
import { answers } from "./testing/answers.ts";

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}x${close.repeat(depth)}`;
const constructs = [
  ["powers", "x^{", "}"],
  ["fractions", "\\frac{1}{", "}"],
  ["roots", "\\sqrt{", "}"],
  ["brackets", "\\left(", "\\right)"],
  ["environments", "\\begin{matrix}", "\\end{matrix}"],
  ["words with formulas", "\\text{$x^", "$}"],
  ["groups without braces", "\\bgroup ", "\\egroup "],
] as const;
const draw = (tex: string) => katex.renderToString(tex, formulaOptions(true));

describe("a formula is too deep by its source", () => {
  test.each(constructs)(
    "where %s stand more than 40 deep, also half written and never closed",
    (_name, open, close) => {
      const least = deepestFormula;
      expect(isBeyondBounds(nested(open, close, least))).toBe(false);
      expect(isBeyondBounds(nested(open, close, least + 1))).toBe(true);
      expect(isBeyondBounds(open.repeat(least + 1))).toBe(true);
      for (const whole of completeTex(open.repeat(3000))) expect(isBeyondBounds(whole)).toBe(true);
    },
  );

  test.each([
    ["a bracket that is only a sign", "\\{".repeat(100)],
    ["a brace in a comment", "x % {{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{\n".repeat(3)],
    ["a command that begins alike", "\\leftarrow\\beginning".repeat(100)],
    ["groups beside each other", "\\frac{a}{b}+".repeat(500)],
  ])("and not by %s", (_name, tex) => {
    expect(isBeyondBounds(tex)).toBe(false);
  });

  test("no formula of an answer that people get is, nor a continued fraction of 30 steps", () => {
    expect(answers.filter(isBeyondBounds)).toEqual([]);
    const steps = `${"1+\\cfrac{1}{".repeat(30)}x${"}".repeat(30)}`;
    expect(isBeyondBounds(steps)).toBe(false);
    expect(draw(steps)).toContain("mfrac");
  });

  test("one is too long by its signs", () => {
    expect(isBeyondBounds("x".repeat(longestFormula))).toBe(false);
    expect(isBeyondBounds("x".repeat(longestFormula + 1))).toBe(true);
  });
});

describe("macros of a formula", () => {
  test.each([
    [
      "repeat each other's arguments",
      `\\def\\a#1{\\b{${"#1".repeat(8)}}}\\def\\b#1{\\c{${"#1".repeat(8)}}}\\def\\c#1{\\d{${"#1".repeat(8)}}}\\def\\d#1{${"#1".repeat(8)}}\\a{xxxx}`,
    ],
    ["are long and many", `\\def\\a{${"x+".repeat(100)}}${"\\a ".repeat(200)}`],
    [
      "repeat what was expanded before",
      "\\def\\a#1{\\expandafter\\a\\expandafter{\\b#1#1}}\\def\\b{x}\\a{x}",
    ],
    ["have another name", `\\def\\a{${"x+".repeat(100)}}\\let\\b\\a ${"\\b ".repeat(200)}`],
    ["are commands", `\\newcommand{\\a}[1]{${"#1".repeat(100)}}${"\\a{xx}".repeat(100)}`],
  ])("write no more than a page can draw where they %s", (_name, tex) => {
    expect(tex.length).toBeLessThan(2000);
    expect(() => draw(tex)).toThrow("write too much");
  });

  test.each([
    ["\\newcommand{\\norm}[1]{\\left\\|#1\\right\\|}\\norm{x}", "\\left\\|x\\right\\|"],
    ["\\def\\pair#1#2{(#1,#2;#1)}\\pair{a}{b}", "(a,b;a)"],
    ["\\def\\to#1.{[#1]}\\to ab.c", "[ab]c"],
    ["\\def\\a#1{\\def\\b##1{##1#1}}\\a+\\b{x}", "x+"],
    ["\\let\\old\\alpha\\renewcommand{\\alpha}{\\beta}\\old\\alpha", "\\let\\x\\alpha\\x\\beta"],
    ["{\\def\\a{x}\\a}\\def\\a{y}\\a", "{x}y"],
    ["\\edef\\a{\\mathbf{x}}\\a\\a", "\\mathbf{x}\\mathbf{x}"],
  ])("write what they did before: %s", (tex, known) => {
    const looks = (of: string) => draw(of).replace(/<annotation[^]*?<\/annotation>/g, "");
    expect(looks(tex)).toBe(looks(known));
  });
});
