// The elements of a list in JSON of any size, each parsed by itself: one that is damaged, too large or nested too deeply
// costs itself alone, and none but the one at hand is in memory.

/** Deeper than anything that people have said to each other. */
const MOST_DEPTH = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** What became of one element. */
export type JsonElement =
  { ok: true; value: unknown } | { ok: false; problem: "damaged" | "too-large" | "not-wanted" };

/**
 * Every element of the list that `pieces` hold; an object at the top is the only element. Nothing for JSON of another kind,
 * or for what is no JSON from its first sign on. A list that is cut off ends with a damaged element, and so does one behind
 * which more than space follows: nobody shall think that this came, too. Elements that are not wanted, by their indexes from 0,
 * are told and not read.
 */
export async function* jsonElements(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { mostBytes, isWanted }: { mostBytes: number; isWanted(index: number): boolean },
): AsyncGenerator<JsonElement> {
  const element = new ElementBytes(mostBytes, isWanted);
  /** Of what is open: 0 = nothing has come yet, 1 = within the list at the top, or within the only object. */
  let depth = 0;
  let isList = false;
  let inText = false;
  let escaped = false;
  let hasEnded = false;
  let isFollowed = false;
  for await (const piece of withoutMark(pieces)) {
    // A zip tells behind its last byte whether all of them are as they were.
    if (hasEnded) {
      isFollowed ||= !isBlank(piece);
      continue;
    }
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] as number;
      if (inText) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inText = false;
        continue;
      }
      if (byte === QUOTE) inText = true;
      if (depth === 0) {
        if (byte <= 0x20) {
          from = at + 1;
          continue;
        }
        if (byte !== OPEN_LIST && byte !== OPEN_OBJECT) return;
        isList = byte === OPEN_LIST;
        depth = 1;
        if (isList) from = at + 1;
        continue;
      }
      if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        depth += 1;
        if (depth > MOST_DEPTH) element.refuse();
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        depth -= 1;
        if (depth > 0) continue;
        element.add(piece.subarray(from, isList ? at : at + 1));
        const last = element.take();
        if (last !== null) yield last;
        hasEnded = true;
        isFollowed = !isBlank(piece.subarray(at + 1));
        break;
      } else if (byte === COMMA && depth === 1 && isList) {
        element.add(piece.subarray(from, at));
        yield element.take() ?? { ok: false, problem: "damaged" };
        from = at + 1;
      }
    }
    if (!hasEnded) element.add(piece.subarray(from));
  }
  if (isFollowed || (depth > 0 && !element.isBlank)) yield { ok: false, problem: "damaged" };
}

function isBlank(bytes: Uint8Array): boolean {
  return !bytes.some((byte) => byte > 0x20);
}

/** The bytes of the element at hand, no more of them than may be. */
class ElementBytes {
  readonly #mostBytes: number;
  readonly #isWanted: (index: number) => boolean;
  #index = 0;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #refused = false;

  constructor(mostBytes: number, isWanted: (index: number) => boolean) {
    this.#mostBytes = mostBytes;
    this.#isWanted = isWanted;
  }

  get isBlank(): boolean {
    return !this.#refused && this.#parts.every(isBlank);
  }

  /** Its piece may be used again by its giver. */
  add(part: Uint8Array): void {
    if (this.#refused || part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes > this.#mostBytes) this.refuse();
    else this.#parts.push(Uint8Array.from(part));
  }

  refuse(): void {
    this.#refused = true;
    this.#parts = [];
  }

  /** The element, and nothing of it any more here; null where there is only space. */
  take(): JsonElement | null {
    const [parts, refused, isBlank] = [this.#parts, this.#refused, this.isBlank];
    this.#parts = [];
    this.#bytes = 0;
    this.#refused = false;
    const isWanted = this.#isWanted(this.#index);
    if (!isBlank) this.#index += 1;
    if (!isWanted && !isBlank) return { ok: false, problem: "not-wanted" };
    if (refused) return { ok: false, problem: "too-large" };
    if (isBlank) return null;
    try {
      return { ok: true, value: JSON.parse(new TextDecoder().decode(Buffer.concat(parts))) as unknown };
    } catch {
      return { ok: false, problem: "damaged" };
    }
  }
}

/** A byte order mark is no part of JSON. */
async function* withoutMark(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | null = new Uint8Array();
  for await (const piece of pieces) {
    if (start === null) {
      yield piece;
      continue;
    }
    start = Buffer.concat([start, piece]);
    if (start.length < 3) continue;
    const isMarked = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf;
    yield isMarked ? start.subarray(3) : start;
    start = null;
  }
  if (start !== null) yield start;
}
