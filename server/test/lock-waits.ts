// Two things that meet on PostgreSQL: who waits for what another one holds.
import { sql } from "kysely";
import type { Database, Queryable, Trx } from "../src/platform/database/database.ts";

/** How many statements on this database wait for a lock. */
export async function statementsThatWait(q: Queryable): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(q);
  return rows[0]?.count ?? 0;
}

export interface HeldTransaction<T> {
  /** Lets it go on to its end. */
  goOn: () => void;
  /** What its `then` has given; rejects as the transaction does. */
  ended: Promise<T>;
}

/** A transaction that has done `first`, and holds what that has locked until it is let go on with `then`. */
export async function holdTransaction<T>(
  db: Database,
  first: (trx: Trx) => Promise<unknown>,
  then: (trx: Trx) => Promise<T>,
): Promise<HeldTransaction<T>> {
  let tellHeld = (): void => {};
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => (tellHeld = resolve));
  const goesOn = new Promise<void>((resolve) => (goOn = resolve));
  const ended = db.transaction(async (trx) => {
    await first(trx);
    tellHeld();
    await goesOn;
    return then(trx);
  });
  // One that fails before it holds anything is told by whoever awaits its end.
  await Promise.race([held, ended]);
  return { goOn, ended };
}
