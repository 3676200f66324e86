// A text as a search sees it: case, width and accents do not matter. One folding for what is indexed, what is asked and
// what is shown as found, so that every database gives the same answers (wire-contract.md §19.5).
import { ownTurn } from "../own-turn.ts";

/** What a unit of a folded text is part of. */
export const Kind = { other: 0, word: 1, dense: 2, picture: 3 } as const;
const KIND_BITS = 3;
/** Set where a word begins inside another: at a capital of `getUserName`. */
const HUMP = 4;
/** More capitals of one word begin none: a line of base64 has thousands. */
const MAX_HUMPS = 8;
/** What is folded in one turn of the event loop. */
const SLICE_UNITS = 8192;
/** How far before the end of a slice a space is looked for. */
const SPACE_WITHIN = 1024;

/** Written without spaces between words: searched by any part, not from the beginnings of words on. */
const dense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆〇]/u;
const picture = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u;
const word = /[\p{L}\p{N}\p{M}]/u;
/** A run of ASCII; or one letter with all that stands on it: marks, the two of half-width kana, parts of a syllable. */
const clusters = /\p{ASCII}+|[\u1100-\u115F][\u1160-\u11A7]?[\u11A8-\u11FF]?|.[\p{M}\uFF9E\uFF9F]*/gsu;
const humps = /(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/gu;
/**
 * Accents of European letters, and the vowels that Hebrew and Arabic mostly leave out. The marks of kana and of Indian scripts
 * tell letters apart and stay.
 */
const accents = /[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0640\u064B-\u0652\u0670]/gu;
/** Signs that one device writes so and another otherwise. */
const curlySingle = /[\u2018-\u201B\u2032\u05F3]/gu;
const curlyDouble = /[\u201C-\u201F\u05F4]/gu;
const hyphens = /[\u2010-\u2014\u2212]/gu;
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/** A letter or digit of a script that writes blanks between words. */
export function isSpacedWord(char: string): boolean {
  return word.test(char) && !dense.test(char);
}

/** `folded` with the kind of each of its units, and where each comes from. */
export class SearchText {
  readonly folded: string;
  readonly #kinds: Uint8Array;
  readonly #origins: Uint32Array;

  constructor(folded: string, kinds: Uint8Array, origins: Uint32Array) {
    this.folded = folded;
    this.#kinds = kinds;
    this.#origins = origins;
  }

  kindAt(unit: number): number {
    return (this.#kinds[unit] ?? 0) & KIND_BITS;
  }

  /** True where a word begins, or a capital inside one. */
  beginsWord(unit: number): boolean {
    return this.kindAt(unit - 1) !== Kind.word || this.isHump(unit);
  }

  /** The first unit from this one on where a word begins, as `beginsWord` says; the length of the text where there is none. */
  nextBegin(unit: number): number {
    let next = unit;
    while (next < this.folded.length && !this.beginsWord(next)) next += 1;
    return next;
  }

  isHump(unit: number): boolean {
    return ((this.#kinds[unit] ?? 0) & HUMP) !== 0;
  }

  /** True where no word goes on. */
  endsWord(unit: number): boolean {
    return this.kindAt(unit) !== Kind.word;
  }

  /** The unit of the text as it was written; at the end of the folded one its length. */
  originOf(unit: number): number {
    return this.#origins[unit] ?? 0;
  }
}

/** Folds a short text: a title, a query. */
export function foldShort(text: string): SearchText {
  const folding = new Folding();
  for (const slice of slicesOf(text)) folding.add(slice);
  return folding.end();
}

/** Folds a text of any size, a slice in each turn of the event loop. */
export async function foldPaced(text: string): Promise<SearchText> {
  if (text.length <= SLICE_UNITS) return foldShort(text);
  const folding = new Folding();
  for (const slice of slicesOf(text)) {
    await ownTurn();
    folding.add(slice);
  }
  return folding.end();
}

/** The text in slices, cut behind a space, or else never inside a code point. */
function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + SLICE_UNITS);
    if (to < text.length) {
      const space = Math.max(text.lastIndexOf(" ", to - 1), text.lastIndexOf("\n", to - 1));
      if (space >= to - SPACE_WITHIN) to = space + 1;
      else if (isHighSurrogate(text.charCodeAt(to - 1))) to += 1;
    }
    yield text.slice(from, to);
    from = to;
  }
}

class Folding {
  readonly #parts: string[] = [];
  readonly #kinds: number[] = [];
  readonly #origins: number[] = [];
  #read = 0;
  #humps = 0;

  add(slice: string): void {
    for (const [cluster] of slice.matchAll(clusters)) {
      if (cluster.charCodeAt(0) < 0x80) this.#addAscii(cluster);
      else this.#addFolded(foldCluster(cluster));
      this.#read += cluster.length;
    }
  }

  end(): SearchText {
    this.#origins.push(this.#read);
    return new SearchText(
      this.#parts.join(""),
      Uint8Array.from(this.#kinds),
      Uint32Array.from(this.#origins),
    );
  }

  #addAscii(run: string): void {
    this.#parts.push(run.toLowerCase());
    const capitals = run.matchAll(humps);
    let capital = capitals.next().value?.index;
    for (let index = 0; index < run.length; index += 1) {
      let kind: number = isAsciiWord(run.charCodeAt(index)) ? Kind.word : Kind.other;
      if (kind === Kind.other) this.#humps = 0;
      if (index === capital) {
        capital = capitals.next().value?.index;
        this.#humps += 1;
        if (this.#humps <= MAX_HUMPS) kind |= HUMP;
      }
      this.#kinds.push(kind);
      this.#origins.push(this.#read + index);
    }
  }

  #addFolded(folded: string): void {
    this.#parts.push(folded);
    for (const symbol of folded) {
      const kind = kindOf(symbol);
      if (kind !== Kind.word) this.#humps = 0;
      for (let unit = 0; unit < symbol.length; unit += 1) {
        this.#kinds.push(kind);
        this.#origins.push(this.#read);
      }
    }
  }
}

function foldCluster(cluster: string): string {
  const code = cluster.charCodeAt(0);
  if (cluster.length === 1 && isPlainDense(code)) return cluster;
  return (
    cluster
      .normalize("NFKC")
      .toLowerCase()
      .normalize("NFD")
      .replaceAll(accents, "")
      .replaceAll(invisible, "")
      .replaceAll(curlySingle, "'")
      .replaceAll(curlyDouble, '"')
      .replaceAll(hyphens, "-")
      .normalize("NFKC")
      .replaceAll("ß", "ss")
      .replaceAll("ς", "σ")
      // The small letter of I in Turkish; İ has lost its dot with the accents, and all four are one.
      .replaceAll("ı", "i")
  );
}

/** Ideographs, kana and syllables that folding leaves as they are: most of what is not ASCII. */
function isPlainDense(code: number): boolean {
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30fc)
  );
}

function kindOf(symbol: string): number {
  const code = symbol.charCodeAt(0);
  if (code < 0x80) return isAsciiWord(code) ? Kind.word : Kind.other;
  if (isPlainDense(code) || dense.test(symbol)) return Kind.dense;
  if (word.test(symbol)) return Kind.word;
  return picture.test(symbol) ? Kind.picture : Kind.other;
}

function isAsciiWord(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
