// What the box of a queued message shows of it. What was sent one after the other waits as one text, with an empty line between:
// in two lines the beginning alone would show, as if what came later had been lost.
import { BETWEEN_TEXTS } from "../../engine/queue/queue-rules.ts";

/** So much is drawn of each, which is more than its lines show. */
const SHOWN_CHARS = 400;

/** The beginning: up to the first empty line where an end is shown, too. */
export function queuedBeginning(text: string): string {
  const shown = text.slice(0, SHOWN_CHARS);
  return queuedEnd(text) === "" ? shown : (shown.split(BETWEEN_TEXTS, 1)[0] ?? "");
}

/** What stands behind the last empty line; "" where there is none. */
export function queuedEnd(text: string): string {
  const at = text.lastIndexOf(BETWEEN_TEXTS);
  return at <= 0 ? "" : text.slice(at + BETWEEN_TEXTS.length, at + BETWEEN_TEXTS.length + SHOWN_CHARS).trim();
}
