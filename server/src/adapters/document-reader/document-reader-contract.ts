// What every document reader must do; each adapter runs this suite.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ParseError } from "@plumb/protocol/wire/files";
import { EXTENSIONS } from "@plumb/protocol/rules/upload-rules";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countTokens } from "../../platform/count-tokens.ts";
import type { DocumentReader, ReadDocument } from "../../ports/document-reader.ts";

const limits = { bytes: 200_000, tokens: 10_000 };

export function documentReaderContract(name: string, make: () => DocumentReader): void {
  describe(`${name}, as a document reader`, () => {
    let reader: DocumentReader;
    let folder: string;
    let made = 0;
    beforeAll(() => {
      reader = make();
      folder = mkdtempSync(join(tmpdir(), "plumb-reader-"));
    });
    afterAll(async () => {
      await reader.close();
      rmSync(folder, { recursive: true, force: true });
    });

    async function read(
      content: string | Uint8Array,
      extension = "txt",
      signal = new AbortController().signal,
    ): Promise<{ result: ReadDocument; text: string | null }> {
      const path = join(folder, `document-${++made}`);
      const textPath = join(folder, `text-${made}`);
      writeFileSync(path, content);
      const result = await reader.read({ path, extension, textPath, limits, isShort: false }, signal);
      const text = existsSync(textPath) ? readFileSync(textPath, "utf8") : null;
      expect(readFileSync(path)).toEqual(Buffer.from(content));
      return { result, text };
    }

    it("offers only what the product knows", () => {
      expect(reader.extensions.length).toBeGreaterThan(10);
      expect(reader.extensions.filter((extension) => !EXTENSIONS.includes(extension))).toEqual([]);
    });

    it("gives a text with its bytes and tokens", async () => {
      const content = "Hello, 世界! 🎉\n\nA second line.";
      const { result, text } = await read(content);
      expect(text).toBe(content);
      expect(result).toEqual({
        kind: "text",
        bytes: Buffer.byteLength(content),
        tokens: await countTokens(content),
      });
    });

    it("drops the byte order mark, and lines end in LF", async () => {
      expect((await read("\ufeffone\r\ntwo\rthree")).text).toBe("one\ntwo\nthree");
      expect((await read(Buffer.from("\ufeff两行\r\n文字", "utf16le"))).text).toBe("两行\n文字");
    });

    it("keeps characters whole that lie across pieces", async () => {
      const content = `${"é世🎉\r\n".repeat(9000)}end`;
      const { result, text } = await read(content);
      // Fewer bytes than the limit, but more tokens.
      expect(result).toEqual({ kind: "too-long" });
      expect(text).toBeNull();
      const fewer = `${"a ".repeat(31)}世🎉\r\n`.repeat(150);
      expect((await read(fewer)).text).toBe(fewer.replaceAll("\r\n", "\n"));
    });

    it("says where nothing is to be read", async () => {
      expect((await read("")).result).toEqual({ kind: "failed", errorCode: ParseError.NoText });
      expect((await read(" \n\t\r\n ")).result).toEqual({
        kind: "failed",
        errorCode: ParseError.WhiteSpaceOnly,
      });
    });

    it("ends where a limit is passed, and leaves nothing", async () => {
      const { result, text } = await read(" ".repeat(limits.bytes + 1));
      expect(result).toEqual({ kind: "too-long" });
      expect(text).toBeNull();
    });

    it("leaves nothing of what is no text", async () => {
      const { result, text } = await read(Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 0xff, 0xfe]));
      expect(result.kind).toBe("failed");
      expect(text).toBeNull();
    });

    it("rejects when it is aborted, before and while it reads", async () => {
      await expect(read("text", "txt", AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
      const abort = new AbortController();
      const reading = read("word ".repeat(39_000), "txt", abort.signal);
      abort.abort();
      await expect(reading).rejects.toMatchObject({ name: "AbortError" });
      expect(existsSync(join(folder, `text-${made}`))).toBe(false);
    });
  });
}
