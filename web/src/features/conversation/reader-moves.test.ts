import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchReaderMoves, type ReaderMoves } from "./reader-moves.ts";

let scroller: EventTarget;
let page: EventTarget;
let reader: ReaderMoves;

beforeEach(() => {
  vi.useFakeTimers();
  [scroller, page] = [new EventTarget(), new EventTarget()];
  reader = watchReaderMoves(scroller, page);
});

afterEach(() => {
  reader.stop();
  vi.useRealTimers();
});

function happen(target: EventTarget, type: string, more: { key?: string; buttons?: number } = {}): void {
  target.dispatchEvent(Object.assign(new Event(type), more));
}

test.each(["wheel", "touchmove", "keydown"])(
  "for a second after a %s a scroll may be the reader's",
  (type) => {
    expect(reader.mayMove()).toBe(false);
    happen(scroller, type);
    vi.advanceTimersByTime(1000);
    expect(reader.mayMove()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(reader.mayMove()).toBe(false);
  },
);

test("so it may after a key that scrolls or moves the focus, wherever the focus is; not after another", () => {
  for (const key of ["a", "Enter", "Escape"]) happen(page, "keydown", { key });
  expect(reader.mayMove()).toBe(false);
  for (const key of ["ArrowUp", "PageUp", "Home", "End", " ", "Tab"]) {
    happen(page, "keydown", { key });
    expect(reader.mayMove(), key).toBe(true);
    vi.advanceTimersByTime(2000);
  }
});

test("who writes scrolls nothing, unless the focus leaves the box", () => {
  const box = Object.assign(page, { matches: () => true });
  for (const key of [" ", "ArrowLeft", "Home"]) happen(box, "keydown", { key });
  expect(reader.mayMove()).toBe(false);
  happen(box, "keydown", { key: "Tab" });
  expect(reader.mayMove()).toBe(true);
});

test("while a selection is drawn beyond the edge all scrolling is the reader's, however long the button is held still", () => {
  happen(scroller, "pointerdown");
  happen(scroller, "pointermove", { buttons: 1 });
  vi.advanceTimersByTime(60_000);
  expect(reader.mayMove()).toBe(true);
  happen(page, "pointerup");
  expect(reader.mayMove()).toBe(true);
  vi.advanceTimersByTime(2000);
  expect(reader.mayMove()).toBe(false);
});

test("a button that was let go where no page is told of it is not held for ever", () => {
  happen(scroller, "pointerdown");
  vi.advanceTimersByTime(5000);
  happen(scroller, "pointermove", { buttons: 0 });
  vi.advanceTimersByTime(2000);
  expect(reader.mayMove()).toBe(false);
});

test("what happens beside the page, or after it is left, is no move in it", () => {
  happen(page, "pointerup");
  happen(page, "pointercancel");
  expect(reader.mayMove()).toBe(false);
  reader.stop();
  happen(scroller, "wheel");
  happen(scroller, "pointerdown");
  happen(page, "keydown", { key: "Home" });
  expect(reader.mayMove()).toBe(false);
});
