import fc from "fast-check";
import { expect, test } from "vitest";
import { append, emptySplit, finish } from "../../markdown/split-blocks.ts";
import { answers } from "../../markdown/testing/answers.ts";
import { visibleText } from "../../markdown/testing/visible-text.ts";
import { drawnWords } from "./drawn-words.ts";

test.each([
  ["And **bold** ones.", "And bold ones."],
  ["*so* and __this__, ~~not~~ `it_is` **`a*b`**", "so and this, not it_is a*b"],
  ["snake_case_name and 2*3*4, a * b", "snake_case_name and 2*3*4, a * b"],
  ["前**重点。**后", "前重点。后"],
  ["## Heading\n> quoted *words*\n- [x] done\n* one", "Heading\nquoted words\ndone\none"],
  ['see [the page](https://x.example/a_b "t") and ![pic](<x y>).', "see the page and pic."],
  ["|a|**b**|\n|-|:-:|\n| c \\| d | e |", " a b \n c | d e "],
  ["```js\nconst a = **b**;\n```\nend", "const a = **b**;\nend"],
  ["````\n```\n````\n\\*not\\*", "```\n*not*"],
])("%j is found as %j", (markdown, words) => {
  expect(drawnWords(markdown)).toBe(words);
});

test("of real answers 19 of 20 runs of letters are found as they are drawn, across blocks, too", () => {
  let [found, all] = [0, 0];
  for (const answer of answers.filter((text) => !/[$\\]/.test(text))) {
    const words = drawnWords(answer).replace(/\s+|\[[ xX]?\]/g, "");
    const drawn = visibleText(finish(append(emptySplit, answer)).blocks).replace(/\[[ xX]?\]/g, "");
    for (let at = 0; at + 12 <= drawn.length; at += 12) {
      all += 1;
      if (words.includes(drawn.slice(at, at + 12))) found += 1;
    }
  }
  expect(all).toBeGreaterThan(500);
  expect(found / all).toBeGreaterThan(0.94);
});

test("any text has no more than it was written with, and hostile ones, whose square would take minutes, come to an end", () => {
  const any = fc.string({ unit: fc.constantFrom(...'*_~`[]()!\\<>|# ab1\n中-"') });
  fc.assert(fc.property(any, (text) => drawnWords(text).length <= text.length));
  for (const part of [
    "[",
    "[a](",
    "*a",
    "_",
    "`",
    "`a",
    "|",
    "\\",
    "> ",
    ">",
    " ",
    "~",
    "~~~\n",
    "![a](<",
    "- ",
    "a |",
  ])
    for (const end of ["", "x", "`", "|x"]) {
      const text = `a${part.repeat(100_000)}${end}\n${part.repeat(100_000)}${end}`;
      expect(drawnWords(text).length).toBeLessThanOrEqual(text.length);
    }
});
