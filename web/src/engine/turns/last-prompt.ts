// The prompt that arrow-up brings back.
import { getMessage, shownBranch } from "@plumb/protocol/conversation/message-tree";
import type { ClientSession } from "../sessions/client-session.ts";
import { promptOf } from "./placeholders.ts";

/** The last prompt of the branch on show; null where nothing was sent yet. */
export function lastPrompt(session: ClientSession | undefined): string | null {
  if (session === undefined) return null;
  for (const id of shownBranch(session.tree).toReversed()) {
    const message = getMessage(session.tree, id);
    if (message?.role === "USER") return promptOf(message);
  }
  return null;
}
