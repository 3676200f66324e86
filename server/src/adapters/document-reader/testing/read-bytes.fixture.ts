// Reads documents that a test holds as bytes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DocumentReader, ReadDocument } from "../../../ports/document-reader.ts";

/** Gives the text, or what came instead of one. `close` removes what it wrote. */
export function bytesReader(reader: DocumentReader) {
  const folder = mkdtempSync(join(tmpdir(), "plumb-reading-"));
  let made = 0;
  return {
    async read(content: Uint8Array, extension: string, isShort = false): Promise<ReadDocument | string> {
      const path = join(folder, `document-${(made += 1)}`);
      writeFileSync(path, content);
      const limits = { bytes: 4 * 1024 * 1024, tokens: 61_440 };
      const textPath = `${path}.text`;
      const result = await reader.read(
        { path, textPath, extension, limits, isShort },
        new AbortController().signal,
      );
      const text = result.kind === "text" ? readFileSync(textPath, "utf8") : null;
      rmSync(path);
      rmSync(textPath, { force: true });
      return text ?? result;
    },
    async close(): Promise<void> {
      await reader.close();
      rmSync(folder, { recursive: true });
    },
  };
}
