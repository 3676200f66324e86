// What moved on a page without being asked to, by the browser's own measure.
import { expect, type Page } from "@playwright/test";

/** The share of the screen that moved, times the way it went. */
const LARGEST = 0.01;

interface Shift {
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
async function takeShifts(page: Page): Promise<Shift[]> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    return window.shifts?.splice(0) ?? [];
  });
}

/** What moved since the last load or the last call is too little to see, or no more than was meant to. */
export async function expectStill(page: Page, act: string, largest = LARGEST): Promise<void> {
  const shifts = await takeShifts(page);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, `${act}: ${JSON.stringify(shifts, null, 1)}`).toBeLessThanOrEqual(largest);
}
