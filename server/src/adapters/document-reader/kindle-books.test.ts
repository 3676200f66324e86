// Kindle books in all the ways in which they are packed, and what is wrong with one.
import { afterAll, expect, test } from "vitest";
import { ProcessDocumentReader } from "./process-document-reader.ts";
import {
  codeOf,
  dictionaryTables,
  entriesOfBytes,
  formOf,
  mobi,
  mobiOfBoth,
  palmDatabase,
  ways,
} from "./testing/mobi-writer.fixture.ts";
import { bytesReader } from "./testing/read-bytes.fixture.ts";

const { read, close } = bytesReader(new ProcessDocumentReader());
afterAll(close);

const failed = (errorCode: number) => ({ kind: "failed", errorCode });
/** Of many records: words that repeat, and characters that lie across two of them. */
const long = Array.from(
  { length: 900 },
  (_, at) => `<p>All right ${at}: 人人生而自由 and equal in rights</p>`,
).join("");
const words = `${long
  .replaceAll(/<\/?p>/g, "\n")
  .replaceAll("\n\n", "\n")
  .trim()}\n`;

test.each(Object.entries(ways))("a book packed by %s gives its text [FILE-024]", async (_, way) => {
  expect(await read(mobi(`<html><body>${long}</body></html>`, { way }), "mobi")).toBe(words);
  expect(await read(mobi(long, { way, version: 8, styles: ".x{}" }), "azw3")).toBe(words);
});

test("a book in Windows' encoding, and one with a form for old readers before the new one", async () => {
  expect(await read(mobi("<p>Liberté, égalité</p>", { encoding: 1252 }), "mobi")).toBe("Liberté, égalité\n");
  expect(await read(mobiOfBoth("<p>for old readers</p>", "<p>for new ones</p>"), "mobi")).toBe(
    "for new ones\n",
  );
});

const book = mobi("<p>right</p>");
const changed = (at: number, ...bytes: number[]): Buffer => {
  const copy = Buffer.from(book);
  copy.set(bytes, at);
  return copy;
};
const start = book.readUInt32BE(78);

/** A book whose dictionary has these entries behind those of all bytes; its text is the code of the last of them. */
function byDictionary(...entries: { bytes: Buffer; isPacked: boolean }[]): Buffer {
  const all = [...entriesOfBytes, ...entries];
  const way = { number: 17_480, pack: () => codeOf(all.length - 1), tables: dictionaryTables(all) };
  return palmDatabase(formOf(Buffer.from("x".repeat(4096)), { way }));
}

test.each([
  ["only a licence opens", mobi("<p>right</p>", { isLocked: true }), 40_004],
  ["is cut in half", book.subarray(0, book.length >> 1), 40_003],
  ["is another database of Palm's", palmDatabase([Buffer.from("x")], "TEXtREAd"), 40_008],
  ["is no database", Buffer.from("right ".repeat(100)), 40_008],
  ["has no records", palmDatabase([]), 40_003],
  ["is packed in no known way", changed(start, 0, 3), 40_003],
  ["has an encoding of its own", changed(start + 28, 0, 0, 3, 0), 40_006],
  [
    "repeats what is not there",
    mobi("", { way: { ...ways.palm, pack: () => Buffer.from([0xbf, 0xff]) }, styles: "x" }),
    40_003,
  ],
  ["has records of 4 GB", changed(78, 0xff, 0xff, 0xff, 0xff), 40_003],
  ["explains a word by itself", byDictionary({ bytes: codeOf(256), isPacked: true }), 40_007],
  [
    "has words of nothing without end",
    byDictionary(
      { bytes: Buffer.alloc(0), isPacked: true },
      { bytes: Buffer.alloc(30_000, codeOf(256)), isPacked: true },
      { bytes: Buffer.alloc(30_000, codeOf(257)), isPacked: true },
    ),
    40_007,
  ],
  [
    "says one word of 32 KB over and over",
    byDictionary({ bytes: Buffer.alloc(0x7fff, 1), isPacked: true }),
    "too-long or text",
  ],
  ["has no text", mobi("<html></html>"), 40_000],
] as const)("a book that %s says so [FILE-054]", async (_, content, errorCode) => {
  const result = await read(content, "mobi");
  if (typeof errorCode === "number") expect(result).toEqual(failed(errorCode));
  else expect(typeof result === "string" || result.kind === "too-long").toBe(true);
});
