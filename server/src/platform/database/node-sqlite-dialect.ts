// node:sqlite under Kysely's SQLite dialect: one connection, one transaction at a time.
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from "kysely";
import { fromSqliteError } from "./database-unavailable.ts";
import type { TransactionScope } from "./transaction-scope.ts";
import { deletesWords } from "./words-of-people.ts";

const keptStatements = 300;
const changesSchema = /^\s*(?:alter|create|drop)\b/iu;

/** Prepared statements by their text, the least recently used one dropped first. */
class StatementCache {
  #statements = new Map<string, SqliteStatement>();
  #database: DatabaseSync;
  #onDeletion: () => void;

  constructor(database: DatabaseSync, onDeletion: () => void) {
    this.#database = database;
    this.#onDeletion = onDeletion;
  }

  prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    if (changesSchema.test(sql)) {
      // The columns of those that are kept may be others from now on.
      this.#statements.clear();
      return adapt(this.#database, sql);
    }
    const statement = deletesWords(sql)
      ? telling(adapt(this.#database, sql), this.#onDeletion)
      : adapt(this.#database, sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size > keptStatements) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest);
        break;
      }
    }
    return statement;
  }
}

function adapt(database: DatabaseSync, sql: string): SqliteStatement {
  const prepared = () => database.prepare(sql, { returnArrays: true });
  const statement: StatementSync = translatingErrors(prepared);
  const names = statement.columns().map(({ name }) => name);
  return {
    reader: names.length > 0,
    all: (parameters) =>
      translatingErrors(() => statement.all(...(parameters as SQLInputValue[]))).map((values) =>
        rowOf(names, values),
      ),
    run: (parameters) => translatingErrors(() => statement.run(...(parameters as SQLInputValue[]))),
    // Iteration needs a statement of its own: the cached one may be run again meanwhile.
    *iterate(parameters) {
      for (const values of prepared().iterate(...(parameters as SQLInputValue[]))) yield rowOf(names, values);
    },
  };
}

/** The deletion, which tells each time that it has found something. */
function telling(deletion: SqliteStatement, tell: () => void): SqliteStatement {
  return {
    ...deletion,
    all(parameters) {
      const rows = deletion.all(parameters);
      if (rows.length > 0) tell();
      return rows;
    },
    run(parameters) {
      const done = deletion.run(parameters);
      if (Number(done.changes) > 0) tell();
      return done;
    },
  };
}

/**
 * A row as an ordinary object: those of node:sqlite have no prototype, and a copy of one takes four times as long.
 * `values` is an array, whatever its types say.
 */
function rowOf(names: readonly string[], values: unknown): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  names.forEach((name, index) => (row[name] = (values as readonly unknown[])[index]));
  return row;
}

/** Turns errors of a failing disk into DatabaseUnavailable. */
function translatingErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fromSqliteError(error);
  }
}

class NodeSqliteDriver extends SqliteDriver {
  #database: DatabaseSync;
  #scope: TransactionScope;
  #last: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(database: DatabaseSync, scope: TransactionScope, onDeletion: () => void) {
    const cache = new StatementCache(database, onDeletion);
    super({ database: { prepare: (sql) => cache.prepare(sql), close: () => database.close() } });
    this.#database = database;
    this.#scope = scope;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#scope.assertOutside();
    const before = this.#last;
    let release = () => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#release();
  }

  // Takes the write lock at once: a transaction that reads first could be refused at its first write.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  // On a full or failing disk SQLite has rolled back by itself: a second rollback would fail and hide the reason.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

/** Kysely's own queue stands before the driver: there a query inside a transaction would hang instead of throwing. */
class QueueingSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** `onDeletion` is called when content of users is being deleted. */
export class NodeSqliteDialect extends SqliteDialect {
  #database: DatabaseSync;
  #scope: TransactionScope;
  #onDeletion: () => void;

  constructor(database: DatabaseSync, scope: TransactionScope, onDeletion: () => void) {
    super({ database: { prepare: (sql) => adapt(database, sql), close: () => database.close() } });
    this.#database = database;
    this.#scope = scope;
    this.#onDeletion = onDeletion;
  }

  override createDriver(): Driver {
    return new NodeSqliteDriver(this.#database, this.#scope, this.#onDeletion);
  }

  override createAdapter(): SqliteAdapter {
    return new QueueingSqliteAdapter();
  }
}
