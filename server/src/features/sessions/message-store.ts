// Rows of messages, and their way to and from the wire's object.
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type {
  Feedback,
  Message,
  MessageFile,
  MessageStatus,
  Role,
} from "@plumb/protocol/conversation/message";
import type { Insertable, Selectable } from "kysely";
import type { Queryable } from "../../platform/database/database.ts";
import type { MessagesTable } from "../../platform/database/schema.ts";
import { toSeconds } from "../../platform/seconds.ts";

export type MessageRow = Selectable<MessagesTable>;

/** What the rules of a turn need of every message; the words stay in the database. */
export type MessageHead = Omit<MessageRow, "fragments" | "feedback">;

const headColumns = [
  "session_id",
  "message_id",
  "user_id",
  "parent_id",
  "role",
  "status",
  "files",
  "accumulated_token_usage",
  "thinking_enabled",
  "search_enabled",
  "ban_regenerate",
  "ban_edit",
  "inserted_at",
  "client_stream_id",
  "last_event_id",
] as const satisfies readonly (keyof MessageHead)[];

export async function listMessageHeads(q: Queryable, sessionId: string): Promise<MessageHead[]> {
  return q
    .selectFrom("messages")
    .select(headColumns)
    .where("session_id", "=", sessionId)
    .orderBy("message_id")
    .execute();
}

export async function listMessages(q: Queryable, sessionId: string): Promise<MessageRow[]> {
  return q
    .selectFrom("messages")
    .selectAll()
    .where("session_id", "=", sessionId)
    .orderBy("message_id")
    .execute();
}

/** The messages with these ids, in the order of `ids`. */
export async function loadMessages(
  q: Queryable,
  sessionId: string,
  ids: readonly number[],
): Promise<MessageRow[]> {
  if (ids.length === 0) return [];
  const rows = await q
    .selectFrom("messages")
    .selectAll()
    .where("session_id", "=", sessionId)
    .where("message_id", "in", [...ids])
    .execute();
  const byId = new Map(rows.map((row) => [row.message_id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function findMessage(
  q: Queryable,
  sessionId: string,
  id: number,
): Promise<MessageRow | undefined> {
  return (await loadMessages(q, sessionId, [id]))[0];
}

export async function insertMessages(q: Queryable, rows: Insertable<MessagesTable>[]): Promise<void> {
  await q.insertInto("messages").values(rows).execute();
}

export async function deleteMessages(q: Queryable, sessionId: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await q
    .deleteFrom("messages")
    .where("session_id", "=", sessionId)
    .where("message_id", "in", [...ids])
    .execute();
}

/** Stores the fold of a reply: what a settlement leaves of it. */
export async function storeReplyMessage(
  q: Queryable,
  sessionId: string,
  message: Message,
  lastEventId: number,
): Promise<void> {
  await q
    .updateTable("messages")
    .set({
      status: message.status,
      fragments: JSON.stringify(message.fragments),
      accumulated_token_usage: message.accumulated_token_usage,
      ban_regenerate: message.ban_regenerate ? 1 : 0,
      last_event_id: lastEventId,
    })
    .where("session_id", "=", sessionId)
    .where("message_id", "=", message.message_id)
    .execute();
}

/** The object of wire-contract.md §3.3 as stored. Of a running reply this is only what stood before its run. */
export function presentMessage(row: MessageRow): Message {
  const fragments = JSON.parse(row.fragments) as Fragment[];
  return {
    message_id: row.message_id,
    parent_id: row.parent_id,
    role: row.role as Role,
    status: row.status as MessageStatus,
    fragments,
    files: JSON.parse(row.files) as MessageFile[],
    accumulated_token_usage: row.accumulated_token_usage,
    thinking_enabled: row.thinking_enabled === 1,
    search_enabled: row.search_enabled === 1,
    ban_regenerate: row.ban_regenerate === 1,
    ban_edit: row.ban_edit === 1,
    has_pending_fragment: row.status === "WIP" && fragments.length === 0,
    feedback: row.feedback === null ? null : (JSON.parse(row.feedback) as Feedback),
    inserted_at: toSeconds(row.inserted_at),
    client_stream_id: row.client_stream_id,
    model: "",
    incomplete_message: null,
    auto_continue: false,
    conversation_mode: "DEFAULT",
  };
}
