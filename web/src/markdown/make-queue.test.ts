import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { drawInTime, drawUnseen, hurry, makeSoon, makeWhenIdle } from "./make-queue.ts";

let frames: (() => void)[];
let isHidden: boolean;
let page: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  isHidden = false;
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => frames.push(work));
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
  page = Object.defineProperty(new EventTarget(), "hidden", { get: () => isHidden });
  vi.stubGlobal("document", page);
  vi.stubGlobal("innerHeight", 900);
});

afterEach(() => {
  // What is left over is not for the next test.
  for (let frame = 0; frame < 20; frame++) endFrame();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Something that takes five milliseconds to make, or another time, and has so many elements. */
function part(made: string[], name: string, elements = 1, ms = 5): () => number {
  return () => {
    vi.advanceTimersByTime(ms);
    made.push(name);
    return elements;
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
  const drawn: string[] = [];
  const lose = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => drawInTime(part(drawn, name)));
  expect(drawn).toEqual(["a", "b", "c", "d"]);
  lose[4]?.();
  vi.runAllTimers();
  expect(drawn).toEqual(["a", "b", "c", "d"]);
  endFrame();
  expect(drawn).toEqual(["a", "b", "c", "d", "f", "g"]);
  endFrame();
  expect(drawn.at(-1)).toBe("h");
  drawInTime(part(drawn, "i"));
  expect(drawn.at(-1)).toBe("i");
});

test("however late a frame is, the browser finds no more than 450 elements and one drawing in it", () => {
  vi.advanceTimersByTime(1000);
  const drawn: string[] = [];
  for (const name of ["a", "b", "c"]) drawInTime(part(drawn, name, 225, 0));
  makeSoon(() => drawInTime(part(drawn, "d", 700, 0)));
  drawInTime(part(drawn, "e", 1, 0));
  vi.advanceTimersByTime(1000);
  expect(drawn).toEqual(["a", "b"]);
  endFrame();
  expect(drawn).toEqual(["a", "b", "c", "d"]);
  vi.advanceTimersByTime(1000);
  expect(drawn).toEqual(["a", "b", "c", "d"]);
  endFrame();
  expect(drawn).toEqual(["a", "b", "c", "d", "e"]);
});

test("an idle page makes one part between two frames, the last first", () => {
  const made: string[] = [];
  for (const name of ["a", "b", "c"]) makeWhenIdle(part(made, name));
  for (const all of ["c", "cb", "cba"]) {
    vi.advanceTimersByTime(1000);
    expect(made.join("")).toBe(all);
    endFrame();
  }
});

test("what is printed waits for no frame", () => {
  const drawn: string[] = [];
  for (const name of ["a", "b", "c", "d", "e", "f"]) drawInTime(part(drawn, name, 500));
  makeSoon(() => drawInTime(part(drawn, "g", 500)));
  hurry();
  expect(drawn.sort().join("")).toBe("abcdefg");
});

test("a page that is not seen waits for no frame", () => {
  isHidden = true;
  const made: string[] = [];
  for (const name of ["a", "b", "c"]) makeSoon(part(made, name));
  vi.runAllTimers();
  expect(made).toEqual(["a", "b", "c"]);
});

test("a page that is hidden while it waits for a frame goes on without", () => {
  const drawn: string[] = [];
  for (const name of ["a", "b", "c", "d", "e"]) drawInTime(part(drawn, name, 600));
  makeWhenIdle(part(drawn, "f"));
  makeWhenIdle(part(drawn, "g"));
  vi.runAllTimers();
  expect(drawn.join("")).toBe("ag");
  isHidden = true;
  page.dispatchEvent(new Event("visibilitychange"));
  vi.advanceTimersByTime(1000);
  expect(drawn.sort().join("")).toBe("abcdefg");
});

/** Nothing of a block but its identity and its place is asked for. */
function block(top = 0): Element {
  return { getBoundingClientRect: () => ({ top, bottom: top + 50 }) } as Element;
}

test("what is on the screen is made before what was near it earlier, and that by its distance", () => {
  const made: string[] = [];
  makeSoon(part(made, "a", 1, 10), null, block(-900));
  makeSoon(part(made, "b", 1, 10), null, block(-800));
  makeSoon(part(made, "c", 1, 10), null, block(1000));
  makeSoon(part(made, "d", 1, 10), null, block(850));
  makeSoon(part(made, "e", 1, 10), null, block(-40));
  for (let frame = 0; frame < 6; frame++) endFrame();
  // Where they are is asked when they are laid out.
  expect(made.join("")).toBe("adecb");
});

test("one block grows in a frame, since two above the screen would count as a shift of what encloses them", () => {
  const [first, second, third] = [block(), block(), block()];
  const made: string[] = [];
  makeSoon(part(made, "a", 1, 1), first);
  makeSoon(part(made, "b", 1, 1), first);
  makeSoon(part(made, "c", 1, 1), second);
  makeSoon(part(made, "d", 1, 1));
  makeWhenIdle(part(made, "e", 1, 1), third);
  for (const all of ["abd", "abdc", "abdce"]) {
    vi.runAllTimers();
    expect(made.join("")).toBe(all);
    endFrame();
  }
});

test("while all that is drawn is hidden, blocks grow together", () => {
  const made: string[] = [];
  drawUnseen(true);
  for (const name of ["a", "b", "c"]) makeSoon(part(made, name, 1, 1), block());
  vi.runAllTimers();
  drawUnseen(false);
  expect(made.join("")).toBe("abc");
});

test("what is no longer wanted takes no frame of its own", () => {
  const made: string[] = [];
  const forget = makeSoon(part(made, "a", 1, 1), block());
  makeSoon(part(made, "b", 1, 1), block());
  forget();
  vi.runAllTimers();
  expect(made.join("")).toBe("b");
});
