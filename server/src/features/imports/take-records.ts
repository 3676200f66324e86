// Takes in what a reading has found, in its order.
import type { FileHandle } from "node:fs/promises";
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { hasWaitingJob } from "../../platform/jobs/job-store.ts";
import { ownTurn } from "../../platform/own-turn.ts";
import { lockUser } from "../accounts/user-store.ts";
import type { ImportProgress } from "./import-progress.ts";
import { ImportJob, storeImport } from "./import-store.ts";
import type { ImportsContext } from "./imports-context.ts";
import { readRecords } from "./read-records.ts";
import { agentOf, takeCharacter } from "./take-character.ts";
import { isKnown, SessionTaker } from "./take-session.ts";

/** Conversations that are left out are told together, so many at a time. */
const TOLD_TOGETHER = 100;
/** So long (ms) one import is worked at while another waits. */
const TURN_MS = 30_000;

interface Taking {
  context: ImportsContext;
  job: HeldJob;
  locale: Locale;
  records: FileHandle;
  progress: ImportProgress;
}

interface Taken {
  /** The first conversation that did not come to an end, where the reader broke down; null where it did before any. */
  unended: { place: number; title: string } | null;
  /** Another import has its turn; the job was put off. */
  isLater: boolean;
}

export async function takeRecords(taking: Taking): Promise<Taken> {
  const { context, job, records, progress } = taking;
  const { db, ports } = context;
  const { user_id: userId, subject: importId } = job.row;
  const beganAt = ports.clock.monotonic();
  let begun: Taken["unended"] = null;
  let taker: SessionTaker | null = null;
  let untold = 0;
  const characters = new Map<string, string>();

  const tell = async (): Promise<void> => {
    untold = 0;
    await db.unsyncedTransaction(async (trx) => {
      await lockUser(db, trx, userId);
      await job.hold(trx);
      await storeImport(trx, importId, progress.row);
    });
  };
  const skip = async (place: number, title: string, reason: Parameters<ImportProgress["skipped"]>[2]) => {
    progress.skipped(place, title, reason);
    begun = null;
    untold += 1;
    if (untold >= TOLD_TOGETHER) await tell();
  };

  await tellTotal(taking);
  for await (const { record, at } of readRecords(records)) {
    job.signal.throwIfAborted();
    switch (record.type) {
      case "source":
        progress.kind = record.kind;
        await storeImport(db.kysely, importId, { kind: record.kind });
        break;
      case "character": {
        const own = await takeCharacter(taking, record);
        if (own !== null) characters.set(record.ref, own);
        break;
      }
      case "begin":
        if (await othersWait(context, ports.clock.monotonic() - beganAt)) {
          await tell();
          await job.putOff(0);
          return { unended: null, isLater: true };
        }
        begun = { place: record.place, title: record.title };
        break;
      case "skip":
        await skip(record.place, record.title, record.reason);
        break;
      case "session":
        // Of those that are known one after the other is left out: SQLite answers within the same turn.
        await ownTurn();
        if (await isKnown(context, userId, record.source))
          await skip(record.place, record.title ?? "", "IMPORTED_BEFORE");
        else taker = new SessionTaker(taking, record, await agentOf(context, { userId, characters }, record));
        break;
      case "file":
        await taker?.takeFile(record, at);
        break;
      case "message":
        await taker?.takeMessage(record, at);
        break;
      case "end":
        await taker?.end();
        if (taker !== null) untold = 0;
        [taker, begun] = [null, null];
        break;
      case "total":
        break;
    }
  }
  // The reader broke down in the middle of it.
  await taker?.drop();
  if (untold > 0) await tell();
  const next = progress.kind === null ? null : { place: progress.done + 1, title: "" };
  return { unended: begun ?? next, isLater: false };
}

/** All that is to be taken in is known before the first is. */
async function tellTotal({ context, job, records, progress }: Taking): Promise<void> {
  let total = progress.done;
  for await (const { record } of readRecords(records)) {
    if (record.type === "total") total = record.total;
    else if ("place" in record) total = Math.max(total, record.place);
  }
  await storeImport(context.db.kysely, job.row.subject, { sessions_total: total });
}

/** Whether another import is to go on in place of one that has been worked at for so long. */
export async function othersWait({ db }: ImportsContext, workedMs: number): Promise<boolean> {
  return workedMs >= TURN_MS && (await hasWaitingJob(db.kysely, ImportJob.Run));
}
