import { expect, test } from "vitest";
import { documentTitle } from "./document-title.ts";

test.each([
  ["Tides", "Tides - Plumb"],
  ["", "Plumb, a quiet place to ask"],
  [null, "Plumb, a quiet place to ask"],
])("session title %j gives %j [SHELL-052]", (title, shown) => {
  expect(documentTitle(title, "Plumb", "Plumb, a quiet place to ask")).toBe(shown);
});
