// A document that is made to harm, or that is not what it says.

export interface HostileDocument {
  name: string;
  extension: string;
  content: () => Buffer;
  /** How it may end: codes of wire-contract.md §18.7, or without harm. */
  ends: readonly (number | "too-long" | "text")[];
  /** One of each kind runs with `npm test`, the others with TEST_LONG=1. */
  daily?: boolean;
}
