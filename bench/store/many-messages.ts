// What reading costs in a large installation, and what forgetting costs after long use.
import { type RawBuilder, sql } from "kysely";
import { purgeLogs } from "../../server/src/features/replies/purge-logs.ts";
import { listMessages, presentMessage } from "../../server/src/features/sessions/message-store.ts";
import { purgeSessions } from "../../server/src/features/sessions/purge-store.ts";
import { pageOfSessions, presentSession } from "../../server/src/features/sessions/session-store.ts";
import type { Database } from "../../server/src/platform/database/database.ts";
import { systemClock } from "../../server/src/ports/clock.ts";
import { type Stalls, stallsOf } from "./stalls.ts";
import { type Times, timesInTurns } from "./times.ts";

const messagesPerSession = 10;
const messagesPerUser = 1000;
const sessionsPerUser = messagesPerUser / messagesPerSession;
const pageSize = 50;
const words = "A plumb line shows what is upright, and nothing else. ".repeat(6);

/** One statement fills so much: on a busy machine more would take longer than the product lets a statement take. */
const perStatement = 50_000;

/** Fills with statements that each select from a part of the numbers from 1 to `count`, as a table `numbers(n)`. */
export async function fillBy(
  db: Database,
  count: number,
  statement: (numbers: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  for (let first = 1; first <= count; first += perStatement) {
    const [from, to] = [sql.lit(first), sql.lit(Math.min(count, first + perStatement - 1))];
    const numbers =
      db.engine === "sqlite"
        ? sql`(with recursive number(n) as (select ${from} union all select n + 1 from number where n < ${to}) select n from number) as numbers`
        : sql`generate_series(${from}, ${to}) as numbers(n)`;
    await statement(numbers).execute(db.kysely);
  }
}

/** `count` messages in sessions of ten, of users with a hundred sessions each. */
export async function fillMessages(db: Database, count: number): Promise<void> {
  const perSession = sql.lit(messagesPerSession);
  const perUser = sql.lit(sessionsPerUser);
  await fillBy(
    db,
    count / messagesPerSession,
    (
      numbers,
    ) => sql`insert into sessions (id, user_id, seq_id, agent, title, title_type, version, current_message_id,
      last_message_id, inserted_at, updated_at)
    select 'chat-' || (n - 1), 'reader-' || ((n - 1) / ${perUser}), (n - 1) % ${perUser} + 1, 'chat', 'A chat', 'SYSTEM', 1,
      ${perSession}, ${perSession}, 0, ${sql.lit(Date.now())}
    from ${numbers}`,
  );
  await fillBy(
    db,
    count,
    (
      numbers,
    ) => sql`insert into messages (session_id, message_id, user_id, parent_id, role, status, fragments, files,
      thinking_enabled, search_enabled, ban_regenerate, ban_edit, inserted_at, last_event_id)
    select 'chat-' || ((n - 1) / ${perSession}), (n - 1) % ${perSession} + 1, 'reader-' || ((n - 1) / ${sql.lit(messagesPerUser)}),
      case when (n - 1) % ${perSession} = 0 then null else (n - 1) % ${perSession} end,
      case when n % 2 = 1 then 'USER' else 'ASSISTANT' end, 'FINISHED',
      ${sql.lit(JSON.stringify([{ id: 1, type: "RESPONSE", content: words }]))}, '[]', 0, 0, 0, 0, 0, 0
    from ${numbers}`,
  );
}

export interface Filled {
  db: Database;
  /** Messages in it. */
  count: number;
}

/** Reads of users and sessions all over the messages, each as the product reads it. */
function readings({ db, count }: Filled) {
  const users = count / messagesPerUser;
  return {
    async "page of sessions"(round: number) {
      const userId = `reader-${(round * 7919) % users}`;
      const page = { beforeSeqId: null, updatedAtMost: null, count: pageSize };
      return (await pageOfSessions(db.kysely, userId, page)).map(presentSession).length;
    },
    async history(round: number) {
      const session = `chat-${(round * 7919) % (users * sessionsPerUser)}`;
      return (await listMessages(db.kysely, session)).map((row) => presentMessage(row)).length;
    },
  };
}

export type Reading = keyof ReturnType<typeof readings>;

const expected: Record<Reading, number> = { "page of sessions": pageSize + 1, history: messagesPerSession };

/** The times of one reading in each of these databases, in turns. */
export async function measureReading(
  filled: readonly Filled[],
  reading: Reading,
  rounds: number,
): Promise<Times[]> {
  const works = filled.map((one) => {
    const work = readings(one)[reading];
    return async (round: number): Promise<void> => {
      const got = await work(round);
      if (got !== expected[reading]) throw new Error(`${reading}: ${got} rows`);
    };
  });
  return timesInTurns(rounds, works);
}

/** Makes `count` ended replies with a log each and as many sessions due, and forgets them. */
export async function measurePurges(
  db: Database,
  settle: () => Promise<void>,
  count: number,
): Promise<Record<string, Stalls>> {
  await fillBy(
    db,
    count,
    (
      numbers,
    ) => sql`insert into replies (user_id, session_id, message_id, request_message_id, client_stream_id, agent, model,
      thinking_enabled, search_enabled, locale, started_at, ended_at, log_kept_since)
    select 'gone', 'gone-' || n, 2, 1, 'gone-' || n, 'chat', 'm', 0, 0, 'en_US', 0, n, n from ${numbers}`,
  );
  await fillBy(
    db,
    count,
    (numbers) => sql`insert into stream_log (reply, epoch, first_id, at, events)
    select id, 1, 1, 0, ${sql.lit(JSON.stringify([{ type: "delta", data: { v: words } }]))}
    from ${numbers} join replies on log_kept_since = n`,
  );
  await fillBy(
    db,
    count,
    (
      numbers,
    ) => sql`insert into sessions (id, user_id, seq_id, agent, title, title_type, version, current_message_id,
      last_message_id, inserted_at, updated_at, deleted_at)
    select 'gone-' || n, 'gone', n, 'chat', null, 'WIP', 1, null, 0, 0, n, case when n % 2 = 0 then n else null end
    from ${numbers}`,
  );
  await settle();
  const purgesOf = {
    logs: () => purgeLogs(db, systemClock, Date.now()),
    sessions: () =>
      purgeSessions({ db, clock: systemClock }, { emptySessionLifeSecs: 60, deletedSessionMarkSecs: 60 }),
  };
  const stalls: Record<string, Stalls> = {};
  for (const [name, purge] of Object.entries(purgesOf)) stalls[`purge of ${name}`] = await stallsOf(purge);
  for (const table of ["stream_log", "sessions"] as const) {
    const [left] = await db.kysely
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .execute();
    if (Number(left?.count) !== 0) throw new Error(`${String(left?.count)} rows of ${table} are left.`);
  }
  return stalls;
}
