import fc from "fast-check";
import { expect, it } from "vitest";
import { shownText } from "./shown-text.ts";

it.each([
  ["这是**机器学习**的核心概念", "这是机器学习的核心概念"],
  ["`Promise`对象", "Promise对象"],
  ["**Rust**'s *state*-of-the-art", "Rust's state-of-the-art"],
  ["__bold__ _it_ ~~gone~~ ***both***", "bold it gone both"],
  ["see [the docs](https://example.com/a_b) for more", "see the docs for more"],
  ["![a wall](/wall.png)", "a wall"],
  ["**a *b* c**", "a b c"],
  ["snake_case and a_b_c stay", null],
  ["a*b and src/**/*.test.ts stay, and 2 * 3 * 4", null],
  ["an open ` or ** or ~~", null],
  ["a_________b", null],
  ["[note] (aside), f(x)[1]", null],
  ["", null],
])("%j is shown as %j", (written, shown) => {
  expect(shownText(written)).toBe(shown);
});

it("leaves the letters as they are", () => {
  const parts = fc.constantFrom("*", "**", "`", "_", "~~", "a", "中", "[", "](", ")", " ", "\n");
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 60 }), (list) => {
      const written = list.join("");
      const letters = (text: string) => text.replaceAll(/[^a中]/gu, "");
      // Targets of links are no part of what is shown.
      fc.pre(!written.includes("]("));
      expect(letters(shownText(written) ?? written)).toBe(letters(written));
    }),
  );
});
