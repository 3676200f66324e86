// The server is killed in the middle of uploads and of reading what was uploaded: no file that was acknowledged is lost, none is
// half, nothing is left of one that was not, and each is read once in its effect.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { createFolderObjectStore } from "../../server/src/adapters/object-store/folder-object-store.ts";
import { checkFiles } from "../../server/src/operator/check-files.ts";
import type { Database } from "../../server/src/platform/database/database.ts";
import { openSqlite } from "../../server/src/platform/database/open-sqlite.ts";
import { ConnectionLost } from "../support/http-call.ts";
import { LoadClient } from "../support/load-client.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { ServerProcess } from "../support/server-process.ts";
import { filesNow, shownText, type Upload, uploadSlowly } from "../support/upload-file.ts";
import { type Replicas, startReplicas } from "./replicas.ts";
import { type Random, seededRandom, seedOfRun } from "./seeded-random.ts";

const long = process.env["TEST_LONG"] === "1";
const cycles = Number(process.env["PLUMB_CYCLES"] ?? (long ? 20 : 4));
const people = 3;
const uploadsOfEach = 3;
const seed = seedOfRun();

/** Asked for, and what was answered: null = the connection was lost. */
interface Sent {
  client: LoadClient;
  upload: Upload;
  file: FileInfo | null;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
let made = 0;

/** A text that no other file has and every budget has room for, in one piece or slowly. */
function newUpload(random: Random): Upload {
  const name = `file-${++made}.txt`;
  const line = `${name} ${random.next()} 一些文字\n`;
  const slow = random.chance(0.6);
  const lines = Math.ceil(random.between(1, slow ? 1500 : 200));
  return {
    name,
    content: Buffer.from(line.repeat(lines)),
    pieces: slow ? Math.ceil(random.between(5, 30)) : 1,
    paceMs: slow ? random.between(5, 40) : 0,
  };
}

/** Uploads of one person after the other. An upload whose answer is lost is not made again. */
async function load(client: LoadClient, random: Random, sent: Sent[]): Promise<void> {
  await sleep(random.between(0, 300));
  for (let count = 0; count < uploadsOfEach; count += 1) {
    const entry: Sent = { client, upload: newUpload(random), file: null };
    sent.push(entry);
    try {
      entry.file = await uploadSlowly(client, entry.upload);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      return;
    }
  }
}

const isUnfinished = ({ status }: FileInfo) => status === "PENDING" || status === "PARSING";
const idsOf = (sent: readonly Sent[]) => sent.flatMap(({ file }) => file?.id ?? []);

/** Waits until all that was acknowledged has been read, and tells what is wrong with it. */
async function verify(sent: readonly Sent[], db: Database, dataDir: string): Promise<string[]> {
  const problems: string[] = [];
  for (const { client, upload, file } of sent) {
    if (file === null) continue;
    let now: FileInfo | undefined;
    do {
      [now] = await filesNow(client, [file.id]);
      if (now !== undefined && isUnfinished(now)) await sleep(50);
    } while (now !== undefined && isUnfinished(now));
    if (now === undefined) problems.push(`${upload.name} was acknowledged and is gone`);
    else if (now.status !== "SUCCESS")
      problems.push(`${upload.name} ended as ${now.status} ${now.error_code}`);
    else if ((await shownText(client, file.id)) !== upload.content.toString())
      problems.push(`${upload.name} is not whole`);
  }
  // One whose answer was lost may be there, whole, or not at all.
  const names = new Map(sent.map(({ upload }) => [upload.name, upload]));
  for (const row of await db.kysely.selectFrom("files").select(["name", "bytes", "status"]).execute()) {
    const upload = names.get(row.name);
    if (upload !== undefined && row.status !== "UPLOADING" && row.bytes !== upload.content.length) {
      problems.push(`${row.name} has ${row.bytes} bytes of ${upload.content.length}`);
    }
  }
  const store = createFolderObjectStore(join(dataDir, "objects"));
  await expect
    .poll(async () => db.kysely.selectFrom("jobs").select(["subject", "kind"]).execute(), { timeout: 30_000 })
    .toEqual([]);
  const { violations } = await checkFiles(db, store);
  return [...problems, ...violations.map(({ where, what }) => `${where}: ${what}`)];
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startUpstream(): Promise<ScriptedUpstream> {
  const upstream = await startScriptedUpstream({ scripts: [{ tokens: 5 }] });
  closing.push(() => upstream.close());
  return upstream;
}
async function signUp(origin: () => string, codeFor: (email: string) => string): Promise<LoadClient[]> {
  const clients = await Promise.all(Array.from({ length: people }, () => LoadClient.signUp(origin, codeFor)));
  closing.push(async () => clients.forEach((client) => client.close()));
  return clients;
}

test(
  `${cycles} kills in the middle of uploads and readings lose no acknowledged file and leave nothing of others`,
  { timeout: 60_000 + cycles * 30_000 },
  async () => {
    console.log(`file kills: seed ${seed} (PLUMB_SEED)`);
    const random = seededRandom(seed);
    const upstream = await startUpstream();
    const server = await ServerProcess.start({ MODEL_BASE_URL: upstream.url, LOG_LEVEL: "warn" });
    closing.push(async () => {
      await server.kill9();
      rmSync(server.dataDir, { recursive: true, force: true });
    });
    const clients = await signUp(
      () => server.origin,
      (email) => server.codeFor(email),
    );
    const totals = { cut: 0, unread: 0, acknowledged: 0 };
    const settled = new Map<string, FileInfo>();
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const sent: Sent[] = [];
      const loads = clients.map((client) => load(client, random, sent));
      await sleep(random.between(300, 1200));
      await server.kill9();
      await Promise.all(loads);
      const db = openSqlite({ dataDir: server.dataDir, log: pino({ level: "silent" }), exclusive: false });
      try {
        const statuses = await db.kysely.selectFrom("files").select("status").execute();
        totals.unread += statuses.filter(({ status }) => status === "PENDING" || status === "PARSING").length;
        await server.restart();
        // What the dead process had under way is gone, or was taken up.
        const incoming = join(server.dataDir, "objects", "incoming");
        expect(existsSync(incoming) ? readdirSync(incoming) : [], `seed ${seed}, cycle ${cycle}`).toEqual([]);
        const problems = await verify(sent, db, server.dataDir);
        expect(problems, `seed ${seed}, cycle ${cycle}\n${server.output.slice(-3000)}`).toEqual([]);
      } finally {
        await db.close();
      }
      totals.cut += sent.filter(({ file }) => file === null).length;
      totals.acknowledged += idsOf(sent).length;
      for (const client of clients) {
        const own = sent.filter((one) => one.client === client);
        for (const file of await filesNow(client, idsOf(own))) settled.set(file.id, file);
      }
    }
    // Read once in its effect: what had ended never changed again.
    const last = await Promise.all(
      clients.map((client) => filesNow(client, [...settled.keys()].slice(-100))),
    );
    for (const file of last.flat()) expect(settled.get(file.id)).toEqual(file);
    // A run that hit nothing has proved nothing.
    expect(totals.cut).toBeGreaterThan(0);
    expect(totals.unread).toBeGreaterThan(0);
    console.log(
      `file kills: ${cycles} kills, ${totals.acknowledged} files acknowledged, ${totals.cut} uploads cut, ` +
        `${totals.unread} found unread`,
    );
  },
);

const handovers = Number(process.env["PLUMB_CYCLES"] ?? (long ? 20 : 2));

test(
  `${handovers} kills of one of two replicas: the other one ends its uploads and goes on with its readings`,
  { timeout: 120_000 + handovers * 40_000 },
  async () => {
    console.log(`file kills of replicas: seed ${seed} (PLUMB_SEED)`);
    const random = seededRandom(seed);
    const upstream = await startUpstream();
    const replicas: Replicas = await startReplicas(upstream, 2);
    closing.push(() => replicas.close());
    const clients = await signUp(() => replicas.servers[0]?.origin ?? "", replicas.codeFor);
    const totals = { cut: 0, held: 0, acknowledged: 0 };
    for (let cycle = 0; cycle < handovers; cycle += 1) {
      const [dying, staying] = cycle % 2 === 0 ? replicas.servers : replicas.servers.toReversed();
      if (dying === undefined || staying === undefined) throw new Error("There are no replicas.");
      const sent: Sent[] = [];
      const loads = clients.map((client) =>
        load(
          client.at(() => dying.origin),
          random,
          sent,
        ),
      );
      await sleep(random.between(300, 1200));
      await dying.kill9();
      await Promise.all(loads);
      const elsewhere = sent.map((one) => ({ ...one, client: one.client.at(() => staying.origin) }));
      const held = await replicas.db.kysely
        .selectFrom("jobs")
        .select("kind")
        .where("owner", "<>", "")
        .execute();
      const problems = await verify(elsewhere, replicas.db, staying.dataDir);
      expect(problems, `seed ${seed}, cycle ${cycle}\n${staying.output.slice(-3000)}`).toEqual([]);
      totals.cut += sent.filter(({ file }) => file === null).length;
      totals.held += held.length;
      totals.acknowledged += idsOf(sent).length;
      await dying.restart();
    }
    // What was read half is cleared away by whoever read it again, not later.
    const scratch = join(replicas.servers[0]?.dataDir ?? "", "scratch");
    expect(existsSync(scratch) ? readdirSync(scratch) : []).toEqual([]);
    expect(totals.cut).toBeGreaterThan(0);
    console.log(
      `file kills of replicas: ${handovers} kills, ${totals.acknowledged} files acknowledged, ${totals.cut} uploads cut, ` +
        `${totals.held} jobs held when one died`,
    );
  },
);
