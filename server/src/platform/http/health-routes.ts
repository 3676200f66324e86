// What an operator's tools ask (wire-contract.md §16).
import { timingSafeEqual } from "node:crypto";
import { parseBearer } from "@plumb/protocol/wire/headers";
import type { FastifyInstance } from "fastify";
import type { ModelProvider } from "../../ports/model-provider.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Database } from "../database/database.ts";
import { writeProbe } from "../database/write-probe.ts";
import type { Metrics } from "../metrics.ts";
import { outcomeOf, sharedCheck } from "./readiness-check.ts";

export interface HealthOptions {
  /** "ready" between start and drain. */
  state(): "starting" | "ready" | "draining" | "stopping";
  db: Database;
  clock: Clock;
  model: ModelProvider;
  /** Where files lie. */
  objectStore: Pick<ObjectStore, "probe">;
  metrics: Metrics;
  metricsToken: string | null;
}

/** /healthz, /readyz and /metrics. `notFound` answers /metrics without its token. */
export function mountHealthRoutes(server: FastifyInstance, options: HealthOptions): void {
  const { db, clock, objectStore } = options;
  const databaseTakesWrites = sharedCheck(() => writeProbe(db), clock);
  const storeTakesWrites = sharedCheck(() => objectStore.probe(), clock);
  const noStore = { "cache-control": "no-store", "content-type": "application/json; charset=utf-8" };

  server.get("/healthz", async (_request, reply) =>
    reply.headers(noStore).send(JSON.stringify({ status: "ok" })),
  );

  server.get("/readyz", async (_request, reply) => {
    const [answers, takesWrites, storage, model] = await Promise.all([
      outcomeOf(() => db.ping(), clock),
      databaseTakesWrites(),
      storeTakesWrites(),
      options.model.health(),
    ]);
    const database = answers === "ok" ? takesWrites : answers;
    const ok = options.state() === "ready" && database === "ok" && storage === "ok";
    const checks = { db: database, storage, model, ...offeredChecks(options.model, model) };
    const body = JSON.stringify({ status: ok ? "ok" : "fail", checks });
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

/** Under `models`, where people may choose: which of them can be reached. */
function offeredChecks(provider: ModelProvider, endpoint: "ok" | "degraded"): { models?: object } {
  const offered = provider.offered();
  if (offered.length === 0) return {};
  const states = offered.map(({ id, listed }) => [id, listed ? endpoint : "degraded"]);
  return { models: Object.fromEntries(states) as object };
}

function same(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}
