import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exceededShape, parseJson, parseJsonBody, readQuery } from "./json.ts";

const hostile = ["__proto__", "constructor", "prototype"];

function keysOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [key, ...keysOf(child)]);
}

describe("JSON from strangers", () => {
  it("drops hostile keys at every depth and keeps the rest", () => {
    const text = '{"a":[{"__proto__":{"isAdmin":true},"b":1}],"constructor":{"prototype":1},"proto":2}';
    expect(parseJson(text)).toEqual({ ok: true, value: { a: [{ b: 1 }], proto: 2 } });
  });

  it("drops them when they are spelled with escapes", () => {
    expect(parseJson('{"\\u005f_proto__":1,"x":2}')).toEqual({ ok: true, value: { x: 2 } });
  });

  it("leaves no hostile key and loses no other", () => {
    const key = fc.oneof(
      fc.constantFrom(...hostile),
      fc.string({ unit: fc.constantFrom(...'abc"\\_'), maxLength: 4 }),
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.integer(),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.array(fc.tuple(key, tie("tree")), { maxLength: 3 }).map((entries) => ({ entries })),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.constantFrom(...hostile), (value, bad) => {
        const text = JSON.stringify(value);
        const spoiled = text.replaceAll("{", `{"${bad}":{"x":1},`);
        expect(parseJson(spoiled)).toEqual({ ok: true, value: JSON.parse(text) });
        const read = parseJson(spoiled);
        expect(keysOf(read.ok ? read.value : null)).not.toContain(bad);
      }),
    );
  });

  it("survives depth that would overflow a recursion", () => {
    const depth = 200_000;
    expect(parseJson("[".repeat(depth) + "]".repeat(depth)).ok).toBe(true);
  });

  it("takes the last of duplicate keys, an empty body as {} and no broken text", () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ ok: true, value: { a: 2 } });
    expect(parseJsonBody(" \n")).toEqual({ ok: true, value: {} });
    expect(parseJsonBody("{")).toEqual({ ok: false });
    expect(parseJson("")).toEqual({ ok: false });
  });

  it("reads a query: first value wins, file_ids are joined, hostile names go", () => {
    const query = new URLSearchParams("a=1&a=2&file_ids=x&file_ids=y,z&__proto__=p&constructor=c");
    expect(readQuery(query)).toEqual({ a: "1", file_ids: "x,y,z" });
    expect(Object.hasOwn(readQuery(query), "__proto__")).toBe(false);
  });
});

/** By parsing, as a check of the scan. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
function countOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return 1 + Object.values(value).reduce((sum: number, child) => sum + countOf(child), 0);
}
const encode = (text: string) => new TextEncoder().encode(text);

it("the depth of JSON is that of its arrays and objects, whatever its strings hold", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: "binary" }), fc.nat({ max: 6 }), (value, depth) => {
      const bytes = encode(JSON.stringify(value));
      expect(exceededShape(bytes, { depth, values: Infinity })).toBe(depthOf(value) > depth ? "depth" : null);
    }),
  );
  const within2 = (text: string) => exceededShape(encode(text), { depth: 2, values: Infinity }) === null;
  expect(within2(String.raw`["[[[[", "\"[[[", "\\", [], "\\\"[["]`)).toBe(true);
  expect(within2(String.raw`["\\", [[]]]`)).toBe(false);
});

it("no JSON has more values than it is allowed, and what has few is never refused", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 5, stringUnit: "binary" }),
      fc.integer({ min: 1, max: 60 }),
      (value, values) => {
        const exceeded = exceededShape(encode(JSON.stringify(value)), { depth: 64, values });
        // An empty array or object may be counted as holding one.
        if (countOf(value) > values) expect(exceeded).toBe("values");
        if (2 * countOf(value) <= values) expect(exceeded).toBe(null);
      },
    ),
  );
});

it("bytes that are no JSON are measured without harm", () => {
  for (const text of ["[[[", '"', '"\\', "]]]]", "", '{"a', "\\\\"]) {
    expect(exceededShape(encode(text), { depth: 3, values: 10 })).toBe(null);
  }
  expect(exceededShape(new Uint8Array(1024 * 1024).fill(0x5b), { depth: 64, values: 1000 })).toBe("depth");
});
