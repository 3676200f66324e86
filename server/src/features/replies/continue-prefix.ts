// Joins a continuation to the text it continues (architecture.md §8). Models that are asked to go on sometimes say the
// last words again, or begin anew: what they repeat is held back and cut.

const HELD_BACK_CHARS = 200;
/** A shared letter or two between the end of one text and the start of another is chance, not repetition. */
const LEAST_OVERLAP = { prefix: 12, instruct: 4 } as const;

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
    if (tail.endsWith(piece.slice(0, length))) return length;
  }
  return 0;
}
