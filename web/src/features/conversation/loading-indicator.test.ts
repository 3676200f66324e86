import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { MessageStatus } from "@plumb/protocol/conversation/message";
import { expect, test } from "vitest";
import { loadingIndicator } from "./loading-indicator.ts";

const think: Fragment = { id: 2, type: "THINK", content: "Hm.", elapsed_secs: null };
const search = (status: "WIP" | "FINISHED" | "FAILED"): Fragment => ({
  id: 2,
  type: "SEARCH",
  status,
  content: null,
  queries: [],
  results: [],
});
const answer: Fragment = { id: 3, type: "RESPONSE", content: "Four." };

test.each<[string, MessageStatus, Fragment[], ReturnType<typeof loadingIndicator>]>([
  ["nothing yet", "WIP", [], "dot"],
  ["a thought that grows", "WIP", [think], "think"],
  ["a search that runs", "WIP", [search("WIP")], "search"],
  ["a search that found something", "WIP", [search("FINISHED")], "dot"],
  ["a search that failed", "WIP", [search("FAILED")], "dot"],
  ["an answer that is to come after a thought", "WIP", [think, { ...answer, content: "" }], "dot"],
  ["an answer that grows", "WIP", [think, answer], null],
  ["an answer that is there", "FINISHED", [think, answer], null],
  ["a search that was broken off", "INCOMPLETE", [search("WIP")], null],
])("%s [ENG-075]", (_title, status, fragments, indicator) => {
  expect(loadingIndicator({ status, fragments })).toBe(indicator);
});
