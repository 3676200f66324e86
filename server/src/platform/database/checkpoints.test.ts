import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Checkpoints } from "./checkpoints.ts";
import type { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";

let dataDir: string;
let db: Database;
let file: string;
/** A look at the log from outside. */
let beside: DatabaseSync;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "plumb-checkpoints-"));
  file = join(dataDir, "plumb.db");
  db = await openDatabase({ databaseUrl: null, dataDir }, pino({ level: "silent" }));
  beside = new DatabaseSync(file);
});
afterEach(async () => {
  if (beside.isOpen) beside.close();
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const logOf = (connection: DatabaseSync) =>
  connection.prepare("pragma wal_checkpoint(noop)").get() as { log: number; checkpointed: number };

/** One statement that makes the log longer by about so many pages. */
const write = (pages: number) =>
  sql`insert into users (id, email, created_at)
    select lower(hex(randomblob(16))), hex(zeroblob(1900)) || lower(hex(randomblob(16))), 0
    from json_each(${JSON.stringify(Array.from({ length: pages }, () => 0))})`.execute(db.kysely);

test("a commit moves nothing into the file; a thread does so beside, and nothing is lost", async () => {
  const size = statSync(file).size;
  await write(3000);
  expect(logOf(beside).log).toBeGreaterThan(3000);
  expect(logOf(beside).checkpointed).toBe(0);
  expect(statSync(file).size).toBe(size);
  // The product looks at every sixteenth use.
  await expect
    .poll(async () => {
      await db.ping();
      const { log, checkpointed } = logOf(beside);
      return log - checkpointed;
    })
    .toBe(0);
  expect(statSync(file).size).toBeGreaterThan(size + 3000 * 4096);
  // The next write begins the log anew.
  await write(1);
  expect(logOf(beside).log).toBeLessThan(100);

  beside.close();
  await db.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  db = await openDatabase({ databaseUrl: null, dataDir }, pino({ level: "silent" }));
  const stored = await db.kysely
    .selectFrom("users")
    .select(({ fn }) => fn.countAll<number>().as("users"))
    .execute();
  expect(stored).toEqual([{ users: 3001 }]);
});

test("the log begins anew, however steadily somebody writes", async () => {
  let before = 0;
  let anew = 0;
  while (anew < 3) {
    await write(8);
    await nextTurn();
    const { log } = logOf(beside);
    if (log < before) anew += 1;
    before = log;
  }
  const { busy, ...whole } = beside.prepare("pragma wal_checkpoint(passive)").get() as Record<string, number>;
  expect(busy).toBe(0);
  expect(whole["checkpointed"]).toBe(whole["log"]);
});

test("a thread that cannot do it is complained of once, and keeps nobody from writing", async () => {
  const connection = new DatabaseSync(join(dataDir, "other.db"));
  connection.exec("pragma journal_mode = wal; create table t (x)");
  const said: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => said.push(line) });
  const checkpoints = new Checkpoints({
    file: join(dataDir, "not-there", "other.db"),
    connection,
    log,
    alone: (work) => work(),
  });
  connection.exec("begin");
  const insert = connection.prepare("insert into t values (zeroblob(4000))");
  for (let row = 0; row < 2000; row += 1) insert.run();
  connection.exec("commit");
  const use = () => {
    for (let times = 0; times < 16; times += 1) checkpoints.used();
  };
  use();
  await expect.poll(() => said.length).toBe(1);
  expect(said[0]).toContain("cannot be moved into its file");
  use();
  await checkpoints.close();
  insert.run();
  expect(said).toHaveLength(1);
  connection.close();
});

/** True while one of the files has it. */
const isSaid = (word: string) =>
  [file, `${file}-wal`].some((path) => existsSync(path) && readFileSync(path).includes(word));
const say = (word: string) =>
  sql`insert into users (id, email, created_at) values (${word}, ${word}, 0)`.execute(db.kysely);
const unsay = (word: string) => db.kysely.deleteFrom("users").where("id", "=", word).execute();

test("what was deleted stands in neither file soon, also where a reader holds the log for a while", async () => {
  await say("a-word-that-goes");
  await say("a-word-that-stays");
  beside.exec("begin");
  beside.prepare("select count(*) from users").get();
  await unsay("a-word-that-goes");
  expect(isSaid("a-word-that-goes")).toBe(true);
  // So long that the first try finds the reader.
  await wait(3000);
  beside.exec("commit");
  await expect.poll(() => isSaid("a-word-that-goes"), { timeout: 30_000 }).toBe(false);
  expect(isSaid("a-word-that-stays")).toBe(true);
  expect(statSync(`${file}-wal`).size).toBe(0);
  await say("a-word-that-follows");
  expect(await db.kysely.selectFrom("users").select("id").orderBy("id").execute()).toEqual([
    { id: "a-word-that-follows" },
    { id: "a-word-that-stays" },
  ]);
}, 60_000);

test("what a process had deleted before it died stands in neither file soon after the next start", async () => {
  await say("a-word-that-goes");
  await unsay("a-word-that-goes");
  const [left, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
  beside.close();
  await db.close();
  writeFileSync(file, left);
  writeFileSync(`${file}-wal`, log);
  expect(isSaid("a-word-that-goes")).toBe(true);
  db = await openDatabase({ databaseUrl: null, dataDir }, pino({ level: "silent" }));
  await expect.poll(() => isSaid("a-word-that-goes"), { timeout: 30_000 }).toBe(false);
}, 60_000);

/** Commits rows of 64 KB, numbered from its first argument, and tells the number of each after its commit. */
const program = `
  import { sql } from "kysely";
  import { writeSync } from "node:fs";
  import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
  import { pino } from "pino";
  const { openDatabase } = await import(${JSON.stringify(new URL("open-database.ts", import.meta.url).href)});
  const [dataDir, first] = process.argv.slice(1);
  const db = await openDatabase({ databaseUrl: null, dataDir }, pino({ level: "silent" }));
  for (let n = Number(first); ; n += 1) {
    await sql\`insert into users (id, email, created_at) values (\${n}, \${n + "x".repeat(65536)}, 0)\`.execute(db.kysely);
    writeSync(1, n + "\\n");
    await nextTurn();
  }`;

test("a process killed while the thread works loses nothing that was committed", async () => {
  beside.close();
  await db.close();
  let last = 0;
  for (const rows of [70, 150, 400]) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", program, dataDir, String(last + 1)], {
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let told = "";
    const until = last + rows;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      told += text;
      // A line may be cut where it was read.
      if (Number(told.split("\n").at(-2) ?? 0) >= until) child.kill("SIGKILL");
    });
    await once(child, "close");
    last = Number(told.split("\n").at(-2));
    expect(last).toBeGreaterThanOrEqual(until);
    const left = new DatabaseSync(file);
    expect(left.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
    const stored = left.prepare("select count(*) as rows, max(cast(id as integer)) as last from users").get();
    left.close();
    // The one under way when it was killed may be there as well.
    const { rows: count, last: greatest } = stored as { rows: number; last: number };
    expect(count).toBe(greatest);
    expect([last, last + 1]).toContain(greatest);
    last = greatest;
  }
  db = await openDatabase({ databaseUrl: null, dataDir }, pino({ level: "silent" }));
});
