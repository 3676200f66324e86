import { expect, test } from "vitest";
import { shownIn, symbolOf } from "./symbol-fonts.ts";

test.each([
  ["Symbol", 0xf06d, "μ"],
  ["Symbol", 0x57, "Ω"],
  ["Symbol", 0xf0b0, "°"],
  ["Symbol", 0xf0b1, "±"],
  ["Symbol", 0xf0a3, "≤"],
  ["Symbol", 0xf0b3, "≥"],
  ["Symbol", 0xf0b4, "×"],
  ["Symbol", 0xf0de, "⇒"],
  ["Symbol", 0xf0c0, "ℵ"],
  ["Symbol", 0xf0df, "⇓"],
  ["Symbol", 0xf0e5, "∑"],
  ["Symbol", 0xf0f2, "∫"],
  ["Symbol", 0xf07a, "ζ"],
  ["Symbol", 0xf07e, "∼"],
  ["Wingdings", 0xf0fe, "☑"],
  ["Wingdings", 0xf0a8, "☐"],
  ["Wingdings 2", 0xf052, "☑"],
  ["Segoe UI Symbol", 0x2713, "✓"],
  ["A font of one's own", 0xf041, "\u{fffd}"],
  ["Wingdings", 0xf028, "\u{fffd}"],
  ["Wingdings", 0x41, "\u{fffd}"],
  ["Symbol", Number.NaN, "\u{fffd}"],
  ["Symbol", 0x11_0000, "\u{fffd}"],
] as const)("of %s the character at %i is %s", (font, code, shown) => {
  expect(symbolOf(font, code)).toBe(shown);
});

test.each([
  ["Wingdings", "\u00e0 next", "→ next"],
  ["Wingdings", "\uf0fc ok", "✓ ok"],
  ["Symbol", "5 \uf06dg", "5 μg"],
  ["Wingdings", "\uf028", "\uf028"],
  ["Arial", "\u00e0 la carte", "\u00e0 la carte"],
])("in %s %j is shown as %s", (font, text, shown) => {
  expect(shownIn(font, text)).toBe(shown);
});
