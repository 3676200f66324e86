import { afterEach, expect, test, vi } from "vitest";
import { followSize, setStops } from "./use-scroll-stop.ts";

afterEach(() => vi.unstubAllGlobals());

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

test("sizes are followed of what is not left out, and again when it no longer is", () => {
  const observed = new Set<object>();
  let told: (event: object) => void = () => undefined;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe = (element: object) => observed.add(element);
      unobserve = (element: object) => observed.delete(element);
    },
  );
  vi.stubGlobal("document", {
    addEventListener: (type: string, listener: typeof told) => {
      if (type === "contentvisibilityautostatechange") told = listener;
    },
  });
  const [code, inCode, other, words] = [{ children: [] as object[] }, {}, { children: [] }, {}];
  code.children.push(inCode);
  const end = followSize(code as unknown as HTMLElement);
  followSize(other as unknown as HTMLElement);
  const group = { getElementsByTagName: () => [words, code, inCode] };
  told({ target: group, skipped: true });
  expect([...observed]).toEqual([other]);
  told({ target: group, skipped: false });
  expect(observed).toEqual(new Set([other, code, inCode]));
  end();
  told({ target: group, skipped: false });
  expect([...observed]).toEqual([other]);
});
