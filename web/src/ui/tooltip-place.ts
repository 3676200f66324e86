// Where a tooltip stands and how far from what it explains (requirements 0§9). Pure.

const SIDES = ["top", "right", "bottom", "left"] as const;
type Side = (typeof SIDES)[number];
export type TooltipPlacement = Side | `${Side}-${"start" | "end"}`;
export type TooltipSize = "s" | "m";

/** To the edge of the screen (pixels). */
export const TOOLTIP_PADDING = 8;
export const ARROW_PX = 4;

/** The side and the alignment of a placement as it is written on an element; above the middle where none is. */
export function tooltipPlace(written: string | undefined): { side: Side; align: "start" | "center" | "end" } {
  const [side, align] = (written ?? "").split("-");
  return {
    side: SIDES.find((one) => one === side) ?? "top",
    align: align === "start" || align === "end" ? align : "center",
  };
}

/** How far a tooltip is from its element (pixels): 8, of the small size 4, and 4 more with an arrow. */
export function tooltipOffset(size: TooltipSize, hasArrow: boolean): number {
  return (size === "s" ? 4 : 8) + (hasArrow ? ARROW_PX : 0);
}
