// The server is killed in the middle of imports: each goes on where it was, every conversation is there once and whole, and
// nothing is left of what was being made. On PostgreSQL another replica goes on with it.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beginImport, type ImportStatus, lastImport } from "@plumb/protocol/wire/imports";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { createFolderObjectStore } from "../../server/src/adapters/object-store/folder-object-store.ts";
import { checkFiles } from "../../server/src/operator/check-files.ts";
import { checkInvariants } from "../../server/src/operator/check-invariants.ts";
import type { Database } from "../../server/src/platform/database/database.ts";
import { openSqlite } from "../../server/src/platform/database/open-sqlite.ts";
import { LoadClient } from "../support/load-client.ts";
import { startScriptedUpstream } from "../support/scripted-upstream.ts";
import { ServerProcess } from "../support/server-process.ts";
import { uploadTo } from "../support/upload-file.ts";
import { startReplicas } from "./replicas.ts";
import { type Random, seededRandom, seedOfRun } from "./seeded-random.ts";

const long = process.env["TEST_LONG"] === "1";
const cycles = Number(process.env["PLUMB_CYCLES"] ?? (long ? 20 : 2));
const replicaCycles = long ? 5 : 1;
const sessions = 100;
const seed = seedOfRun();
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const settings = { LOG_LEVEL: "warn", RATE_LIMITS: "off" };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** How many messages the nth conversation has: some take several pieces. */
const lengthOf = (n: number) => (n % 20 === 0 ? 140 : 4);

/** An export of ChatGPT that takes a while. */
function exportOf(cycle: number): Buffer {
  const words = "What was said, at some length. 一些文字。".repeat(30);
  const all = Array.from({ length: sessions }, (_none, n) => ({
    title: `Talk ${n}`,
    create_time: 1_700_000_000 + n,
    update_time: 1_700_000_000 + n,
    conversation_id: `${cycle}-${n}`,
    current_node: `m${lengthOf(n) - 1}`,
    mapping: Object.fromEntries(
      Array.from({ length: lengthOf(n) }, (_nothing, m) => [
        `m${m}`,
        {
          parent: m === 0 ? null : `m${m - 1}`,
          message: {
            author: { role: m % 2 === 0 ? "user" : "assistant" },
            create_time: 1_700_000_000 + n,
            content: { content_type: "text", parts: [`${n} ${m} ${words}`] },
          },
        },
      ]),
    ),
  }));
  return Buffer.from(JSON.stringify(all));
}

async function ended(client: LoadClient): Promise<ImportStatus> {
  for (;;) {
    const status = (await client.must(lastImport.path)) as unknown as ImportStatus;
    if (status.status !== "QUEUED" && status.status !== "RUNNING") return status;
    await sleep(100);
  }
}

/** What is there of a user's conversations: each title with the number of its messages, in the order of their times. */
async function stored(db: Database): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("sessions")
    .innerJoin("messages", "messages.session_id", "sessions.id")
    .select(({ fn }) => ["sessions.id", "sessions.title", fn.countAll<number>().as("count")])
    .where("sessions.deleted_at", "is", null)
    .groupBy(["sessions.id", "sessions.title", "sessions.seq_id"])
    .orderBy("sessions.seq_id")
    .execute();
  return rows.map(({ title, count }) => `${title} ${Number(count)}`);
}

const expected = Array.from({ length: sessions }, (_none, n) => `Talk ${n} ${lengthOf(n)}`);

async function sendExport(client: LoadClient, cycle: number): Promise<void> {
  const upload = { name: "conversations.json", content: exportOf(cycle), pieces: 1, paceMs: 0 };
  await uploadTo(client, beginImport.path, upload);
}

/** How many conversations are there when the import is killed: between none and all, where the kill hits its middle. */
async function waitForSome(db: Database, random: Random): Promise<number> {
  const enough = Math.floor(random.between(0, sessions * 0.8));
  for (;;) {
    const row = await db.kysely.selectFrom("imports").select(["sessions_done", "status"]).executeTakeFirst();
    if (row === undefined || row.sessions_done >= enough || row.status === "FINISHED")
      return row?.sessions_done ?? 0;
    await sleep(5);
  }
}

/** Checks what the import came to, and takes it away again. */
async function verify(client: LoadClient, db: Database, dataDir: string, told: string): Promise<void> {
  expect(await ended(client), told).toMatchObject({
    status: "FINISHED",
    kind: "chatgpt",
    sessions_total: sessions,
    sessions_done: sessions,
    sessions_skipped: 0,
  });
  expect(await stored(db), told).toEqual(expected);
  await expect
    .poll(async () => db.kysely.selectFrom("jobs").select(["subject", "kind"]).execute(), { timeout: 30_000 })
    .toEqual([]);
  expect((await checkInvariants(db)).violations, told).toEqual([]);
  const store = createFolderObjectStore(join(dataDir, "objects"));
  expect(await checkFiles(db, store), told).toMatchObject({ objects: 0, violations: [] });
  expect(readdirSync(join(dataDir, "scratch")), told).toEqual([]);
  expect(await db.kysely.selectFrom("session_copies").selectAll().execute(), told).toEqual([]);
  await client.must("/api/v0/chat_session/delete_all", {});
  expect(await db.kysely.selectFrom("imported").selectAll().execute(), told).toEqual([]);
  expect(await db.kysely.selectFrom("imports").selectAll().execute(), told).toEqual([]);
}

test(
  `${cycles} kills in the middle of an import: every conversation is there once, and whole`,
  { timeout: 60_000 + cycles * 60_000 },
  async () => {
    console.log(`import kills: seed ${seed} (PLUMB_SEED)`);
    const random = seededRandom(seed);
    const upstream = await startScriptedUpstream({ scripts: [{ tokens: 5 }] });
    closing.push(() => upstream.close());
    const server = await ServerProcess.start({ MODEL_BASE_URL: upstream.url, ...settings });
    closing.push(async () => {
      await server.kill9();
      rmSync(server.dataDir, { recursive: true, force: true });
    });
    const client = await LoadClient.signUp(
      () => server.origin,
      (email) => server.codeFor(email),
    );
    closing.push(async () => client.close());
    const db = openSqlite({ dataDir: server.dataDir, log: pino({ level: "silent" }), exclusive: false });
    closing.push(() => db.close());
    let cut = 0;
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      await sendExport(client, cycle);
      await waitForSome(db, random);
      await server.kill9();
      const done = (await stored(db)).length;
      if (done > 0 && done < sessions) cut += 1;
      await server.restart();
      await verify(client, db, server.dataDir, `seed ${seed}, cycle ${cycle}, ${done} were done`);
    }
    // A run that hit nothing has proved nothing.
    expect(cut).toBeGreaterThan(0);
    console.log(`import kills: ${cut} of ${cycles} cut in the middle`);
  },
);

test(
  `${replicaCycles} times another replica goes on with an import whose server was killed`,
  { timeout: 90_000 + replicaCycles * 60_000 },
  async () => {
    const random = seededRandom(seed + 1);
    const upstream = await startScriptedUpstream({ scripts: [{ tokens: 5 }] });
    closing.push(() => upstream.close());
    const replicas = await startReplicas(upstream, 2, settings);
    closing.push(() => replicas.close());
    const { servers, db } = replicas;
    let living = servers[0] as ServerProcess;
    const client = await LoadClient.signUp(
      () => living.origin,
      (email) => replicas.codeFor(email),
    );
    closing.push(async () => client.close());
    for (let cycle = 1; cycle <= replicaCycles; cycle += 1) {
      await sendExport(client, cycle);
      await waitForSome(db, random);
      const job = db.kysely.selectFrom("jobs").select("owner").where("kind", "=", "import-run");
      // Whoever takes the upload begins with it, a moment later.
      await expect
        .poll(async () => (await job.executeTakeFirst())?.owner, { message: `seed ${seed}, cycle ${cycle}` })
        .toBeTruthy();
      const [one, other] = cycle % 2 === 1 ? servers : servers.toReversed();
      await one?.kill9();
      living = other as ServerProcess;
      await verify(client, db, one?.dataDir ?? "", `seed ${seed}, cycle ${cycle}`);
      await one?.restart();
    }
  },
);
