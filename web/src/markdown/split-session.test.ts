import { describe, expect, test } from "vitest";
import { keepParsed, parsedText } from "./parse-cache.ts";
import { createSplitSession } from "./split-session.ts";

describe("a growing text", () => {
  test("is drawn at once where that is cheap", () => {
    const session = createSplitSession(() => 0);
    session.update("one", true);
    expect(session.remainingWait()).toBe(0);
  });

  test("leaves most of the page's time free: after a step of 2 ms it waits for longer", () => {
    let time = 0;
    const session = createSplitSession(() => (time += 2));
    session.update("one", true);
    expect(session.remainingWait()).toBeGreaterThan(6);
  });

  test("waits a little after a step of 0.6 ms, too: a text of 200 KB grows by forty thousand", () => {
    let time = 0;
    const session = createSplitSession(() => (time += 0.6));
    session.update("one", true);
    expect(session.remainingWait()).toBeGreaterThan(1.5);
  });

  test.each([100, 1000, 60_000])("waits 2 s at most, though a step took %d ms [REND-013]", (stepMs) => {
    let time = 0;
    const session = createSplitSession(() => (time += stepMs));
    session.update("one", true);
    const wait = session.remainingWait() + stepMs;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(2000);
  });
});

describe("texts that were parsed", () => {
  const parse = (text: string) => createSplitSession().update(text, false);

  test("are not parsed again, whoever shows them", () => {
    const first = parse("once **more**");
    expect(parse("once **more**")).toBe(first);
    // One that grew keeps the blocks that are on the screen.
    const grown = createSplitSession();
    grown.update("once **mo", true);
    expect(grown.update("once **more**", false)).not.toBe(first);
  });

  test("are kept up to 80, then the 50 used last [REND-014]", () => {
    const text = (index: number) => `text number ${index}`;
    for (let index = 0; index < 300; index++) keepParsed(text(index), []);
    const kept = () =>
      Array.from({ length: 400 }, (_, index) => index).filter((index) => isKept(text(index)));
    // Asking makes them the ones used last, in their order.
    const before = kept();
    expect(before.length).toBeGreaterThanOrEqual(50);
    expect(before.length).toBeLessThan(80);
    for (let index = 300; index < 300 + 79 - before.length; index++) keepParsed(text(index), []);
    expect(kept()).toHaveLength(79);
    const [oldest = 0] = kept();
    parsedText(text(oldest));
    keepParsed("the eightieth", []);
    expect(kept().length + 1).toBe(50);
    expect(isKept(text(oldest))).toBe(true);
  });

  test("are kept by their size, too", () => {
    keepParsed("x".repeat(200_001), []);
    expect(isKept("x".repeat(200_001))).toBe(false);
    const long = (index: number) => `${index}${"y".repeat(190_000)}`;
    for (let index = 0; index < 10; index++) keepParsed(long(index), []);
    expect(Array.from({ length: 10 }, (_, index) => isKept(long(index))).filter(Boolean)).toHaveLength(5);
    expect(isKept(long(9))).toBe(true);
  });
});

const isKept = (text: string): boolean => parsedText(text) !== null;
