// What may not be said here. Adapters: a list of words, a moderation endpoint.

/** `unknown`: the text could not be looked at, such as by an endpoint that does not answer. */
export type Verdict = "allowed" | "refused" | "unknown";

/** One text under way. */
export interface Screening {
  /** Adds text, in any slices; returns at once. Ignored after `end` or `abort`. */
  push(piece: string): void;
  /** To be awaited before more is added: what waits to be looked at has become much. Null when it has not. */
  pace(): Promise<void> | null;
  /** The text is whole. Resolves with the verdict on all of it: refused when any part is, else unknown when any part is. */
  end(): Promise<Verdict>;
  /** Nobody asks any more: what is under way ends. */
  abort(): void;
}

/**
 * Promises: the cost of a text grows with its length, however it is sliced; a part that lies across slices is seen. Nothing
 * throws, and `end` resolves in bounded time for bounded text, whatever becomes of an endpoint.
 */
export interface ContentFilter {
  /** `onVerdict` hears of a part that is refused, or not known, as soon as that is found; perhaps inside `push`. */
  open(onVerdict: (verdict: "refused" | "unknown") => void): Screening;
  close(): Promise<void>;
}
