// Rows that expire are found by an index: looking for them costs nothing while there are none.
import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ["login_tokens", "last_used_at"],
    ["verification_codes", "expires_at"],
    ["guest_challenges", "expires_at"],
    ["used_proofs", "expires_at"],
    ["rate_counters", "expires_at"],
  ] as const) {
    await db.schema.createIndex(`${table}_expiry`).on(table).column(column).execute();
  }
}
