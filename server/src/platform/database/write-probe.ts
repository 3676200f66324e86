// Whether the database takes a write: one that is full, or only reads, still answers a question.
import type { Database } from "./database.ts";

/** Of the counters' table: it has rows that come and go, and this one is swept with them when nobody asks any more. */
const KEY = "readyz";
const KEPT_MS = 60_000;

/** Commits one small row. Throws when the database does not take it. */
export async function writeProbe({ kysely, nowMs }: Pick<Database, "kysely" | "nowMs">): Promise<void> {
  await kysely
    .insertInto("rate_counters")
    .values(({ eb }) => ({ key: KEY, window_start: 0, count: 1, expires_at: eb(nowMs, "+", KEPT_MS) }))
    .onConflict((conflict) =>
      conflict
        .columns(["key", "window_start"])
        .doUpdateSet((row) => ({ expires_at: row.ref("excluded.expires_at") })),
    )
    .execute();
}
