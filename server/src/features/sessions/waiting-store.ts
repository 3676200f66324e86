// Sessions that wait for being indexed.
import type { Queryable } from "../../platform/database/database.ts";
import { bytesOfFragments } from "./message-store.ts";
import type { SessionRow } from "./session-store.ts";

export interface WaitingSession {
  session_id: string;
  after_id: number;
  /** Null: it is gone. */
  session: SessionRow | null;
}

/** A session whose messages were written without being indexed. It is found within seconds. */
export async function waitForIndex(q: Queryable, sessionId: string): Promise<void> {
  await q.insertInto("history_waiting").values({ session_id: sessionId, after_id: 0 }).execute();
}

/** One of those that wait; with `sessionId` this one, where it waits. */
export async function firstWaiting(q: Queryable, sessionId?: string): Promise<WaitingSession | undefined> {
  const waiting = await q
    .selectFrom("history_waiting")
    .selectAll()
    .$if(sessionId !== undefined, (some) => some.where("session_id", "=", sessionId ?? ""))
    .limit(1)
    .executeTakeFirst();
  if (waiting === undefined) return undefined;
  const session = await q
    .selectFrom("sessions")
    .selectAll()
    .where("id", "=", waiting.session_id)
    .executeTakeFirst();
  return { ...waiting, session: session ?? null };
}

/** The next messages of a session, by message_id, with the bytes of their fragments. */
export async function messagesWaiting(
  q: Queryable,
  sessionId: string,
  after: number,
  count: number,
): Promise<{ message_id: number; status: string; bytes: number }[]> {
  return q
    .selectFrom("messages")
    .select(["message_id", "status", bytesOfFragments.as("bytes")])
    .where("session_id", "=", sessionId)
    .where("message_id", ">", after)
    .orderBy("message_id")
    .limit(count)
    .execute();
}

/** Which of these texts of a session are indexed. */
export async function indexedOf(
  q: Queryable,
  sessionId: string,
  messageIds: readonly number[],
): Promise<Set<number>> {
  const rows = await q
    .selectFrom("history_docs")
    .select("message_id")
    .where("session_id", "=", sessionId)
    .where("message_id", "in", [...messageIds])
    .execute();
  return new Set(rows.map(({ message_id: id }) => id));
}

/** Which of these messages a session has. */
export async function messagesOf(
  q: Queryable,
  sessionId: string,
  messageIds: readonly number[],
): Promise<Set<number>> {
  const rows = await q
    .selectFrom("messages")
    .select("message_id")
    .where("session_id", "=", sessionId)
    .where("message_id", "in", [...messageIds])
    .execute();
  return new Set(rows.map(({ message_id: id }) => id));
}

export async function nextWaiting(q: Queryable, sessionId: string, after: number): Promise<void> {
  await q
    .updateTable("history_waiting")
    .set({ after_id: after })
    .where("session_id", "=", sessionId)
    .execute();
}

export async function stopWaiting(q: Queryable, sessionId: string): Promise<void> {
  await q.deleteFrom("history_waiting").where("session_id", "=", sessionId).execute();
}
