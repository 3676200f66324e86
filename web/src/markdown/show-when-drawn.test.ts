import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showWhenDrawn } from "./show-when-drawn.ts";

let now: number;
let frames: Map<number, () => void>;

beforeEach(() => {
  now = 1000;
  frames = new Map();
  vi.stubGlobal("performance", { now: () => now });
  let last = 0;
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => {
    frames.set(++last, run);
    return last;
  });
  vi.stubGlobal("cancelAnimationFrame", (id: number) => frames.delete(id));
});

afterEach(() => vi.unstubAllGlobals());

/** A page of one screen with one part that waits where it is told. */
function page(waitsAt: () => { top: number; bottom: number } | null) {
  const content = { style: { visibility: "" } };
  const scroller = {
    getBoundingClientRect: () => ({ top: 0, bottom: 800 }),
    querySelectorAll() {
      const place = waitsAt();
      return place === null ? [] : [{ getBoundingClientRect: () => place }];
    },
  };
  const stop = showWhenDrawn(scroller as unknown as Element, content as unknown as HTMLElement);
  return { content, stop };
}

/** Draws frames so many milliseconds apart until nothing waits for one; the time it took. */
function drawAll(every: number): number {
  const started = now;
  while (frames.size > 0) {
    now += every;
    const due = [...frames.values()];
    frames.clear();
    for (const run of due) run();
  }
  return now - started;
}

const inView = { top: 100, bottom: 200 };

test("a page shows as soon as nothing in view waits", () => {
  let waits = true;
  const { content } = page(() => (waits ? inView : null));
  expect(content.style.visibility).toBe("hidden");
  waits = false;
  expect(drawAll(16)).toBe(16);
  expect(content.style.visibility).toBe("");
});

test("what waits out of view holds nothing up", () => {
  const { content } = page(() => ({ top: 900, bottom: 1000 }));
  expect(content.style.visibility).toBe("");
  expect(frames.size).toBe(0);
});

test.each([
  ["for what comes over a slow network 600 ms", 16, 600, 640],
  ["on a slow machine for so many frames of drawing", 60, 1300, 1500],
  ["never longer than 2.5 s", 700, 2500, 3200],
])("a page that stays undrawn waits %s", (_name, every, least, most) => {
  const { content } = page(() => inView);
  const took = drawAll(every);
  expect(content.style.visibility).toBe("");
  expect(took).toBeGreaterThanOrEqual(least);
  expect(took).toBeLessThanOrEqual(most);
});

test("a page that is left shows at once and asks for no frame any more", () => {
  const { content, stop } = page(() => inView);
  stop();
  expect(content.style.visibility).toBe("");
  expect(frames.size).toBe(0);
});
