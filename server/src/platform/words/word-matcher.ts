// Finds any of many words in a text that comes in pieces, in one pass over it (Aho and Corasick 1975): the cost grows with
// the text alone, not with the words, and nothing is looked at twice.
import { EDGE, foldText, TextFolder } from "./text-folder.ts";

const ROOT = 0;

export class WordMatcher {
  /** The symbols that occur in words, numbered from 1. All others lead back to the root at once. */
  readonly #letters = new Map<number, number>();
  /** node * #size + letter → node */
  readonly #next = new Map<number, number>();
  readonly #size: number;
  /** The longest other place where the text may be: a suffix of the node's. */
  readonly #fallback: number[] = [ROOT];
  /** The word that ends here, or -1. */
  readonly #word: number[] = [-1];
  /** The next shorter suffix at which a word ends, or ROOT. */
  readonly #shorter: number[] = [ROOT];

  /**
   * @param words as they are written. A word of letters is found as a whole word only; with `*` before or after it also inside
   * of a longer one. A word that holds nothing but unseen characters is never found.
   */
  constructor(words: readonly string[]) {
    const all = words.map(symbolsOf);
    for (const symbol of all.flat()) {
      if (!this.#letters.has(symbol)) this.#letters.set(symbol, this.#letters.size + 1);
    }
    this.#size = this.#letters.size + 1;
    all.forEach((symbols, index) => this.#add(symbols, index));
    this.#link();
  }

  /** Begins to read a text. `found` is told the index of each word at its end, or at the next character where that decides it. */
  read(found: (word: number) => void): TextFolder {
    let node = ROOT;
    return new TextFolder((symbol) => {
      const letter = this.#letters.get(symbol);
      node = letter === undefined ? ROOT : this.#step(node, letter);
      for (let at = node; at !== ROOT; at = this.#shorter[at] ?? ROOT) {
        const word = this.#word[at] ?? -1;
        if (word !== -1) found(word);
      }
    });
  }

  #step(from: number, letter: number): number {
    for (let node = from; ; node = this.#fallback[node] ?? ROOT) {
      const next = this.#next.get(node * this.#size + letter);
      if (next !== undefined) return next;
      if (node === ROOT) return ROOT;
    }
  }

  #add(symbols: readonly number[], word: number): void {
    let node = ROOT;
    for (const symbol of symbols) {
      const key = node * this.#size + (this.#letters.get(symbol) ?? 0);
      let next = this.#next.get(key);
      if (next === undefined) {
        next = this.#word.length;
        this.#next.set(key, next);
        this.#word.push(-1);
        this.#fallback.push(ROOT);
        this.#shorter.push(ROOT);
      }
      node = next;
    }
    if (node !== ROOT && this.#word[node] === -1) this.#word[node] = word;
  }

  /** Breadth first: the fallback of a node is nearer to the root than the node. */
  #link(): void {
    const children = new Map<number, [letter: number, node: number][]>();
    for (const [key, node] of this.#next) {
      const parent = Math.floor(key / this.#size);
      const list = children.get(parent) ?? [];
      list.push([key % this.#size, node]);
      children.set(parent, list);
    }
    const queue = [ROOT];
    for (let at = 0; at < queue.length; at += 1) {
      const parent = queue[at] ?? ROOT;
      for (const [letter, node] of children.get(parent) ?? []) {
        queue.push(node);
        if (parent === ROOT) continue;
        const fallback = this.#step(this.#fallback[parent] ?? ROOT, letter);
        this.#fallback[node] = fallback;
        this.#shorter[node] = this.#word[fallback] === -1 ? (this.#shorter[fallback] ?? ROOT) : fallback;
      }
    }
  }
}

function symbolsOf(word: string): number[] {
  const [, before, text = "", after] = /^(\*?)(.*?)(\*?)$/su.exec(word.trim()) ?? [];
  let symbols = foldText(text.trim());
  if (before === "*" && symbols[0] === EDGE) symbols = symbols.slice(1);
  if (after === "*" && symbols.at(-1) === EDGE) symbols.pop();
  return symbols.some((symbol) => symbol !== EDGE) ? symbols : [];
}
