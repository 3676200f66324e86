// The database cannot answer now, and may later. Answered as 50300 (wire-contract.md §1.5).
import pg from "pg";
import { messageOf } from "../error-words.ts";

/** Thrown in place of the driver's error, which is its cause. A write that fails with it may have happened or not. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the database cannot answer now: ${messageOf(cause)}`, { cause });
    this.name = "DatabaseUnavailable";
  }
}

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention, system error. */
const AWAY_CLASSES = new Set(["08", "53", "57", "58"]);
/** Read-only standby, idle transaction ended, serialisation failure, deadlock, lock not available. */
const AWAY_STATES = new Set(["25006", "25P03", "40001", "40P01", "55P03"]);

/** The error to throw for one of PostgreSQL. What is not an error message of the server is an error of the connection. */
export function fromPostgresError(error: unknown): unknown {
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

/** The error to throw for one of SQLite: a full or failing disk counts as unavailable. */
export function fromSqliteError(error: unknown): unknown {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return error;
  // The low byte is the primary code.
  return AWAY_CODES.has(error.errcode % 256) ? new DatabaseUnavailable(error) : error;
}
