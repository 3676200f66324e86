import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson, parseJsonBody, readQuery } from "./json.ts";

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
