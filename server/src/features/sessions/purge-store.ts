// What is forgotten by itself: sessions never used, the marks of deleted ones (wire-contract.md §10.1, §17.3), and the logs
// of replies that ended a while ago (wire-contract.md §4.2). Each statement reads a partial index that holds nothing else.
import { type Expression, type ExpressionBuilder, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Database, Queryable } from "../../platform/database/database.ts";
import type { Schema } from "../../platform/database/schema.ts";
import { inSmallSteps } from "../../platform/small-steps.ts";
import type { Clock } from "../../ports/clock.ts";

const SESSIONS_PER_STEP = 200;
/** What is kept of a reply for a while after its end. */
const LOGS = ["stream_log", "source_texts"] as const;

export interface PurgeDeps {
  db: Pick<Database, "engine" | "unsynced" | "forUpdateOfFree">;
  clock: Pick<Clock, "now" | "monotonic">;
}

/** Forgets all sessions that are due, some at a time. Lives in seconds. What a power cut undoes is due again. */
export async function purgeSessions(
  deps: PurgeDeps,
  lives: { emptySessionLifeSecs: number; deletedSessionMarkSecs: number },
): Promise<void> {
  const now = deps.clock.now();
  const unusedBefore = now - lives.emptySessionLifeSecs * 1000;
  await deleteAll(deps, ({ and, eb }) =>
    and([
      eb("current_message_id", "is", null),
      eb("deleted_at", "is", null),
      eb("updated_at", "<", unusedBefore),
    ]),
  );
  const deletedBefore = now - lives.deletedSessionMarkSecs * 1000;
  await deleteAll(deps, ({ eb }) => eb("deleted_at", "<", deletedBefore));
}

/** Forgets the marks of a user's deleted sessions, some at a time. */
export async function forgetMarks(deps: PurgeDeps, userId: string): Promise<void> {
  await deleteAll(deps, ({ and, eb }) => and([eb("user_id", "=", userId), eb("deleted_at", "is not", null)]));
}

/** The outer condition spares a session that came into use after the inner query had found it. */
async function deleteAll(
  { db, clock }: PurgeDeps,
  due: (eb: ExpressionBuilder<Schema, "sessions">) => Expression<SqlBool>,
): Promise<void> {
  await inSmallSteps(clock, SESSIONS_PER_STEP, async (count) => {
    const { numDeletedRows } = await db.unsynced((q) =>
      q
        .deleteFrom("sessions")
        .where(({ selectFrom }) => {
          const some = selectFrom("sessions")
            .select("id")
            .where(due)
            .limit(count)
            .modifyEnd(db.forUpdateOfFree);
          // PostgreSQL would ask for some more of them for each of its rows.
          return db.engine === "sqlite" ? sql<boolean>`id in ${some}` : sql<boolean>`id = any(array${some})`;
        })
        .where(due)
        .executeTakeFirstOrThrow(),
    );
    return numDeletedRows >= count;
  });
}

/**
 * Forgets the logs of at most `count` replies that closed in or after `from` and before `before` (ms), the oldest first.
 * Returns where the next call goes on; null when none are left. A reply that is continued meanwhile keeps its log: every
 * statement looks again whether it has ended, and when. What somebody else holds, who deletes its session, stays due.
 */
export async function purgeSomeLogs(
  db: Pick<Database, "engine" | "forUpdateOfFree">,
  q: Queryable,
  ended: { from: number; before: number },
  count: number,
): Promise<number | null> {
  const found = await q
    .selectFrom("replies")
    .select(["id", "log_kept_since"])
    // Until PostgreSQL vacuums, its index keeps an entry of each reply forgotten before: none is walked over again.
    .where("log_kept_since", ">=", ended.from)
    .where("log_kept_since", "<", ended.before)
    .where("ended_at", "is not", null)
    .orderBy("log_kept_since")
    .limit(count)
    .execute();
  if (found.length === 0) return null;
  const ids = found.map((reply) => reply.id);
  const due = q
    .selectFrom("replies")
    .select("id")
    .where("id", "in", ids)
    .where("log_kept_since", "<", ended.before)
    .where("ended_at", "is not", null);
  for (const table of LOGS)
    await q
      .deleteFrom(table)
      .where(isFree(db, table, sql`reply in ${due}`))
      .execute();
  await q
    .updateTable("replies")
    .set({ log_kept_since: null })
    .where(isFree(db, "replies", sql`id in ${due}`))
    .where(({ and, not, exists, selectFrom }) =>
      and(
        LOGS.map((table) =>
          not(exists(selectFrom(table).select("reply").whereRef("reply", "=", "replies.id"))),
        ),
      ),
    )
    .execute();
  return found.length === count ? (found.at(-1)?.log_kept_since ?? null) : null;
}

/** `where`, of a row that nobody else holds. */
function isFree(
  { engine, forUpdateOfFree }: Pick<Database, "engine" | "forUpdateOfFree">,
  name: "stream_log" | "source_texts" | "replies",
  where: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (engine === "sqlite") return sql<boolean>`${where}`;
  const free = sql`select ctid from ${sql.table(name)} where ${where} ${forUpdateOfFree}`;
  return sql<boolean>`${sql.ref(`${name}.ctid`)} = any(array(${free}))`;
}
