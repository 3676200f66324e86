import type { ReadingCode } from "../reading-status.ts";

/** A document that cannot be read, with the code its owner is told (wire-contract.md §18.7). */
export class ReadingError extends Error {
  readonly code: ReadingCode;

  constructor(code: ReadingCode, why: string) {
    super(why);
    this.code = code;
  }
}

/** The output is full: more text than any message could hold. */
export class TooLongError extends Error {}
