import type { CSSProperties } from "react";

/** So many digits hang before the text without reaching the edge of a narrow page. */
const roomyDigits = 3;

/** What a list whose numbers are longer gives them. */
export function numberRoom(first: number, count: number): CSSProperties | undefined {
  const more = String(first + count - 1).length - roomyDigits;
  // A name of ours, which the type does not know (markdown.module.css).
  return more > 0 ? ({ "--sign-room": `calc(var(--space-6) + ${more}ch)` } as CSSProperties) : undefined;
}
