/** A call of a function of the page by the browser, as a trace tells it; times in microseconds. */
export interface TracedCall {
  /** Length on the clock, and on the processor; a trace may lack that. */
  dur: number;
  tdur?: number;
}

/** A trace may lose some of what it was told; of more than this share nothing can be said. */
const mayBeLost = 0.1;

/**
 * Processor time of `made` calls of one function together, in milliseconds: what the trace has of them, and for those it
 * lost as much as for others. Throws when it lost too many.
 */
export function timeOfCalls(calls: readonly TracedCall[], made: number): number {
  if (calls.length < made * (1 - mayBeLost))
    throw new Error(`Of ${made} calls the trace has only ${calls.length}.`);
  const known = calls.reduce((sum, { dur, tdur }) => sum + (tdur ?? dur), 0);
  return ((known / 1000) * made) / calls.length;
}
