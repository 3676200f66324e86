import type { Block, Unit } from "./block-model.ts";
import { unitsOf } from "./block-units.ts";
import type { FootnoteMeta } from "./footnote-rules.ts";
import { shownTexts } from "./undrawn.ts";

/** What comes near the screen is made in some frames; on a slow machine in more. */
const mostFrames = 300;

/** Scrolls to where a footnote, or its first mark, will be drawn; calls `go` when `find` finds it there, at once where it is. */
export function goToUndrawn(
  root: Element,
  { key }: FootnoteMeta,
  what: "note" | "note-mark",
  find: () => HTMLElement | null,
  go: (target: HTMLElement) => void,
): void {
  const type = what === "note" ? "footnote_open" : "footnote_ref";
  const place = placeOf(root, (unit) => holds(unit, key, type));
  /** The first one where its place is drawn, else a later mark. */
  const drawn = find();
  if (place === null) return drawn === null ? undefined : go(drawn);
  place.scrollIntoView({ block: "center" });
  let frames = 0;
  const look = () => {
    const target = find();
    if (target !== null && target !== drawn) go(target);
    else if (!root.isConnected) return;
    else if ((frames += 1) < mostFrames) requestAnimationFrame(look);
    else if (target !== null) go(target);
  };
  look();
}

function placeOf(root: Element, isIn: (unit: Unit) => boolean): Element | null {
  for (const block of shownTexts.get(root)?.blocks.flat() ?? []) {
    const units = unitsOf(block).find((group) => group.some(isIn));
    if (units === undefined) continue;
    return (
      [block.key, rowsKey(block, units)]
        .map((key) => root.querySelector(`[data-place="${key}"]`))
        .find((place) => place !== null) ?? null
    );
  }
  return null;
}

/** Rows of a table have places of their own. */
function rowsKey(block: Block, units: readonly Unit[]): number | undefined {
  return block.kind === "table" ? units[0]?.key : undefined;
}

function holds({ tokens }: Unit, key: string, type: string): boolean {
  return tokens.some((token) =>
    [token, ...(token.children ?? [])].some(
      (one) => one.type === type && (one.meta as unknown as FootnoteMeta).key === key,
    ),
  );
}
