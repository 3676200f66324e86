// What moves at a reply that is being written (requirements 1§4). Pure.
import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import { answerText } from "./answer-text.ts";

/** think and search: the last part says in words what it is at; dot: the next part is awaited. */
export type LoadingIndicator = "dot" | "search" | "think";

/**
 * The indicator of a reply; null for one that is not in progress, and while its answer grows: that is seen, and whatever
 * stood under it would jump with every line.
 */
export function loadingIndicator({
  status,
  fragments,
}: Pick<Message, "status" | "fragments">): LoadingIndicator | null {
  if (status !== "WIP") return null;
  const last = fragments.at(-1);
  if (isFragment(last, "THINK")) return "think";
  if (isFragment(last, "SEARCH") && last.status === "WIP") return "search";
  return answerText({ fragments: last === undefined ? [] : [last] }) === "" ? "dot" : null;
}
