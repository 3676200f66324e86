import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonPieces } from "./json-pieces.ts";

async function collect(pieces: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}
async function* oneByOne(items: readonly unknown[]) {
  yield* items;
}
/** Strings over the length of a piece, too. */
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.repeat(5000)),
);
const anyValue = fc.jsonValue({ stringUnit: "binary", maxDepth: 4 });

test("the pieces joined are the JSON text", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.oneof(anyValue, anyText, fc.array(anyText))),
      async (object) => {
        expect((await collect(jsonPieces(object))).join("")).toBe(JSON.stringify(object));
      },
    ),
    { numRuns: 200 },
  );
});

test("an async iterable is written as an array, item by item", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(anyValue, anyText)), async (items) => {
      const text = (await collect(jsonPieces({ a: 1, items: oneByOne(items), b: null }))).join("");
      expect(text).toBe(JSON.stringify({ a: 1, items, b: null }));
    }),
    { numRuns: 100 },
  );
});

test("no piece is large, whatever the value", async () => {
  const long = "x".repeat(1_000_000);
  const value = {
    text: long,
    escaped: "\u0000".repeat(100_000),
    many: Array.from({ length: 100_000 }, (_, index) => index),
    messages: oneByOne([{ content: long, fragments: [{ content: long }] }]),
    left: undefined,
  };
  const pieces = await collect(jsonPieces(value));
  // Every character may be escaped in six.
  expect(pieces.filter((piece) => piece.length > 6 * 32 * 1024 + 2)).toEqual([]);
  expect(JSON.parse(pieces.join(""))).toMatchObject({ text: long, many: { length: 100_000 } });
});

test("a pair of surrogates is never cut", async () => {
  const text = `a${"\u{1f600}".repeat(50_000)}`;
  const joined = (await collect(jsonPieces({ text }))).join("");
  expect(joined).toBe(JSON.stringify({ text }));
});
