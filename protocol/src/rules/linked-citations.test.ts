import fc from "fast-check";
import { expect, test } from "vitest";
import { linkedCitations } from "./linked-citations.ts";

const addresses = new Map([
  [1, "https://a.example/x_(y)"],
  [2, "https://b.example"],
]);

test.each([
  ["So [citation:1].", "So [\\[1\\]](https://a.example/x_%28y%29)."],
  [
    "Both[citation:1,2] and none [citation:9].",
    "Both[\\[1\\]](https://a.example/x_%28y%29)[\\[2\\]](https://b.example) and none.",
  ],
  [
    "In 2023[citation:2], so!【citation:2】",
    "In 2023[\\[2\\]](https://b.example), so! [\\[2\\]](https://b.example)",
  ],
  ["one [citation:9]two [citation:9] three 图[citation:9]片", "one two three 图片"],
  ["`[citation:1]` [citation:2]", "`[citation:1]` [\\[2\\]](https://b.example)"],
  ["``a ` [citation:1]`` [citation:2]", "``a ` [citation:1]`` [\\[2\\]](https://b.example)"],
  ["```js\n[citation:1]\n```\n[citation:2]", "```js\n[citation:1]\n```\n[\\[2\\]](https://b.example)"],
  ["an open ` and [citation:2]", "an open ` and [\\[2\\]](https://b.example)"],
  ["`` open ` [citation:1] ` [citation:2]", "`` open ` [citation:1] ` [\\[2\\]](https://b.example)"],
])("%j is %j", (text, linked) => {
  expect(linkedCitations(text, addresses)).toBe(linked);
});

test("a text that cites nothing is the same text", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("`", "a", " ", "[", "]", "\n", "1", ":") }), (text) => {
      expect(linkedCitations(text, addresses)).toBe(text);
    }),
  );
});

test("a long text of backquotes takes no longer than its length", { timeout: 10_000 }, () => {
  const runs = Array.from({ length: 1400 }, (_, n) => "`".repeat(n + 1)).join(" ");
  expect(linkedCitations(runs, addresses)).toBe(runs);
  const one = "`".repeat(1_000_000);
  expect(linkedCitations(one, addresses)).toBe(one);
});
