// The caller's own reply in one look-up: session, message and reply together, without the words.
import { sql } from "kysely";
import type { Queryable } from "../../platform/database/database.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";
import { headColumns } from "./message-columns.ts";
import { bytesOfFragments, type MessageHead } from "./message-store.ts";
import type { ReplyRow } from "./reply-store.ts";
import { requireSession } from "./session-of-caller.ts";
import { isSessionId, type SessionRow } from "./session-store.ts";

export interface KnownReply {
  session: SessionRow;
  head: MessageHead;
  reply: ReplyRow;
}

const sessionColumns = [
  "id",
  "user_id",
  "seq_id",
  "agent",
  "character_id",
  "title",
  "title_type",
  "version",
  "current_message_id",
  "last_message_id",
  "inserted_at",
  "updated_at",
  "deleted_at",
  "pinned_at",
] as const satisfies readonly (keyof SessionRow)[];

const replyColumns = [
  "id",
  "user_id",
  "session_id",
  "message_id",
  "request_message_id",
  "client_stream_id",
  "fingerprint",
  "agent",
  "purpose",
  "instructions",
  "model",
  "thinking_enabled",
  "search_enabled",
  "locale",
  "quota_day",
  "produced_ms",
  "run_first_id",
  "started_at",
  "ended_at",
] as const satisfies readonly (keyof ReplyRow)[];

/**
 * The reply whose message is `messageId`; null for a message that is unknown or the user's. Throws Refusal 1 for a
 * session that is unknown, foreign or deleted.
 */
export async function loadReply(
  q: Queryable,
  userId: string,
  sessionId: string,
  messageId: number,
): Promise<KnownReply | { session: SessionRow; reply: null }> {
  const found = await lookUp(q, userId, sessionId, "message_id", messageId);
  const session = requireSession(found?.session);
  return found?.reply == null ? { session, reply: null } : { ...found, session };
}

const selectBegun = preparedQuery<
  { session_id: string; client_stream_id: string },
  Pick<ReplyRow, "message_id">
>((q, value) =>
  q
    .selectFrom("replies")
    .select("message_id")
    .where("session_id", "=", value("session_id"))
    .where("client_stream_id", "=", value("client_stream_id")),
);

/** The reply that a call with this client_stream_id began; null when there is none, or no such session of the user. */
export async function findReplyByStream(
  q: Queryable,
  userId: string,
  sessionId: string,
  clientStreamId: string,
): Promise<KnownReply | null> {
  if (!isSessionId(sessionId)) return null;
  // Nearly always there is none: then one small query is all it costs.
  const begun = await selectBegun(q, { session_id: sessionId, client_stream_id: clientStreamId });
  if (begun.length === 0) return null;
  const found = await lookUp(q, userId, sessionId, "client_stream_id", clientStreamId);
  return found === undefined || found.reply === null || found.session.deleted_at !== null ? null : found;
}

async function lookUp(
  q: Queryable,
  userId: string,
  sessionId: string,
  column: LookUpColumn,
  value: number | string,
): Promise<KnownReply | { session: SessionRow; reply: null } | undefined> {
  if (!isSessionId(sessionId)) return undefined;
  const [row] = await selectBy[column](q, { user_id: userId, session_id: sessionId, [column]: value });
  if (row === undefined) return undefined;
  const session = ofSession(row);
  const head = ofHead(row);
  const reply = ofReply(row);
  return reply.id === null || head.message_id === null ? { session, reply: null } : { session, head, reply };
}

/** What a reply can be looked up by within its session. */
type LookUpColumn = "message_id" | "client_stream_id";

const selectBy = {
  message_id: selectReplyBy("message_id"),
  client_stream_id: selectReplyBy("client_stream_id"),
};

function selectReplyBy(column: LookUpColumn) {
  return preparedQuery<Record<string, number | string>, Record<string, unknown>>((q, value) =>
    q
      .selectFrom("sessions")
      .leftJoin("replies", (join) =>
        join.onRef("replies.session_id", "=", "sessions.id").on(`replies.${column}`, "=", value(column)),
      )
      .leftJoin("messages", (join) =>
        join
          .onRef("messages.session_id", "=", "replies.session_id")
          .onRef("messages.message_id", "=", "replies.message_id"),
      )
      .select([
        ...sessionColumns.map((name) => sql.ref(`sessions.${name}`).as(`s_${name}`)),
        ...replyColumns.map((name) => sql.ref(`replies.${name}`).as(`r_${name}`)),
        ...headColumns.map((name) => sql.ref(`messages.${name}`).as(`m_${name}`)),
        bytesOfFragments.as("m_bytes"),
      ])
      .where("sessions.id", "=", value("session_id") as string)
      .where("sessions.user_id", "=", value("user_id") as string),
  );
}

const ofSession = part<SessionRow>("s_", sessionColumns);
const ofHead = part<MessageHead>("m_", [...headColumns, "bytes"]);
const ofReply = part<ReplyRow>("r_", replyColumns);

/** Takes these columns from a row in which their names begin with `prefix`. */
function part<T>(
  prefix: string,
  names: readonly (keyof T & string)[],
): (row: Record<string, unknown>) => { [K in keyof T]: T[K] } {
  const columns = names.map((name) => [name, prefix + name] as const);
  return (row) => {
    const own: Record<string, unknown> = {};
    for (const [name, prefixed] of columns) own[name] = row[prefixed];
    return own as T;
  };
}
