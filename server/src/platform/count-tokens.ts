// Counts tokens for the product's budgets with gpt-tokenizer's o200k, which over-counts Chinese: the safe side.
type Encoding = typeof import("gpt-tokenizer/encoding/o200k_base");

/** The tokenizer is quadratic in the length of one word. Slices keep hostile text linear, and over-count by less than 0.2 %. */
const SLICE_CHARS = 1024;
/** About 20 ms of the slowest text. Then the event loop runs: a text of megabytes must not hold up streams and leases. */
const SLICES_PER_TURN = 16;
/**
 * The tokenizer keeps words it has seen, by default 100,000, each with all of the text that it was handed: of so many, at
 * most 8 MB.
 */
const KEPT_WORDS = 4000;
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

let encoding: Promise<Encoding> | undefined;

/** Loads the vocabulary (0.3 s, about 80 MB) with the first turn, so that an idle server stays small. */
function loadEncoding(): Promise<Encoding> {
  encoding ??= import("gpt-tokenizer/encoding/o200k_base").then((loaded) => {
    loaded.setMergeCacheSize(KEPT_WORDS);
    return loaded;
  });
  return encoding;
}

/** The same text in memory of its own: a slice, and every slice of it, holds on to the whole that it was cut from. */
function copyOf(slice: string): string {
  return Buffer.from(slice, "utf16le").toString("utf16le");
}

/** Tokens of `text`. Counting stops soon after `atMost`, so that an overlong text costs no more than a long one. */
export async function countTokens(text: string, atMost = Number.POSITIVE_INFINITY): Promise<number> {
  if (text === "") return 0;
  const { countTokens: count } = await loadEncoding();
  let tokens = 0;
  let slices = 0;
  for (let from = 0; from < text.length && tokens <= atMost;) {
    const to = sliceEnd(text, from);
    tokens += count(copyOf(text.slice(from, to)), PLAIN_TEXT);
    from = to;
    slices += 1;
    if (slices % SLICES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return tokens;
}

/** Cuts at the last white space of the slice where there is one, and never inside a surrogate pair. */
function sliceEnd(text: string, from: number): number {
  const end = from + SLICE_CHARS;
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(" ", end);
  if (space > from + SLICE_CHARS / 2) return space;
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
