// What moved on a page without being asked to, by the browser's own measure.
import type { Page } from "@playwright/test";

export interface Shift {
  value: number;
  /** What moved, as far as it is still on the page: tag, class, and the way it went in px. */
  moved: string[];
}

declare global {
  interface Window {
    shifts?: Shift[];
  }
}

interface ShiftEntry extends PerformanceEntry {
  value: number;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Notes every shift from the next load of the page on, those soon after a press too. */
export async function noteShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    window.shifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as ShiftEntry[])
        shifts.push({
          value: entry.value,
          moved: entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
            const name =
              node instanceof Element ? `${node.tagName}.${node.className}` : String(node?.nodeName);
            return `${name} y ${from.y}+${from.height} to ${to.y}+${to.height}, x ${from.x} to ${to.x}`;
          }),
        });
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** The shifts since the last load or the last call, after two frames in which the last could come. */
export async function takeShifts(page: Page): Promise<Shift[]> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    return window.shifts?.splice(0) ?? [];
  });
}
