// JSON text in pieces of bounded size, so that no task serialises a whole history.

/** UTF-16 code units of a piece, roughly: one is at most twice as long before escaping. */
const PIECE_CHARS = 32 * 1024;

/**
 * The JSON text of `object` in pieces. A value that is an async iterable becomes an array, read one item at a time; long
 * texts are cut. Equal to `JSON.stringify` for objects, arrays, strings, finite numbers, booleans and null; keys whose
 * value is undefined are left out. `toJSON` is not called on what is larger than a piece.
 */
export async function* jsonPieces(object: Record<string, unknown>): AsyncGenerator<string, void> {
  let separator = "{";
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ",";
    if (isAsyncIterable(value)) yield* arrayPieces(value);
    else yield* piecesOf(value);
  }
  yield separator === "{" ? "{}" : "}";
}

async function* arrayPieces(items: AsyncIterable<unknown>): AsyncGenerator<string, void> {
  let separator = "[";
  for await (const item of items) {
    yield separator;
    separator = ",";
    yield* piecesOf(item);
  }
  yield separator === "[" ? "[]" : "]";
}

function* piecesOf(value: unknown): Generator<string, void> {
  if (isShort(value)) {
    yield JSON.stringify(value ?? null);
  } else if (typeof value === "string") {
    yield* textPieces(value);
  } else if (Array.isArray(value)) {
    let separator = "[";
    for (const item of value) {
      yield separator;
      separator = ",";
      yield* piecesOf(item);
    }
    yield "]";
  } else {
    let separator = "{";
    for (const [key, item] of Object.entries(value as object)) {
      if (item === undefined) continue;
      yield `${separator}${JSON.stringify(key)}:`;
      separator = ",";
      yield* piecesOf(item);
    }
    yield separator === "{" ? "{}" : "}";
  }
}

function* textPieces(text: string): Generator<string, void> {
  yield '"';
  let at = 0;
  while (at < text.length) {
    let end = at + PIECE_CHARS;
    // Half a surrogate pair would be written as an escape.
    if (isHighSurrogate(text.charCodeAt(end - 1))) end++;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}

/** Whether the value's text is about one piece. Looks at no more than one piece's worth of it. */
function isShort(value: unknown): boolean {
  let left = PIECE_CHARS;
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const item = pending.pop();
    left -= typeof item === "string" ? item.length + 8 : 8;
    if (left < 0) return false;
    if (typeof item !== "object" || item === null) continue;
    const children = Object.values(item);
    left -= children.length * 8;
    if (left < 0) return false;
    for (const child of children) pending.push(child);
  }
  return true;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
