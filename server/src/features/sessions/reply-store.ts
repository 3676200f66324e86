// Rows of replies: what any process needs to go on with one, or to answer a repeat of the call that made it.
import type { Selectable, Updateable } from "kysely";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";
import type { RepliesTable } from "../../platform/database/schema.ts";
import { deleteLogs } from "./stream-log-store.ts";

export type ReplyRow = Omit<Selectable<RepliesTable>, "log_kept_since">;
/** A reply that has no number yet. */
export type NewReplyRow = Omit<ReplyRow, "id">;

const insertRow = preparedQuery<NewReplyRow, ReplyRow>((q, value) =>
  q
    .insertInto("replies")
    .values({
      user_id: value("user_id"),
      session_id: value("session_id"),
      message_id: value("message_id"),
      request_message_id: value("request_message_id"),
      client_stream_id: value("client_stream_id"),
      fingerprint: value("fingerprint"),
      agent: value("agent"),
      purpose: value("purpose"),
      instructions: value("instructions"),
      model: value("model"),
      thinking_enabled: value("thinking_enabled"),
      search_enabled: value("search_enabled"),
      locale: value("locale"),
      quota_day: value("quota_day"),
      produced_ms: value("produced_ms"),
      run_first_id: value("run_first_id"),
      started_at: value("started_at"),
      ended_at: value("ended_at"),
    })
    .returningAll(),
);

export async function insertReply(q: Queryable, row: NewReplyRow): Promise<ReplyRow> {
  const [reply] = await insertRow(q, row);
  if (reply === undefined) throw new Error("a reply that was inserted was not returned");
  return reply;
}

const selectReply = preparedQuery<{ id: number }, ReplyRow>((q, value) =>
  q.selectFrom("replies").selectAll().where("id", "=", value("id")),
);

export async function findReply(q: Queryable, id: number): Promise<ReplyRow | undefined> {
  const [row] = await selectReply(q, { id });
  return row;
}

export async function findReplyOfMessage(
  q: Queryable,
  sessionId: string,
  messageId: number,
): Promise<ReplyRow | undefined> {
  return q
    .selectFrom("replies")
    .selectAll()
    .where("session_id", "=", sessionId)
    .where("message_id", "=", messageId)
    .executeTakeFirst();
}

export async function findRepliesByStream(
  q: Queryable,
  sessionId: string,
  clientStreamIds: readonly string[],
): Promise<ReplyRow[]> {
  if (clientStreamIds.length === 0) return [];
  return q
    .selectFrom("replies")
    .selectAll()
    .where("session_id", "=", sessionId)
    .where("client_stream_id", "in", [...clientStreamIds])
    .execute();
}

/** Replies of these sessions whose message is still WIP: what "running" means everywhere (wire-contract.md §4.6). */
export async function runningReplies(q: Queryable, sessionIds: readonly string[]): Promise<ReplyRow[]> {
  if (sessionIds.length === 0) return [];
  return q
    .selectFrom("replies")
    .innerJoin("messages", (join) =>
      join
        .onRef("messages.session_id", "=", "replies.session_id")
        .onRef("messages.message_id", "=", "replies.message_id"),
    )
    .selectAll("replies")
    .where("replies.session_id", "in", [...sessionIds])
    .where("messages.status", "=", "WIP")
    .where("messages.role", "=", "ASSISTANT")
    .execute();
}

const countRunning = preparedQuery<{ user_id: string }, { running: number }>((q, value) =>
  q
    .selectFrom("reply_lease")
    .innerJoin("replies", "replies.id", "reply_lease.reply")
    .innerJoin("messages", (join) =>
      join
        .onRef("messages.session_id", "=", "replies.session_id")
        .onRef("messages.message_id", "=", "replies.message_id"),
    )
    .select(({ fn }) => fn.countAll<number>().as("running"))
    .where("reply_lease.user_id", "=", value("user_id"))
    .where("messages.status", "=", "WIP"),
);

/** How many replies of the user run now, the tail of an ended one not counted. */
export async function countRunningReplies(q: Queryable, userId: string): Promise<number> {
  const [row] = await countRunning(q, { user_id: userId });
  return Number(row?.running);
}

export async function updateReply(q: Queryable, id: number, change: Updateable<RepliesTable>): Promise<void> {
  await q.updateTable("replies").set(change).where("id", "=", id).execute();
}

/** Forgets replies whose messages were removed. Their logs go with them. */
export async function deleteRepliesOf(
  db: Database,
  trx: Trx,
  sessionId: string,
  messageIds: readonly number[],
): Promise<void> {
  if (messageIds.length === 0) return;
  const gone = trx
    .selectFrom("replies")
    .select("id")
    .where("session_id", "=", sessionId)
    .where("message_id", "in", [...messageIds]);
  await deleteLogs(db, trx, gone);
  await trx
    .deleteFrom("replies")
    .where("session_id", "=", sessionId)
    .where("message_id", "in", [...messageIds])
    .execute();
}

/** Forgets every reply of these sessions, their logs with them. */
export async function deleteRepliesOfSessions(
  db: Database,
  trx: Trx,
  sessionIds: readonly string[],
): Promise<void> {
  if (sessionIds.length === 0) return;
  const ids = [...sessionIds];
  await deleteLogs(db, trx, trx.selectFrom("replies").select("id").where("session_id", "in", ids));
  await trx.deleteFrom("replies").where("session_id", "in", ids).execute();
}
