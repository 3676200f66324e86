import fc from "fast-check";
import { expect, test } from "vitest";
import { unitsOf } from "./block-units.ts";
import { append, emptySplit, finish, viewBlocks } from "./split-blocks.ts";

const formulas = [
  "$x^2$",
  "$(a+b)$",
  "${a}_{b}$",
  "$n$",
  "($x$)",
  '"$x$"',
  "$\\alpha$",
  "$f(x)$",
  "$y'$",
  "**$x$**",
  "$`a`$",
];
const others = [
  ...[
    "${HOME}",
    "$(pwd)",
    "$PATH",
    "$HOME/bin",
    "f($x)",
    "$#",
    "$?",
    "$5",
    "**$5**",
    "set",
    "the words",
    "and",
    "和",
    "变量",
  ],
  ...["'$x'", '"$x"', '"$@"', '"${x}"', '"$(cmd a)"', "`code`"],
];
const texts = fc
  .array(fc.tuple(fc.constantFrom(...formulas, ...others), fc.constantFrom(" ", ", ", ". ", "，", "。")), {
    minLength: 2,
    maxLength: 5,
  })
  .map((parts) => ({
    text: `${parts.flat().join("")}end`,
    count: parts.filter(([part]) => formulas.includes(part)).length,
  }));

type Blocks = ReturnType<typeof viewBlocks>;

function formulasIn(blocks: Blocks): string[] {
  const tokens = blocks.flat().flatMap((block) =>
    unitsOf(block)
      .flat()
      .flatMap((unit) => unit.tokens),
  );
  return tokens
    .flatMap(({ children }) => children ?? [])
    .filter(({ type }) => type === "math_inline")
    .map(({ content }) => content);
}

test("among words of programs, just the formulas are some, and none is shown that the whole text has not", () => {
  fc.assert(
    fc.property(texts, ({ text, count }) => {
      const whole = formulasIn(finish(append(emptySplit, text)).blocks);
      expect(whole.length).toBe(count);
      let state = emptySplit;
      for (const character of text) {
        state = append(state, character);
        const shown = formulasIn(viewBlocks(state));
        expect(shown.filter((tex, index) => whole[index]?.startsWith(tex) !== true)).toEqual([]);
      }
    }),
    { numRuns: process.env["TEST_LONG"] === "1" ? 10_000 : 500 },
  );
});
