import { beforeEach, expect, test, vi } from "vitest";

const storageKey = "plumb.diagramSizes";
let stored: Map<string, string>;

/** The module as a freshly loaded page has it. */
async function reloaded() {
  vi.resetModules();
  return import("./diagram-sizes.ts");
}

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  return () => vi.unstubAllGlobals();
});

test("a diagram's size is known after a reload, without its words in the storage", async () => {
  (await reloaded()).keepSize("graph LR; secret-->b", { width: 300, height: 120 });
  const { knownSize } = await reloaded();
  expect(knownSize("graph LR; secret-->b")).toEqual({ width: 300, height: 120 });
  expect(knownSize("graph LR; secret-->c")).toBeNull();
  expect(stored.get(storageKey)).not.toContain("secret");
});

test("the oldest goes: 200 are kept", async () => {
  const { keepSize } = await reloaded();
  for (let index = 0; index < 201; index++) keepSize(`graph ${index}`, { width: 1, height: 1 + index });
  const { knownSize } = await reloaded();
  expect(knownSize("graph 0")).toBeNull();
  expect(knownSize("graph 1")).toEqual({ width: 1, height: 2 });
  expect(knownSize("graph 200")).toEqual({ width: 1, height: 201 });
});

test.each(["{", "3", '[["a",-1,5],["b","x",2],7]'])("%s in the storage counts as nothing", async (value) => {
  stored.set(storageKey, value);
  const { knownSize, keepSize } = await reloaded();
  expect(knownSize("graph")).toBeNull();
  keepSize("graph", { width: 2, height: 3 });
  expect(knownSize("graph")).toEqual({ width: 2, height: 3 });
});

test("a full storage keeps nothing back: the size is known while the page lives", async () => {
  vi.stubGlobal("sessionStorage", {
    getItem: () => null,
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  const { knownSize, keepSize } = await reloaded();
  keepSize("graph", { width: 2, height: 3 });
  expect(knownSize("graph")).toEqual({ width: 2, height: 3 });
});
