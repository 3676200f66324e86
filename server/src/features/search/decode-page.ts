// The bytes of a page → its characters, in whatever encoding it says it is.

/** Where pages tell their encoding, in bytes. */
const HEAD_BYTES = 2048;

/** @param contentType as the server sent it; "" when absent */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD_BYTES));
  const told = /charset\s*=\s*["']?([\w:.-]+)/iu;
  const label = bomOf(bytes) ?? told.exec(contentType)?.[1] ?? told.exec(head)?.[1] ?? "utf-8";
  // No browser reads a page as what is not known.
  return (decoderOf(label) ?? new TextDecoder()).decode(bytes);
}

function decoderOf(label: string) {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

function bomOf(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : null;
}
