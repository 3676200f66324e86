import { expect, test } from "vitest";
import { charsOf, cutBefore } from "./reply-size.ts";

test("words and thoughts count, and nothing else", () => {
  const fragments = [
    { id: 1, type: "REQUEST" as const, content: "not these" },
    { id: 2, type: "THINK" as const, content: "Hm", elapsed_secs: null },
    { id: 3, type: "RESPONSE" as const, content: "Yes 💣" },
  ];
  expect(charsOf({ fragments })).toBe(2 + 6);
  expect(charsOf({ fragments: [] })).toBe(0);
});

test.each([
  ["abc", 2, "ab"],
  ["abc", 0, ""],
  ["abc", -1, ""],
  ["a💣b", 1, "a"],
  ["a💣b", 2, "a"],
  ["a💣b", 3, "a💣"],
])("%j is cut before %d: %j", (text, length, cut) => {
  expect(cutBefore(text, length)).toBe(cut);
});
