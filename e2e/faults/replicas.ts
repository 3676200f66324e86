// Several server processes on one PostgreSQL, each reached directly, so that a test knows which one does what.
import { rmSync } from "node:fs";
import { pino } from "pino";
import type { Database } from "../../server/src/platform/database/database.ts";
import { openPostgres } from "../../server/src/platform/database/open-postgres.ts";
import { type RestartableServer, startPostgres } from "../../server/test/postgres.ts";
import { newDataDir, ServerProcess, type Settings } from "../support/server-process.ts";
import type { ScriptedUpstream } from "../support/scripted-upstream.ts";

export interface Replicas {
  servers: ServerProcess[];
  db: Database;
  postgres: RestartableServer;
  codeFor(email: string): string;
  close(): Promise<void>;
}

export async function startReplicas(
  upstream: ScriptedUpstream,
  count: number,
  settings: Settings = {},
): Promise<Replicas> {
  const postgres = await startPostgres({ keepsCommits: true });
  const dataDir = newDataDir();
  const all = {
    MODEL_BASE_URL: upstream.url,
    MODEL_CONTINUATION: "prefix",
    DATABASE_URL: postgres.url,
    SECRET_KEY: "a key of these tests",
    CONCURRENT_REPLIES: "1000",
    // Enough for the rounds of a long run: every other reply thinks.
    THINKING_QUOTA_PER_DAY: "1000000",
    LOG_LEVEL: "warn",
    ...settings,
  };
  const first = await ServerProcess.start(all, dataDir);
  const others = await Promise.all(
    Array.from({ length: count - 1 }, () => ServerProcess.start(all, dataDir)),
  );
  const servers = [first, ...others];
  const db = await openPostgres({ url: postgres.url, log: pino({ level: "silent" }), poolSize: 2 });
  return {
    servers,
    db,
    postgres,
    codeFor: (email) => first.codeFor(email),
    async close() {
      await db.close();
      for (const server of servers) await server.kill9();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
