// What moves at a reply that is being written (requirements 1§4). Pure.
import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";

/** think and search: the last part says in words what it is at; dot: everything else. */
export type LoadingIndicator = "dot" | "search" | "think";

/** The indicator of a reply; null for one that is not in progress. */
export function loadingIndicator({
  status,
  fragments,
}: Pick<Message, "status" | "fragments">): LoadingIndicator | null {
  if (status !== "WIP") return null;
  const last = fragments.at(-1);
  if (isFragment(last, "THINK")) return "think";
  return isFragment(last, "SEARCH") && last.status === "WIP" ? "search" : "dot";
}
