import { createElement } from "react";
import { expect, test } from "vitest";
import { createKeptElements } from "./kept-elements.ts";

test("an element is kept while its item and note are the same, and made anew when one of them changes or the place is another's", () => {
  const elementOf = createKeptElements((_item: object, note: string, index) =>
    createElement("p", { key: index, id: note }),
  );
  const [first, second] = [{}, {}];
  const drawn = [elementOf(first, "a", 0), elementOf(second, "a", 1)];
  expect([elementOf(first, "a", 0), elementOf(second, "a", 1)]).toEqual(drawn);
  expect(elementOf(first, "a", 0)).toBe(drawn[0]);
  expect(elementOf(second, "b", 1)).not.toBe(drawn[1]);
  expect(elementOf({}, "a", 0)).not.toBe(drawn[0]);
  // The text began anew: what is at a place has nothing of what was there.
  expect(elementOf(second, "a", 0).props).toEqual({ id: "a" });
});
