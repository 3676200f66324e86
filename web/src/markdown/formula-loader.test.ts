import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadFormulas } from "./formula-loader.ts";

let frames: (() => void)[];
let askedFonts: string[];
let fontsCome: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  askedFonts = [];
  const come = new Promise<void>((resolve) => {
    fontsCome = resolve;
  });
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => frames.push(work));
  vi.stubGlobal("document", {
    hidden: false,
    compatMode: "CSS1Compat",
    fonts: {
      load: (font: string) => {
        askedFonts.push(font);
        return come;
      },
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("formulas that wait for their drawer wait for its fonts, too, and then come a few in each frame", async () => {
  const drawn: string[] = [];
  for (const tex of ["a", "b", "c", "d", "e"]) {
    loadFormulas(tex, () => {
      // What drawing one takes.
      vi.advanceTimersByTime(5);
      drawn.push(tex);
    });
  }
  const lost = loadFormulas("f", () => drawn.push("f"));
  await vi.waitFor(() => expect(askedFonts.length).toBe(2));
  await vi.runAllTimersAsync();
  expect(drawn).toEqual([]);
  fontsCome();
  lost();
  await vi.runAllTimersAsync();
  expect(drawn).toEqual(["a", "b"]);
  for (const next of [
    ["a", "b", "c", "d"],
    ["a", "b", "c", "d", "e"],
  ]) {
    frames.splice(0).forEach((work) => work());
    await vi.runAllTimersAsync();
    expect(drawn).toEqual(next);
  }
});
