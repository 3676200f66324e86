// A real server with a scripted model, as the conformance suite wants it: on SQLite, or one or three on PostgreSQL.
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pino } from "pino";
import {
  conformanceSettings,
  type ConformanceTarget,
  type MarkedPrompt,
  markedPrompts,
  plainAnswer,
} from "../../server/test/conformance/conformance-target.ts";
import { openDatabase } from "../../server/src/platform/database/open-database.ts";
import { startPostgres } from "../../server/test/postgres.ts";
import { startBalancer } from "../support/balancer.ts";
import type { Script } from "../support/scripted-script.ts";
import { startScriptedUpstream } from "../support/scripted-upstream.ts";
import { newDataDir, ServerProcess, type Settings } from "../support/server-process.ts";

const run = promisify(execFile);
const operator = fileURLToPath(new URL("../../server/src/operator.ts", import.meta.url));

export interface ConformanceStack extends ConformanceTarget {
  close(): Promise<void>;
}

function scriptOf({ mark, answer, thought, holdAt, breakAt, status, finishReason }: MarkedPrompt): Script {
  return {
    match: { user: mark, kind: ["answer", "continuation"] },
    answer,
    ...(thought === undefined ? {} : { reasoning: thought }),
    ...(holdAt === undefined ? {} : { fault: { kind: "stall" as const, at: holdAt } }),
    ...(breakAt === undefined ? {} : { fault: { kind: "error_object" as const, at: breakAt } }),
    ...(status === undefined ? {} : { refusal: { kind: "http" as const, status } }),
    ...(finishReason === undefined ? {} : { finishReason }),
    paceMs: 0,
  };
}

/** `servers` 0: one on SQLite; else so many on one PostgreSQL, three of them behind a round-robin balancer. */
export async function startConformanceStack(servers: 0 | 1 | 3): Promise<ConformanceStack> {
  const upstream = await startScriptedUpstream({
    scripts: [
      { answer: plainAnswer, paceMs: 0 },
      ...markedPrompts.map(scriptOf),
      { match: { kind: "title" }, answer: "A title", paceMs: 0 },
    ],
  });
  const postgres = servers === 0 ? null : await startPostgres();
  const dataDir = newDataDir();
  const settings: Settings = {
    ...conformanceSettings,
    MODEL_BASE_URL: upstream.url,
    MODEL_CONTINUATION: "prefix",
    SECRET_KEY: "a key of this suite",
    LOG_LEVEL: "warn",
    // On a busy machine no lease of a living process may lapse.
    LEASE_TIMEOUT_MS: "3000",
    LEASE_RENEW_MS: "500",
    ...(postgres === null ? {} : { DATABASE_URL: postgres.url }),
  };
  const first = await ServerProcess.start(settings, dataDir);
  const others = await Promise.all(
    Array.from({ length: Math.max(0, servers - 1) }, () => ServerProcess.start(settings, dataDir)),
  );
  const all = [first, ...others];
  const balancer = servers === 3 ? await startBalancer(all.map(({ port }) => port)) : null;
  const where = { databaseUrl: postgres?.url ?? null, dataDir };
  const db = await openDatabase(where, pino({ level: "silent" }), { exclusive: false });
  const operate = async (...words: string[]): Promise<void> => {
    const env = { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir, ...settings };
    await run(process.execPath, [operator, ...words], { cwd: dataDir, env });
  };
  return {
    origin: balancer?.origin ?? first.origin,
    processes: all.length,
    codeFor: (email) => first.codeFor(email),
    model: {
      release: () => upstream.release(),
      callsFor: (prompt) =>
        upstream.requests.filter(({ kind, question }) => kind === "answer" && question === prompt).length,
    },
    mute: (email, until) => operate("mute", email, "--until", until.toISOString()),
    ban: (email) => operate("ban", email),
    async startBeside(more) {
      // An embedded database is one process's.
      const folder = postgres === null ? newDataDir() : dataDir;
      const server = await ServerProcess.start({ ...settings, ...more }, folder);
      return {
        origin: server.origin,
        async close() {
          await server.kill9();
          if (folder !== dataDir) rmSync(folder, { recursive: true, force: true });
        },
      };
    },
    async outdate(sessionId) {
      const replies = db.kysely.selectFrom("replies").select("id").where("session_id", "=", sessionId);
      await db.kysely.deleteFrom("stream_log").where("reply", "in", replies).execute();
      await db.kysely
        .updateTable("replies")
        .set({ ended_at: 1 })
        .where("session_id", "=", sessionId)
        .where("ended_at", "is not", null)
        .execute();
    },
    async banEdit(sessionId, messageId) {
      await db.kysely
        .updateTable("messages")
        .set({ ban_edit: 1 })
        .where("session_id", "=", sessionId)
        .where("message_id", "=", messageId)
        .execute();
    },
    async close() {
      await db.close();
      await balancer?.close();
      for (const server of all) await server.kill9();
      await postgres?.stop();
      await upstream.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
