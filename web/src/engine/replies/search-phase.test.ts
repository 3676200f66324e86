import type { SearchFragment, SearchResult, SearchStatus } from "@plumb/protocol/conversation/fragment";
import { expect, test } from "vitest";
import { searchPhase } from "./search-phase.ts";

const found = [{ cite_index: 1 }] as SearchResult[];
const asked = (...statuses: SearchStatus[]): SearchFragment["queries"] =>
  statuses.map((status) => ({ query: "q", status, results: [] }));

test.each([
  ["wait_query", "WIP", asked(), [], true],
  ["querying", "WIP", asked("WIP"), [], true],
  ["querying", "WIP", asked("FINISHED", "WIP"), found, true],
  ["read_results", "WIP", asked("FINISHED", "FAILED"), found, true],
  ["read_results", "FINISHED", asked("FINISHED"), found, true],
  ["read_results", "FINISHED", asked("FINISHED"), found, false],
  ["found_nothing", "FINISHED", asked("FINISHED"), [], false],
  ["failed", "FAILED", asked("FAILED"), [], false],
] as const)("a search is at %s [SRCH-008]", (phase, status, queries, results, running) => {
  expect(searchPhase({ status, queries: [...queries], results: [...results] }, running)).toBe(phase);
});

test("a search is interrupted where its reply ended while it was querying [SRCH-009]", () => {
  for (const queries of [asked(), asked("WIP"), asked("FINISHED")])
    expect(searchPhase({ status: "WIP", queries, results: [] }, false)).toBe("interrupted");
});
