import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { gzipped, takesGzip } from "./compressed-body.ts";

test.each([
  ["gzip", true],
  ["gzip, deflate, br, zstd", true],
  ["deflate,GZIP;q=0.5", true],
  ["br;q=1.0, gzip; q=0.8 , *;q=0.1", true],
  ["x-gzip", true],
  ["gzip;q=0", false],
  ["br, gzip;q=0.000, deflate", false],
  ["br, notgzip", false],
  ["identity", false],
  ["", false],
  [null, false],
])("who accepts %j takes gzip: %j", (header, takes) => {
  expect(takesGzip(header)).toBe(takes);
});

test("the bytes are the same", async () => {
  const texts = Array.from({ length: 100 }, (_none, index) => `${index} 你好 ${"x".repeat(5000)}`);
  const parts: Buffer[] = [];
  for await (const part of gzipped(Readable.from(texts))) parts.push(part as Buffer);
  const sent = Buffer.concat(parts);
  expect(gunzipSync(sent).toString("utf8")).toBe(texts.join(""));
  expect(sent.length).toBeLessThan(texts.join("").length / 10);
});

test("a reader that leaves ends the source; a source that fails ends the answer", async () => {
  const ended = vi.fn<() => void>();
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) yield "x".repeat(1000);
    } finally {
      ended();
    }
  }
  const left = gzipped(Readable.from(endless()));
  await new Promise((resolve) => left.once("data", resolve));
  left.destroy();
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());

  async function* broken(): AsyncGenerator<string> {
    yield "x";
    throw new Error("broken");
  }
  await expect(gzipped(Readable.from(broken())).toArray()).rejects.toThrow("broken");
});
