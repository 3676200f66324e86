import { expect, test } from "vitest";
import type { Block } from "./block-model.ts";
import { createFootnoteOrder } from "./footnote-order.ts";

/** A paragraph that refers to a footnote, and counts in `looks` how often it is looked through. */
function paragraph(key: number, looks: number[]): Block {
  looks[key] = 0;
  const reference = { type: "footnote_ref", meta: { key: `note${key}` } };
  const unit = {
    get tokens() {
      looks[key]! += 1;
      return [{ children: [reference] }];
    },
  };
  return { kind: "plain", key, goesOn: false, unit } as unknown as Block;
}

test("each block of a growing text is looked through once for the footnotes it refers to", () => {
  const looks: number[] = [];
  const blocks = Array.from({ length: 10 }, (_, key) => paragraph(key, looks));
  const orderOf = createFootnoteOrder();
  for (let count = 1; count <= blocks.length; count++)
    for (let append = 0; append < 100; append++)
      expect(orderOf([blocks.slice(0, count)]).split(" ")).toHaveLength(count);
  expect(looks).toEqual(blocks.map(() => 1));
});
