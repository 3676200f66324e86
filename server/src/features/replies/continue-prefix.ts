// Joins a continuation to the text it continues. A model that is instructed to go on sometimes says the last
// words again, or begins from the start: what it repeats is held back and cut. One that is given its text as the prefix of
// its answer goes on by itself; there every word counts, also one that stands there already.
import type { ModelInfo } from "../../ports/model-provider.ts";

const HELD_BACK_CHARS = 200;
/** What counts as a repetition and not as chance, by length in code units. */
const LEAST_OVERLAP = 4;
/** One word said twice ("very very") is good English; two words said again are not. Two Han characters count as a word. */
const WORDS = /\p{Script=Han}{2}|[^\s\p{Script=Han}]+/gu;
const LEAST_WORDS = 2;

export interface Joiner {
  /** The part of the continuation that is new, as far as it is known; "" while it may still be a repetition. */
  push(piece: string): string;
  /** What is still held back, when the continuation ends. */
  end(): string;
}

/** @param text what is there, @param style how the model was asked to continue it */
export function joinContinuation(text: string, style: ModelInfo["continuation"]): Joiner {
  const lastWords = text.slice(-HELD_BACK_CHARS);
  let held: string | null = text === "" || style === "prefix" ? null : "";

  function release(): string {
    const piece = held ?? "";
    held = null;
    return piece.slice(overlap(text, lastWords, piece));
  }

  return {
    push(piece) {
      if (held === null) return piece;
      held += piece;
      return mayRepeat(text, lastWords, held) ? "" : release();
    },
    end: () => (held === null ? "" : release()),
  };
}

/** True while `held` could be the beginning of a longer repetition: inside the last words, or from the very start. */
function mayRepeat(text: string, lastWords: string, held: string): boolean {
  if (held.length < text.length && text.startsWith(held)) return true;
  return held.length < HELD_BACK_CHARS && lastWords.includes(held);
}

/** Length of the part of `piece` that repeats the end of the text. */
function overlap(text: string, lastWords: string, piece: string): number {
  if (piece.length >= text.length && piece.startsWith(text) && text.length >= LEAST_OVERLAP)
    return text.length;
  for (let length = Math.min(lastWords.length, piece.length); length >= LEAST_OVERLAP; length -= 1) {
    const repeated = piece.slice(0, length);
    if (lastWords.endsWith(repeated)) return isRepetition(repeated) ? length : 0;
  }
  return 0;
}

function isRepetition(repeated: string): boolean {
  return (repeated.match(WORDS)?.length ?? 0) >= LEAST_WORDS;
}
