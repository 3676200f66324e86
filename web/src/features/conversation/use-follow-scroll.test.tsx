import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hurry } from "../../markdown/make-queue.ts";
import { openDrawnPage } from "../../markdown/testing/drawn-page.ts";
import { useFollowScroll } from "./use-follow-scroll.ts";

const height = 2000;
const screen = 800;
const end = height - screen;

let page: Awaited<ReturnType<typeof openDrawnPage>>;
let now: number;
let top: number;
let tellSizes: () => void;

beforeEach(async () => {
  now = performance.now();
  top = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  page = await openDrawnPage();
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => setTimeout(work));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(tell: () => void) {
        tellSizes = tell;
      }
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  const moveTo = (wanted: number) => (top = Math.min(end, wanted));
  Object.defineProperties(page.elements, {
    scrollTop: { configurable: true, get: () => top, set: moveTo },
    scrollHeight: { configurable: true, get: () => height },
    clientHeight: { configurable: true, get: () => screen },
    scrollTo: { configurable: true, value: (to: { top: number }) => moveTo(to.top) },
    getBoundingClientRect: { configurable: true, value: () => ({ top: 0, bottom: screen, height: screen }) },
  });
  await page.draw(<Page />);
  await act(() => vi.waitUntil(() => top === end));
  await act(async () => tellSizes());
});

afterEach(async () => {
  await page.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const places = { read: () => null, keep: () => undefined };

function Page() {
  const { scroller, content } = useFollowScroll("s1", true, places);
  return (
    <div ref={scroller} id="scroller">
      <div ref={content} />
    </div>
  );
}

async function happen(on: "scroller" | "page", type: string, more: { key?: string } = {}): Promise<void> {
  const target = on === "page" ? page.document : page.document.getElementById("scroller");
  await act(async () => target?.dispatchEvent(Object.assign(new page.Event(type), more)));
}

/** Parts of the reply are made, and the page comes to stand a little higher. */
async function moveUpAsPartsAreMade(): Promise<void> {
  hurry();
  top -= 50;
  await happen("scroller", "scroll");
}

test("a page that stands higher as its parts are made is taken to its end", async () => {
  await moveUpAsPartsAreMade();
  expect(top).toBe(end);
});

test("one that is moved so by a selection drawn beyond its edge is not, however long that is held", async () => {
  await happen("scroller", "pointerdown");
  now += 60_000;
  await moveUpAsPartsAreMade();
  expect(top).toBe(end - 50);
});

test("nor is one moved by a key while nothing has the focus", async () => {
  await happen("page", "keydown", { key: "PageUp" });
  now += 100;
  await moveUpAsPartsAreMade();
  expect(top).toBe(end - 50);
});

test("nor is one that the reader has let go of before", async () => {
  await happen("page", "keydown", { key: "PageUp" });
  await moveUpAsPartsAreMade();
  now += 60_000;
  await moveUpAsPartsAreMade();
  expect(top).toBe(end - 100);
});
