import { describe, expect, test } from "vitest";
import { isOffered, offeredModels } from "./offered-models.ts";

const named = [
  { id: "qwen3:8b", name: "Qwen" },
  { id: "gone", name: "Gone" },
];
const listed = [{ id: "qwen3:8b" }, { id: "bge-m3" }, { id: "evil\u001b[2J" }];

describe("offered models", () => {
  test("are those that are named, with what the endpoint says of them", () => {
    expect(offeredModels(named, listed)).toEqual([
      { id: "qwen3:8b", name: "Qwen", listed: true },
      { id: "gone", name: "Gone", listed: false },
    ]);
    // Not known yet, or an endpoint that keeps no list.
    for (const none of [undefined, []]) {
      expect(offeredModels(named, none).map((model) => model.listed)).toEqual([true, true]);
    }
    expect(offeredModels([], listed)).toEqual([]);
  });

  test("are all that write text, by names a page and a terminal can show, up to a bound", () => {
    expect(offeredModels("*", listed)).toEqual([
      { id: "qwen3:8b", name: "qwen3:8b", listed: true },
      { id: "evil\u001b[2J", name: "evil\ufffd[2J", listed: true },
    ]);
    expect(offeredModels("*", undefined)).toEqual([]);
    const many = Array.from({ length: 3000 }, (_none, index) => ({ id: `m${index}` }));
    expect(offeredModels("*", many)).toHaveLength(100);
  });

  test("are known by their id, once that can be known", () => {
    expect([isOffered(named, undefined, "gone"), isOffered(named, listed, "other")]).toEqual([true, false]);
    expect([isOffered("*", undefined, "qwen3:8b"), isOffered("*", listed, "qwen3:8b")]).toEqual([
      undefined,
      true,
    ]);
    expect(isOffered("*", listed, "bge-m3")).toBe(false);
    expect(isOffered([], listed, "qwen3:8b")).toBe(false);
  });
});
