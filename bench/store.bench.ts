// What old data costs: the statements that run again and again, on a database with a million old replies against the same
// on an empty one in the same run, on both engines. See README.md.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { startPostgres } from "../server/test/postgres.ts";
import { purgeLogs } from "../server/src/features/replies/purge-logs.ts";
import { purgeSessions } from "../server/src/features/sessions/purge-store.ts";
import {
  acquireLease,
  appendGroups,
  lapsedLeases,
  renewLeases,
} from "../server/src/features/sessions/stream-log-store.ts";
import type { Database } from "../server/src/platform/database/database.ts";
import { openDatabase } from "../server/src/platform/database/open-database.ts";
import { createLogger } from "../server/src/platform/logger.ts";
import { describeMachine } from "./support/machine.ts";
import { percentile } from "./support/percentile.ts";

const oldReplies = Number(process.env["PLUMB_REPLIES"] ?? 1_000_000);
const repliesPerSession = 4;
const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 300);
const running = 64;
const goal = 1.5;
/** Below this a difference is that of the measurement. */
const noticeableMs = 0.05;
const owner = "the bench";
const retentionMs = 600_000;
const lives = { emptySessionLifeSecs: 86_400, deletedSessionMarkSecs: 30 * 86_400 };

/** All of them ended an hour ago, in sessions in use; their logs are gone. */
async function fill(db: Database, count: number): Promise<void> {
  const endedAt = Date.now() - 3_600_000;
  const numbers = (limit: number) =>
    db.engine === "sqlite"
      ? sql`(with recursive number(n) as (select 1 union all select n + 1 from number where n < ${sql.lit(limit)}) select n from number) as numbers`
      : sql`generate_series(1, ${sql.lit(limit)}) as numbers(n)`;
  await sql`insert into sessions (id, user_id, seq_id, agent, title, title_type, version, current_message_id,
      last_message_id, inserted_at, updated_at)
    select 'old-' || n, 'user-' || (n % 1000), n, 'chat', 'An old chat', 'SYSTEM', 8, 8, 8, 0, ${sql.lit(endedAt)}
    from ${numbers(Math.ceil(count / repliesPerSession))}`.execute(db.kysely);
  await sql`insert into replies (user_id, session_id, message_id, request_message_id, client_stream_id, agent, model,
      thinking_enabled, search_enabled, locale, started_at, ended_at)
    select 'user-' || (n % 1000), 'old-' || (n / ${sql.lit(repliesPerSession)}), 2 * (n % ${sql.lit(repliesPerSession)}) + 2, 1,
      'stream-' || n, 'chat', 'm', 0, 0, 'en_US', 0, ${sql.lit(endedAt)} from ${numbers(count)}`.execute(
    db.kysely,
  );
  await sql`analyze`.execute(db.kysely);
}

/** What is measured: each as it runs in the product. */
function works(db: Database): Record<string, (round: number) => Promise<unknown>> {
  const ids = Array.from({ length: running }, (_none, index) => 10_000_000 + index);
  return {
    "purge of logs, nothing due": () => purgeLogs(db.kysely, Date.now() - retentionMs),
    "purge of sessions, nothing due": () => purgeSessions(db.kysely, Date.now(), lives),
    "leases renewed": () => renewLeases(db, owner),
    "lapsed leases looked for": () => lapsedLeases(db, owner, 3000, 50),
    "group commit of 64 replies": (round) =>
      appendGroups(
        db,
        owner,
        ids.map((reply) => ({
          reply,
          epoch: 1,
          first_id: round + 1,
          at: 0,
          events: '[{"type":"finish","data":{}}]',
        })),
      ),
  };
}

interface Result {
  p50Ms: number;
  p99Ms: number;
}

async function measure(db: Database): Promise<Map<string, Result>> {
  await db.transaction(async (trx) => {
    for (let index = 0; index < running; index += 1) {
      await acquireLease(db, trx, { reply: 10_000_000 + index, userId: "u", owner, epoch: 1 });
    }
  });
  const results = new Map<string, Result>();
  for (const [name, work] of Object.entries(works(db))) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now();
      await work(round);
      times.push(performance.now() - began);
    }
    const sorted = times.slice(Math.floor(rounds / 10)).sort((a, b) => a - b);
    results.set(name, { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) });
  }
  return results;
}

/** On a database of its own, with `count` old replies. */
async function measureWith(databaseUrl: string | null, count: number): Promise<Map<string, Result>> {
  const dataDir = mkdtempSync(join(tmpdir(), "plumb-bench-store-"));
  const db = await openDatabase({ databaseUrl, dataDir }, createLogger("silent"));
  try {
    const began = performance.now();
    if (count > 0) {
      await fill(db, count);
      const { rows } = await sql<{ made: number }>`select count(*) as made from replies`.execute(db.kysely);
      if (Number(rows[0]?.made) !== count) throw new Error(`${rows[0]?.made} of ${count} replies were made.`);
      console.log(`  ${count} old replies made in ${Math.round(performance.now() - began)} ms`);
    }
    return await measure(db);
  } finally {
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function compare(engine: string, open: (count: number) => Promise<Map<string, Result>>): Promise<void> {
  console.log(`${engine}, ${rounds} rounds each`);
  const empty = await open(0);
  const full = await open(oldReplies);
  for (const [name, result] of full) {
    const reference = empty.get(name);
    if (reference === undefined) continue;
    const ratio = result.p50Ms / reference.p50Ms;
    console.log(
      `  ${name.padEnd(32)} p50 ${result.p50Ms.toFixed(3)} ms, p99 ${result.p99Ms.toFixed(3)} ms; ` +
        `empty p50 ${reference.p50Ms.toFixed(3)} ms: ${ratio.toFixed(2)} × (goal ≤ ${goal})`,
    );
    if (ratio > goal && result.p50Ms - reference.p50Ms > noticeableMs) process.exitCode = 1;
  }
}

console.log(describeMachine());
await compare("SQLite", (count) => measureWith(null, count));
const servers: Awaited<ReturnType<typeof startPostgres>>[] = [];
try {
  await compare("PostgreSQL", async (count) => {
    // Each on a server of its own, so that neither finds the other's pages in the cache.
    const server = await startPostgres();
    servers.push(server);
    return measureWith(server.url, count);
  });
} finally {
  for (const server of servers) await server.stop();
}
