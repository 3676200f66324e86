// The id by which a send is recognised however often it is repeated (wire-contract.md §11.2).
import { makeClientStreamId } from "@plumb/protocol/rules/prompt-rules";
import type { Browser } from "../browser.ts";

/** With today's local date; needs no secure context. */
export function newClientStreamId(browser: Browser): string {
  const date = new Date(browser.now());
  const randomInt = (limit: number): number => {
    const fair = 256 - (256 % limit);
    for (;;) {
      const byte = browser.randomBytes(1)[0] ?? 0;
      if (byte < fair) return byte % limit;
    }
  };
  return makeClientStreamId(
    { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() },
    randomInt,
  );
}
