// JSON from the other side, read without the keys that reach prototypes (wire-contract.md §1.7).

const HOSTILE_KEYS = ["__proto__", "constructor", "prototype"] as const;

export type ParsedJson = { ok: true; value: unknown } | { ok: false };

/** Parses a text from the other side without its hostile keys. Any depth; a duplicate key's last value wins. */
export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: dropHostileKeys(JSON.parse(text)) };
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false };
    throw error;
  }
}

/** As `parseJson` for a request body: an empty one counts as {}. */
export function parseJsonBody(text: string): ParsedJson {
  return text.trim() === "" ? { ok: true, value: {} } : parseJson(text);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

export interface JsonShape {
  /** How deep arrays and objects may lie in one another. */
  depth: number;
  /** How many values there may be: each costs far more in memory than in text. */
  values: number;
}

/**
 * Which limit JSON text in UTF-8 exceeds; null for none. One pass over the bytes that builds nothing, so that it can be
 * asked before parsing. For bytes that are no JSON the answer means nothing.
 */
export function exceededShape(bytes: Uint8Array, { depth, values }: JsonShape): keyof JsonShape | null {
  let level = 0;
  // Every value but the first of an array or object follows a comma; the first are counted with what holds them.
  let count = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
    } else if (byte === COMMA) {
      count++;
      if (count > values) return "values";
    } else if (byte === 0x5b || byte === 0x7b) {
      level++;
      count++;
      if (level > depth) return "depth";
      if (count > values) return "values";
    } else if (byte === 0x5d || byte === 0x7d) {
      level--;
    }
  }
  return null;
}

/** Where the string that opens at `start` closes; the end of the bytes when it does not. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    at = bytes.indexOf(QUOTE, at + 1);
    if (at === -1) return bytes.length;
    let escapes = 0;
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
}

/** Deletes hostile keys from freshly parsed JSON, in place and without recursion, and returns the value. */
function dropHostileKeys(value: unknown): unknown {
  const pending = isObject(value) ? [value] : [];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    for (const key of HOSTILE_KEYS) {
      if (Object.hasOwn(item, key)) Reflect.deleteProperty(item, key);
    }
    // Of a long chat all else is many times as many.
    for (const child of Object.values(item)) if (isObject(child)) pending.push(child);
  }
  return value;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** True for an object that is no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A query as an object: the first value of a repeated parameter wins, but those of `file_ids` are joined by commas
 * (wire-contract.md §1.1). Hostile names are dropped.
 */
export function readQuery(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const query = new Map<string, string>();
  for (const [key, value] of pairs) {
    if (HOSTILE_KEYS.some((hostile) => hostile === key)) continue;
    const known = query.get(key);
    if (known === undefined) query.set(key, value);
    else if (key === "file_ids") query.set(key, `${known},${value}`);
  }
  return Object.fromEntries(query);
}
