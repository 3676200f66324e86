// The jobs of an import: to take in what an upload holds, conversation by conversation, and to remove what is left of it.
import { mkdir, open, rm } from "node:fs/promises";
import { LIMITS } from "@plumb/protocol/limits";
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import { type ImportError, ImportRefusal } from "@plumb/protocol/wire/imports";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { ReadUpload } from "../../ports/conversation-reader.ts";
import { lockUser } from "../accounts/user-store.ts";
import { removeUnsent } from "../files/file-store.ts";
import { scratchPath, sweepEarlier } from "../files/scratch-files.ts";
import { importKey } from "./import-keys.ts";
import { ImportProgress } from "./import-progress.ts";
import {
  deleteWhereGone,
  endImport,
  findImportById,
  forgetFilesOf,
  ImportJob,
  type ImportRow,
  markRunning,
  storeImport,
  unsentFilesOf,
} from "./import-store.ts";
import type { ImportsContext } from "./imports-context.ts";
import { orderSessions } from "./order-sessions.ts";
import { expectFilter, FilterAway, screenDeps } from "./screen-messages.ts";
import { othersWait, takeRecords } from "./take-records.ts";
import { dropMaking } from "./take-session.ts";

/** An import that takes its process with it so often is given up. */
const MOST_ATTEMPTS = 3;
/** Conversations at which the reader may break down before the rest is given up. */
const MOST_BREAKS = 3;
/** Whoever took such a file may take the right one at once: finding that out costs little. */
const NOT_COUNTED: readonly ImportError[] = ["UNSUPPORTED_FORMAT", "LOCKED"];
/** So long (ms) is waited for a content filter that gives no verdict. */
const FILTER_AWAY_MS = 15_000;
const FILES_PER_STEP = 100;

/** Takes in what is left to take, from wherever the import has got to. */
export async function runImport(context: ImportsContext, job: HeldJob): Promise<void> {
  const { db } = context;
  const row = await markRunning(db.kysely, job.row.subject);
  if (row === undefined) return await leaveTheRest(context, job);
  await dropMaking(context, row.making);
  if (job.row.attempts >= MOST_ATTEMPTS) return await end(context, job, "INTERRUPTED");
  const progress = new ImportProgress(row);
  const outcome = await takeAll(context, job, row, progress);
  if (outcome === "later") return;
  if (outcome === "long") return await job.leaveShortPlace();
  if (outcome === "away") return await job.putOff(FILTER_AWAY_MS);
  if (progress.oldestAt !== null) await orderSessions(context, job, progress.oldestAt);
  if (outcome === "taken") return await end(context, job, null);
  if (progress.done === 0 && NOT_COUNTED.includes(outcome.error))
    await context.rates.uncountImport(row.user_id, row.requested_at);
  await end(context, job, outcome.error);
}

type Outcome = "taken" | "later" | "long" | "away" | { error: ImportError };

/** Reads and takes in; where the reader breaks down at one conversation, it is asked again after that one. */
async function takeAll(
  context: ImportsContext,
  job: HeldJob,
  row: ImportRow,
  progress: ImportProgress,
): Promise<Outcome> {
  const { ports, scratch } = context;
  const beganAt = ports.clock.monotonic();
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  await sweepEarlier(scratch, job.row);
  const recordsPath = scratchPath(scratch, job.row);
  const locale = row.locale as Locale;
  for (;;) {
    try {
      // Before the upload is read for nothing.
      await expectFilter(screenDeps({ context, job, locale }));
      const read = await readUpload(context, job, { row, progress, recordsPath });
      if (read.kind === "long") return "long";
      if (read.kind === "failed" && read.error === "UNSUPPORTED_FORMAT") return { error: read.error };
      await using records = await open(recordsPath, "r");
      const taken = await takeRecords({ context, job, locale, records, progress });
      if (taken.isLater) return "later";
      if (read.kind === "failed") return { error: read.error };
      if (read.kind === "read") return "taken";
      if (taken.unended === null || progress.breaks >= MOST_BREAKS) return { error: "UNREADABLE" };
      progress.broke();
      progress.skipped(taken.unended.place, taken.unended.title, "UNREADABLE");
      await storeProgress(context, job, progress);
      // Reading it once more may take as long again.
      if (await othersWait(context, ports.clock.monotonic() - beganAt)) {
        await job.putOff(0);
        return "later";
      }
    } catch (error) {
      if (error instanceof FilterAway) return "away";
      if (error instanceof Refusal && error.refusal === ImportRefusal.StorageQuotaExceeded) {
        // With those that were left out since the last one was taken in.
        await storeProgress(context, job, progress);
        return { error: "STORAGE_FULL" };
      }
      throw error;
    } finally {
      await rm(recordsPath, { force: true });
    }
  }
}

async function storeProgress({ db }: ImportsContext, job: HeldJob, progress: ImportProgress): Promise<void> {
  const { subject: id, user_id: userId } = job.row;
  await db.transaction(async (trx) => {
    await lockUser(db, trx, userId);
    await job.hold(trx);
    await storeImport(trx, id, progress.row);
  });
}

async function readUpload(
  { ports, config }: ImportsContext,
  job: HeldJob,
  { row, progress, recordsPath }: { row: ImportRow; progress: ImportProgress; recordsPath: string },
): Promise<ReadUpload> {
  const how = {
    recordsPath,
    after: progress.done,
    kind: progress.kind,
    locale: row.locale,
    mostMessages: config.maxMessagesPerSession,
    keptBytes: LIMITS.importKeptBytes - progress.keptBytes,
    now: row.requested_at,
    isShort: job.isShort,
  };
  return ports.objectStore.withFile(importKey(row.id), (path) =>
    ports.conversationReader.read({ path, ...how }, job.signal),
  );
}

async function end(context: ImportsContext, job: HeldJob, error: ImportError | null): Promise<void> {
  const { db, ports } = context;
  const { subject: id, user_id: userId } = job.row;
  await db.transaction(async (trx) => {
    await lockUser(db, trx, userId);
    const status = error === null ? "FINISHED" : "FAILED";
    await endImport(trx, id, { status, error, finished_at: ports.clock.now() });
    await job.passOn(trx, ImportJob.Remove);
  });
}

/** There is nothing to take in any more. */
async function leaveTheRest({ db }: ImportsContext, job: HeldJob): Promise<void> {
  await db.transaction((trx) => job.passOn(trx, ImportJob.Remove));
}

/** Takes the upload of an import that has ended, and what was being made. What it has made stays. */
export async function removeImport({ db, ports, scratch }: ImportsContext, job: HeldJob): Promise<void> {
  const { subject: id, user_id: userId } = job.row;
  await db.transaction((trx) => job.hold(trx));
  await sweepEarlier(scratch, job.row);
  const row = await findImportById(db.kysely, id);
  await dropMaking({ db }, row?.making ?? null);
  await removeUnsentFiles({ db, ports }, job);
  // One that was cancelled has not put its sessions in order.
  if (row !== undefined && row.oldest_at !== null) await orderSessions({ db }, job, row.oldest_at);
  await ports.objectStore.remove([importKey(id)]);
  await db.transaction(async (trx) => {
    // In the order in which whoever deletes the account takes them.
    await storeImport(trx, id, { making: null });
    await forgetFilesOf(trx, userId, id);
    await deleteWhereGone(trx, id);
    await job.finish(trx);
  });
}

/** The conversations that were to carry them have not come. */
async function removeUnsentFiles({ db, ports }: Pick<ImportsContext, "db" | "ports">, job: HeldJob) {
  const { subject: importId, user_id: userId } = job.row;
  for (;;) {
    const ids = await unsentFilesOf(db.kysely, { userId, importId, count: FILES_PER_STEP });
    if (ids.length === 0) return;
    job.signal.throwIfAborted();
    await removeUnsent(db, { userId, ids, now: ports.clock.now() });
  }
}
