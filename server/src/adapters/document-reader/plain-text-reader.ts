// Reads what is text already, in UTF-8 or UTF-16 with its mark, in this process: it takes bytes apart and runs nothing.
import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { ParseError, type ParseErrorCode } from "@plumb/protocol/wire/files";
import { countTokens } from "../../platform/count-tokens.ts";
import type { DocumentReader, DocumentToRead, ReadDocument } from "../../ports/document-reader.ts";

const EXTENSIONS =
  "txt md log csv tsv tab c h cc cpp hpp cs java kt scala go rs swift m py rb php pl lua r jl js mjs cjs jsx ts tsx vue " +
  "svelte dart sql sh bash zsh bat ps1 tex rst adoc json jsonl yaml yml toml ini conf cfg env properties gradle";

const PIECE_BYTES = 64 * 1024;

export function createPlainTextReader(): DocumentReader {
  return {
    extensions: EXTENSIONS.split(" "),
    async read(document, signal) {
      signal.throwIfAborted();
      let result: ReadDocument | undefined;
      try {
        result = await readText(document, signal);
        return result;
      } finally {
        if (result?.kind !== "text") await rm(document.textPath, { force: true });
      }
    },
    async close() {},
  };
}

const failed = (errorCode: ParseErrorCode): ReadDocument => ({ kind: "failed", errorCode });

async function readText(
  { path, textPath, limits }: DocumentToRead,
  signal: AbortSignal,
): Promise<ReadDocument> {
  const source = createReadStream(path, { highWaterMark: PIECE_BYTES, signal });
  const target = await open(textPath, "wx");
  let bytes = 0;
  let tokens = 0;
  let blank = true;
  try {
    for await (const piece of cleanPieces(source)) {
      bytes += Buffer.byteLength(piece);
      if (bytes > limits.bytes) return { kind: "too-long" };
      tokens += await countTokens(piece, limits.tokens - tokens);
      if (tokens > limits.tokens) return { kind: "too-long" };
      blank &&= piece.trim() === "";
      await target.writeFile(piece);
    }
    if (bytes === 0) return failed(ParseError.NoText);
    return blank ? failed(ParseError.WhiteSpaceOnly) : { kind: "text", bytes, tokens };
  } catch (error) {
    signal.throwIfAborted();
    // What the decoder throws.
    if (error instanceof TypeError) return failed(ParseError.UnknownEncoding);
    if (error instanceof NotText) return failed(ParseError.NotOfItsType);
    return failed(ParseError.ExtractorCrashed);
  } finally {
    source.destroy();
    await target.close();
  }
}

/** Holds what no text does. */
class NotText extends Error {}

/** Decoded pieces whose lines end in LF. Throws TypeError for bytes in another encoding. */
async function* cleanPieces(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let carry = "";
  for await (const bytes of source) {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    const text = carry + decoder.decode(bytes, { stream: true });
    // Its LF may be the next byte.
    carry = text.endsWith("\r") ? "\r" : "";
    yield clean(carry === "" ? text : text.slice(0, -1));
  }
  if (decoder !== null) yield clean(carry + decoder.decode());
}

function clean(text: string): string {
  if (text.includes("\0")) throw new NotText();
  return text.replace(/\r\n?/gu, "\n");
}

/** UTF-8, unless the byte order mark says otherwise; the decoder drops the mark. */
function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
}
