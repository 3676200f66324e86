// Deletes rows that have expired, a few at a time: on SQLite every other request waits behind a statement.
import { setImmediate as nextTurn } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";

const ROWS_PER_STATEMENT = 200;

/** Tables whose rows expire, with the column that says when. Each has an index on it (migrations 0004, 0018, 0019, 0023, 0027). */
const EXPIRY_COLUMNS = {
  login_tokens: "last_used_at",
  verification_codes: "expires_at",
  guest_challenges: "expires_at",
  used_proofs: "expires_at",
  rate_counters: "expires_at",
  oauth_tickets: "expires_at",
  slide_captchas: "expires_at",
  captcha_passes: "expires_at",
  share_forks: "expires_at",
  job_turns: "began_at",
} as const;

export type ExpiringTable = keyof typeof EXPIRY_COLUMNS;

/** Deletes all rows of the table whose time (ms) is before `before`. Other work runs between the statements. */
export async function deleteExpired(db: Database, table: ExpiringTable, before: number): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await deleteStatement(db, table, before).execute(db.kysely);
    if (numAffectedRows < ROWS_PER_STATEMENT) return;
    // SQLite answers within the same turn of the event loop: awaiting it alone lets no other request in.
    await nextTurn();
  }
}

/** One statement's share. The outer condition spares a row that was renewed after the inner query had found it. */
export function deleteStatement(
  { engine, forUpdateOfFree }: Pick<Database, "engine" | "forUpdateOfFree">,
  table: ExpiringTable,
  before: number,
): RawBuilder<unknown> {
  const from = sql.table(table);
  const expired = sql`${sql.ref(EXPIRY_COLUMNS[table])} < ${before}`;
  const row = sql.ref(engine === "sqlite" ? "rowid" : "ctid");
  const some = sql`select ${row} from ${from} where ${expired} limit ${ROWS_PER_STATEMENT} ${forUpdateOfFree}`;
  return engine === "sqlite"
    ? sql`delete from ${from} where ${expired} and ${row} in (${some})`
    : sql`delete from ${from} where ${expired} and ${row} = any (array(${some}))`;
}
