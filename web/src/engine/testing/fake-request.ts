/** A request as the handlers of the fake server get it. */
export interface Request {
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  signal: AbortSignal | undefined;
}
