// Makes texts comparable that look alike: one symbol for every width, case and spelling of a character, none for what
// cannot be seen, and a mark wherever a word begins or ends. Text may come in any slices.

/** Stands where a word of a script with spaces between words begins or ends. */
export const EDGE = 0;
const SPACE = 0x20;

const unseen = /^(?:\p{Default_Ignorable_Code_Point}|(?!\s)\p{Cc})$/u;
const space = /^\s$/u;
/** Scripts that put a space between words; in the others a word has no edges that could be seen. */
const unspaced =
  /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]$/u;
const wordPart = /^[\p{L}\p{M}\p{N}]$/u;

/** What a code point becomes, and whether it is part of a word. */
interface Folded {
  symbols: readonly number[];
  inWord: boolean;
}

/** Those that are no symbol or several. What is kept is bounded, whatever is written. */
const others = new Map<number, Folded>();
const OTHERS = 20_000;
/** The folding of the 65,536 units as far as they were met; most are one symbol, and are looked up without an object. */
const single = new Int32Array(0x10000);
const singleInWord = new Uint8Array(0x10000);
const NOT_MET = 0;

function foldPoint(point: number): Folded {
  const met = others.get(point);
  if (met !== undefined) return met;
  // Half of a pair has no form at all.
  const text = point >= 0xd800 && point <= 0xdfff ? "" : String.fromCodePoint(point);
  // Twice: an upper case can have a width of its own. By way of the upper case, so that ß is ss and every sigma is one.
  const folded = text.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD");
  const symbols = [...folded].flatMap((part) =>
    unseen.test(part) ? [] : [space.test(part) ? SPACE : (part.codePointAt(0) ?? 0)],
  );
  const first = String.fromCodePoint(symbols[0] ?? SPACE);
  const inWord = wordPart.test(first) && !unspaced.test(first);
  const made = { symbols, inWord };
  if (point < 0x10000 && symbols.length === 1) {
    single[point] = symbols[0] ?? NOT_MET;
    singleInWord[point] = inWord ? 1 : 0;
  } else if (others.size < OTHERS) others.set(point, made);
  return made;
}

/** Folds one text that comes in pieces. */
export class TextFolder {
  #inWord = false;
  #afterSpace = true;
  /** The first half of a surrogate pair, at the end of the last piece. */
  #half = 0;
  readonly #take: (symbol: number) => void;

  /** `take` gets the symbols in order: code points, and EDGE. */
  constructor(take: (symbol: number) => void) {
    this.#take = take;
  }

  push(piece: string): void {
    for (let index = 0; index < piece.length; index += 1) {
      const unit = piece.charCodeAt(index);
      if (unit >= 0xd800 && unit <= 0xdbff) {
        this.#half = unit;
        continue;
      }
      const pair = this.#half !== 0 && unit >= 0xdc00 && unit <= 0xdfff;
      this.#one(pair ? ((this.#half - 0xd800) << 10) + (unit - 0xdc00) + 0x10000 : unit);
      this.#half = 0;
    }
  }

  /** The text is over: a word that ran to its end has ended. */
  end(): void {
    this.#edge(false);
  }

  #one(point: number): void {
    const symbol = point < 0x10000 ? (single[point] ?? NOT_MET) : NOT_MET;
    if (symbol > 0) return this.#symbol(symbol, singleInWord[point] === 1);
    const { symbols, inWord } = foldPoint(point);
    for (const one of symbols) this.#symbol(one, inWord);
  }

  #symbol(symbol: number, inWord: boolean): void {
    if (symbol === SPACE && this.#afterSpace) return;
    this.#edge(inWord);
    this.#afterSpace = symbol === SPACE;
    this.#take(symbol);
  }

  #edge(inWord: boolean): void {
    if (this.#inWord === inWord) return;
    this.#inWord = inWord;
    this.#take(EDGE);
  }
}

/** The symbols of a whole text. */
export function foldText(text: string): number[] {
  const symbols: number[] = [];
  const folder = new TextFolder((symbol) => symbols.push(symbol));
  folder.push(text);
  folder.end();
  return symbols;
}
