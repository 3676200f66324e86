import fc from "fast-check";
import katex from "katex";
import { describe, expect, test } from "vitest";
import { costOfFormula, costOfFormulas } from "./formula-cost.ts";
import { answers } from "./testing/answers.ts";

const drawn = (tex: string) =>
  (katex.renderToString(tex, { strict: "ignore" }).match(/<[a-z]/g) ?? []).length;
const real = answers.flatMap(
  (text) => text.match(/(?<=\\\()[^]*?(?=\\\))|(?<![$\d])\$(?=\S)[^$\n]+(?<=\S)\$/g) ?? [],
);
const formulas = [...new Set(real.map((each) => each.replace(/^\$|\$$/g, "")))];

describe("the cost of a formula", () => {
  test("is that of its elements, in real answers", () => {
    expect(formulas.length).toBeGreaterThan(50);
    for (const tex of formulas) {
      const share = costOfFormula(tex) / 8 / drawn(tex);
      expect([tex, share > 0.55 && share < 1.8]).toEqual([tex, true]);
    }
    const sum = (of: (tex: string) => number) => formulas.reduce((total, tex) => total + of(tex), 0);
    expect(sum(costOfFormula) / 8 / sum(drawn)).toBeCloseTo(1, 0.5);
  });

  test.each([
    ["no formula", "words", ""],
    ["dollars", "so $a_1$ and $$b$$ here", "a_1", "b"],
    ["brackets", "so \\(a\\) and \\[b^2\\] here", "a", "b^2"],
    ["an environment", "\\begin{split}a^2\\end{split} here", "{split}a^2"],
    ["prices", "from $5 to $10, then $x$.", "x"],
    ["one that is not closed", "so \\(a and $b", ""],
  ])("%s", (_name, text, ...found) => {
    const known = found.filter((tex) => tex !== "").map(costOfFormula);
    expect(costOfFormulas(text)).toBe(known.reduce((total, cost) => total + cost, 0));
  });

  test("takes no more time for signs that nothing closes", () => {
    const text = "\\( \\[ $$x ".repeat(100_000);
    expect(costOfFormulas(text)).toBeGreaterThanOrEqual(0);
    const any = fc.string({ unit: fc.constantFrom("$", "\\", "(", ")", "[", "]", " ", "a", "1") });
    fc.assert(fc.property(any, (each) => costOfFormulas(each) >= 0));
  });
});
