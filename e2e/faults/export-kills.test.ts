// The server is killed while it writes an export, and while it deletes all history: the export is whole in the end, and so is
// the deletion; nothing is left of what the dead had written.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { createFolderObjectStore } from "../../server/src/adapters/object-store/folder-object-store.ts";
import { checkFiles } from "../../server/src/operator/check-files.ts";
import type { Database } from "../../server/src/platform/database/database.ts";
import { openSqlite } from "../../server/src/platform/database/open-sqlite.ts";
import { readZip } from "../../server/test/read-zip.ts";
import { ConnectionLost } from "../support/http-call.ts";
import { LoadClient } from "../support/load-client.ts";
import { startScriptedUpstream } from "../support/scripted-upstream.ts";
import { ServerProcess } from "../support/server-process.ts";
import { seededRandom, seedOfRun } from "./seeded-random.ts";

const cycles = Number(process.env["PLUMB_CYCLES"] ?? (process.env["TEST_LONG"] === "1" ? 20 : 2));
const sessions = 600;
const messages = 20;
const seed = seedOfRun();
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** As many sessions as take a while, beside the running server. */
async function fill(db: Database, userId: string, cycle: number): Promise<void> {
  const id = (n: number) => `${String(cycle).padStart(8, "0")}-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const numbers = Array.from({ length: sessions }, (_none, n) => n);
  const content = "What was said, at some length. ".repeat(20);
  for (let from = 0; from < sessions; from += 20) {
    const some = numbers.slice(from, from + 20);
    await db.transaction(async (trx) => {
      await trx
        .insertInto("sessions")
        .values(
          some.map((n) => ({
            id: id(n),
            user_id: userId,
            seq_id: cycle * 100_000 + n,
            agent: "chat",
            character_id: null,
            title: `Session ${n}`,
            title_type: "USER",
            version: 1,
            current_message_id: messages,
            last_message_id: messages,
            inserted_at: 1,
            updated_at: 1,
            deleted_at: null,
            pinned_at: null,
          })),
        )
        .execute();
      for (const n of some) {
        await trx
          .insertInto("messages")
          .values(
            Array.from({ length: messages }, (_none, index) => ({
              session_id: id(n),
              message_id: index + 1,
              user_id: userId,
              parent_id: index === 0 ? null : index,
              role: index % 2 === 0 ? "USER" : "ASSISTANT",
              status: "FINISHED",
              fragments: JSON.stringify([
                {
                  id: 1,
                  type: index % 2 === 0 ? "REQUEST" : "RESPONSE",
                  content: `${n} ${index} ${content}`,
                },
              ]),
              files: "[]",
              thinking_enabled: 0,
              search_enabled: 0,
              ban_regenerate: 0,
              ban_edit: 0,
              inserted_at: 1,
              last_event_id: 0,
              feedback: null,
              accumulated_token_usage: null,
              client_stream_id: null,
            })),
          )
          .execute();
      }
    });
  }
}

test(
  `${cycles} kills in the middle of an export and of deleting all history: both are whole in the end`,
  { timeout: 60_000 + cycles * 60_000 },
  async () => {
    console.log(`export kills: seed ${seed} (PLUMB_SEED)`);
    const random = seededRandom(seed);
    const upstream = await startScriptedUpstream({ scripts: [{ tokens: 5 }] });
    closing.push(() => upstream.close());
    const server = await ServerProcess.start({ MODEL_BASE_URL: upstream.url, LOG_LEVEL: "warn" });
    closing.push(async () => {
      await server.kill9();
      rmSync(server.dataDir, { recursive: true, force: true });
    });
    const client = await LoadClient.signUp(
      () => server.origin,
      (email) => server.codeFor(email),
    );
    closing.push(async () => client.close());
    const store = createFolderObjectStore(join(server.dataDir, "objects"));
    let [cutExports, cutDeletions] = [0, 0];

    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const told = `seed ${seed}, cycle ${cycle}`;
      const db = openSqlite({ dataDir: server.dataDir, log: pino({ level: "silent" }), exclusive: false });
      try {
        const { id: userId } = await db.kysely.selectFrom("users").select("id").executeTakeFirstOrThrow();
        await fill(db, userId, cycle);
        const live = async () =>
          (
            await db.kysely
              .selectFrom("sessions")
              .select("id")
              .where("deleted_at", "is", null)
              .where("current_message_id", "is not", null)
              .execute()
          ).length;
        const noJobs = async () =>
          await expect
            .poll(async () => db.kysely.selectFrom("jobs").select(["subject", "kind"]).execute(), {
              timeout: 30_000,
            })
            .toEqual([]);

        await client.must("/api/v0/export_all", {});
        await sleep(random.between(5, 100));
        await server.kill9();
        const writing = await db.kysely
          .selectFrom("exports")
          .select("status")
          .where("removed_at", "is", null)
          .execute();
        if (writing[0]?.status !== "FINISHED") cutExports += 1;
        await server.restart();
        await noJobs();
        const status = await client.must("/api/v0/download_export_history");
        expect(status, told).toMatchObject({
          status: "FINISHED",
          sessions_done: sessions,
          sessions_total: sessions,
        });
        const { violations } = await checkFiles(db, store);
        expect(violations, told).toEqual([]);
        expect(readdirSync(join(server.dataDir, "objects", "incoming")), told).toEqual([]);
        const row = await db.kysely.selectFrom("exports").select("object_key").executeTakeFirstOrThrow();
        await store.withFile(row.object_key ?? "", async (path) => {
          const zip = await readZip(path);
          expect([...zip.keys()], told).toHaveLength(sessions + 2);
          const found = JSON.parse(zip.get("sessions.json") ?? "") as { chat_messages: unknown[] }[];
          expect(found.map((one) => one.chat_messages.length)).toEqual(
            Array.from({ length: sessions }, () => messages),
          );
        });

        const deletion = client.call("/api/v0/chat_session/delete_all", {}).catch((error: unknown) => error);
        await sleep(random.between(10, 150));
        await server.kill9();
        const answer = await deletion;
        const left = await live();
        if (answer instanceof ConnectionLost && left > 0 && left < sessions) cutDeletions += 1;
        const begun = (await db.kysely.selectFrom("jobs").selectAll().execute()).length > 0;
        await server.restart();
        await noJobs();
        if (begun || !(answer instanceof ConnectionLost)) expect(await live(), told).toBe(0);
        else await client.must("/api/v0/chat_session/delete_all", {});
        expect(await db.kysely.selectFrom("messages").select("message_id").execute(), told).toEqual([]);
        await noJobs();
        expect(await db.kysely.selectFrom("exports").selectAll().execute(), told).toEqual([]);
      } finally {
        await db.close();
      }
    }
    // A run that hit nothing has proved nothing.
    expect(cutExports).toBeGreaterThan(0);
    console.log(
      `export kills: ${cutExports} exports and ${cutDeletions} deletions cut in the middle, of ${cycles} each`,
    );
  },
);
