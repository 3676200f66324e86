import { AVATAR_COLORS } from "@plumb/protocol/rules/character-rules";
import fc from "fast-check";
import { expect, test } from "vitest";
import { inkOn } from "./avatar-ink.ts";

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

test("an avatar's text is readable on every colour", () => {
  const anyColor = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, "0")}`);
  fc.assert(fc.property(anyColor, (color) => contrast(color, inkOn(color)) >= 4.5));
});

test("the offered colours take white", () => {
  for (const color of AVATAR_COLORS) expect([color, inkOn(color)]).toEqual([color, "#ffffff"]);
});
