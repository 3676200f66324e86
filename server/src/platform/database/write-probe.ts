// Tries whether the database takes a write: a full or read-only one still answers queries.
import type { Database } from "./database.ts";

/** A row of the counters' table, which is swept with the others when it is no longer renewed. */
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
