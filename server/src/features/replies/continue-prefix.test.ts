import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinContinuation } from "./continue-prefix.ts";

function join(
  text: string,
  continuation: string,
  style: "prefix" | "instruct",
  sizes: readonly number[] = [7],
): string {
  const joiner = joinContinuation(text, style);
  let whole = text;
  for (let from = 0, turn = 0; from < continuation.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    whole += joiner.push(continuation.slice(from, from + size));
    from += size;
  }
  return whole + joiner.end();
}

const story = "It was a dark and stormy night; the rain fell in torrents, except at occasional intervals.";

describe("joining a continuation", () => {
  it.each([
    ["goes straight on", "It was a dark and ", "stormy night."],
    ["repeats the last words", "It was a dark and ", "dark and stormy night."],
    ["begins again", "It was a dark and ", "It was a dark and stormy night."],
    ["is cut inside a word", "It was a da", "rk and stormy night."],
    ["ends while it still repeats", "It was a dark and stormy night.", "stormy night."],
  ])("an instructed model that %s", (_case, text, continuation) => {
    expect(join(text, continuation, "instruct")).toBe("It was a dark and stormy night.");
  });

  it("cuts every repetition of some words, however it is sliced", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: story.length - 1 }),
        fc.integer({ min: 16, max: 200 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        (cut, repeated, sizes) => {
          const text = story.slice(0, cut);
          const continuation = text.slice(-repeated) + story.slice(cut);
          expect(join(text, continuation, "instruct", sizes)).toBe(story);
        },
      ),
    );
  });

  it("leaves an exact continuation alone, though it shares a few letters with the end", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: story.length - 1 }),
        fc.integer({ min: 1, max: 9 }),
        (cut, size) => {
          expect(join(story.slice(0, cut), story.slice(cut), "prefix", [size])).toBe(story);
        },
      ),
    );
    expect(join("over the meadow and far", "over the meadow and far away", "prefix", [3])).toBe(
      "over the meadow and farover the meadow and far away",
    );
    expect(join("over the meadow", " meadow and far", "instruct", [3])).toBe(
      "over the meadow meadow and far",
    );
    expect(join("你好 你好", " 你好 风", "instruct", [1])).toBe("你好 你好 你好 风");
  });

  it("cuts repeated Chinese, which has no spaces", () => {
    expect(join("今天天气很好，", "天气很好，我们去公园", "instruct", [2])).toBe("今天天气很好，我们去公园");
  });

  it("lets the first new character through as soon as it cannot be a repetition", () => {
    const joiner = joinContinuation(story, "instruct");
    expect(joiner.push("Zebra")).toBe("Zebra");
  });

  it("cuts nothing where the text was given as a prefix: a text that repeats itself keeps its period", () => {
    const line = "All work and no play makes Jack a dull boy.\n";
    const whole = line.repeat(12);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: whole.length - 1 }),
        fc.integer({ min: 1, max: 90 }),
        (cut, size) => {
          expect(join(whole.slice(0, cut), whole.slice(cut), "prefix", [size])).toBe(whole);
        },
      ),
    );
  });
});
