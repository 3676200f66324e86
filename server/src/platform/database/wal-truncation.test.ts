import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
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
