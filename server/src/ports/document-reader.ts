// What gives the text of an uploaded document. Adapter: each in a process of its own.
import type { ParseErrorCode } from "@plumb/protocol/wire/files";

export interface DocumentToRead {
  /** Absolute path of its bytes, which are read and never changed. The path says nothing about what they are. */
  path: string;
  /** One of the reader's extensions. It comes from the name that a user gave: the bytes may be something else. */
  extension: string;
  /** Absolute path where the text goes. Nothing is there; its folder is. */
  textPath: string;
  /** UTF-8 bytes and tokens that a text may have. */
  limits: { bytes: number; tokens: number };
  /** Whether it is worth no more than a try: with a second of processor time and little memory, and without pictures. */
  isShort: boolean;
}

export type ReadDocument =
  /** The text is at `textPath`: so many UTF-8 bytes, so many tokens by `platform/count-tokens.ts`. */
  | { kind: "text"; bytes: number; tokens: number }
  /** It has more than one of the limits. */
  | { kind: "too-long" }
  | { kind: "failed"; errorCode: ParseErrorCode }
  /** It takes more than a try. */
  | { kind: "long" }
  /** A part that it takes is still being installed: to be asked again in a while. No attempt was made. */
  | { kind: "later" };

/**
 * Promises:
 *
 * - **It settles.** `read` ends within bounded time whatever the bytes are, also when they are made to harm: such a document
 *   costs its own call, and no other call, nor the memory or the time of this process. It rejects only with the AbortError of
 *   `signal`; all else that goes wrong is "failed" with a code of wire-contract.md §18.7.
 * - **The text is never whole in memory here.** It is written as it is found, and reading ends where a limit is passed.
 * - **The text is clean**: UTF-8 without a byte order mark, lines end in LF, no U+0000, no half of a surrogate pair. White
 *   space alone is "failed" with 40009, nothing at all with 40000.
 * - **It cleans up.** After `read` has settled nothing of it runs, and nothing writes to `textPath`; unless the result is
 *   "text" there is no file there.
 * - **Many at once** are its caller's matter: it takes as many calls as come, and makes those wait that must be alone.
 */
export interface DocumentReader {
  /** Lower-case extensions of files whose text it can give; no other is accepted. Of EXTENSIONS. */
  readonly extensions: readonly string[];
  read(document: DocumentToRead, signal: AbortSignal): Promise<ReadDocument>;
  /** Ends what is under way. */
  close(): Promise<void>;
}
