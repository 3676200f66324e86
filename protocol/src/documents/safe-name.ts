// Names of files, made of what people wrote: whatever a title is, it leads nowhere and any system takes it. Pure.

/** What the systems forbid in a name, and what cannot be seen or turns the direction of writing. */
const FORBIDDEN = /[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu;
const MOST_BYTES = 120;

/** Of UTF-8. */
function bytesOf(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** A part of a path: at most 120 bytes of UTF-8, never empty, no dots or spaces at its ends. `otherwise` stands for nothing. */
export function safeName(text: string, otherwise: string): string {
  const cleaned = text
    .slice(0, 4 * MOST_BYTES)
    .normalize("NFC")
    .replace(FORBIDDEN, " ")
    .replace(/\s+/gu, " ");
  let bytes = 0;
  let name = "";
  for (const char of cleaned) {
    bytes += bytesOf(char);
    if (bytes > MOST_BYTES) break;
    name += char;
  }
  return name.replace(/^[\s.]+|[\s.]+$/gu, "") || otherwise;
}
