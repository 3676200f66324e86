// Rows of messages, and their way to and from the wire's object.
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { Feedback, Message, MessageStatus, Role } from "@plumb/protocol/conversation/message";
import { type Selectable, sql } from "kysely";
import { bytesOfText } from "../../platform/database/bytes-of-text.ts";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";
import type { MessagesTable } from "../../platform/database/schema.ts";
import { toSeconds } from "../../platform/seconds.ts";
import { headColumns } from "./message-columns.ts";

export type MessageRow = Selectable<MessagesTable>;

/** A message without its words, which stay in the database. */
export type MessageHead = Omit<MessageRow, "fragments"> & {
  /** UTF-8 bytes of `fragments`, JSON as it is. */
  bytes: number;
};

/** Neither engine reads a long text to tell its bytes. */
export const bytesOfFragments = sql<number>`octet_length(messages.fragments)`;

const selectHeads = preparedQuery<{ session_id: string }, MessageHead>((q, value) =>
  q
    .selectFrom("messages")
    .select([...headColumns, bytesOfFragments.as("bytes")])
    .where("session_id", "=", value("session_id"))
    .orderBy("message_id"),
);

/** The heads of all messages of a session, by message_id. */
export async function listMessageHeads(q: Queryable, sessionId: string): Promise<MessageHead[]> {
  return selectHeads(q, { session_id: sessionId });
}

export async function findMessageHead(
  q: Queryable,
  sessionId: string,
  id: number,
): Promise<MessageHead | undefined> {
  return q
    .selectFrom("messages")
    .select([...headColumns, bytesOfFragments.as("bytes")])
    .where("session_id", "=", sessionId)
    .where("message_id", "=", id)
    .executeTakeFirst();
}

/** Which of the messages with these ids hold a thought or an answer. They are looked through where they lie. */
export async function idsWithWords(
  q: Queryable,
  sessionId: string,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await q
    .selectFrom("messages")
    .select("message_id")
    .where("session_id", "=", sessionId)
    .where("message_id", "in", ids)
    // What stands in a text has its quotation marks escaped.
    .where(({ or, eb }) =>
      or(['%"type":"RESPONSE"%', '%"type":"THINK"%'].map((part) => eb("fragments", "like", part))),
    )
    .execute();
  return new Set(rows.map((row) => row.message_id));
}

/** The statuses of the messages with these ids; unknown ids are left out. */
export async function statusesOf(
  q: Queryable,
  sessionId: string,
  ids: readonly number[],
): Promise<Map<number, MessageStatus>> {
  if (ids.length === 0) return new Map();
  const rows = await q
    .selectFrom("messages")
    .select(["message_id", "status"])
    .where("session_id", "=", sessionId)
    .where("message_id", "in", [...ids])
    .execute();
  return new Map(rows.map((row) => [row.message_id, row.status as MessageStatus]));
}

/** True while a reply of the session runs, its tail not counted (wire-contract.md §4.6). */
export async function hasRunningReply(q: Queryable, sessionId: string): Promise<boolean> {
  const row = await q
    .selectFrom("messages")
    .select("message_id")
    .where("session_id", "=", sessionId)
    .where("status", "=", "WIP")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Up to `count` bytes of a message's `fragments` from the byte `from` on. Undefined when the message is not the one of
 * `head` any more: it was deleted, or a later run has changed it.
 */
export async function readFragmentBytes(
  db: Database,
  head: MessageHead,
  from: number,
  count: number,
): Promise<Uint8Array | undefined> {
  const row = await db.kysely
    .selectFrom("messages")
    .select(bytesOfText(db, "fragments", from, count).as("bytes"))
    .where("session_id", "=", head.session_id)
    .where("message_id", "=", head.message_id)
    .where("status", "=", head.status)
    // Not the last event id: the title and the close of a reply raise it, and change no word.
    .where(bytesOfFragments, "=", head.bytes)
    .executeTakeFirst();
  return row?.bytes;
}

export async function listMessages(q: Queryable, sessionId: string): Promise<MessageRow[]> {
  return q
    .selectFrom("messages")
    .selectAll()
    .where("session_id", "=", sessionId)
    .orderBy("message_id")
    .execute();
}

/** The words of a message whose head is known, and what tells that the head still holds. */
export type MessageWords = Pick<MessageRow, "message_id" | "status" | "fragments">;

const selectWords = preparedQuery<{ session_id: string; from: number; to: number }, MessageWords>(
  (q, value) =>
    q
      .selectFrom("messages")
      .select(["message_id", "status", "fragments"])
      .where("session_id", "=", value("session_id"))
      .where("message_id", ">=", value("from"))
      .where("message_id", "<=", value("to"))
      .orderBy("message_id"),
);

/** The words of the messages of a session with ids from `from` to `to`, both included. There must be a bound on them. */
export async function listWordsBetween(
  q: Queryable,
  sessionId: string,
  { from, to }: { from: number; to: number },
): Promise<MessageWords[]> {
  return selectWords(q, { session_id: sessionId, from, to });
}

/** What the messages of a session come to. */
export interface SessionSize {
  messages: number;
  /** UTF-8 bytes of all `fragments`. */
  bytes: number;
  /** One of them is a reply that runs. */
  running: boolean;
}

/** Of each of the sessions. Counts their messages: there must be a bound on them. */
export async function sizesOfSessions(
  q: Queryable,
  sessionIds: readonly string[],
): Promise<Map<string, SessionSize>> {
  const sizes = new Map(sessionIds.map((id) => [id, { messages: 0, bytes: 0, running: false }]));
  if (sizes.size === 0) return sizes;
  const rows = await q
    .selectFrom("messages")
    .select(({ fn }) => [
      "session_id",
      fn.countAll<number>().as("messages"),
      fn.sum<number>(bytesOfFragments).as("bytes"),
      sql<number>`max(case status when 'WIP' then 1 else 0 end)`.as("running"),
    ])
    .where("session_id", "in", [...sessionIds])
    .groupBy("session_id")
    .execute();
  for (const { session_id: id, messages, bytes, running } of rows)
    sizes.set(id, { messages: Number(messages), bytes: Number(bytes), running: running === 1 });
  return sizes;
}

/** All messages of the sessions, each session's by message_id. There must be a bound on them. */
export async function listMessagesOfSessions(
  q: Queryable,
  sessionIds: readonly string[],
): Promise<MessageRow[]> {
  return q
    .selectFrom("messages")
    .selectAll()
    .where("session_id", "in", [...sessionIds])
    .orderBy("session_id")
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

const insertMessage = preparedQuery<MessageRow, never>((q, value) =>
  q
    .insertInto("messages")
    .values(
      Object.fromEntries(
        [...headColumns, "fragments" as const].map((name) => [name, value(name)]),
      ) as unknown as MessageRow,
    ),
);

export async function insertMessages(q: Queryable, rows: readonly MessageRow[]): Promise<void> {
  for (const row of rows) await insertMessage(q, row);
}

export async function deleteMessages(q: Queryable, sessionId: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await q
    .deleteFrom("messages")
    .where("session_id", "=", sessionId)
    .where("message_id", "in", [...ids])
    .execute();
}

export async function deleteMessagesOfSessions(q: Queryable, sessionIds: readonly string[]): Promise<void> {
  await q
    .deleteFrom("messages")
    .where("session_id", "in", [...sessionIds])
    .execute();
}

/** What the messages of a session come to, read no further than to know that they are more than `most`. */
export async function sizeUpTo(
  q: Queryable,
  sessionId: string,
  most: { messages: number; bytes: number },
): Promise<{ messages: number; bytes: number } | "larger"> {
  const rows = await q
    .selectFrom("messages")
    .select(bytesOfFragments.as("bytes"))
    .where("session_id", "=", sessionId)
    .limit(most.messages + 1)
    .execute();
  const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0);
  return rows.length > most.messages || bytes > most.bytes ? "larger" : { messages: rows.length, bytes };
}

/** Deletes at most `count` messages of a session; returns their ids. */
export async function deleteFirstMessages(q: Queryable, sessionId: string, count: number): Promise<number[]> {
  const some = q
    .selectFrom("messages")
    .select("message_id")
    .where("session_id", "=", sessionId)
    .orderBy("message_id")
    .limit(count);
  const rows = await q
    .deleteFrom("messages")
    .where("session_id", "=", sessionId)
    .where("message_id", "in", some)
    .returning("message_id")
    .execute();
  return rows.map((row) => row.message_id);
}

/** A message whose reply goes on: what its new run begins with. */
export async function storeContinuation(
  q: Queryable,
  row: Pick<
    MessageRow,
    "session_id" | "message_id" | "status" | "fragments" | "accumulated_token_usage" | "stopped"
  >,
): Promise<void> {
  await q
    .updateTable("messages")
    .set({
      status: row.status,
      fragments: row.fragments,
      accumulated_token_usage: row.accumulated_token_usage,
      stopped: row.stopped,
    })
    .where("session_id", "=", row.session_id)
    .where("message_id", "=", row.message_id)
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
      stopped: message.stopped === true ? 1 : 0,
    })
    .where("session_id", "=", sessionId)
    .where("message_id", "=", message.message_id)
    .execute();
}

/** Moves the end of a reply's stream, whose message has its end status. */
export async function storeLastEventId(
  q: Queryable,
  sessionId: string,
  messageId: number,
  lastEventId: number,
): Promise<void> {
  await q
    .updateTable("messages")
    .set({ last_event_id: lastEventId })
    .where("session_id", "=", sessionId)
    .where("message_id", "=", messageId)
    .execute();
}

/** Ends a running message as it was stored before its run. */
export async function markIncomplete(q: Queryable, sessionId: string, messageId: number): Promise<void> {
  await q
    .updateTable("messages")
    .set({ status: "INCOMPLETE" })
    .where("session_id", "=", sessionId)
    .where("message_id", "=", messageId)
    .where("status", "=", "WIP")
    .execute();
}

/** Ids of the files that a message carries, in their order. */
export function fileIdsOf({ files }: Pick<MessageRow, "files">): string[] {
  return files === "[]" ? [] : (JSON.parse(files) as string[]);
}

type FilesById = ReadonlyMap<string, FileInfo>;
const noFiles: FilesById = new Map();

/**
 * The object of wire-contract.md §3.3 as stored. Of a running reply this is only what stood before its run. `files` are
 * needed where a message may be a user's, and its files be looked at (`carriedFiles`).
 */
export function presentMessage(row: MessageRow, files = noFiles): Message {
  const fragments = JSON.parse(row.fragments) as Fragment[];
  return present(row, fragments, { files, isEmpty: fragments.length === 0 });
}

/** As `presentMessage`, with no fragments and told to have some where it has. */
export function presentHead(head: MessageHead, files = noFiles): Message {
  return present(head, [], { files, isEmpty: head.bytes <= "[]".length });
}

/** As `presentHead`, of a row whose fragments were read, too. */
export function presentWithoutFragments(row: MessageRow, files = noFiles): Message {
  return present(row, [], { files, isEmpty: row.fragments.length <= "[]".length });
}

function present(
  row: Omit<MessageRow, "fragments">,
  fragments: Fragment[],
  { files, isEmpty }: { files: FilesById; isEmpty: boolean },
): Message {
  return {
    message_id: row.message_id,
    parent_id: row.parent_id,
    role: row.role as Role,
    status: row.status as MessageStatus,
    fragments,
    files: fileIdsOf(row).flatMap((id) => files.get(id) ?? []),
    accumulated_token_usage: row.accumulated_token_usage,
    thinking_enabled: row.thinking_enabled === 1,
    search_enabled: row.search_enabled === 1,
    ban_regenerate: row.ban_regenerate === 1,
    ban_edit: row.ban_edit === 1,
    has_pending_fragment: row.status === "WIP" && isEmpty,
    feedback: row.feedback === null ? null : (JSON.parse(row.feedback) as Feedback),
    inserted_at: toSeconds(row.inserted_at),
    client_stream_id: row.client_stream_id,
    model: row.model,
    incomplete_message: null,
    auto_continue: false,
    conversation_mode: "DEFAULT",
    ...(row.stopped === 1 ? { stopped: true } : {}),
  };
}
