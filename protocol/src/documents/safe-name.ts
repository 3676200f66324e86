// Names of files, made of what people wrote: whatever a title is, it leads nowhere and any system takes it. Pure.

/** Joins the parts of an emoji, or shapes the letters of Persian and Indian words: not seen, but part of what is. */
const JOINER = String.raw`(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])[\u200C\u200D](?=[\p{L}\p{Extended_Pictographic}])`;
/** What the systems forbid in a name, and what cannot be seen or turns the direction of writing. */
const FORBIDDEN = new RegExp(String.raw`(?:(?!${JOINER})[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|])+`, "gu");
const MOST_BYTES = 120;

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const encoder = new TextEncoder();

/**
 * A part of a path: at most 120 bytes of UTF-8 and of whole characters as they are seen, never empty, no dots or spaces at
 * its ends. `otherwise` stands for nothing.
 */
export function safeName(text: string, otherwise: string): string {
  const cleaned = text
    .slice(0, 4 * MOST_BYTES)
    .normalize("NFC")
    .replace(FORBIDDEN, " ")
    .replace(/\s+/gu, " ");
  return cut(cleaned).replace(/^[\s.]+|[\s.]+$/gu, "") || otherwise;
}

function cut(name: string): string {
  if (bytesOf(name) <= MOST_BYTES) return name;
  let bytes = 0;
  let start = "";
  for (const { segment } of characters.segment(name)) {
    bytes += bytesOf(segment);
    if (bytes > MOST_BYTES) break;
    start += segment;
  }
  return start;
}

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
