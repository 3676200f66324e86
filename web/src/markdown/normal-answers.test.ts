import { describe, expect, test } from "vitest";
import type { Block } from "./block-model.ts";
import { append, emptySplit, finish } from "./split-blocks.ts";
import { answers } from "./testing/answers.ts";

const goesOn = (block: Block) =>
  "goesOn" in block ? block.goesOn : "begunBy" in block && block.begunBy !== null;
const partsOf = (text: string) =>
  finish(append(emptySplit, text))
    .blocks.flat()
    .filter(goesOn)
    .map(({ key }) => key);
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

const integral = (power: number) =>
  `$\\int x^{${power}} \\, dx = \\frac{x^{${power + 1}}}{${power + 1}} + C$`;
const sentence =
  "Each of these has been tried on three machines, and none of them lost a word of what was written. ";

// Who listens hears a list that is parted as several, and emphasis does not reach over a parting.
describe("no list, quotation or paragraph of an answer that people get is parted", () => {
  test.each(answers.map((text) => [text.slice(0, 40), text]))("%j", (_name, text) => {
    expect(partsOf(text)).toEqual([]);
  });

  test.each([
    ["ten integrals in a list", lines(10, (index) => `${index + 1}. ${integral(index)}`)],
    [
      "six steps of a proof, each with four formulas",
      lines(
        6,
        (index) =>
          `- **Step ${index}.** Let $x_${index} \\in A$ and $f(x_${index}) = y$; then $\\varepsilon < \\frac{1}{${index + 1}}$ for all $n > N_${index}$.`,
      ),
    ],
    ["twenty variables in a list", lines(20, (index) => `- $x_{${index}}$: ${sentence}`)],
    ["thirty long items", lines(30, (index) => `${index + 1}. **Point ${index}** ${sentence.repeat(6)}`)],
    [
      "a paragraph with thirty formulas",
      lines(10, (index) => `Where $a_${index} > 0$, $b_${index}$ is at most $\\sqrt{a_${index}}$.`),
    ],
    ["a quotation of eight paragraphs", lines(8, () => `> ${sentence.repeat(6)}\n>`)],
    ["ten formulas in a quotation", lines(10, (index) => `> ${integral(index)} and so on.\n>`)],
    [
      "brackets instead of dollars",
      lines(12, (index) => `- \\(a_${index} = b_${index}\\) and \\(c_${index}\\)`),
    ],
  ])("%s", (_name, text) => {
    expect(partsOf(text)).toEqual([]);
  });
});
