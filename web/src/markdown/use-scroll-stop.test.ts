import { expect, test } from "vitest";
import { setStops } from "./use-scroll-stop.ts";

/** An element of 100 pixels that tells in `log` what is asked of it and what is changed. */
function box(log: string[], contentWidth: number, { isStop = false, isLeftOut = false } = {}) {
  const asked = (value: number) => {
    if (isLeftOut) log.push("laid out");
    log.push("look");
    return value;
  };
  const element = {
    stop: isStop,
    checkVisibility: () => !isLeftOut,
    hasAttribute: () => element.stop,
    removeAttribute() {
      log.push("change");
      element.stop = false;
    },
    set tabIndex(_index: number) {
      log.push("change");
      element.stop = true;
    },
    get scrollWidth() {
      return asked(contentWidth);
    },
    clientWidth: 100,
    scrollHeight: 20,
    clientHeight: 20,
  };
  return element;
}

const set = (...boxes: ReturnType<typeof box>[]) => setStops(boxes as unknown as HTMLElement[]);

test("an element is a stop while it scrolls", () => {
  const log: string[] = [];
  const [wide, narrow, widened, narrowed] = [
    box(log, 200, { isStop: true }),
    box(log, 100),
    box(log, 200),
    box(log, 100, { isStop: true }),
  ] as const;
  set(wide, narrow, widened, narrowed);
  expect([wide, narrow, widened, narrowed].map(({ stop }) => stop)).toEqual([true, false, true, false]);
});

test("all are looked at before one is changed", () => {
  const log: string[] = [];
  set(box(log, 200), box(log, 300), box(log, 100));
  expect(log).toEqual(["look", "look", "look", "change", "change"]);
});

test("what the browser leaves out is not laid out for it", () => {
  const log: string[] = [];
  set(box(log, 200, { isLeftOut: true }));
  expect(log).toEqual([]);
});
