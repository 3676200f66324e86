// Counters in the database: they hold over all replicas, over crashes and under races.
import { type OnConflictBuilder, type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../platform/database/database.ts";
import { preparedQuery } from "../../platform/database/prepared-query.ts";
import type { Schema } from "../../platform/database/schema.ts";

export interface CounterLimit {
  /** Hits allowed within one window. */
  limit: number;
  windowMs: number;
}

/** What one hit is counted on. */
export interface Counter {
  key: string;
  limit: CounterLimit;
}

interface Hit extends Pick<CounterLimit, "limit"> {
  key: string;
  now: number;
  /** When a window that this hit opens ends. */
  expires_at: number;
}

/** A hit on two keys at once; what the other has of its own. */
interface TwoHits extends Hit {
  other_key: string;
  other_limit: number;
  other_expires_at: number;
}

type Conflict = OnConflictBuilder<Schema, "rate_counters">;

// One row per key: the window's start is 0 in the primary key, its end is expires_at.
// A window that ends so late was opened by a clock that was ahead, by more than the window is long: whoever was counted then
// would wait until the clock is there again. Others' windows end a little later than one that opens now.
// A window whose hits were all taken back has not begun: a pause counts from the hit that stays.
const isOver = (now: number) =>
  sql<boolean>`(rate_counters.count < 1 or rate_counters.expires_at <= ${now} or rate_counters.expires_at > 2 * excluded.expires_at - ${now})`;
const counting = (now: number, limit: number | RawBuilder<number>) => (conflict: Conflict) =>
  conflict
    .columns(["key", "window_start"])
    .doUpdateSet({
      count: sql<number>`case when ${isOver(now)} then 1 else rate_counters.count + 1 end`,
      expires_at: sql<number>`case when ${isOver(now)} then excluded.expires_at else rate_counters.expires_at end`,
    })
    .where((row) => row.or([isOver(now), row("rate_counters.count", "<", limit)]));

const insertHit = preparedQuery<Hit, { count: number }>((q, value) =>
  q
    .insertInto("rate_counters")
    .values({ key: value("key"), window_start: 0, count: 1, expires_at: value("expires_at") })
    .onConflict(counting(value("now"), value("limit")))
    .returning("count"),
);

const insertTwoHits = preparedQuery<TwoHits, { key: string }>((q, value) => {
  const limit = sql<number>`case rate_counters.key when ${value("key")} then cast(${value("limit")} as integer) else cast(${value("other_limit")} as integer) end`;
  return q
    .insertInto("rate_counters")
    .values([
      { key: value("key"), window_start: 0, count: 1, expires_at: value("expires_at") },
      { key: value("other_key"), window_start: 0, count: 1, expires_at: value("other_expires_at") },
    ])
    .onConflict(counting(value("now"), limit))
    .returning("key");
});

const decrement = preparedQuery<{ key: string; other_key: string; ends_by: number }, never>((q, value) =>
  q
    .updateTable("rate_counters")
    .set((row) => ({ count: row("count", "-", 1) }))
    .where((row) => row.or([row("key", "=", value("key")), row("key", "=", value("other_key"))]))
    .where("count", ">", 0)
    .where("expires_at", "<=", value("ends_by")),
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
  return waitOf(q, key, nowMs);
}

/**
 * Counts one hit on both keys or, where one has reached its limit, on neither. Null or the milliseconds, as `countHit`. What
 * ends between two statements leaves a hit too much on one, never one too little.
 */
export async function countBoth(
  q: Queryable,
  one: Counter,
  other: Counter,
  nowMs: number,
): Promise<number | null> {
  const counted = await insertTwoHits(q, {
    key: one.key,
    limit: one.limit.limit,
    expires_at: nowMs + one.limit.windowMs,
    other_key: other.key,
    other_limit: other.limit.limit,
    other_expires_at: nowMs + other.limit.windowMs,
    now: nowMs,
  });
  const isCounted = ({ key }: Counter) => counted.some((row) => row.key === key);
  const full = [one, other].find((counter) => !isCounted(counter));
  if (full === undefined) return null;
  for (const { key, limit } of [one, other].filter(isCounted)) await uncountHit(q, key, limit, nowMs);
  return waitOf(q, full.key, nowMs);
}

/**
 * Counts one hit on each of the counters or, where one has reached its limit, on none. Null or the milliseconds, as
 * `countHit`. Of counters that several callers share, all name them in the same order.
 */
export async function countAll(
  q: Queryable,
  counters: readonly Counter[],
  nowMs: number,
): Promise<number | null> {
  for (const [index, { key, limit }] of counters.entries()) {
    const wait = await countHit(q, key, limit, nowMs);
    if (wait === null) continue;
    for (const counted of counters.slice(0, index)) await uncountHit(q, counted.key, counted.limit, nowMs);
    return wait;
  }
  return null;
}

/** Milliseconds until one of the counters that have reached their limit has room again; null when all have. Counts nothing. */
export async function waitOfAll(
  q: Queryable,
  counters: readonly Counter[],
  nowMs: number,
): Promise<number | null> {
  for (const { key, limit } of counters) {
    if (limit.limit < 1) return limit.windowMs;
    const row = await q
      .selectFrom("rate_counters")
      .select(["count", "expires_at"])
      .where("key", "=", key)
      .executeTakeFirst();
    if (row !== undefined && row.count >= limit.limit && row.expires_at > nowMs)
      return row.expires_at - nowMs;
  }
  return null;
}

async function waitOf(q: Queryable, key: string, nowMs: number): Promise<number> {
  const row = await q
    .selectFrom("rate_counters")
    .select("expires_at")
    .where("key", "=", key)
    .executeTakeFirst();
  return Math.max(1, (row?.expires_at ?? nowMs) - nowMs);
}

/** Whether the next hit on `key` would find its limit reached. */
export async function isFull(
  q: Queryable,
  key: string,
  { limit, windowMs }: CounterLimit,
  nowMs: number,
): Promise<boolean> {
  const row = await q
    .selectFrom("rate_counters")
    .select("count")
    .where("key", "=", key)
    .where("expires_at", ">", nowMs)
    .where("expires_at", "<=", nowMs + windowMs)
    .executeTakeFirst();
  return row !== undefined && row.count >= limit;
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
  await decrement(q, { key, other_key: key, ends_by: countedAtMs + windowMs });
}

/** Takes back what `countBoth` counted at `countedAtMs`, in the same transaction. Both windows are equally long. */
export async function uncountBoth(
  q: Queryable,
  one: Counter,
  other: Counter,
  countedAtMs: number,
): Promise<void> {
  const ends_by = countedAtMs + one.limit.windowMs;
  await decrement(q, { key: one.key, other_key: other.key, ends_by });
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
