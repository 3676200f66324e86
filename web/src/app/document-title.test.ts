import { expect, test } from "vitest";
import { documentTitle } from "./document-title.ts";

test.each([
  ["Tides", "Tides - Plumb"],
  // Without its end the whole line would be read from the right.
  ["a\u202etxt.exe", "\u2068a\u202etxt.exe\u2069 - Plumb"],
  ["", "Plumb, a quiet place to ask"],
  [null, "Plumb, a quiet place to ask"],
])("session title %j gives %j [SHELL-052]", (title, shown) => {
  expect(documentTitle(title, "Plumb", "Plumb, a quiet place to ask")).toBe(shown);
});
