// Conversations of elsewhere, taken in.
import { join } from "node:path";
import { LIMITS } from "@plumb/protocol/limits";
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import { JobRunner } from "../../platform/jobs/job-runner.ts";
import { periodic } from "../../platform/periodic.ts";
import type { FilesFeature } from "../files/files-feature.ts";
import { RateLimits } from "../guard/rate-limit.ts";
import { endDeadImport } from "./accept-import.ts";
import { importRoutes } from "./import-routes.ts";
import {
  forgetImports,
  forgetImportsOfUser,
  forgetTargets,
  ImportJob,
  removeImportsOfUser,
} from "./import-store.ts";
import type { ImportsContext } from "./imports-context.ts";
import { removeImport, runImport } from "./run-import.ts";

const PURGE_MS = 10 * 60_000;
/** More at once would only take longer: reading has the processor. */
const RUN_AT_ONCE = 1;
const REMOVED_AT_ONCE = 2;
/** In that time some hundred conversations are taken in. Reading them has less, by the processor's time. */
const SHORT_RUN_MS = 8000;

export function importsFeature(deps: Deps, { storeText }: Pick<FilesFeature, "storeText">): Feature {
  const { db, config, ports, events } = deps;
  const jobs: JobRunner = new JobRunner(deps, [
    { kind: ImportJob.Upload, atOnce: REMOVED_AT_ONCE, run: (job) => endDeadImport(context, job) },
    {
      kind: ImportJob.Run,
      atOnce: RUN_AT_ONCE,
      turns: { perUser: 1, short: { places: 1, ms: SHORT_RUN_MS } },
      run: (job) => runImport(context, job),
    },
    { kind: ImportJob.Remove, atOnce: REMOVED_AT_ONCE, run: (job) => removeImport(context, job) },
  ]);
  // Its counts are in the database: they need not be the guard's own instance.
  const rates = new RateLimits(deps);
  const scratch = join(config.dataDir, "scratch");
  const context: ImportsContext = { ...deps, jobs, rates, storeText, scratch };

  events.on("sessionsDeleted", ({ sessionIds, trx }) => forgetTargets(trx, sessionIds));
  // Before its end, too: what it took in behind the deletion would stay.
  events.on("historyDeleting", ({ userId, trx }) => removeImportsOfUser(db, trx, userId));
  events.on("historyDeleted", ({ userId, trx }) => removeImportsOfUser(db, trx, userId));
  events.on("accountDeleted", ({ userId, trx }) => forgetImportsOfUser(db, trx, userId));

  const purge = periodic(deps, "purge of imports", PURGE_MS, () =>
    forgetImports(db.kysely, ports.clock.now() - LIMITS.importLifeSecs * 1000),
  );
  return {
    name: "imports",
    routes: importRoutes(context),
    async start() {
      await jobs.start();
      purge.start();
    },
    async stop() {
      await purge.stop();
      await jobs.stop();
    },
  };
}
