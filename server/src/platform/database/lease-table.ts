// Leases: the right of one process to do a thing, as rows that it renews. Replies and jobs have them in tables of their own.
import { type RawBuilder, sql } from "kysely";
import type { Database, Trx } from "./database.ts";
import type { Schema } from "./schema.ts";

/** The owner of a lease that was released. */
export const NOBODY = "";

interface LeaseRow {
  owner: string;
  epoch: number;
  renewed_at: number;
  attempts: number;
}

/** Another process holds the lease, or what it was about is gone: nothing was written. */
export class Fenced extends Error {}

/**
 * What all leases promise, on the database's clock:
 *
 * - **Renew.** One statement for all leases of a process. One that it does not return, or in another epoch, was taken.
 * - **Claim.** A lease that was released, or not renewed for a while, may be claimed: one guarded UPDATE that raises the
 *   epoch, so that of several claimers one wins. A claim after a death counts as an attempt, one after a release does not,
 *   and neither does one more of a process that could begin nothing with its last.
 * - **Hold.** What the owner writes is written in a transaction that holds the lease in its epoch, or not at all.
 *
 * Rows are locked in the order of their keys. PostgreSQL deadlocks where one writer differs.
 */
export class LeaseTable<Lease extends LeaseRow> {
  readonly #table: RawBuilder<unknown>;
  readonly #key: RawBuilder<unknown>;
  readonly #keyName: keyof Lease & string;

  /** @param key the column that names what a lease is about */
  constructor(table: keyof Schema, key: keyof Lease & string) {
    this.#table = sql.table(table);
    this.#key = sql.ref(key);
    this.#keyName = key;
  }

  /** Renews all leases of `owner` and returns them. */
  async renew(db: Database, owner: string): Promise<Lease[]> {
    const { rows } = await sql<Lease>`update ${this.#table} set renewed_at = ${db.nowMs}
      where ${this.#key} in (${this.locked(db, sql`owner = ${owner}`)}) returning *`.execute(db.kysely);
    return rows;
  }

  /** Leases that were released, or silent for `timeoutMs`, none of `exceptOwner`, which asks. `among` narrows them, `first` orders them. */
  async lapsed(
    db: Database,
    {
      exceptOwner,
      timeoutMs,
      limit,
      among = sql`1 = 1`,
      first = sql.ref("renewed_at"),
    }: {
      exceptOwner: string;
      timeoutMs: number;
      limit: number;
      among?: RawBuilder<unknown>;
      first?: RawBuilder<unknown>;
    },
  ): Promise<Lease[]> {
    // One renewed in what is the future since the clock was set back: a living owner renews it within its second.
    const lapsed = sql`abs(${db.nowMs} - renewed_at) > ${timeoutMs}`;
    const { rows } = await sql<Lease>`select * from ${this.#table}
      where owner <> ${exceptOwner} and (owner = ${NOBODY} or ${lapsed}) and ${among}
      order by ${first} limit ${limit}`.execute(db.kysely);
    return rows;
  }

  /** Every lease of another process: on SQLite the process lock proves them all dead. */
  async foreign(db: Database, owner: string): Promise<Lease[]> {
    const { rows } = await sql<Lease>`select * from ${this.#table} where owner <> ${owner}`.execute(
      db.kysely,
    );
    return rows;
  }

  /** Takes the lease as it was seen; undefined when somebody was quicker. `counted`: the attempt is counted already. */
  async claim(db: Database, seen: Lease, owner: string, counted = false): Promise<Lease | undefined> {
    const attempts = counted || seen.owner === NOBODY ? seen.attempts : seen.attempts + 1;
    const { rows } = await sql<Lease>`update ${this.#table}
      set owner = ${owner}, epoch = ${seen.epoch + 1}, renewed_at = ${db.nowMs}, attempts = ${attempts}
      where ${this.#key} = ${this.#keyOf(seen)} and epoch = ${seen.epoch} and owner = ${seen.owner}
        and renewed_at = ${seen.renewed_at} returning *`.execute(db.kysely);
    return rows[0];
  }

  /** Frees every lease of `owner`, for whoever looks next. */
  async release(db: Database, owner: string): Promise<void> {
    await sql`update ${this.#table} set owner = ${NOBODY}, renewed_at = 0
      where ${this.#key} in (${this.locked(db, sql`owner = ${owner}`)})`.execute(db.kysely);
  }

  /** Locks the lease until the transaction ends, and returns it. Throws Fenced when it is no longer held as `held` says. */
  async hold(db: Database, trx: Trx, held: Pick<Lease, "owner" | "epoch"> & Partial<Lease>): Promise<Lease> {
    const { rows } = await sql<Lease>`select * from ${this.#table}
      where ${this.#key} = ${this.#keyOf(held)} ${db.forUpdate}`.execute(trx);
    const [now] = rows;
    if (now?.owner !== held.owner || now.epoch !== held.epoch) {
      throw new Fenced(`the lease of ${String(this.#keyOf(held))} is no longer held`);
    }
    return now;
  }

  /** Keys of the leases for which `where` holds, each locked in the order in which everybody locks them. */
  locked(db: Database, where: RawBuilder<unknown>): RawBuilder<unknown> {
    return sql`select ${this.#key} from ${this.#table} where ${where} order by ${this.#key} ${db.forUpdate}`;
  }

  #keyOf(lease: Partial<Lease>): unknown {
    return lease[this.#keyName];
  }
}
