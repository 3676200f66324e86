// Calls that the page's first script has sent while all else still loads (public/static/first-paint.js).
import type { FetchInit } from "../engine/browser.ts";

interface SentCall {
  /** Path and query. */
  address: string;
  headers: Record<string, string>;
  answer: Promise<Response>;
}

declare global {
  interface Window {
    plumbHeadStart?: SentCall[];
  }
}

/** A call that was never taken is not the answer to one that is made later (milliseconds since the page began). */
const LATEST_MS = 10_000;

const inOrder = (headers: Record<string, string>): string =>
  JSON.stringify(Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The answer to a call that was sent early, once; null where none was sent that is the same. */
export function takeHeadStart(address: string, { headers, signal }: FetchInit): Promise<Response> | null {
  const calls = window.plumbHeadStart ?? [];
  const at = calls.findIndex((call) => call.address === address);
  const [call] = at === -1 ? [] : calls.splice(at, 1);
  if (call === undefined || performance.now() > LATEST_MS || inOrder(call.headers) !== inOrder(headers))
    return null;
  return signal === undefined ? call.answer : Promise.race([call.answer, whenAborted(signal)]);
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(new DOMException("The call was given up.", "AbortError"));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
