import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { administer, withDatabase } from "../../../test/postgres.ts";
import { engines, openTestDatabase } from "../../../test/test-databases.ts";
import { StartError } from "../start-error.ts";
import { migrate } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";

const log = pino({ level: "silent" });

describe("the embedded database", () => {
  let root: string;
  let dataDir: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "plumb-open-"));
    dataDir = root;
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const open = (exclusive = true) => openDatabase({ databaseUrl: null, dataDir }, log, { exclusive });
  const problem = async (): Promise<string> => {
    const error: unknown = await open().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartError);
    return (error as Error).message;
  };

  test("is durable at every commit, in a folder it makes", async () => {
    dataDir = join(root, "deeper", "data");
    const db = await open();
    const file = new DatabaseSync(join(dataDir, "plumb.db"));
    expect(file.prepare("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
    file.close();
    await db.close();
  });

  test.each([
    ["missing", (file: string) => rmSync(file)],
    ["empty", (file: string) => writeFileSync(file, "")],
  ])("that is %s beside its log is not opened as an empty one", async (state, spoil) => {
    const file = join(dataDir, "plumb.db");
    const program = `const { DatabaseSync } = await import("node:sqlite");
      const db = new DatabaseSync(process.argv[1]);
      db.exec("pragma journal_mode = wal; create table kept (x); insert into kept values (1)");
      process.kill(process.pid, "SIGKILL");`;
    spawnSync(process.execPath, ["--input-type=module", "-e", program, file]);
    const saved = readFileSync(file);
    spoil(file);
    const log = readFileSync(`${file}-wal`);
    expect(await problem()).toBe(
      `The database file ${file} is ${state}, but its log ${file}-wal is there. Put the database back beside it; ` +
        "or move the log away to begin with an empty database. Nothing was changed.",
    );
    expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);
    writeFileSync(file, saved);
    const opened = await open();
    expect((await sql<{ x: number }>`select x from kept`.execute(opened.kysely)).rows).toEqual([{ x: 1 }]);
    await opened.close();
  });

  test("refuses a second server on the same folder with a sentence, not a command beside it", async () => {
    const first = await open();
    expect(await problem()).toBe(
      `Another server already runs on the data folder ${dataDir}. Stop it, or choose another folder with DATA_DIR.`,
    );
    const beside = await open(false);
    await beside.ping();
    await beside.close();
    await first.close();
    await (await open()).close();
  });

  test("is free again when its server is killed", async () => {
    const lock = new URL("process-lock.ts", import.meta.url).href;
    const program = `const { lockDataFolder } = await import(${JSON.stringify(lock)});
      lockDataFolder(process.argv[1]); console.log("held"); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program, dataDir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    expect(await problem()).toContain("Another server already runs");
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    await (await open()).close();
  });

  test("says when its lock cannot be used", async () => {
    mkdirSync(join(dataDir, "lock.db"));
    expect(await problem()).toMatch(/^The lock file .*lock\.db cannot be used/u);
  });

  test("leaves a file alone that is no database", async () => {
    const file = join(dataDir, "plumb.db");
    const content = "this was somebody's letter ".repeat(100);
    writeFileSync(file, content);
    expect(await problem()).toMatch(/^The database file .*plumb\.db cannot be used .*Nothing was changed/u);
    expect(readFileSync(file, "utf8")).toBe(content);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  test("leaves a damaged database alone", async () => {
    const file = join(dataDir, "plumb.db");
    await (await open()).close();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 100, 4096);
    writeFileSync(file, bytes);
    expect(await problem()).toContain("cannot be used");
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test("says when the folder cannot be made", async () => {
    writeFileSync(join(root, "file"), "");
    dataDir = join(root, "file", "data");
    expect(await problem()).toContain(`The data folder ${dataDir} cannot be made`);
  });
});

describe.each(engines)("migrations on %s", (engine) => {
  test("are applied once", async () => {
    const opened = await openTestDatabase(engine);
    expect(await migrate(opened.db)).toEqual([]);
    await opened.close();
  });

  test("of a newer version stop the start with a sentence and change nothing", async () => {
    const opened = await openTestDatabase(engine);
    const names = () =>
      opened.db.kysely
        .withTables<{ schema_migrations: { name: string; applied_at: number } }>()
        .selectFrom("schema_migrations")
        .select("name")
        .orderBy("name")
        .execute();
    await opened.db.kysely
      .withTables<{ schema_migrations: { name: string; applied_at: number } }>()
      .insertInto("schema_migrations")
      .values({ name: "9999-from-tomorrow", applied_at: 1 })
      .execute();
    const before = await names();
    await expect(opened.openAnother()).rejects.toThrow(
      /newer version.*9999-from-tomorrow.*Nothing was changed/u,
    );
    expect(await names()).toEqual(before);
    await opened.close();
  });
});

test("replicas that start together on an empty PostgreSQL migrate it once", async () => {
  const server = inject("postgresUrl");
  await administer(server, "create database plumb_test_together");
  const databaseUrl = withDatabase(server, "plumb_test_together");
  try {
    const replicas = await Promise.all(
      [1, 2, 3].map(() => openDatabase({ databaseUrl, dataDir: "/nowhere" }, log)),
    );
    for (const replica of replicas) {
      expect(await migrate(replica)).toEqual([]);
      await replica.close();
    }
  } finally {
    await administer(server, "drop database plumb_test_together with (force)");
  }
});

test("a PostgreSQL that cannot be reached is told in one sentence, without the password", async () => {
  const error: unknown = await openDatabase(
    { databaseUrl: "postgres://plumb:hunter2@127.0.0.1:1/plumb", dataDir: "/nowhere" },
    log,
  ).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toMatch(
    /^The database named by DATABASE_URL cannot be reached: .*ECONNREFUSED/u,
  );
  expect((error as Error).message).not.toContain("hunter2");
});
