import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldText } from "./text-folder.ts";
import { WordMatcher } from "./word-matcher.ts";

/** Indexes of the words found in a text given in pieces, in order. */
function find(words: readonly string[], ...pieces: string[]): number[] {
  const found: number[] = [];
  const reading = new WordMatcher(words).read((word) => found.push(word));
  for (const piece of pieces) reading.push(piece);
  reading.end();
  return found;
}
const has = (word: string, ...pieces: string[]) => find([word], ...pieces).length > 0;

describe("a listed word is found", () => {
  test.each([
    ["as it is", "secret", ["the secret plan"]],
    ["in another case", "Secret", ["the SECRET plan"]],
    ["across pieces", "secret", ["the se", "c", "ret plan"]],
    ["at the very end", "secret", ["the secret"]],
    ["in full width", "secret", ["the ｓｅｃｒｅｔ plan"]],
    ["in letters of mathematics, cut within a pair", "secret", ["the 𝓼\ud835", "\udcee𝓬𝓻𝓮𝓽"]],
    ["with zero-width characters between", "secret", ["se\u200bc\u200d", "\u2060r\ufeffe\u00adt"]],
    ["with variation selectors and controls between", "secret", ["s\ufe0fe\u0000cre\u0007t"]],
    ["composed, listed decomposed", "cafe\u0301", ["le café"]],
    ["decomposed, listed composed, cut between letter and accent", "café", ["le cafe", "\u0301"]],
    ["with ß and ss", "straße", ["STRASSE"]],
    ["with every sigma", "ΣΟΦΟΣ", ["σοφος", " σοφός"]],
    ["in Chinese, without spaces", "敏感词", ["这里有敏", "感词吗"]],
    ["in Chinese of compatibility characters", "金", ["\uf90a"]],
    ["in Korean with a particle", "비밀", ["비밀은"]],
    ["as a phrase over any white space", "top secret", ["top", " \n", "\tsecret"]],
    ["between Chinese characters", "vpn", ["用VPN上网"]],
    ["beside punctuation", "secret", ["(secret!)"]],
    ["inside a word, where the list says so", "*cret*", ["secretly"]],
    ["at the beginning of a word, where the list says so", "sec*", ["secretly"]],
    ["outside of the first plane", "🍑🍆", ["x 🍑", "🍆"]],
  ])("%s", (_how, word, pieces) => {
    expect(has(word, ...pieces)).toBe(true);
  });
});

describe("a text is left alone", () => {
  test.each([
    ["where the word is part of another one", "ass", ["a class", "ic pass"]],
    ["where a digit goes on", "secret", ["secret2"]],
    ["where the star is on the other side", "sec*", ["insec"]],
    ["where letters stand between", "secret", ["se x cret"]],
    ["where an accent makes it another word", "schwul", ["schwül"]],
    ["where the phrase is broken", "top secret", ["top. secret"]],
    ["where the word of the list is nothing", "\u200b", ["\u200b anything"]],
    ["where the word of the list is a star", "*", ["* anything"]],
  ])("%s", (_how, word, pieces) => {
    expect(has(word, ...pieces)).toBe(false);
  });
});

test("of words within words each is told, a longer one first", () => {
  expect(find(["*he*", "*she*", "*hers*", "*his*"], "ushers")).toEqual([1, 0, 2]);
});

const letters = fc.constantFrom(
  "a",
  "b",
  "A",
  "ｂ",
  "é",
  "e\u0301",
  "敏",
  "感",
  " ",
  "\n",
  "\u200b",
  "-",
  "𝓪",
  "🍑",
  "ß",
);
const text = fc.array(letters, { maxLength: 40 }).map((parts) => parts.join(""));

test("what is found does not depend on how the text is cut", () => {
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 5 }),
      text,
      fc.array(fc.nat(60), { maxLength: 6 }),
      (words, whole, cuts) => {
        const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((to, index) => whole.slice(at[index], to));
        expect(find(words, ...pieces)).toEqual(find(words, whole));
      },
    ),
  );
});

test("a word is found exactly where its symbols stand in those of the text", () => {
  fc.assert(
    fc.property(text, text, (word, whole) => {
      const symbols = (of: string) => `,${foldText(of).join(",")},`;
      const listed = word.trim();
      fc.pre(/[^\s\u200b]/u.test(listed));
      expect(has(listed, whole)).toBe(symbols(whole).includes(symbols(listed)));
    }),
  );
});
