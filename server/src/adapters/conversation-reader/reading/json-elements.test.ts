import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonElements } from "./json-elements.ts";

const all = { mostBytes: 1000, isWanted: (_index: number) => true };

/** What comes of `json`, given in pieces of so many bytes. */
async function elementsOf(json: string | Buffer, pieceBytes = 7, limits = all): Promise<unknown[]> {
  const bytes = Buffer.from(json as string);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes));
  const found: unknown[] = [];
  for await (const element of jsonElements(pieces, limits))
    found.push(element.ok ? element.value : element.problem);
  return found;
}

describe("the elements of a list", () => {
  it.each([
    ["", []],
    ["   \n", []],
    ["[]", []],
    [" [ ] ", []],
    ["[1,2]", [1, 2]],
    ["[1,2] and more", [1, 2, "damaged"]],
    ["[1,2]\n\n \t", [1, 2]],
    ["[1,2]\n\n[3]", [1, 2, "damaged"]],
    ["[1,2]]", [1, 2, "damaged"]],
    ["[] x", ["damaged"]],
    ['{"a":[1,{"b":2}]}', [{ a: [1, { b: 2 }] }]],
    ['{"a":1}{"b":2}', [{ a: 1 }, "damaged"]],
    ['{"a":1}\n', [{ a: 1 }]],
    ["17", []],
    ['"text"', []],
    ["null", []],
    ["PK\u0003\u0004", []],
    ['["a,b]","c\\"]}",{"d":"\\\\"}]', ["a,b]", 'c"]}', { d: "\\" }]],
    ["[1,,2]", [1, "damaged", 2]],
    ["[1,2,]", [1, 2]],
    ["[1,2", [1, "damaged"]],
    ["[1,", [1]],
    ["[", []],
    ["{", ["damaged"]],
    ['["never ends,1,2]', ["damaged"]],
    ["[{},{a:1},{}]", [{}, "damaged", {}]],
    ["[{},{]},{}]", [{}, "damaged", "damaged"]],
    ['[{"a":1,"a":2}]', [{ a: 2 }]],
    ["\ufeff[1]", [1]],
    [`[${"x".repeat(1001)},2]`, ["too-large", 2]],
    [`[${"[".repeat(300)}${"]".repeat(300)},2]`, ["too-large", 2]],
  ])("of %j are %j, whatever the pieces", async (json, expected) => {
    for (const pieceBytes of [1, 2, 3, 1000]) expect(await elementsOf(json, pieceBytes)).toEqual(expected);
  });

  it("keys of prototypes are keys like others", async () => {
    const [value] = (await elementsOf('[{"__proto__":{"polluted":1}}]')) as object[];
    expect(Object.hasOwn(value ?? {}, "__proto__")).toBe(true);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("bytes that are no UTF-8 become U+FFFD", async () => {
    expect(await elementsOf(Buffer.from('["\xff"]', "latin1"))).toEqual(["\ufffd"]);
  });

  it("those that are not wanted are not parsed", async () => {
    const limits = { ...all, isWanted: (index: number) => index >= 2 };
    expect(await elementsOf("[{damaged},2,3]", 1, limits)).toEqual(["not-wanted", "not-wanted", 3]);
  });

  it("are those that JSON.parse gives, however the text is cut and spaced", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(0, 1, 4),
        async (list, pieceBytes, spaces) => {
          const json = JSON.stringify(list, null, spaces);
          expect(await elementsOf(json, pieceBytes, { ...all, mostBytes: 1e6 })).toEqual(JSON.parse(json));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("end for any bytes at all", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.string({ unit: fc.constantFrom(...'[]{},:"\\ \n1a'), maxLength: 300 }),
        ),
        async (bytes) => {
          const found = await elementsOf(Buffer.from(bytes as string), 5);
          expect(found.length).toBeLessThanOrEqual(301);
        },
      ),
      { numRuns: 500 },
    );
  });
});
