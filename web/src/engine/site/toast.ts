// A passing notice.
import type { Text } from "../text.ts";

/** The longest that browsers count to (milliseconds): such a notice stays until it is closed. */
export const STAYS_MS = 2 ** 31 - 1;

export interface Toast {
  id: number;
  type: "info" | "success" | "warning" | "error";
  text: Text;
  /** Milliseconds; 5000 by default. */
  duration: number;
  /** A toast with this key is not added while one with the same key shows. */
  dedupeKey?: string;
  /** What can be done about it; the toast goes with the press. */
  action?: { text: Text; run(): void };
}

/** A notice to be shown; what is left out has its usual value. */
export type ToastInput = Pick<Toast, "type" | "text"> &
  Partial<Pick<Toast, "duration" | "dedupeKey" | "action">>;

/** The notice of why something was not done. Another reason is said, too, while that of a moment ago still shows. */
export function refusalToast(type: Toast["type"], text: Text): ToastInput {
  return { type, text, dedupeKey: `refused ${"key" in text ? text.key : text.content}` };
}
