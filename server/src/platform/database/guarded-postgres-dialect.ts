// Kysely's PostgreSQL dialect with three additions: the guard against outer queries inside a transaction, one statement
// that is prepared by name because it runs all the time, and a time limit for a server that does not answer.
import type pg from "pg";
import {
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from "kysely";
import { cutConnection } from "./cut-connection.ts";
import { fromPostgresError } from "./database-unavailable.ts";
import type { TransactionScope } from "./transaction-scope.ts";

class GuardedPostgresDriver extends PostgresDriver {
  #scope: TransactionScope;

  constructor(pool: PostgresPool, scope: TransactionScope) {
    super({ pool });
    this.#scope = scope;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#scope.assertOutside();
    return super.acquireConnection();
  }
}

export interface PoolOptions {
  /** Parsed and planned once per connection. */
  preparedSql: string;
  /** A statement without an answer for so many ms fails, and its connection is ended. Null = no limit. */
  answerTimeoutMs: number | null;
}

/** The pool as Kysely sees it. */
function asKyselyPool(pool: pg.Pool, { preparedSql, answerTimeoutMs }: PoolOptions): PostgresPool {
  // Kysely knows its connections by the client's identity.
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();

  async function query(
    client: pg.PoolClient,
    text: string,
    parameters: readonly unknown[],
  ): Promise<unknown> {
    const values = [...parameters];
    // pg's own query_timeout keeps the connection, and the next statement would wait behind the one that hangs.
    const timer =
      answerTimeoutMs === null ? undefined : setTimeout(() => cutConnection(client), answerTimeoutMs);
    try {
      return await (text === preparedSql
        ? client.query({ name: "prepared", text, values })
        : client.query(text, values));
    } catch (error) {
      throw fromPostgresError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw fromPostgresError(error);
      });
      const known = wrapped.get(client);
      if (known !== undefined) return known;
      const wrapper: PostgresPoolClient = {
        query: (<R>(text: string, parameters: readonly unknown[]) =>
          query(client, text, parameters) as Promise<PostgresQueryResult<R>>) as PostgresPoolClient["query"],
        release: (destroy) => client.release(destroy),
      };
      wrapped.set(client, wrapper);
      return wrapper;
    },
  };
}

export class GuardedPostgresDialect extends PostgresDialect {
  #pool: PostgresPool;
  #scope: TransactionScope;

  constructor(pool: pg.Pool, scope: TransactionScope, options: PoolOptions) {
    const asked = asKyselyPool(pool, options);
    super({ pool: asked });
    this.#pool = asked;
    this.#scope = scope;
  }

  override createDriver(): Driver {
    return new GuardedPostgresDriver(this.#pool, this.#scope);
  }
}
