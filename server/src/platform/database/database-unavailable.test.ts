// Databases that hang, break or are full: an end in bounded time, told by its name.
import { sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSilentProxy, type SilentProxy } from "../../../test/silent-proxy.ts";
import { openTestDatabase, type TestDatabase } from "../../../test/test-databases.ts";
import type { Database } from "./database.ts";
import { DatabaseUnavailable, fromPostgresError, fromSqliteError } from "./database-unavailable.ts";
import { openPostgres } from "./open-postgres.ts";
import { PostgresListener } from "./postgres-listener.ts";

const log = pino({ level: "silent" });
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe("a PostgreSQL that falls silent", () => {
  let opened: TestDatabase;
  let proxy: SilentProxy;
  let db: Database;
  beforeEach(async () => {
    opened = await openTestDatabase("postgres");
    proxy = await openSilentProxy(opened.databaseUrl ?? "");
    db = await openPostgres({ url: proxy.url, log, poolSize: 2, answerMs: 1000 });
  });
  afterEach(async () => {
    proxy.speak();
    await db.close();
    await proxy.close();
    await opened.close();
  });

  test("ends statements, transactions and those who wait for a connection, and serves again when it speaks", async () => {
    await db.ping();
    proxy.silence();
    // More than the pool has connections.
    const failures = await Promise.all([
      failureOf(db.ping()),
      failureOf(db.transaction(async (trx) => sql`select 1`.execute(trx))),
      failureOf(db.ping()),
      failureOf(db.ping()),
    ]);
    for (const failure of failures) expect(failure).toBeInstanceOf(DatabaseUnavailable);
    proxy.speak();
    await expect.poll(() => failureOf(db.ping())).toBeNull();
    expect(await db.transaction(async () => "done")).toBe("done");
  });

  test("does not keep a process from ending", async () => {
    await db.listen("channel", () => {});
    proxy.silence();
    const other = await openPostgres({ url: opened.databaseUrl ?? "", log, answerMs: 1000 });
    await expect(Promise.all([other.close(), db.close()])).resolves.toHaveLength(2);
    db = await openPostgres({ url: opened.databaseUrl ?? "", log });
  });

  test("loses its listener, which is made again", async () => {
    const told: string[] = [];
    const listening = new PostgresListener(
      { connectionString: proxy.url, connectionTimeoutMillis: 3000 },
      pino({}, { write: (line: string) => void told.push(line) }),
      { checkEveryMs: 100, answerMs: 2000 },
    );
    const heard: string[] = [];
    await listening.listen("channel", (payload) => heard.push(payload));
    proxy.silence();
    await expect.poll(() => told.join("")).toContain("does not answer");
    await opened.db.notify(opened.db.kysely, "channel", "missed");
    proxy.speak();
    const again = async () => {
      await opened.db.notify(opened.db.kysely, "channel", "again");
      return heard;
    };
    await expect.poll(again).toContain("again");
    expect(heard).not.toContain("missed");
    await listening.close();
  });

  test("a statement that waits for a lock too long is ended by the server", async () => {
    await db.kysely
      .insertInto("rate_counters")
      .values({ key: "k", window_start: 0, count: 1, expires_at: 1 })
      .execute();
    let release = (): void => {};
    let locked = (): void => {};
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve;
    });
    const holding = opened.db.transaction(async (trx) => {
      await trx.selectFrom("rate_counters").selectAll().modifyEnd(opened.db.forUpdate).execute();
      locked();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    await isLocked;
    const failure = await failureOf(db.kysely.updateTable("rate_counters").set({ count: 2 }).execute());
    expect(failure).toBeInstanceOf(DatabaseUnavailable);
    // query_canceled: the server itself said so.
    expect((failure as DatabaseUnavailable).cause).toMatchObject({ code: "57014" });
    release();
    await Promise.allSettled([holding]);
  });
});

test("a full SQLite is told as such, in a transaction too, and nothing of it stays", async () => {
  const opened = await openTestDatabase("sqlite");
  const { db } = opened;
  const long = "x".repeat(100_000);
  const insert = (q: Database["kysely"], key: string) =>
    q
      .insertInto("rate_counters")
      .values({ key: key + long, window_start: 0, count: 1, expires_at: 1 })
      .execute();
  try {
    const pages = await sql<{ page_count: number }>`pragma page_count`.execute(db.kysely);
    await sql.raw(`pragma max_page_count = ${pages.rows[0]?.page_count ?? 0}`).execute(db.kysely);
    expect(await failureOf(insert(db.kysely, "a"))).toBeInstanceOf(DatabaseUnavailable);
    const inside = db.transaction(async (trx) => {
      await trx.deleteFrom("rate_counters").execute();
      await insert(trx, "b");
    });
    expect(await failureOf(inside)).toBeInstanceOf(DatabaseUnavailable);
    await sql`pragma max_page_count = 1000000`.execute(db.kysely);
    await db.transaction((trx) => insert(trx, "c"));
    const rows = await db.kysely.selectFrom("rate_counters").select("key").execute();
    expect(rows.map(({ key }) => key[0])).toEqual(["c"]);
  } finally {
    await opened.close();
  }
});

test("mistakes of ours keep their own name", () => {
  const stated = (code: string) => Object.assign(new pg.DatabaseError("no", 1, "error"), { code });
  for (const code of ["23505", "42P01", "22P02"]) {
    const error = stated(code);
    expect(fromPostgresError(error)).toBe(error);
  }
  for (const code of ["57P01", "57014", "53300", "08006", "25P03", "40P01"])
    expect(fromPostgresError(stated(code))).toBeInstanceOf(DatabaseUnavailable);
  expect(fromPostgresError(new Error("Connection terminated unexpectedly"))).toBeInstanceOf(
    DatabaseUnavailable,
  );
  const type = new TypeError("no");
  expect(fromPostgresError(type)).toBe(type);
  const constraint = Object.assign(new Error("no"), { errcode: 2067 });
  expect(fromSqliteError(constraint)).toBe(constraint);
  expect(fromSqliteError(type)).toBe(type);
  // SQLITE_IOERR_FSYNC
  expect(fromSqliteError(Object.assign(new Error("no"), { errcode: 1034 }))).toBeInstanceOf(
    DatabaseUnavailable,
  );
});
