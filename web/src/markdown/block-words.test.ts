import { expect, test } from "vitest";
import { wordsOf } from "./block-words.ts";
import { append, emptySplit, finish } from "./split-blocks.ts";

const wordsIn = (markdown: string) =>
  finish(append(emptySplit, markdown)).blocks.flat().map(wordsOf).join("\n");

test.each([
  ["## A *heading*", "A heading"],
  ["Some **bold** words, `code` and\n[a link](https://example.com).", "Some bold words, code and a link."],
  ["with $x^2$ in it", "with x^2 in it"],
  ["$$\nE = mc^2\n$$", "E = mc^2"],
  ["- one\n- two\n  1. three", "one\ntwo\nthree"],
  ["> quoted\n>\n> again", "quoted\nagain"],
  ["| a | b |\n|---|---|\n| *1* | 2 |", "a\nb\n1\n2"],
  ["```ts\nconst x = 1;\n\n// y\n```", "const x = 1;\n\n// y\n"],
])("of %j the words are %j", (markdown, words) => {
  expect(wordsIn(markdown).replace(/\n$/, "")).toBe(words.replace(/\n$/, ""));
});
