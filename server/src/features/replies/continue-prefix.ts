// Joins a continuation to the text it continues. Models that are asked to go on sometimes say the
// last words again, or begin anew: what they repeat is held back and cut.

const HELD_BACK_CHARS = 200;
/**
 * What counts as a repetition and not as chance, by length in code units. A model that was given the exact prefix repeats
 * itself less often than people write a word twice, so there only much counts.
 */
const LEAST_OVERLAP = { prefix: 24, instruct: 4 } as const;
/** One word said twice ("very very") is good English; two words said again are not. Two Han characters count as a word. */
const WORDS = /\p{Script=Han}{2}|[^\s\p{Script=Han}]+/gu;
const LEAST_WORDS = 2;

export interface Joiner {
  /** The part of the continuation that is new, as far as it can be told; "" while it may still be a repetition. */
  push(piece: string): string;
  /** What is still held back, when the continuation ends. */
  end(): string;
}

/** `text` is what is there; `style` how the model was asked: an exact prefix repeats itself less often by accident. */
export function joinContinuation(text: string, style: keyof typeof LEAST_OVERLAP): Joiner {
  const tail = text.slice(-HELD_BACK_CHARS);
  let held: string | null = text === "" ? null : "";

  function release(): string {
    const piece = held ?? "";
    held = null;
    return piece.slice(overlap(text, tail, piece, LEAST_OVERLAP[style]));
  }

  return {
    push(piece) {
      if (held === null) return piece;
      held += piece;
      return mayRepeat(text, tail, held) ? "" : release();
    },
    end: () => (held === null ? "" : release()),
  };
}

/** True while `held` could be the beginning of a longer repetition: inside the tail, or from the very start. */
function mayRepeat(text: string, tail: string, held: string): boolean {
  if (held.length < text.length && text.startsWith(held)) return true;
  return held.length < HELD_BACK_CHARS && tail.includes(held);
}

/** Length of the part of `piece` that repeats the end of the text. */
function overlap(text: string, tail: string, piece: string, least: number): number {
  if (piece.length >= text.length && piece.startsWith(text) && text.length >= least) return text.length;
  for (let length = Math.min(tail.length, piece.length); length >= least; length -= 1) {
    const repeated = piece.slice(0, length);
    if (tail.endsWith(repeated)) return isRepetition(repeated) ? length : 0;
  }
  return 0;
}

function isRepetition(repeated: string): boolean {
  return (repeated.match(WORDS)?.length ?? 0) >= LEAST_WORDS;
}
