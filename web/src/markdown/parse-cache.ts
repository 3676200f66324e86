import type { Block } from "./block-model.ts";
import type { Grouped } from "./grouped-list.ts";

/** The cache is cleared at so many texts, down to the ones used last (requirements 1§9). */
const clearedAt = 80;
const keptThen = 50;
/** Characters of all its texts, since their size is a model's choice; of one alone a fifth. */
const mostCharacters = 1_000_000;

const parsed = new Map<string, Grouped<Block>>();
let characters = 0;

/** The blocks of a complete text that was parsed before: opening a chat or a thought again parses nothing. */
export function parsedText(text: string): Grouped<Block> | null {
  const blocks = parsed.get(text);
  if (blocks === undefined) return null;
  parsed.delete(text);
  parsed.set(text, blocks);
  return blocks;
}

/** Keeps the blocks of a complete text; the caller changes them no more. */
export function keepParsed(text: string, blocks: Grouped<Block>): void {
  if (text === "" || text.length > mostCharacters / 5) return;
  forget(text);
  parsed.set(text, blocks);
  characters += text.length;
  if (parsed.size >= clearedAt) while (parsed.size > keptThen) forgetOldest();
  while (characters > mostCharacters) forgetOldest();
}

function forgetOldest(): void {
  const [oldest] = parsed.keys();
  if (oldest !== undefined) forget(oldest);
}

function forget(text: string): void {
  if (parsed.delete(text)) characters -= text.length;
}
