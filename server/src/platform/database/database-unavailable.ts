// The database cannot answer now: nobody's mistake, and worth another try. Answered as 50300 (wire-contract.md §1.5).
import pg from "pg";

/** Thrown instead of the driver's error, which is the cause. A write that ends so may have happened or not. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the database cannot answer now: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = "DatabaseUnavailable";
  }
}

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention, system error. */
const AWAY_CLASSES = new Set(["08", "53", "57", "58"]);
/** A standby, a transaction that fell asleep, a serialisation failure, a deadlock, a lock not to be had. */
const AWAY_STATES = new Set(["25006", "25P03", "40001", "40P01", "55P03"]);

/** The error to throw for one of a PostgreSQL connection: what the server did not say itself, the connection did. */
export function ofPostgres(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || !(error instanceof Error) || error instanceof TypeError)
    return error;
  if (!(error instanceof pg.DatabaseError)) return new DatabaseUnavailable(error);
  const state = error.code ?? "";
  return AWAY_CLASSES.has(state.slice(0, 2)) || AWAY_STATES.has(state)
    ? new DatabaseUnavailable(error)
    : error;
}

/** SQLITE_BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN. */
const AWAY_CODES = new Set([5, 6, 8, 10, 13, 14]);

/** The error to throw for one of SQLite: a full or failing disk is waited for. */
export function ofSqlite(error: unknown): unknown {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return error;
  // The low byte is the primary code.
  return AWAY_CODES.has(error.errcode % 256) ? new DatabaseUnavailable(error) : error;
}
