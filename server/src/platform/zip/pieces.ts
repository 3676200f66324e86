// Contents in pieces of one size, for whom many small ones would cost more than the copying.

export type Content = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** Bytes that are compressed or stored at a time. */
export const PIECE_BYTES = 64 * 1024;

/** Pieces of some 64 KiB, as they come where they are larger. A piece that is given may be used again by its giver. */
export async function* joined(content: Content): AsyncGenerator<Buffer, void> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const piece of content) {
    const part = typeof piece === "string" ? Buffer.from(piece, "utf8") : Buffer.from(piece);
    parts.push(part);
    bytes += part.length;
    if (bytes < PIECE_BYTES) continue;
    yield inOne(parts);
    parts = [];
    bytes = 0;
  }
  if (bytes > 0) yield inOne(parts);
}

function inOne(parts: readonly Buffer[]): Buffer {
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 ? only : Buffer.concat(parts);
}
