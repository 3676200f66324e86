const mostKept = 40;
const kept = new Map<string, string>();

/** The drawing made of this source on this ground before, so that it has its place at once the next time. */
export function keptDiagram(source: string, dark: boolean): string | null {
  return kept.get(keyOf(source, dark)) ?? null;
}

/** Keeps a drawing; the oldest goes. */
export function keepDiagram(source: string, dark: boolean, svg: string): void {
  const [oldest] = kept.keys();
  if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
  kept.set(keyOf(source, dark), svg);
}

function keyOf(source: string, dark: boolean): string {
  return `${dark ? "dark" : "light"} ${source}`;
}
