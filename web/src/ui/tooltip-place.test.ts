import { expect, test } from "vitest";
import { TOOLTIP_PADDING, tooltipOffset, tooltipPlace } from "./tooltip-place.ts";

const sides = ["top", "right", "bottom", "left"] as const;
const aligns = ["start", "center", "end"] as const;

test("[SHELL-066] there are twelve placements, four sides by three alignments, and what is none is above", () => {
  const all = sides.flatMap((side) => aligns.map((align) => ({ side, align })));
  const written = all.map(({ side, align }) => (align === "center" ? side : `${side}-${align}`));
  expect(written.map(tooltipPlace)).toEqual(all);
  expect(new Set(written).size).toBe(12);
  for (const none of [undefined, "", "middle", "top-middle"])
    expect(tooltipPlace(none)).toEqual({ side: "top", align: "center" });
});

test("[SHELL-067] a tooltip is 8 from its element, a small one 4, with an arrow 4 more, and 8 from the screen's edge", () => {
  expect([tooltipOffset("m", false), tooltipOffset("m", true)]).toEqual([8, 12]);
  expect([tooltipOffset("s", false), tooltipOffset("s", true)]).toEqual([4, 8]);
  expect(TOOLTIP_PADDING).toBe(8);
});
