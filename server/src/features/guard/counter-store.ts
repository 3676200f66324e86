// Counters in the database: they hold over all replicas, over crashes and under races.
import { sql } from "kysely";
import type { Queryable } from "../../platform/database/database.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";

export interface CounterLimit {
  /** Hits allowed within one window. */
  limit: number;
  windowMs: number;
}

interface Hit extends Pick<CounterLimit, "limit"> {
  key: string;
  now: number;
  /** When a window that this hit opens ends. */
  expires_at: number;
}

// One row per key: the window's start is 0 in the primary key, its end is expires_at.
const insertHit = preparedQuery<Hit, { count: number }>((q, value) =>
  q
    .insertInto("rate_counters")
    .values({ key: value("key"), window_start: 0, count: 1, expires_at: value("expires_at") })
    .onConflict((conflict) =>
      conflict
        .columns(["key", "window_start"])
        .doUpdateSet({
          count: sql<number>`case when rate_counters.expires_at <= ${value("now")} then 1 else rate_counters.count + 1 end`,
          expires_at: sql<number>`case when rate_counters.expires_at <= ${value("now")} then excluded.expires_at else rate_counters.expires_at end`,
        })
        .where((row) =>
          row.or([
            row("rate_counters.expires_at", "<=", value("now")),
            row("rate_counters.count", "<", value("limit")),
          ]),
        ),
    )
    .returning("count"),
);

/**
 * Counts one hit on `key`. The window opens with its first hit, so that a limit of 1 is an exact pause.
 * Returns null when the hit was counted, or the milliseconds until the window ends when the limit was reached.
 * One guarded statement decides, so that parallel hits never pass the limit together.
 */
export async function countHit(
  q: Queryable,
  key: string,
  { limit, windowMs }: CounterLimit,
  nowMs: number,
): Promise<number | null> {
  if (limit < 1) return windowMs;
  const [counted] = await insertHit(q, { key, limit, now: nowMs, expires_at: nowMs + windowMs });
  if (counted !== undefined) return null;
  const row = await q
    .selectFrom("rate_counters")
    .select("expires_at")
    .where("key", "=", key)
    .executeTakeFirst();
  return Math.max(1, (row?.expires_at ?? nowMs) - nowMs);
}

/**
 * Takes back one hit that was counted at `countedAtMs` and turned out not to count. A window that has begun since then
 * does not hold it, and is left as it is.
 */
export async function uncountHit(
  q: Queryable,
  key: string,
  { windowMs }: CounterLimit,
  countedAtMs: number,
): Promise<void> {
  await q
    .updateTable("rate_counters")
    .set((row) => ({ count: row("count", "-", 1) }))
    .where("key", "=", key)
    .where("count", ">", 0)
    .where("expires_at", "<=", countedAtMs + windowMs)
    .execute();
}

/** Deletes the counter `key` and all whose key goes on from it after a colon. */
export async function deleteCounters(q: Queryable, key: string): Promise<void> {
  await q
    .deleteFrom("rate_counters")
    .where((row) =>
      row.or([row("key", "=", key), row.and([row("key", ">=", `${key}:`), row("key", "<", `${key};`)])]),
    )
    .execute();
}
