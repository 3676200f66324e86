// What a search is at, for the words on its card (requirements 1§3). Pure.
import type { SearchFragment } from "@plumb/protocol/conversation/fragment";

export type SearchPhase =
  "wait_query" | "querying" | "read_results" | "found_nothing" | "failed" | "interrupted";

/** @param running its reply is still being written: a search that a stopped reply left behind does not go on */
export function searchPhase(
  { status, queries, results }: Pick<SearchFragment, "status" | "queries" | "results">,
  running: boolean,
): SearchPhase {
  if (status === "FAILED") return "failed";
  if (status === "FINISHED") return results.length === 0 ? "found_nothing" : "read_results";
  if (!running) return "interrupted";
  if (queries.length === 0) return "wait_query";
  return queries.some((query) => query.status === "WIP") ? "querying" : "read_results";
}
