import type { LocalFile } from "../browser.ts";

/** A request as the handlers of the fake server get it. */
export interface Request {
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  signal: AbortSignal | undefined;
  /** What is uploaded. */
  file?: LocalFile;
  /** Tells the page how much of the upload has come, 0 to 1. */
  progress?: (part: number) => void;
}
