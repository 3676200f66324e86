import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { Block } from "./block-model.ts";
import { createFootnoteOrder, footnoteName } from "./footnote-order.ts";
import type { Grouped } from "./grouped-list.ts";

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

/** A paragraph that refers to these footnotes. */
function referring(keys: readonly string[]): Block {
  const children = keys.map((key) => ({ type: "footnote_ref", meta: { key } }));
  return { kind: "plain", key: 0, goesOn: false, unit: { tokens: [{ children }] } } as unknown as Block;
}

test("a text of very many footnotes is not looked through for each of them", () => {
  const count = 2000;
  const blocks: Grouped<Block> = [Array.from({ length: count }, (_, index) => referring([`^${index}`]))];
  const added = vi.spyOn(Set.prototype, "add");
  const order = createFootnoteOrder()(blocks);
  expect(added.mock.calls.length).toBeLessThan(2 * count);
  added.mockRestore();
  const split = vi.spyOn(String.prototype, "split");
  const names = Array.from({ length: count }, (_, index) =>
    footnoteName({ key: `^${index}`, label: "" }, order),
  );
  expect(split.mock.calls.length).toBeLessThan(10);
  split.mockRestore();
  expect(names).toEqual(Array.from({ length: count }, (_, index) => String(index + 1)));
});

test("however the end of a text changes, its footnotes are in the order of those that are referred to now", () => {
  const block = fc.array(fc.constantFrom("^a", "^b", "^c", "^d"), { maxLength: 3 }).map(referring);
  const change = fc.record({ kept: fc.nat(6), added: fc.array(block, { maxLength: 3 }) });
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const orderOf = createFootnoteOrder();
      let blocks: Block[] = [];
      let groups: Block[][] = [];
      for (const { kept, added } of changes) {
        blocks = [...blocks.slice(0, kept), ...added];
        // A group in which nothing has changed is the same.
        groups = [blocks.slice(0, 2), blocks.slice(2, 4), blocks.slice(4)]
          .filter((group) => group.length > 0)
          .map((group, index) => {
            const before = groups[index] ?? [];
            const isSame = before.length === group.length && before.every((one, at) => one === group[at]);
            return isSame ? before : group;
          });
        expect(orderOf(groups)).toBe(createFootnoteOrder()(groups));
      }
    }),
  );
});
