// A whole session as its owner sees it. A running reply is folded from the log, never from an older snapshot.
import type { Message } from "@plumb/protocol/conversation/message";
import type { Queryable } from "../../platform/database/database.ts";
import { foldReply } from "./fold-reply.ts";
import { findMessage, listMessages, type MessageRow, presentMessage } from "./message-store.ts";
import { findReplyOfMessage } from "./reply-store.ts";

/** All messages of all branches, by message_id. */
export async function readHistory(q: Queryable, sessionId: string): Promise<Message[]> {
  const rows = await listMessages(q, sessionId);
  return Promise.all(rows.map((row) => currentMessage(q, row)));
}

/** One message as it stands now. */
export async function currentMessage(q: Queryable, row: MessageRow): Promise<Message> {
  if (row.status !== "WIP") return presentMessage(row);
  const reply = await findReplyOfMessage(q, row.session_id, row.message_id);
  if (reply === undefined) return presentMessage(row);
  const { state } = await foldReply(q, reply, row);
  if (state.message?.status === "WIP") return state.message;
  // Settled between the two reads: the row has it all now.
  const settled = await findMessage(q, row.session_id, row.message_id);
  return presentMessage(settled ?? row);
}
