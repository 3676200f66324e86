// PostgreSQL 15 or later, shared by many replicas.
import pg from "pg";
import { CompiledQuery, Kysely, sql } from "kysely";
import { messageOf } from "../error-words.ts";
import type { Logger } from "../logger.ts";
import { StartError } from "../start-error.ts";
import { cutConnection } from "./cut-connection.ts";
import type { Database, LogRow, Trx } from "./database.ts";
import { GuardedPostgresDialect } from "./guarded-postgres-dialect.ts";
import { PostgresListener } from "./postgres-listener.ts";
import { typesAsNumbers } from "./postgres-types.ts";
import type { Schema } from "./schema.ts";
import { TransactionScope } from "./transaction-scope.ts";

/*
 * The lease rows are locked in the order of their replies. A claim that came first makes this wait and then finds the
 * owner or the epoch changed; a claim that comes later waits for this commit, so that it folds a complete log.
 */
const appendLogSql = `with held as (
  select reply, epoch from reply_lease
  where owner = $1 and reply = any($2::bigint[])
  order by reply
  for share
)
insert into stream_log (reply, epoch, first_id, at, events)
select row.reply, row.epoch, row.first_id, row.at, row.events
from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
  as row(reply, epoch, first_id, at, events)
join held on held.reply = row.reply and held.epoch = row.epoch
order by row.reply, row.first_id
returning reply`;

/** A process that stalls inside a transaction must not keep its leases locked against a take-over. */
const IDLE_IN_TRANSACTION_MS = 4000;
/**
 * The longest a statement may take, waiting for locks included. Then the server cancels it; a server that does not do so
 * within a second counts as dead. No statement of ours takes a tenth of it.
 */
const ANSWER_MS = 5000;
const GRACE_MS = 1000;
const CONNECT_MS = 5000;
/** After so long the system probes an idle connection: one to a machine that is gone ends within 20 s. */
const PROBE_AFTER_MS = 10_000;

export interface PostgresOptions {
  url: string;
  log: Logger;
  poolSize?: number;
  /** The longest a statement may take, ms; null = no limit, for migrations. */
  answerMs?: number | null;
}

/** Connects and checks that the server answers. Throws a StartError with one sentence when it does not. */
export async function openPostgres({
  url,
  log,
  poolSize = 10,
  answerMs = ANSWER_MS,
}: PostgresOptions): Promise<Database> {
  const options: pg.PoolConfig = {
    connectionString: url,
    types: typesAsNumbers,
    application_name: "plumb",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    ...(answerMs === null ? {} : { statement_timeout: answerMs }),
  };
  const answerTimeoutMs = answerMs === null ? null : answerMs + GRACE_MS;
  const pool = new pg.Pool({ ...options, max: poolSize });
  // The pool replaces an idle connection that breaks. Without a listener the event would end the process.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection broke"));
  pool.on("connect", (client) => {
    client.on("error", (error) => log.warn({ err: error }, "a database connection broke"));
  });
  try {
    const first = await pool.connect();
    const timer = setTimeout(() => cutConnection(first), CONNECT_MS);
    try {
      await first.query("select 1");
    } finally {
      clearTimeout(timer);
      first.release();
    }
  } catch (error) {
    await pool.end();
    throw new StartError(`The database named by DATABASE_URL cannot be reached: ${messageOf(error)}.`, {
      cause: error,
    });
  }

  const scope = new TransactionScope();
  const kysely = new Kysely<Schema>({
    dialect: new GuardedPostgresDialect(pool, scope, { preparedSql: appendLogSql, answerTimeoutMs }),
  });
  const transaction = <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
    scope.run((inside) =>
      kysely
        .transaction()
        .setIsolationLevel("read committed")
        .execute((trx) => inside(() => work(trx))),
    );
  const listener = new PostgresListener(options, log);

  return {
    engine: "postgres",
    kysely,
    transaction,
    unsynced: (work) => work(kysely),
    // Waiting holds nobody else up here.
    unsyncedTransaction: transaction,
    nowMs: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    forUpdate: sql`for update`,
    forUpdateOfFree: sql`for update skip locked`,
    async appendLog(trx: Trx, owner: string, rows: LogRow[]): Promise<Set<number>> {
      if (rows.length === 0) return new Set();
      const parameters = [
        owner,
        rows.map((row) => row.reply),
        rows.map((row) => row.epoch),
        rows.map((row) => row.first_id),
        rows.map((row) => row.at),
        rows.map((row) => row.events),
      ];
      const query = CompiledQuery.raw(appendLogSql, parameters);
      const result = await trx.executeQuery<{ reply: number }>(query as CompiledQuery<{ reply: number }>);
      return new Set(result.rows.map((row) => row.reply));
    },
    async notify(trx, channel, payload) {
      await sql`select pg_notify(${channel}, ${payload})`.execute(trx);
    },
    listen: (channel, callback) => listener.listen(channel, callback),
    async ping() {
      await sql`select 1`.execute(kysely);
    },
    async close() {
      await listener.close();
      await kysely.destroy();
      if (!pool.ended) await pool.end();
    },
  };
}
