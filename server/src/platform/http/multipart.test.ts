import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ByteSource } from "./body-reader.ts";
import { type Part, multipartParts } from "./multipart.ts";

type Read = Omit<Part, "pieces"> & { content: string };

/** Comes in slices of so many bytes. */
function slices(body: Uint8Array, size: number): ByteSource & { taken: number } {
  const source = {
    taken: 0,
    async readInto(target: Uint8Array) {
      const slice = body.subarray(source.taken, source.taken + Math.min(size, target.length));
      target.set(slice);
      source.taken += slice.length;
      return slice.length;
    },
  };
  return source;
}

async function read(body: string | Uint8Array, size = 64 * 1024): Promise<Read[]> {
  const parts: Read[] = [];
  for await (const { pieces, ...part } of multipartParts(slices(Buffer.from(body), size))) {
    const content: Uint8Array[] = [];
    for await (const piece of pieces) content.push(Buffer.from(piece));
    parts.push({ ...part, content: Buffer.concat(content).toString("latin1") });
  }
  return parts;
}

const formOf = async (form: FormData) => new Uint8Array(await new Response(form).arrayBuffer());
const one = (disposition: string, content = "x") =>
  `--b\r\ncontent-disposition: ${disposition}\r\n\r\n${content}\r\n--b--\r\n`;

describe("a multipart body", () => {
  it("is what a browser's form has sent, cut at any byte", async () => {
    const form = new FormData();
    form.append("note", "a field");
    form.append("file", new Blob(["\r\n--not the end\r\n-"]), '报告 "final".txt');
    const body = await formOf(form);
    for (let size = 1; size <= body.length; size += 1) {
      expect(await read(body, size)).toEqual([
        { name: "note", fileName: null, content: "a field" },
        { name: "file", fileName: '报告 "final".txt', content: "\r\n--not the end\r\n-" },
      ]);
    }
  });

  it("gives back any content, however it is cut", async () => {
    const delimiters = fc.constantFrom("\r\n--b", "\r\n--", "\r", "\n", "--b--", "a", "\r\n--c\r\n", "");
    const content = fc
      .array(fc.oneof(delimiters, fc.string()), { maxLength: 8 })
      .map((list) => list.join(""));
    await fc.assert(
      fc.asyncProperty(
        fc.array(content, { maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        async (all, size) => {
          const form = new FormData();
          for (const text of all) form.append("file", new Blob([text]), "name.txt");
          if (all.length === 0) return;
          const parts = await read(await formOf(form), size);
          expect(parts.map((part) => Buffer.from(part.content, "latin1").toString("utf8"))).toEqual(
            all.map((text) => Buffer.from(text).toString("utf8")),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    ['form-data; name="file"; filename="a.txt"', "a.txt"],
    ['form-data; name="file"; filename=plain.txt', "plain.txt"],
    ['form-data; name="file"; filename="with \\"quotes\\".txt"', 'with "quotes".txt'],
    ['form-data; name="file"; filename="C:\\Users\\me\\a.txt"', "C:\\Users\\me\\a.txt"],
    ['form-data; name="file"; filename="semi;colon=1.txt"', "semi;colon=1.txt"],
    ['form-data; name="file"; filename="x"; filename*=UTF-8\'\'caf%C3%A9.txt', "café.txt"],
    ['form-data; name="file"; filename="x"; filename*=UTF-8\'\'%zz', "x"],
    ['form-data; name="file"; filename=""', ""],
    ['form-data; name="file"', null],
  ])("has the name of %s", async (disposition, fileName) => {
    expect(await read(one(disposition))).toEqual([{ name: "file", fileName, content: "x" }]);
  });

  it("drops what nobody reads of a part", async () => {
    const body = `--b\r\n\r\n${"x".repeat(300_000)}\r\n--b  \r\n\r\nsecond\r\n--b--`;
    const parts: unknown[] = [];
    for await (const part of multipartParts(slices(Buffer.from(body), 1000))) {
      const { value } = (await part.pieces[Symbol.asyncIterator]().next()) as { value: Uint8Array };
      parts.push(value.length);
    }
    expect(parts).toHaveLength(2);
    expect(parts[1]).toBe(6);
  });

  it.each([
    ["nothing", ""],
    ["another body", '{"file":"a"}'],
    ["a first line without an end", `--${"b".repeat(10_000)}`],
    ["headers without an end", `--b\r\n${"x-header: 1\r\n".repeat(100_000)}`],
    ["a part without an end", "--b\r\n\r\nsome text"],
    ["a boundary that goes on", "--b\r\n\r\nsome text\r\n--but not so\r\n\r\n--b--"],
    ["a thousand parts", `${"--b\r\n\r\nx\r\n".repeat(1000)}--b--`],
  ])("refuses %s, without reading on", async (_what, body) => {
    const source = slices(Buffer.from(body), 1000);
    const parts = multipartParts(source);
    const reading = (async () => {
      for await (const { pieces } of parts) for await (const _piece of pieces);
    })();
    await expect(reading).rejects.toMatchObject({ name: "GlobalRefusal", detail: [{ loc: "body" }] });
    expect(source.taken).toBeLessThan(20_000);
  });

  it("passes on why its body has ended", async () => {
    const head = Buffer.from("--b\r\n\r\nsome");
    let reads = 0;
    const cut: ByteSource = {
      async readInto(target) {
        if (++reads > 1) throw new Error("cut off");
        target.set(head);
        return head.length;
      },
    };
    await expect(
      (async () => {
        for await (const { pieces } of multipartParts(cut)) for await (const _piece of pieces);
      })(),
    ).rejects.toThrow("cut off");
  });
});
