// Kysely's PostgreSQL dialect with two additions: the guard against outer queries inside a transaction, and one
// statement that is prepared by name because it runs all the time.
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

/** The pool as Kysely sees it, with `hotSql` parsed and planned once per connection. */
function withNamedStatement(pool: pg.Pool, hotSql: string): PostgresPool {
  // Kysely knows its connections by the client's identity.
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const known = wrapped.get(client);
      if (known !== undefined) return known;
      const naming: PostgresPoolClient = {
        query: (<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> =>
          (text === hotSql
            ? client.query({ name: "hot", text, values: [...parameters] })
            : client.query(text, [...parameters])) as unknown as Promise<
            PostgresQueryResult<R>
          >) as PostgresPoolClient["query"],
        release: (destroy) => client.release(destroy),
      };
      wrapped.set(client, naming);
      return naming;
    },
  };
}

export class GuardedPostgresDialect extends PostgresDialect {
  #pool: PostgresPool;
  #scope: TransactionScope;

  constructor(pool: pg.Pool, scope: TransactionScope, hotSql: string) {
    const naming = withNamedStatement(pool, hotSql);
    super({ pool: naming });
    this.#pool = naming;
    this.#scope = scope;
  }

  override createDriver(): Driver {
    return new GuardedPostgresDriver(this.#pool, this.#scope);
  }
}
