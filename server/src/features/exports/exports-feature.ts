// All data of a user as one file to download.
import { LIMITS } from "@plumb/protocol/limits";
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import { JobRunner } from "../../platform/jobs/job-runner.ts";
import { periodic } from "../../platform/periodic.ts";
import { RateLimits } from "../guard/rate-limit.ts";
import { exportRoutes } from "./export-routes.ts";
import { ExportJob, removeExportsOfUser } from "./export-store.ts";
import { purgeExports } from "./purge-exports.ts";
import { removeExport, runExport } from "./run-export.ts";

const PURGE_MS = 10 * 60_000;
/** More at once would only take longer: packing has the processor. */
const WRITTEN_AT_ONCE = 1;
const REMOVED_AT_ONCE = 2;
/** In that time some thousand conversations are written. */
const SHORT_WRITE_MS = 5000;

export function exportsFeature(deps: Deps): Feature {
  const jobs = new JobRunner(deps, [
    {
      kind: ExportJob.Write,
      atOnce: WRITTEN_AT_ONCE,
      turns: { perUser: 1, short: { places: 1, ms: SHORT_WRITE_MS } },
      run: (job) => runExport(deps, job),
    },
    { kind: ExportJob.Remove, atOnce: REMOVED_AT_ONCE, run: (job) => removeExport(deps, job) },
  ]);
  const purge = periodic(deps, "purge of exports", PURGE_MS, () =>
    purgeExports(deps, deps.ports.clock.now() - LIMITS.exportLifeSecs * 1000),
  );
  // It was made of what goes: whoever deletes everything means that, too.
  deps.events.on("historyDeleted", ({ userId, trx }) =>
    removeExportsOfUser(deps.db, trx, { userId, now: deps.ports.clock.now() }),
  );
  deps.events.on("accountDeleted", ({ userId, trx }) =>
    removeExportsOfUser(deps.db, trx, { userId, now: deps.ports.clock.now() }),
  );
  return {
    name: "exports",
    // Its counts are in the database: they need not be the guard's own instance.
    routes: exportRoutes(deps, { jobs, rates: new RateLimits(deps) }),
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
