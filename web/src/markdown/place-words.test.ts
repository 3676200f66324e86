import { afterEach, beforeEach, expect, test, vi } from "vitest";

let frames: (() => void)[];
/** Those of this test alone. */
let words: typeof import("./place-words.ts");

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => frames.push(work));
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
  words = await import("./place-words.ts");
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function endFrame(): void {
  frames.splice(0).forEach((work) => work());
  vi.runAllTimers();
}

interface Places {
  elements: Element[];
}

function fill(count: number): Places {
  const elements = Array.from({ length: count }, () => ({ textContent: "" }) as Element);
  elements.forEach((element, index) => words.fillPlace(element, () => String(index)));
  return { elements };
}

/** Which have words, as "from-to", the end not included. */
function withWords({ elements }: Places): string {
  const first = elements.findIndex(({ textContent }) => textContent !== "");
  const count = elements.filter(({ textContent }) => textContent !== "").length;
  expect(elements[first + count - 1]?.textContent).toBe(String(first + count - 1));
  return `${first}-${first + count}`;
}

test("of very many places the last ones, where an answer opens, have words, and others as these are made", () => {
  const places = fill(600);
  endFrame();
  expect(withWords(places)).toBe("100-600");
  places.elements.slice(-60).forEach(words.leavePlace);
  endFrame();
  expect(withWords(places)).toBe("40-600");
  places.elements.slice(-500).forEach(words.leavePlace);
  endFrame();
  expect(withWords(places)).toBe("0-600");
});

test("places that come later at the end take the words of those far above", () => {
  const places = fill(500);
  endFrame();
  expect(withWords(places)).toBe("0-500");
  const [more] = fill(1).elements;
  endFrame();
  expect(more?.textContent).toBe("0");
  expect(withWords(places)).toBe("1-500");
});

test("the places around the reader have words, wherever that comes to be", () => {
  const places = fill(1200);
  endFrame();
  for (const [at, expected] of [
    [600, "350-850"],
    [900, "650-1150"],
  ] as const) {
    const read = places.elements[at];
    if (read) words.noteReaderAt(read);
    endFrame();
    expect(withWords(places)).toBe(expected);
  }
});

test("a place whose block goes on says its words of now, and stays in its order", () => {
  const places = fill(500);
  const [first] = places.elements;
  if (first) words.fillPlace(first, () => "0 and more");
  endFrame();
  expect(first?.textContent).toBe("0 and more");
  if (first) words.fillPlace(first, () => "0 and all of it");
  endFrame();
  expect(first?.textContent).toBe("0 and all of it");
  fill(1);
  endFrame();
  expect(first?.textContent).toBe("");
});
