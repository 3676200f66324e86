// Names of files in an archive, made of what people wrote: whatever a title is, it leads nowhere and can be unpacked anywhere.

/** What the systems that unpack it forbid in a name, and what cannot be seen or turns the direction of writing. */
const FORBIDDEN = /[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu;
const MOST_BYTES = 120;

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
    bytes += Buffer.byteLength(char);
    if (bytes > MOST_BYTES) break;
    name += char;
  }
  return name.replace(/^[\s.]+|[\s.]+$/gu, "") || otherwise;
}

/** The Markdown of a session, the `place`th (from 1): the number keeps equal titles apart, and reserved names harmless. */
export function sessionFileName(place: number, title: string | null, untitled: string): string {
  return `sessions/${String(place).padStart(5, "0")} ${safeName(title ?? "", untitled)}.md`;
}

/** The text of a file. Its id keeps equal names apart, and tells which one it is. */
export function textFileName(fileId: string, name: string): string {
  return `files/${safeName(name, "file")}.${fileId}.txt`;
}
