// The interface to stored data: SQLite in the process, or PostgreSQL by DATABASE_URL.
import type { Kysely, RawBuilder, Transaction } from "kysely";
import type { Schema } from "./schema.ts";

export type Trx = Transaction<Schema>;
/** What a store function takes: the caller's transaction, or the database itself for a single statement. */
export type Queryable = Kysely<Schema>;

/** Rows of the stream log as the group commit hands them over (see stream-log-store.ts). */
export interface LogRow {
  reply: number;
  epoch: number;
  first_id: number;
  at: number;
  events: string;
}

export interface Database {
  readonly engine: "sqlite" | "postgres";
  /** For single statements outside a transaction. On SQLite its use inside `transaction` throws (it would hang). */
  readonly kysely: Kysely<Schema>;
  /** Runs `work` in one transaction (BEGIN IMMEDIATE on SQLite; READ COMMITTED on PostgreSQL). Rolls back on a throw. */
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /**
   * For single statements that need not wait for the disk: they survive the end of the process, but a power cut may undo
   * the last of them if nothing was committed after. On SQLite all others wait meanwhile. On PostgreSQL ordinary ones.
   */
  unsynced<T>(work: (q: Queryable) => Promise<T>): Promise<T>;
  /**
   * As `transaction`, without the wait for the disk as `unsynced`: for steps of work that goes on wherever it has got to. The
   * caller alone waits for the disk now and then.
   */
  unsyncedTransaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  /** The database's own clock as integer milliseconds, for leases. */
  readonly nowMs: RawBuilder<number>;
  /** `FOR UPDATE` / `FOR SHARE` on PostgreSQL, nothing on SQLite. Append to a select: `.modifyEnd(db.forUpdate)`. */
  readonly forUpdate: RawBuilder<unknown>;
  /** As `forUpdate`, of what nobody else holds: for purges, which lock many rows in no order, wait for nobody, and come again. */
  readonly forUpdateOfFree: RawBuilder<unknown>;
  /**
   * Inserts log rows whose (reply, epoch) is still the lease's and whose owner is `owner`, in `trx`, holding the leases
   * against a claim until the commit. Returns the replies that were appended; one that is missing has been fenced.
   */
  appendLog(trx: Trx, owner: string, rows: LogRow[]): Promise<Set<number>>;
  /** Notifies the listeners of every process, this one included, after the commit of `trx`. Payload ≤ 7000 bytes. */
  notify(trx: Queryable, channel: string, payload: string): Promise<void>;
  /** Calls back for each notification until the returned function is called. Some may be missed: poll, too. */
  listen(channel: string, callback: (payload: string) => void): Promise<() => void>;
  /** Throws when the database cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
