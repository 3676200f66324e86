import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadFormulas, loadFormulasAhead, mayHoldFormula } from "./formula-loader.ts";

let frames: (() => void)[];
let askedFonts: string[];
let askedFiles: string[];
let fontsCome: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  askedFonts = [];
  askedFiles = [];
  const come = new Promise<void>((resolve) => {
    fontsCome = resolve;
  });
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => frames.push(work));
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
  vi.stubGlobal("document", {
    hidden: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    compatMode: "CSS1Compat",
    createElement: () => ({}),
    head: { append: ({ href }: { href: string }) => askedFiles.push(href) },
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

test.each([
  ["so $x^2$ is", true],
  ["$5 and 6", false],
  ["from $5 to $6", false],
  ["$5", false],
  ["$$\nx\n$$", true],
  ["so \\(x\\) is", true],
  ["\\[ x \\]", true],
  ["[a](b) (c)", false],
])("%j may hold a formula: %s", (text, may) => {
  expect(mayHoldFormula(text)).toBe(may);
});

test("formulas that wait for their drawer, which may be asked for ahead, wait for its fonts, too, and then come a few in each frame", async () => {
  const drawn: string[] = [];
  loadFormulasAhead(["none"]);
  expect(askedFiles).toEqual([]);
  loadFormulasAhead(["none", "$x$"]);
  expect(askedFiles.map((file) => /KaTeX_\w+-\w+/.exec(file)?.[0])).toEqual([
    "KaTeX_Main-Regular",
    "KaTeX_Math-Italic",
  ]);
  for (const tex of ["a", "b", "c", "d", "e"]) {
    loadFormulas(tex, null, () => {
      // What drawing one takes.
      vi.advanceTimersByTime(5);
      drawn.push(tex);
    });
  }
  const lost = loadFormulas("f", null, () => drawn.push("f"));
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
