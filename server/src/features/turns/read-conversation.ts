// What the rules of a turn must know of a session; words are read only where a rule asks for them.
import { isFragment, type Fragment } from "@plumb/protocol/conversation/fragment";
import type { Queryable } from "../../platform/database/database.ts";
import {
  listMessageHeads,
  loadMessages,
  type MessageHead,
  presentMessage,
} from "../sessions/message-store.ts";
import type { TurnMessage, TurnRequest } from "./turn-rules.ts";

export async function readConversation(
  q: Queryable,
  sessionId: string,
  request: TurnRequest,
): Promise<TurnMessage[]> {
  const heads = await listMessageHeads(q, sessionId);
  const asked = new Set(heads.filter((head) => mattersInWords(head, request)).map((head) => head.message_id));
  const rows = await loadMessages(q, sessionId, [...asked]);
  const fragments = new Map(rows.map((row) => [row.message_id, presentMessage(row).fragments]));
  return heads.map((head) => ({
    message_id: head.message_id,
    parent_id: head.parent_id,
    role: head.role,
    status: head.status,
    ban_regenerate: head.ban_regenerate === 1,
    ban_edit: head.ban_edit === 1,
    hasFiles: head.files !== "[]",
    isTemplate:
      fragments.get(head.message_id)?.some((part) => isFragment(part, "TEMPLATE_RESPONSE")) ?? false,
    hasText: fragments.get(head.message_id)?.some(hasWords) ?? true,
  }));
}

/** Ended replies that did not finish may be empty; the one to redo may hold a template. */
function mattersInWords(head: MessageHead, request: TurnRequest): boolean {
  if (head.role !== "ASSISTANT" || head.status === "WIP") return false;
  if (request.kind === "regenerate" && head.message_id === request.childId) return true;
  return head.status !== "FINISHED";
}

function hasWords(fragment: Fragment): boolean {
  return (
    (isFragment(fragment, "THINK") ||
      isFragment(fragment, "RESPONSE") ||
      isFragment(fragment, "TEMPLATE_RESPONSE")) &&
    fragment.content !== ""
  );
}
