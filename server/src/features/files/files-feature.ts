// From upload to readable text.
import { join } from "node:path";
import { LIMITS } from "@plumb/protocol/limits";
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import { JobRunner } from "../../platform/jobs/job-runner.ts";
import { heldEpochs } from "../../platform/jobs/job-store.ts";
import { periodic } from "../../platform/periodic.ts";
import type { Storage } from "../guard/storage-quota.ts";
import { RateLimits } from "../guard/rate-limit.ts";
import { endDeadFile } from "./accept-upload.ts";
import { fileRoutes } from "./file-routes.ts";
import { copyText, storeText, type TextOfFile } from "./copy-text.ts";
import {
  FileJob,
  type FileRow,
  removeFilesOfSessions,
  removeFilesOfUser,
  removeUnattached,
} from "./file-store.ts";
import type { FilesContext } from "./files-context.ts";
import { readFile } from "./read-file.ts";
import { removeFile } from "./remove-file.ts";
import { listScratch, sweepScratch } from "./scratch-files.ts";

const SWEEP_MS = 10 * 60_000;
/** No upload takes so long: what is left of one and older is of a process that died. */
const DEAD_AFTER_MS = LIMITS.uploadMs + 15 * 60_000;
const UPLOADS_ENDED_AT_ONCE = 4;
const REMOVALS_AT_ONCE = 4;
/** A reading in a short place ends after a second of processor time, and on a machine that has none to give after this. */
const SHORT_READING_MS = 10_000;

export interface FilesFeature extends Feature {
  /** Gives a user a file with the text of `source`; resolves with its id. As `copyText` of copy-text.ts. */
  copyText(source: FileRow, to: { userId: string; before: Storage }): Promise<string>;
  /** Gives a user a file with this text; resolves with its id. As `storeText` of copy-text.ts. */
  storeText(file: TextOfFile, userId: string): Promise<string>;
}

export function filesFeature(deps: Deps): FilesFeature {
  const { db, config, ports, events } = deps;
  const jobs: JobRunner = new JobRunner(deps, [
    { kind: FileJob.Upload, atOnce: UPLOADS_ENDED_AT_ONCE, run: (job) => endDeadFile(context, job) },
    { kind: FileJob.Copy, atOnce: UPLOADS_ENDED_AT_ONCE, run: (job) => endDeadFile(context, job) },
    {
      kind: FileJob.Read,
      atOnce: config.parseWorkers,
      turns: {
        // A scan is read for minutes: where there are several places, not all are one user's.
        perUser: Math.max(1, config.parseWorkers - 1),
        short: { places: 1, ms: SHORT_READING_MS },
      },
      run: (job) => readFile(context, job),
    },
    { kind: FileJob.Remove, atOnce: REMOVALS_AT_ONCE, run: (job) => removeFile(context, job) },
  ]);
  const context: FilesContext = { ...deps, jobs, scratch: join(config.dataDir, "scratch") };
  const now = () => ports.clock.now();

  events.on("sessionsDeleted", async ({ userId, sessionIds, trx }) => {
    await removeFilesOfSessions(db, trx, { userId, sessionIds, now: now() });
  });

  events.on("accountDeleted", ({ userId, trx }) => removeFilesOfUser(db, trx, { userId, now: now() }));

  /** What readings have left whose job nobody holds any more, or somebody else. */
  async function removeUnheld(): Promise<void> {
    const left = await listScratch(context.scratch);
    const subjects = [...new Set(left.flatMap(({ of }) => of?.subject ?? []))];
    const held = await heldEpochs(db, subjects, config.leaseTimeoutMs);
    await sweepScratch(context.scratch, (of) => of !== null && held.get(of.subject) === of.epoch);
  }

  const sweep = periodic(deps, "sweep of files", SWEEP_MS, async () => {
    const before = now() - LIMITS.unattachedFileLifeSecs * 1000;
    while (await removeUnattached(db, { before, now: now() }));
    jobs.wake();
    await ports.objectStore.removeUnfinished(Date.now() - DEAD_AFTER_MS);
    await removeUnheld();
  });

  return {
    name: "files",
    // Its counts are in the database: they need not be the guard's own instance.
    routes: fileRoutes(context, new RateLimits(deps)),
    copyText: (source, to) => copyText(context, source, to),
    storeText: (file, userId) => storeText(context, file, userId),
    async start() {
      // The process lock of the data folder proves every earlier process dead: nothing under way is its.
      if (db.engine === "sqlite") {
        await ports.objectStore.removeUnfinished(Date.now());
        await sweepScratch(context.scratch, () => false);
      } else await removeUnheld();
      await jobs.start();
      sweep.start();
    },
    async stop() {
      await sweep.stop();
      await jobs.stop();
    },
  };
}
