// Which of the choices is the active one, and which keys go where. Pure.

export interface ActiveRule {
  id: string;
  /** Never active before somebody goes to it. */
  isGrave?: boolean;
}

/** The choice that is active: the one that was, while it is there; else the first that does no harm. */
export function activeChoice(choices: readonly ActiveRule[], wanted: string | null): string | null {
  if (choices.some(({ id }) => id === wanted)) return wanted;
  return choices.find(({ isGrave }) => isGrave !== true)?.id ?? null;
}

/** The choice that a key leads to; null for a key that means nothing here. The arrows go round. */
export function choiceAfterKey(
  choices: readonly ActiveRule[],
  active: string | null,
  key: string,
): string | null {
  const { length } = choices;
  if (length === 0) return null;
  const at = choices.findIndex(({ id }) => id === active);
  switch (key) {
    case "ArrowDown":
      return choices[(at + 1) % length]?.id ?? null;
    case "ArrowUp":
      return choices[at <= 0 ? length - 1 : at - 1]?.id ?? null;
    case "Home":
      return choices[0]?.id ?? null;
    case "End":
      return choices[length - 1]?.id ?? null;
    default:
      return null;
  }
}
