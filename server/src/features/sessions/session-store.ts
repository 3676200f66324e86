// Rows of sessions. Every function takes the caller's transaction, or the database for a single statement.
import type { Session, TitleType } from "@plumb/protocol/wire/sessions";
import type { Selectable, Updateable } from "kysely";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";
import type { SessionsTable } from "../../platform/database/schema.ts";
import { toSeconds } from "../../platform/seconds.ts";
import { lockUser } from "../accounts/user-store.ts";

export type SessionRow = Selectable<SessionsTable>;

/** A session that was made a moment ago is among so many that changed last. */
const SESSIONS_LOOKED_AT = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** False for texts no session can be named by, some of which a database would refuse with a fault. */
export function isSessionId(id: string): boolean {
  return UUID.test(id);
}

type OwnSession = Pick<SessionRow, "id" | "user_id">;

const ownSession = (q: Queryable, value: <K extends keyof OwnSession>(name: K) => OwnSession[K]) =>
  q.selectFrom("sessions").selectAll().where("id", "=", value("id")).where("user_id", "=", value("user_id"));
const selectSession = preparedQuery<OwnSession, SessionRow>(ownSession);
const selectSessionForUpdate = preparedQuery<OwnSession, SessionRow>((q, value) =>
  ownSession(q, value).forUpdate(),
);

export async function findSession(q: Queryable, userId: string, id: string): Promise<SessionRow | undefined> {
  if (!isSessionId(id)) return undefined;
  return (await selectSession(q, { id, user_id: userId }))[0];
}

/** The row, held against every other writer of the session until the transaction ends. */
export async function lockSession(
  db: Database,
  trx: Trx,
  userId: string,
  id: string,
): Promise<SessionRow | undefined> {
  if (!isSessionId(id)) return undefined;
  const select = db.engine === "postgres" ? selectSessionForUpdate : selectSession;
  return (await select(trx, { id, user_id: userId }))[0];
}

const raiseSeqId = preparedQuery<{ id: string }, { last_seq_id: number }>((q, value) =>
  q
    .updateTable("users")
    .set((user) => ({ last_seq_id: user("last_seq_id", "+", 1) }))
    .where("id", "=", value("id"))
    .returning("last_seq_id"),
);

/** Raises the user's counter and returns the new maximum: the seq_id of a session that was just made or changed. */
export async function nextSeqId(q: Queryable, userId: string): Promise<number> {
  const [row] = await raiseSeqId(q, { id: userId });
  if (row === undefined) throw new Error(`there is no user ${userId}`);
  return row.last_seq_id;
}

export async function insertSession(q: Queryable, row: SessionRow): Promise<void> {
  await q.insertInto("sessions").values(row).execute();
}

/** Writes `change` and moves the session to the front of the list. Returns the row as it is now. */
export async function touchSession(
  q: Queryable,
  userId: string,
  id: string,
  now: number,
  change: Updateable<SessionsTable> = {},
): Promise<SessionRow> {
  const seqId = await nextSeqId(q, userId);
  return q
    .updateTable("sessions")
    .set({ ...change, seq_id: seqId, updated_at: now })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What of a session a turn changes. */
export type SessionChange = Pick<
  SessionRow,
  "current_message_id" | "last_message_id" | "version" | "seq_id" | "updated_at"
>;

const updateSession = preparedQuery<OwnSession & SessionChange, never>((q, value) =>
  q
    .updateTable("sessions")
    .set({
      current_message_id: value("current_message_id"),
      last_message_id: value("last_message_id"),
      version: value("version"),
      seq_id: value("seq_id"),
      updated_at: value("updated_at"),
    })
    .where("id", "=", value("id"))
    .where("user_id", "=", value("user_id")),
);

/** Writes `change`, whose seq_id the caller has taken. */
export async function changeSession(
  q: Queryable,
  { id, user_id }: OwnSession,
  change: SessionChange,
): Promise<void> {
  await updateSession(q, { ...change, id, user_id });
}

/** Keeps of the sessions that they were deleted, and when (ms). */
export async function markDeleted(
  q: Queryable,
  userId: string,
  ids: readonly string[],
  now: number,
): Promise<void> {
  await q
    .updateTable("sessions")
    .set({ deleted_at: now, title: null, current_message_id: null })
    .where("id", "in", [...ids])
    .where("user_id", "=", userId)
    .execute();
}

/** Writes a title; it moves nothing in the list. */
export async function setTitle(q: Queryable, id: string, title: string, titleType: TitleType): Promise<void> {
  await q.updateTable("sessions").set({ title, title_type: titleType }).where("id", "=", id).execute();
}

/** Undefined when the session is gone. */
export async function findTitleType(q: Queryable, id: string): Promise<TitleType | undefined> {
  const row = await q.selectFrom("sessions").select("title_type").where("id", "=", id).executeTakeFirst();
  return row?.title_type as TitleType | undefined;
}

/** One page of the list, greatest seq_id first; sessions without messages are left out. Asks for one row more than `count`. */
export async function pageOfSessions(
  q: Queryable,
  userId: string,
  options: { beforeSeqId: number | null; updatedAtMost: number | null; count: number },
): Promise<SessionRow[]> {
  let query = q
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .where("current_message_id", "is not", null)
    .orderBy("seq_id", "desc")
    .limit(options.count + 1);
  if (options.beforeSeqId !== null) query = query.where("seq_id", "<", options.beforeSeqId);
  if (options.updatedAtMost !== null) query = query.where("updated_at", "<=", options.updatedAtMost);
  return query.execute();
}

/** The user's pinned sessions, greatest seq_id first; those without messages are left out. At most LIMITS.pinnedSessionsMax. */
export async function pinnedSessions(q: Queryable, userId: string): Promise<SessionRow[]> {
  return q
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("pinned_at", "is not", null)
    .where("deleted_at", "is", null)
    .where("current_message_id", "is not", null)
    .orderBy("seq_id", "desc")
    .execute();
}

/**
 * How many sessions the user has pinned beside this one. Until `trx` ends nobody else counts: the user's row is held,
 * after the session's, as every other writer does.
 */
export async function countOtherPinned(
  db: Database,
  trx: Trx,
  { user_id, id }: Pick<SessionRow, "user_id" | "id">,
): Promise<number> {
  await lockUser(db, trx, user_id);
  const row = await trx
    .selectFrom("sessions")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", user_id)
    .where("pinned_at", "is not", null)
    .where("deleted_at", "is", null)
    .where("id", "!=", id)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Writes since when a session is pinned (ms), null for not; it moves nothing in the list. */
export async function setPinned(q: Queryable, id: string, pinnedAt: number | null): Promise<void> {
  await q.updateTable("sessions").set({ pinned_at: pinnedAt }).where("id", "=", id).execute();
}

/** Those of the user's sessions with these ids that are not deleted. */
export async function liveSessionIds(
  q: Queryable,
  userId: string,
  among: readonly string[],
): Promise<string[]> {
  if (among.length === 0) return [];
  const rows = await q
    .selectFrom("sessions")
    .select("id")
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .where("id", "in", [...among])
    .execute();
  return rows.map((row) => row.id);
}

/** Those of the user's sessions with these ids that are not deleted, in the order of `ids`. */
export async function sessionsOfIds(
  q: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<SessionRow[]> {
  const rows = await q
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .where("id", "in", [...ids])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Some of the user's sessions that are not deleted and were made at `upTo` (ms) or before, the least seq_id first. */
export async function liveSessionsAfter(
  q: Queryable,
  userId: string,
  { afterSeqId, upTo, count }: { afterSeqId: number; upTo: number; count: number },
): Promise<SessionRow[]> {
  return q
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("seq_id", ">", afterSeqId)
    .where("deleted_at", "is", null)
    .where("inserted_at", "<=", upTo)
    .orderBy("seq_id")
    .limit(count)
    .execute();
}

/** Sessions of everybody that are not deleted, at most `count` in the order of their ids, those after `afterId`; "" begins. */
export async function pageOfLiveSessions(
  q: Queryable,
  afterId: string,
  count: number,
): Promise<SessionRow[]> {
  return q
    .selectFrom("sessions")
    .selectAll()
    .where("id", ">", afterId)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .limit(count)
    .execute();
}

/** How many sessions there are that are not deleted. */
export async function countLiveSessions(q: Queryable): Promise<number> {
  const { count } = await q
    .selectFrom("sessions")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Ids of some of the user's sessions that have messages, with the seq_id of each, the least first. */
export async function usedSessionIds(
  q: Queryable,
  userId: string,
  { afterSeqId, count }: { afterSeqId: number; count: number },
): Promise<Pick<SessionRow, "id" | "seq_id">[]> {
  return q
    .selectFrom("sessions")
    .select(["id", "seq_id"])
    .where("user_id", "=", userId)
    .where("seq_id", ">", afterSeqId)
    .where("deleted_at", "is", null)
    .where("current_message_id", "is not", null)
    .orderBy("seq_id")
    .limit(count)
    .execute();
}

/** When the newest of the user's sessions was made (ms, by the clock of whoever made it), of those that changed last; or 0. */
export async function latestInsertion(q: Queryable, userId: string): Promise<number> {
  const rows = await q
    .selectFrom("sessions")
    .select("inserted_at")
    .where("user_id", "=", userId)
    .orderBy("seq_id", "desc")
    .limit(SESSIONS_LOOKED_AT)
    .execute();
  return Math.max(0, ...rows.map((row) => row.inserted_at));
}

/** True where the user has a session, or one's mark is there. */
export async function hasSessions(q: Queryable, userId: string): Promise<boolean> {
  const row = await q
    .selectFrom("sessions")
    .select("id")
    .where("user_id", "=", userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Holds the sessions against every other writer until the transaction ends, in an order that is the same for all. */
export async function lockSessions(db: Database, trx: Trx, ids: readonly string[]): Promise<void> {
  await trx
    .selectFrom("sessions")
    .select("id")
    .where("id", "in", [...ids])
    .orderBy("id")
    .modifyEnd(db.forUpdate)
    .execute();
}

/** The object of wire-contract.md §3.2. */
export function presentSession(row: SessionRow): Session {
  return {
    id: row.id,
    seq_id: row.seq_id,
    agent: row.agent,
    character_id: row.character_id,
    model_type: "default",
    title: row.title,
    title_type: row.title_type as TitleType,
    version: row.version,
    current_message_id: row.current_message_id,
    pinned: row.pinned_at !== null,
    is_empty: row.current_message_id === null,
    route_id: null,
    inserted_at: toSeconds(row.inserted_at),
    updated_at: toSeconds(row.updated_at),
  };
}
