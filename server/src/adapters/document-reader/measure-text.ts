// Bytes and tokens of a text that lies in a file.
import type { FileHandle } from "node:fs/promises";
import { countTokens } from "../../platform/count-tokens.ts";

const pieceBytes = 64 * 1024;

/** Counting ends soon after `atMost` tokens. Throws the AbortError of `signal`. */
export async function measureText(
  file: FileHandle,
  atMost: number,
  signal: AbortSignal,
): Promise<{ bytes: number; tokens: number }> {
  const buffer = Buffer.alloc(pieceBytes);
  const decoder = new TextDecoder();
  let bytes = 0;
  let tokens = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, pieceBytes, bytes);
    const piece = decoder.decode(buffer.subarray(0, bytesRead), { stream: bytesRead > 0 });
    tokens += await countTokens(piece, atMost - tokens);
    bytes += bytesRead;
    if (bytesRead === 0 || tokens > atMost) return { bytes, tokens };
  }
}
