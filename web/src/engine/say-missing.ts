// What a user asked for whose code can't be had: a toast says so, where nothing else does, and the log why.
import type { Browser } from "./browser.ts";
import type { Reactions } from "./reactions.ts";

/** `part`: its name for the log, and the toast's own. */
export function sayMissing(
  { browser, reactions }: { browser: Browser; reactions: Reactions },
  part: string,
  error: unknown,
  says = true,
): void {
  browser.log(`the part for ${part} was not loaded`, error);
  if (says) reactions.toast({ type: "error", text: { key: "networkError" }, dedupeKey: part });
}
