// The whole product as a journey sees it: a scripted model, one server or two replicas, and the way in.
import { rmSync } from "node:fs";
import { startPostgres } from "../../server/test/postgres.ts";
import { startBalancer, type Balancer } from "./balancer.ts";
import { newDataDir, ServerProcess, type Settings } from "./server-process.ts";
import type { ScriptedUpstream } from "./scripted-upstream.ts";

/** What journeys need of either kind of installation. */
export interface Stack {
  /** Where the browser goes. */
  origin: string;
  upstream: ScriptedUpstream;
  codeFor(email: string): string;
  close(): Promise<void>;
}

export interface SingleStack extends Stack {
  server: ServerProcess;
}

export interface ReplicaStack extends Stack {
  servers: readonly [ServerProcess, ServerProcess];
  balancer: Balancer;
  /** The process that answers the newest message, and the other one. */
  ownerAndOther(): { owner: ServerProcess; other: ServerProcess };
}

function modelSettings(upstream: ScriptedUpstream): Settings {
  return { MODEL_BASE_URL: upstream.url };
}

/** One server on SQLite. */
export async function startSingleStack(
  upstream: ScriptedUpstream,
  settings: Settings = {},
): Promise<SingleStack> {
  const server = await ServerProcess.start({ ...modelSettings(upstream), ...settings });
  return {
    server,
    upstream,
    get origin() {
      return server.origin;
    },
    codeFor: (email) => server.codeFor(email),
    async close() {
      await server.kill9();
      rmSync(server.dataDir, { recursive: true, force: true });
    },
  };
}

/** Two servers on one PostgreSQL behind a balancer. */
export async function startReplicaStack(upstream: ScriptedUpstream): Promise<ReplicaStack> {
  const postgres = await startPostgres();
  const dataDir = newDataDir();
  const settings = {
    ...modelSettings(upstream),
    DATABASE_URL: postgres.url,
    SECRET_KEY: "a key of these journeys",
    // A journey counts the calls to the model: on a busy machine no lease of a living process may lapse.
    LEASE_TIMEOUT_MS: "3000",
    LEASE_RENEW_MS: "500",
  };
  const servers: [ServerProcess, ServerProcess] = [
    await ServerProcess.start(settings, dataDir),
    await ServerProcess.start(settings, dataDir),
  ];
  const balancer = await startBalancer(servers.map(({ port }) => port));
  return {
    servers,
    balancer,
    upstream,
    origin: balancer.origin,
    codeFor: (email) => servers[0].codeFor(email),
    ownerAndOther() {
      const port = balancer.served.findLast(({ path }) => path === "/api/v0/chat/completion")?.port;
      const owner = servers.find((server) => server.port === port);
      const other = servers.find((server) => server.port !== port);
      if (owner === undefined || other === undefined)
        throw new Error("No message has come through the balancer.");
      return { owner, other };
    },
    async close() {
      await balancer.close();
      for (const server of servers) await server.kill9();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
