import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { drawInTime, makeSoon } from "./make-queue.ts";

let frames: (() => void)[];
let isHidden: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  isHidden = false;
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => frames.push(work));
  vi.stubGlobal("document", {
    get hidden() {
      return isHidden;
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Something that takes five milliseconds to make. */
function part(made: string[], name: string): () => void {
  return () => {
    vi.advanceTimersByTime(5);
    made.push(name);
  };
}

function endFrame(): void {
  frames.splice(0).forEach((work) => work());
  vi.runAllTimers();
}

test("no more is made before what was made is laid out", () => {
  const made: string[] = [];
  for (const name of ["a", "b", "c", "d", "e"]) makeSoon(part(made, name));
  vi.runAllTimers();
  expect(made).toEqual(["a", "b"]);
  endFrame();
  expect(made).toEqual(["a", "b", "c", "d"]);
  endFrame();
  expect(made).toEqual(["a", "b", "c", "d", "e"]);
});

test("what draws itself does so at once while there is time, and then a few in each frame", () => {
  vi.advanceTimersByTime(1000);
  const drawn: string[] = [];
  const lose = ["a", "b", "c", "d", "e", "f", "g"].map((name) => drawInTime(part(drawn, name)));
  expect(drawn).toEqual(["a", "b", "c", "d"]);
  lose[4]?.();
  vi.runAllTimers();
  expect(drawn).toEqual(["a", "b", "c", "d", "f", "g"]);
  drawInTime(part(drawn, "h"));
  expect(drawn.at(-1)).toBe("g");
  vi.runAllTimers();
  vi.advanceTimersByTime(48);
  endFrame();
  expect(drawn.at(-1)).toBe("h");
  vi.advanceTimersByTime(48);
  drawInTime(part(drawn, "i"));
  expect(drawn.at(-1)).toBe("i");
});

test("a page that is not seen waits for no frame", () => {
  isHidden = true;
  const made: string[] = [];
  for (const name of ["a", "b", "c"]) makeSoon(part(made, name));
  vi.runAllTimers();
  expect(made).toEqual(["a", "b", "c"]);
});
