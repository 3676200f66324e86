// What old data costs: the statements that run again and again, on a database with a million old replies in turns with the
// same on an empty one, on both engines; reading among a million messages; the longest stall while a million are forgotten.
// What this thread waits for a processor is the machine's doing and counts nowhere but in the brackets. See README.md.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { administer, startPostgres } from "../server/test/postgres.ts";
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
import { systemClock } from "../server/src/ports/clock.ts";
import { describeMachine } from "./support/machine.ts";
import { fillBy, fillMessages, measurePurges, measureReading, type Reading } from "./store/many-messages.ts";
import { type Times, timesInTurns } from "./store/times.ts";

const oldReplies = Number(process.env["PLUMB_REPLIES"] ?? 1_000_000);
const repliesPerSession = 4;
const rounds = Number(process.env["PLUMB_ROUNDS"] ?? 300);
const running = 64;
const goal = 1.5;
/** Of what people read, at a thousand times as many messages; and the longest that is good, ms at p99. */
const flatGoal = 1.2;
const fewMessages = 1000;
const readGoalMs: Record<Reading, number> = { "page of sessions": 5, history: 10 };
const stallGoalMs = 20;
/** Below this a difference is that of the measurement. */
const noticeableMs = 0.05;
const owner = "the bench";
const retentionMs = 600_000;
const lives = { emptySessionLifeSecs: 86_400, deletedSessionMarkSecs: 30 * 86_400 };

/** All of them ended an hour ago, in sessions in use; their logs are gone. */
async function fill({ db, settle }: Opened, count: number): Promise<void> {
  const endedAt = Date.now() - 3_600_000;
  await fillBy(
    db,
    Math.ceil(count / repliesPerSession),
    (
      numbers,
    ) => sql`insert into sessions (id, user_id, seq_id, agent, title, title_type, version, current_message_id,
      last_message_id, inserted_at, updated_at)
    select 'old-' || n, 'user-' || (n % 1000), n, 'chat', 'An old chat', 'SYSTEM', 8, 8, 8, 0, ${sql.lit(endedAt)}
    from ${numbers}`,
  );
  await fillBy(
    db,
    count,
    (
      numbers,
    ) => sql`insert into replies (user_id, session_id, message_id, request_message_id, client_stream_id, agent, model,
      thinking_enabled, search_enabled, locale, started_at, ended_at)
    select 'user-' || (n % 1000), 'old-' || (n / ${sql.lit(repliesPerSession)}), 2 * (n % ${sql.lit(repliesPerSession)}) + 2, 1,
      'stream-' || n, 'chat', 'm', 0, 0, 'en_US', 0, ${sql.lit(endedAt)} from ${numbers}`,
  );
  await settle();
}

/** What is measured: each as it runs in the product. */
function works(db: Database): Record<string, (round: number) => Promise<unknown>> {
  const ids = Array.from({ length: running }, (_none, index) => 10_000_000 + index);
  return {
    "purge of logs, nothing due": () => purgeLogs(db, systemClock, Date.now() - retentionMs),
    "purge of sessions, nothing due": () => purgeSessions({ db, clock: systemClock }, lives),
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

async function holdLeases(db: Database): Promise<void> {
  await db.transaction(async (trx) => {
    for (let index = 0; index < running; index += 1) {
      await acquireLease(db, trx, { reply: 10_000_000 + index, userId: "u", owner, epoch: 1 });
    }
  });
}

interface Opened {
  db: Database;
  /**
   * To be called once it is filled. PostgreSQL then looks over new rows by itself some time; until then each is looked
   * over, and marked, by who first reads it, which is no matter of how many there are.
   */
  settle: () => Promise<void>;
}

/** On a database of its own. */
async function withDatabase<T>(databaseUrl: string | null, work: (opened: Opened) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "plumb-bench-store-"));
  const db = await openDatabase({ databaseUrl, dataDir }, createLogger("silent"));
  const settle = async (): Promise<void> => {
    // On a connection of its own: it takes longer than the product lets a statement take.
    if (databaseUrl !== null) return administer(databaseUrl, "vacuum analyze");
    await sql`analyze`.execute(db.kysely);
  };
  try {
    return await work({ db, settle });
  } finally {
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type WithDatabase = <T>(work: (opened: Opened) => Promise<T>) => Promise<T>;

async function compareWorks(withDb: WithDatabase): Promise<void> {
  await withDb(({ db: empty }) =>
    withDb(async (filled) => {
      await fill(filled, oldReplies);
      const full = filled.db;
      await holdLeases(empty);
      await holdLeases(full);
      const worksOfFull = works(full);
      for (const [name, ofEmpty] of Object.entries(works(empty))) {
        const ofFull = worksOfFull[name];
        if (ofFull === undefined) throw new Error(`${name} is missing.`);
        const [reference, result] = await timesInTurns(rounds, [ofEmpty, ofFull]);
        if (reference === undefined || result === undefined) throw new Error(`${name} was not measured.`);
        const ratio = result.p50Ms / reference.p50Ms;
        console.log(
          `  ${name.padEnd(32)} ${describe(result)}; empty p50 ${reference.p50Ms.toFixed(3)} ms: ` +
            `${ratio.toFixed(2)} × (goal ≤ ${goal})`,
        );
        if (ratio > goal && result.p50Ms - reference.p50Ms > noticeableMs) process.exitCode = 1;
      }
    }),
  );
}

async function compareReading(withDb: WithDatabase): Promise<void> {
  await withDb((few) =>
    withDb(async (many) => {
      const filled = [
        { db: few.db, count: fewMessages },
        { db: many.db, count: oldReplies },
      ];
      for (const { db, count } of filled) await fillMessages(db, count);
      for (const { settle } of [few, many]) await settle();
      for (const [name, readGoal] of Object.entries(readGoalMs) as [Reading, number][]) {
        const [small, large] = await measureReading(filled, name, rounds);
        if (small === undefined || large === undefined) throw new Error(`${name} was not measured.`);
        const ratio = large.p50Ms / small.p50Ms;
        console.log(
          `  ${name.padEnd(32)} ${describe(large)} (goal ≤ ${readGoal}) of ${oldReplies} messages; ` +
            `of ${fewMessages} p50 ${small.p50Ms.toFixed(3)} ms: ${ratio.toFixed(2)} × (goal ≤ ${flatGoal})`,
        );
        const grown = ratio > flatGoal && large.p50Ms - small.p50Ms > noticeableMs;
        if (large.p99Ms > readGoal || grown) process.exitCode = 1;
      }
    }),
  );
}

function describe({ p50Ms, p99Ms, p99OnTheClockMs }: Times): string {
  return `p50 ${p50Ms.toFixed(3)} ms, p99 ${p99Ms.toFixed(3)} ms [${p99OnTheClockMs.toFixed(3)}]`;
}

async function purge(withDb: WithDatabase): Promise<void> {
  const purged = await withDb(({ db, settle }) => measurePurges(db, settle, oldReplies));
  for (const [name, stalls] of Object.entries(purged)) {
    console.log(
      `  ${`${name}, ${oldReplies} due`.padEnd(32)} longest stall ${stalls.longestMs.toFixed(1)} ms, ` +
        `${stalls.processorMs.toFixed(1)} of it of processor [${stalls.inSqliteMs.toFixed(1)} in SQLite, ` +
        `${stalls.inCollectorMs.toFixed(1)} in the collector; longest ${stalls.longestOnTheClockMs.toFixed(1)}; ` +
        `of an idle thread ${stalls.ofIdleThreadMs.toFixed(1)}] (goal ≤ ${stallGoalMs}), ` +
        `all in ${(stalls.tookMs / 1000).toFixed(1)} s`,
    );
    if (stalls.longestMs > stallGoalMs) process.exitCode = 1;
  }
}

async function compare(engine: string, withDb: WithDatabase): Promise<void> {
  console.log(`${engine}, ${rounds} rounds each; in brackets what the clock says`);
  await compareWorks(withDb);
  await compareReading(withDb);
  await purge(withDb);
}

console.log(describeMachine());
await compare("SQLite", (work) => withDatabase(null, work));
const servers: Awaited<ReturnType<typeof startPostgres>>[] = [];
try {
  await compare("PostgreSQL", async (work) => {
    // Each on a server of its own, so that neither finds the other's pages in the cache.
    const server = await startPostgres();
    servers.push(server);
    return withDatabase(server.url, work);
  });
} finally {
  for (const server of servers) await server.stop();
}
