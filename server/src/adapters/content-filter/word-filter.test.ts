import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { contentFilterContract, screened } from "./content-filter-contract.ts";
import { createWordFilter, wordFilterOfFile } from "./word-filter.ts";

contentFilterContract("a word list", async () => ({
  filter: createWordFilter(["the forbidden phrase"]),
  refused: "This is The Forbidden\u200b ｐｈｒａｓｅ, you see",
  close: async () => {},
}));

const file = (text: string): string => {
  const path = join(temporaryFolder("words"), "words.txt");
  writeFileSync(path, text);
  return path;
};

test("a file has a word on each line, with comments and blank lines", async () => {
  const filter = wordFilterOfFile(file("\ufeff# names\r\nvoldemort\r\n\r\n  *敏感  \r\n"));
  expect((await screened(filter, ["Voldemort"])).verdict).toBe("refused");
  expect((await screened(filter, ["很敏感"])).verdict).toBe("refused");
  expect((await screened(filter, ["# names"])).verdict).toBe("allowed");
});

test.each([
  ["is not there", "/nowhere/words.txt", /CONTENT_FILTER_WORDS cannot be read: ENOENT/u],
  ["has no word", file("# only a comment\n\n"), /CONTENT_FILTER_WORDS has no word in it/u],
  ["is too large", file("x".repeat(8 * 1024 * 1024 + 1)), /CONTENT_FILTER_WORDS may have 8 MiB at most/u],
])("a file that %s ends the start", (_what, path, said) => {
  expect(() => wordFilterOfFile(path)).toThrow(said);
});

test("a reply is read once, however many pieces it comes in", async () => {
  // Each piece again over all that came before would be 10^11 steps.
  const filter = createWordFilter(["the forbidden phrase", "敏感词"]);
  const pieces = Array.from({ length: 400_000 }, () => "ab ");
  expect((await screened(filter, pieces)).verdict).toBe("allowed");
}, 20_000);
