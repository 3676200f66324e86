import { CompiledQuery, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import { deleteExpired, deleteStatement } from "./delete-expired.ts";

const ROWS = 5000;
const tables = [
  "login_tokens",
  "verification_codes",
  "guest_challenges",
  "used_proofs",
  "rate_counters",
  "oauth_tickets",
  "slide_captchas",
  "captcha_passes",
  "share_forks",
  "job_turns",
] as const;

describe.each(engines)("rows that expire on %s", (engine) => {
  let opened: TestDatabase;
  beforeEach(async () => {
    opened = await openTestDatabase(engine);
    const { kysely } = opened.db;
    const numbers =
      engine === "sqlite"
        ? sql`with recursive number(n) as (select 1 union all select n + 1 from number where n < ${ROWS}) select n from number`
        : sql`select n from generate_series(1, ${sql.lit(ROWS)}) as number(n)`;
    const from = sql`from (${numbers}) as numbers`;
    const inserts = [
      sql`login_tokens (token_hash, user_id, sign_in_id, client, created_at, last_used_at)
        select 't' || n, 'u', 's' || n, '', 0, n`,
      sql`verification_codes (channel, target, scenario, requester, network, code_hash, device_id, tries, created_at, expires_at)
        select 'email', 'a' || n, 's', 'r', 'n', 'h', null, 0, 0, n`,
      sql`guest_challenges select 's' || n, 'c', null, n`,
      sql`used_proofs select 's' || n, n`,
      sql`rate_counters select 'k' || n, 0, 1, n`,
      sql`oauth_tickets (ticket_hash, kind, browser_hash, content, expires_at) select 't' || n, 'k', 'b', 'c', n`,
      sql`slide_captchas (id_hash, x, solved_before, expires_at) select 'i' || n, 0, 0, n`,
      sql`captcha_passes (rid_hash, expires_at) select 'r' || n, n`,
      sql`job_turns select 'u' || n, 'k', n, 0, n`,
      sql`share_forks (user_id, share_id, client_fork_id, session_id, expires_at) select 'u', 's', 'f' || n, 'c' || n, n`,
    ];
    for (const insert of inserts) await sql`insert into ${insert} ${from}`.execute(kysely);
    await sql`analyze`.execute(kysely);
  });
  afterEach(() => opened.close());

  const timesOf = async (table: (typeof tables)[number]): Promise<number[]> => {
    const columns: Partial<Record<typeof table, string>> = {
      login_tokens: "last_used_at",
      job_turns: "began_at",
    };
    const column = columns[table] ?? "expires_at";
    const { rows } = await sql<{ at: number }>`select ${sql.ref(column)} as at from ${sql.table(table)}
      order by ${sql.ref(column)}`.execute(opened.db.kysely);
    return rows.map(({ at }) => at);
  };

  test.each(tables)("of %s all that expired go, some at a time, and no other", async (table) => {
    let turns = 0;
    let turn = setImmediate(function count() {
      turns += 1;
      turn = setImmediate(count);
    });
    await deleteExpired(opened.db, table, 1001);
    clearImmediate(turn);
    expect(turns).toBeGreaterThanOrEqual(4);
    const left = await timesOf(table);
    expect([left.length, left[0]]).toEqual([ROWS - 1000, 1001]);
  });

  test.each(tables)("in %s nothing is read when none has expired", async (table) => {
    const { sql: text, parameters } = deleteStatement(opened.db, table, 1).compile(opened.db.kysely);
    const explain = engine === "sqlite" ? "explain query plan " : "explain ";
    const { rows } = await opened.db.kysely.executeQuery(CompiledQuery.raw(explain + text, [...parameters]));
    const plan = rows.map((row) => Object.values(row as object).join(" ")).join("\n");
    expect(plan).toContain(`${table}_expiry`);
    expect(plan).not.toMatch(/\bSCAN \w+$|Seq Scan/mu);
  });

  test.runIf(engine === "postgres")("who counts on two of them at once is not waited for", async () => {
    const { db } = opened;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let holding = Promise.resolve();
    await new Promise<void>((isHeld) => {
      holding = db.transaction(async (trx) => {
        await trx
          .selectFrom("rate_counters")
          .select("key")
          .where("key", "=", "k7")
          .modifyEnd(db.forUpdate)
          .execute();
        isHeld();
        await released;
      });
    });
    try {
      await deleteExpired(db, "rate_counters", 1001);
      expect((await timesOf("rate_counters")).slice(0, 2)).toEqual([7, 1001]);
    } finally {
      release();
      await holding;
    }
  });
});
