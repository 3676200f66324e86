import { tests } from "commonmark-spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectClosedIsPrefix, expectSameAsWhole, html, whole } from "./testing/whole-parse.ts";

const isLong = process.env["TEST_LONG"] === "1";
const examples = tests.map(({ number, section, markdown, html: expected }) => ({
  number,
  section,
  markdown: markdown.replaceAll("→", "\t"),
  expected: expected.replaceAll("→", "\t"),
}));

/** Where this dialect differs on purpose, and why. */
const differences: Record<string, readonly number[]> = {
  "HTML is text, but for a closed list of tags": [
    21,
    31,
    ...range(148, 191),
    201,
    308,
    309,
    344,
    475,
    476,
    477,
    491,
    494,
    524,
    536,
    ...range(613, 617),
    623,
    ...range(625, 631),
    642,
    643,
  ],
  "a bare address is a link": [602, 608, 611, 612],
  "\\[ and \\] hold a formula": [12],
};
const differing = new Map(
  Object.entries(differences).flatMap(([reason, numbers]) => numbers.map((number) => [number, reason])),
);

describe("the examples of CommonMark", () => {
  test.each(examples)("$number, $section: one end under any cut [REND-001]", ({ markdown }) => {
    expectSameAsWhole(markdown, [markdown]);
    expectSameAsWhole(
      markdown,
      [...Array(markdown.length).keys()].map((index) => markdown.charAt(index)),
    );
    expectClosedIsPrefix(markdown);
    for (let cut = 1; isLong && cut < markdown.length; cut++)
      expectSameAsWhole(markdown, [markdown.slice(0, cut), markdown.slice(cut)]);
  });

  test("are drawn as the specification says, but for those that differ on purpose", () => {
    const found = examples.filter(
      ({ markdown, expected }) => !isSame(html(whole.parse(markdown, {})), expected),
    );
    expect(found.map(({ number }) => number)).toEqual([...differing.keys()].toSorted((a, b) => a - b));
  });

  test("any two of them one after the other, cut anywhere, end as one parse", () => {
    const pair = fc.tuple(
      fc.nat(examples.length - 1),
      fc.nat(examples.length - 1),
      fc.nat(400),
      fc.constantFrom("", "\n", "\n\n"),
    );
    fc.assert(
      fc.property(pair, ([first, second, cut, between]) => {
        const text = `${examples[first]?.markdown}${between}${examples[second]?.markdown}`;
        expectSameAsWhole(text, [text.slice(0, cut), text.slice(cut)]);
      }),
      { numRuns: isLong ? 20_000 : 1500 },
    );
  });
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The same but for the spelling of empty elements and line ends. */
function isSame(drawn: string, expected: string): boolean {
  const plain = (markup: string) =>
    markup
      .replace(/ ?\/>/g, ">")
      .replace(/<br>\n?/g, "\n")
      .replace(/\n+/g, "\n")
      .replace(/>\n</g, "><")
      .trim();
  return plain(drawn) === plain(expected);
}
