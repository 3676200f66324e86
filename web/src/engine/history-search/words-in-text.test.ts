import { expect, test } from "vitest";
import { wordsInText } from "./words-in-text.ts";

/** A snippet whose marked words stand in brackets. */
function hitOf(marked: string) {
  const ranges: [number, number][] = [];
  let snippet = "";
  for (const [index, piece] of marked.split(/[[\]]/u).entries()) {
    const from = [...snippet].length;
    snippet += piece;
    if (index % 2 === 1) ranges.push([from, from + [...piece].length]);
  }
  return { snippet, ranges };
}

/** The text with brackets around what is found in it. */
function markedIn(text: string, marked: string): string {
  return wordsInText(hitOf(marked), text)
    .toReversed()
    .reduce(
      (shown, [from, to]) => `${shown.slice(0, from)}[${shown.slice(from, to)}]${shown.slice(to)}`,
      text,
    );
}

test.each([
  ["the words as they were written", "no plumb, a Plumb line", "a [Plumb] line", "no plumb, a [Plumb] line"],
  ["not a part of another word", "Restart the art of it", "the [art] of it", "Restart the [art] of it"],
  ["a beginning", "Old tides, tidesman", "tides, [tide]sman", "Old tides, [tide]sman"],
  [
    "each of several",
    "Bread is here. Bread and butter",
    "[Bread] and [butter]",
    "Bread is here. [Bread] and [butter]",
  ],
  [
    "what stands between signs",
    "TidesTwo bulges rise",
    "## Tides 1. Two **[bulges]** `rise`",
    "TidesTwo [bulges] rise",
  ],
  ["words beside a formula", "Let x be a limit", "Let $\\frac{1}{n}$ be a [limit]", "Let x be a [limit]"],
  ["signs", "In C++ and C", "In [C++] and C", "In [C++] and C"],
  ["Chinese", "灯塔。闪光告诉船长：灯塔在此", "船长：[灯塔]在此", "灯塔。闪光告诉船长：[灯塔]在此"],
  ["characters of two units", "😀 a 😀b", "a [😀]b", "😀 a [😀]b"],
  [
    "nothing far from the first",
    `Bread ${"so ".repeat(200)}butter`,
    "[Bread] x [butter]",
    `[Bread] ${"so ".repeat(200)}butter`,
  ],
  ["nothing that is not there", "Something else", "a [plumb] line", "Something else"],
])("%s: in %o by %o", (_what, text, marked, found) => {
  expect(markedIn(text, marked)).toBe(found);
});
