import fc from "fast-check";
import { expect, test } from "vitest";
import { createFold, createShelves } from "./grouped-list.ts";

test("a fold takes the steps only of items that were not there the time before, also in the last group", () => {
  const stepped: string[] = [];
  const fold = createFold<string, string>("", (result, item) => {
    stepped.push(item);
    return result + item;
  });
  const [a, b] = [["a"], ["b", "c"]];
  expect(fold([a, b])).toEqual(["a", "abc"]);
  expect(fold([a, ["b", "c", "d"]])).toEqual(["a", "abcd"]);
  expect(fold([a, ["b", "e"], ["f"]])).toEqual(["a", "abe", "abef"]);
  expect(stepped.join("")).toBe("abcdef");
  expect(fold([a])).toEqual(["a"]);
  expect(fold([["a", "g"]])).toEqual(["ag"]);
  expect(fold([])).toEqual([]);
});

test("a fold is the same as one that knows nothing, whatever list comes after whatever other", () => {
  const groups = [["a"], ["a", "b"], ["a", "b", "c"], ["b"], ["b", "c"]];
  const lists = fc.array(fc.array(fc.constantFrom(...groups), { maxLength: 6 }), { maxLength: 12 });
  const step = (result: string, item: string) => result + item;
  fc.assert(
    fc.property(lists, (each) => {
      const fold = createFold("", step);
      for (const list of each) expect(fold(list)).toEqual(createFold("", step)(list));
    }),
  );
});

test("of shelves the one that changed alone is another array, whatever list comes after whatever other", () => {
  const groups = Array.from({ length: 4 }, (_, index) => [index]);
  const lists = fc.array(fc.array(fc.constantFrom(...groups), { maxLength: 8 }), { maxLength: 12 });
  fc.assert(
    fc.property(lists, (each) => {
      const shelvesOf = createShelves<number>(3);
      let before = shelvesOf([]);
      for (const list of each) {
        const now = shelvesOf(list);
        expect(now.flat()).toEqual(list);
        expect(now.slice(0, -1).every((shelf) => shelf.length === 3)).toBe(true);
        const changed = list.findIndex((group, index) => group !== before.flat()[index]);
        const same = changed < 0 ? list.length : changed;
        for (let index = 0; (index + 1) * 3 <= same; index++) expect(now[index]).toBe(before[index]);
        before = now;
      }
    }),
  );
});
