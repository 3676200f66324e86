import { expect, test } from "vitest";
import { labelsOf } from "./equation-numbers.ts";

test.each([
  ["\\begin{equation}\\label{eq:a_1}x\\end{equation}", ["eq:a_1"]],
  ["x \\tag{3} \\label{b}", ["b"]],
  [
    "\\begin{align}a&=b\\label{a}\\\\[2pt]c&=d\\nonumber\\\\e&=f \\label {c}\\end{align}",
    ["a", undefined, "c"],
  ],
  [
    "\\begin{gather}\\begin{pmatrix}1\\\\2\\end{pmatrix}\\\\{a\\\\b}\\label{b}\\label{c}\\end{gather}",
    [undefined, "b"],
  ],
  ["x^2", []],
])("the rows of %s have the names %j", (tex, labels) => {
  expect([...labelsOf(tex)]).toEqual(labels);
});

test.each(["\\label{", "\\label ", "{", "\\", "\\begin{"])(
  "a million signs of many %j are read to their end",
  (sign) => {
    // What takes time by the square of its length does not end within the time of a test.
    expect([...labelsOf(`${sign.repeat(1_000_000 / sign.length)}\\label{a}`)].length).toBeLessThan(1_000_001);
  },
);
