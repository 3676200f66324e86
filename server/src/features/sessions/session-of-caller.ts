// The caller's own session, or the two answers that say no. A foreign id answers as an unknown one does.
import { SessionRefusal } from "@plumb/protocol/wire/sessions";
import { Refusal } from "../../platform/refusal.ts";
import type { SessionRow } from "./session-store.ts";

/** Throws Refusal 1 for a session that is unknown, foreign or deleted. */
export function requireSession(row: SessionRow | undefined): SessionRow {
  if (row === undefined) throw new Refusal(SessionRefusal.IllegalChatSessionId);
  if (row.deleted_at !== null) throw new Refusal(SessionRefusal.ChatSessionDeleted);
  return row;
}
