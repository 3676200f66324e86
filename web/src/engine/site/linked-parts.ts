export interface TextPart {
  text: string;
  /** Null: plain text. */
  href: string | null;
}

/** A text in parts: `[words](address)` is a link where the address is of the web or of mail, and all else is as it stands. */
export function linkedParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(/\[([^\][]{1,500})\]\(([^()\s]{1,2000})\)/g)) {
    const [whole, words = "", address = ""] = match;
    const href = safeAddress(address);
    if (href === null) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index), href: null });
    parts.push({ text: words, href });
    from = match.index + whole.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), href: null });
  return parts;
}

/** An address of the web or of mail, or a path of this origin; null for all else, scripts above all. */
function safeAddress(address: string): string | null {
  if (/^\/(?!\/)[^\\]*$/.test(address)) return address;
  if (!URL.canParse(address)) return null;
  return ["https:", "http:", "mailto:"].includes(new URL(address).protocol) ? address : null;
}
