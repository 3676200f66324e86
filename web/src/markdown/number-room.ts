import type { CSSProperties } from "react";

/** So many digits hang before the text without reaching the edge of a narrow page. */
const roomyDigits = 3;

/** What a list whose numbers are longer gives them. */
export function numberRoom(first: number, count: number): CSSProperties | undefined {
  const more = String(first + count - 1).length - roomyDigits;
  return more > 0 ? { paddingInlineStart: `calc(var(--space-6) + ${more}ch)` } : undefined;
}
