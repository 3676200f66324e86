// What an operator's tools ask (wire-contract.md §16).
import { timingSafeEqual } from "node:crypto";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { parseBearer } from "@plumb/protocol/wire/headers";
import type { FastifyInstance } from "fastify";
import type { ModelProvider } from "../../ports/model-provider.ts";
import type { Database } from "../database/database.ts";
import type { Metrics } from "../metrics.ts";

const checkTimeoutMs = 2000;

export interface HealthOptions {
  /** "ready" between start and drain. */
  state(): "starting" | "ready" | "draining";
  db: Database;
  model: ModelProvider;
  /** The folder that must be writable, or null where nothing is kept in one. */
  dataDir: string | null;
  metrics: Metrics;
  metricsToken: string | null;
}

type Check = "ok" | "degraded" | "fail";

/** /healthz, /readyz and /metrics. `notFound` answers /metrics without its token. */
export function mountHealthRoutes(server: FastifyInstance, options: HealthOptions): void {
  const noStore = { "cache-control": "no-store", "content-type": "application/json; charset=utf-8" };

  server.get("/healthz", async (_request, reply) =>
    reply.headers(noStore).send(JSON.stringify({ status: "ok" })),
  );

  server.get("/readyz", async (_request, reply) => {
    const [db, storage, model] = await Promise.all([
      check(() => options.db.ping()),
      check(async () => {
        if (options.dataDir !== null) await access(options.dataDir, constants.W_OK);
      }),
      options.model.health(),
    ]);
    const ok = options.state() === "ready" && db === "ok" && storage === "ok";
    const body = JSON.stringify({ status: ok ? "ok" : "fail", checks: { db, storage, model } });
    return reply
      .code(ok ? 200 : 503)
      .headers(noStore)
      .send(body);
  });

  server.get("/metrics", async (request, reply) => {
    const { metricsToken } = options;
    const given = parseBearer(request.headers.authorization);
    if (metricsToken === null || given === null || !same(given, metricsToken)) return reply.callNotFound();
    const { body, contentType } = await options.metrics.text();
    return reply.headers({ "cache-control": "no-store", "content-type": contentType }).send(body);
  });
}

async function check(work: () => Promise<void>): Promise<Check> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Check>((resolve) => {
    timer = setTimeout(() => resolve("fail"), checkTimeoutMs);
  });
  const done = work().then(
    (): Check => "ok",
    (): Check => "fail",
  );
  const result = await Promise.race([done, late]);
  clearTimeout(timer);
  return result;
}

function same(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}
