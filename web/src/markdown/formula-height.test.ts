import { expect, test } from "vitest";
import { likelyFormulaHeight } from "./formula-height.ts";

// Measured in Chromium, at 16 px.
test.each([
  [23, "E = mc^2"],
  [35, "\\frac{a}{b}"],
  [48, "\\int_0^1 x\\,dx = \\frac12"],
  [57, "\\sum_{i=1}^n i = \\frac{n(n+1)}{2}"],
  [41, "\\frac{\\frac{a}{b}}{c}"],
  [46, "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}"],
  [70, "\\begin{bmatrix}1\\\\2\\\\3\\end{bmatrix}"],
  [81, "\\begin{aligned}a&=b\\\\c&=d\\\\e&=f\\end{aligned}"],
  [69, "\\begin{aligned}a&=\\frac{b}{c}\\\\c&=d\\end{aligned}"],
  [58, "\\begin{cases}a\\\\b\\end{cases}"],
  [32, "\\lim_{x\\to0} f"],
  [46, "\\binom{n}{k}"],
])("%i px are foreseen within 8 for %s", (height, tex) => {
  expect(Math.abs(likelyFormulaHeight(tex) - height)).toBeLessThanOrEqual(8);
});

test("a formula of very many rows takes no more room than a screen or two", () => {
  expect(likelyFormulaHeight("\\begin{aligned}" + "a&=b\\\\".repeat(5000) + "\\end{aligned}")).toBeLessThan(
    2000,
  );
});
