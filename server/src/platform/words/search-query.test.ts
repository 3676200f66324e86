import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { plainSearch } from "../../../test/history/plain-search.ts";
import { searchDocuments } from "../../../test/history/search-documents.ts";
import { searchTable } from "../../../test/history/search-table.ts";
import { indexWords, WORD_UNITS } from "./index-words.ts";
import { answersQuery, parseSearchQuery, type SearchQuery, snippetOf } from "./search-query.ts";
import { foldPaced, foldShort, type SearchText } from "./search-text.ts";

/** What an index says that holds the words of one text. */
function indexSays(words: readonly string[], query: SearchQuery): boolean {
  return query.words.every(({ word, isBeginning }) =>
    words.some((one) => (isBeginning ? one.startsWith(word) : one === word)),
  );
}

async function finds(query: string, text: SearchText): Promise<boolean> {
  const parsed = parseSearchQuery(query);
  if (parsed === null) return false;
  const answers = answersQuery(parsed, text);
  if (answers) expect(indexSays(await indexWords(text), parsed), `the index has ${query}`).toBe(true);
  return answers;
}

const letters = [
  ..."abAB1_-. \n'中国人天かがカー한국学ßéÉİıIΣς🎉👍🏽❤️𠮷々、",
  "e\u0301",
  "ｶﾞ",
  "ﬁ",
  "Ａ",
  "getUser",
  "HTTPServer",
  "\u200D",
  "\u1112\u1161\u11AB",
];
const texts = fc.array(fc.constantFrom(...letters), { maxLength: 40 }).map((parts) => parts.join(""));

describe("the words of a search", () => {
  const documents = Object.entries(searchDocuments).map(([name, text]) => [name, foldShort(text)] as const);

  it.each(searchTable)("%s finds %s", async (query, found) => {
    const names: string[] = [];
    for (const [name, text] of documents) {
      if (await finds(query, text)) names.push(name);
    }
    expect(names.join(" ")).toBe(found);
  });

  it("has a table of more than 200 queries, of which most find something", () => {
    expect(searchTable.length).toBeGreaterThan(200);
    expect(searchTable.filter(([, found]) => found !== "").length).toBeGreaterThan(200);
  });

  it("finds what a plain scan of the text finds, and its index never says no to that", async () => {
    await fc.assert(
      fc.asyncProperty(texts, texts, fc.nat(), async (text, other, seed) => {
        // Half of the queries are cut out of the text.
        const signs = [...text];
        const from = signs.length === 0 ? 0 : seed % signs.length;
        const query = (seed % 2 === 0 ? signs.slice(from, from + 1 + (seed % 7)).join("") : other).trim();
        if (parseSearchQuery(query) === null) return;
        expect(await finds(query, foldShort(text))).toBe(plainSearch(query, text));
      }),
      { numRuns: 1000 },
    );
  });

  it.each(["", "  ", "—", "?! .", "\u3000", "\u200D", "()", "=>"])("asks for no word: %j", (query) => {
    expect(parseSearchQuery(query)).toBeNull();
  });

  it.each([
    ["don't", "You don’t need it"],
    ["don’t", "You don't need it"],
    ['"plumb"', "a “plumb” line"],
    ["e-mail", "an e‑mail"],
    ["1-3", "pages 1–3"],
    ["شكرا", "شُكْرًا"],
    ["مَرْحَبًا", "مرحبا"],
    ["שלום", "שָׁלוֹם"],
    ['כ"ט', "כ״ט"],
    ["ג'ון", "ג׳ון"],
    ["سلام", "ســلام"],
  ])("%s finds %s, as other devices write it", async (query, text) => {
    expect(await finds(query, foldShort(text))).toBe(true);
  });

  it("does not look at every letter of a long word for what begins one", async () => {
    const parts = Array.from({ length: 18 }, (_, index) => "a".repeat(index + 1));
    // Each part is there as a word of its own, behind a word in which it is at every letter.
    const text = await foldPaced(`${"a".repeat(20_000)} ${parts.join(" ")}`);
    const query = parseSearchQuery(parts.join(" "));
    if (query === null) throw new Error("asks for nothing");
    const looks = vi.spyOn(String.prototype, "indexOf");
    const answers = answersQuery(query, text);
    const { length } = looks.mock.calls;
    looks.mockRestore();
    expect(answers).toBe(true);
    expect(length).toBeLessThan(1000);
  });

  it("asks an index for few words, however long the query", () => {
    expect(parseSearchQuery("中国人民".repeat(50).slice(0, 200))?.words.length).toBeLessThanOrEqual(24);
    const many = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(" ");
    expect(parseSearchQuery(many)?.words).toHaveLength(24);
    expect(parseSearchQuery(many)?.terms).toHaveLength(100);
  });

  it("gives a long word so many units, and no half of a letter at its end", async () => {
    expect(await indexWords(foldShort("x".repeat(1000)))).toEqual(["x".repeat(WORD_UNITS)]);
    expect(await indexWords(foldShort(`x${"𝒳".repeat(100)}`))).toEqual(["x".repeat(WORD_UNITS)]);
    const half = await indexWords(foldShort(`x${"𐐨".repeat(100)}`));
    expect(half.every((word) => word.isWellFormed() && word.length === WORD_UNITS - 1)).toBe(true);
  });

  it("gives a text so many words, and a line of capitals few", async () => {
    const dense = Array.from({ length: 60_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
    );
    const words = await indexWords(await foldPaced(dense.join("")));
    expect(words.length).toBeLessThanOrEqual(30_000);
    expect(Buffer.byteLength(words.join(""))).toBeLessThanOrEqual(512 * 1024);
    expect(await indexWords(foldShort("oneTwoThreeFourFiveSixSevenEightNineTenEleven"))).toHaveLength(9);
  });
});

describe("folding", () => {
  it("in slices gives what folding at once gives, where spaces stand", async () => {
    const text = `${Object.values(searchDocuments).join(" ")} `.repeat(30);
    const paced = await foldPaced(text);
    const parts = text.split(" ").map((part) => foldShort(part).folded);
    expect(text.length).toBeGreaterThan(50_000);
    expect(paced.folded).toBe(parts.join(" "));
  });

  it("takes a text without a space in slices, each in its own turn", async () => {
    let turns = 0;
    let counting = true;
    const count = (): void => {
      turns += 1;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const { folded } = await foldPaced("𠮷".repeat(100_000));
    counting = false;
    expect(folded).toBe("𠮷".repeat(100_000));
    expect(turns).toBeGreaterThan(15);
  });

  it("once more changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const { folded } = foldShort(text);
        expect(foldShort(folded).folded).toBe(folded);
      }),
    );
  });
});

describe("a snippet", () => {
  const marked = (query: string, written: string): string[] => {
    const parsed = parseSearchQuery(query);
    if (parsed === null) throw new Error("asks for nothing");
    const { snippet, ranges } = snippetOf(parsed, written, foldShort(written));
    const points = [...snippet];
    expect(points.length).toBeLessThanOrEqual(200);
    return ranges.map(([from, to]) => points.slice(from, to).join(""));
  };

  it.each([
    ["cafe creme", "The cafe\u0301's crème brûlée", ["cafe\u0301", "crème"]],
    ["🎉 中", "😀🎉 𠮷中国 中", ["🎉", "中", "中"]],
    ["name", "getUserName and name", ["Name", "name"]],
    ["aba", "ababa", ["aba"]],
    ["ab abc", "ab abcd", ["ab", "abc"]],
    ["final", "a ﬁnal", ["ﬁnal"]],
    ["f", "a ﬁnal", ["ﬁ"]],
    ["ガイ", "ｶﾞｲﾄﾞ", ["ｶﾞｲ"]],
  ])("of %s in %s marks the words as they are written", (query, written, words) => {
    expect(marked(query, written)).toEqual(words);
  });

  it("begins shortly before the longest part, on one line, and never inside a letter", () => {
    const written = `a ${"𠮷 ".repeat(500)}\nneedle\n a ${"🎉".repeat(500)}`;
    const parsed = parseSearchQuery("a needle");
    if (parsed === null) throw new Error("asks for nothing");
    const { snippet, ranges } = snippetOf(parsed, written, foldShort(written));
    expect([...snippet].indexOf("n")).toBe(40);
    expect([...snippet]).toHaveLength(200);
    expect(snippet.isWellFormed()).toBe(true);
    expect(snippet).not.toContain("\n");
    expect(ranges).toEqual([
      [40, 46],
      [48, 49],
    ]);
  });

  it.each([
    ["needle", `${"haystack ".repeat(20)}needle`, "haystack ".repeat(4)],
    ["针", `${"草".repeat(90)}针`, "草".repeat(40)],
  ])("begins with a whole word where one begins before %s", (query, written, before) => {
    const parsed = parseSearchQuery(query);
    if (parsed === null) throw new Error("asks for nothing");
    const { snippet, ranges } = snippetOf(parsed, `${written} and so on`, foldShort(`${written} and so on`));
    expect(snippet).toBe(`${before}${query} and so on`);
    expect(ranges).toEqual([[before.length, before.length + query.length]]);
  });

  it("has its ranges in order, apart, and within it, whatever is asked", () => {
    fc.assert(
      fc.property(texts, fc.nat(), (written, seed) => {
        const signs = [...written];
        const query = signs.slice(seed % (signs.length + 1), (seed % (signs.length + 1)) + 4).join("");
        const parsed = parseSearchQuery(query);
        const text = foldShort(written);
        if (parsed === null || !answersQuery(parsed, text)) return;
        const { snippet, ranges } = snippetOf(parsed, written, text);
        expect(ranges.length).toBeGreaterThan(0);
        let last = -1;
        for (const [from, to] of ranges) {
          expect(from).toBeGreaterThan(last);
          expect(to).toBeGreaterThan(from);
          last = to;
        }
        expect(last).toBeLessThanOrEqual([...snippet].length);
      }),
    );
  });
});
