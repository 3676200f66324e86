import type { SearchResult } from "@plumb/protocol/conversation/fragment";
import { expect, test } from "vitest";
import { citedSources } from "./cited-sources.ts";

const result = (cite_index: number | null, url: string): SearchResult => ({
  url,
  title: "T",
  snippet: "",
  cite_index,
  site_name: null,
  site_icon: null,
  published_at: null,
  query_indexes: [],
});

test("sources stand under the numbers they are cited with; the first of a number counts", () => {
  const found = [
    [result(1, "https://a.example"), result(null, "https://none.example")],
    [{ ...result(2, "https://b.example"), published_at: 1_790_000_000 }, result(1, "https://late.example")],
  ];
  const sources = citedSources(found);
  expect([...sources].map(([number, { url }]) => [number, url])).toEqual([
    [1, "https://a.example"],
    [2, "https://b.example"],
  ]);
  expect([...sources.values()].map(({ date }) => date)).toEqual([null, "2026/09/21"]);
  expect(citedSources(found).get(2)?.date).toBe("2026/09/21");
});
