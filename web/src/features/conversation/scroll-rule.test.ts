import { expect, test } from "vitest";
import { followsAfterScroll, isAbove, isNearBottom, type ScrollPosition } from "./scroll-rule.ts";

const at = (scrollTop: number, scrollHeight = 2000, clientHeight = 800): ScrollPosition => ({
  scrollTop,
  scrollHeight,
  clientHeight,
});

test.each([
  [1200, true],
  [900, true],
  [899, false],
  [0, false],
])("at %i of 1200 the page is near the bottom: %s [ENG-030]", (scrollTop, near) => {
  expect(isNearBottom(at(scrollTop))).toBe(near);
});

test.each<[string, boolean, ScrollPosition, ScrollPosition, boolean]>([
  ["the first move upwards lets go, even near the bottom", true, at(1200), at(1199), false],
  ["growth alone keeps hold", true, at(1200), at(1200, 2600), true],
  ["growth alone takes no hold", false, at(1000), at(1000, 2100), false],
  ["a page that got shorter keeps hold", true, at(1200), at(1100, 1900), true],
  ["a page that got shorter takes no hold", false, at(1200), at(1100, 1900), false],
  ["a window that got taller keeps hold", true, at(1200), at(1100, 2000, 900), true],
  ["growth above what is read takes no hold", false, at(1000), at(1060, 2060), false],
  ["growth above what is read keeps hold", true, at(1200), at(1260, 2060), true],
  ["moving down near the bottom takes hold", false, at(880), at(900), true],
  ["moving down far from it does not", false, at(100), at(500), false],
  ["moving down never lets go", true, at(100), at(500), true],
  ["a page that springs back from beyond its end keeps hold", true, at(1260), at(1200), true],
  ["and takes none", false, at(1260), at(1200), false],
  ["one pulled beyond its end takes hold", false, at(1100), at(1260), true],
  [
    "a page that springs back from above its beginning takes no hold",
    false,
    at(-60, 1000),
    at(0, 1000),
    false,
  ],
])("%s [ENG-030]", (_title, follows, before, after, expected) => {
  expect(followsAfterScroll(follows, before, after, false)).toBe(expected);
});

test.each<[string, ScrollPosition, boolean, boolean]>([
  ["got shorter above and longer below as its parts were made keeps hold", at(1172, 11_000), true, true],
  ["got shorter above and as much longer below keeps hold", at(1172), true, true],
  ["has grown while the reader moved up lets go", at(1172, 11_000), false, false],
  ["was searched far up while its parts were made lets go", at(700, 11_000), true, false],
])("a page that %s [ENG-030]", (_title, after, isMade, expected) => {
  expect(followsAfterScroll(true, at(1200), after, isMade)).toBe(expected);
});

test.each([
  ["from beyond its end", at(1260), at(1200), false],
  ["to above its end", at(1260), at(1180), true],
  ["from its end", at(1200), at(1100), true],
])(
  "a page that moves up %s has to be taken to its end where it follows, but for one that is there",
  (_how, before, after, expected) => {
    expect(isAbove(after, before)).toBe(expected);
  },
);
