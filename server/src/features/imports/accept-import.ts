// An upload that is to be imported: from the socket through the object store to a row that its owner sees, or nothing at all.
import { LIMITS } from "@plumb/protocol/limits";
import { firstCodePoints } from "@plumb/protocol/rules/code-points";
import { cleanFileName, extensionOf } from "@plumb/protocol/rules/upload-rules";
import { ImportRefusal } from "@plumb/protocol/wire/imports";
import type { ByteSource } from "../../platform/http/body-reader.ts";
import { multipartParts, type Part } from "../../platform/http/multipart.ts";
import type { SignedInContext } from "../../platform/http/route.ts";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import { lockUser } from "../accounts/user-store.ts";
import { badBody, nextFile, piecesOf } from "../files/sent-file.ts";
import { announcedBytes } from "../files/upload-checks.ts";
import { importKey, newImportId } from "./import-keys.ts";
import { hasRunningImport, ImportJob, type ImportRow, insertUploading, markQueued } from "./import-store.ts";
import type { ImportsContext } from "./imports-context.ts";
import { endDeadImport } from "./run-import.ts";

const EXTENSIONS: readonly string[] = ["zip", "json"];

/**
 * Takes the one file of a multipart body. What refuses it without its bytes does so before they are read. Throws Refusal and
 * GlobalRefusal; then nothing of it is left, also when its sender goes, or this process dies.
 */
export async function acceptImport(
  context: ImportsContext,
  caller: SignedInContext,
  body: ByteSource,
): Promise<ImportRow> {
  if ((announcedBytes(caller) ?? 0) > LIMITS.fileBytes) throw new Refusal(ImportRefusal.FileTooLarge);
  const parts = multipartParts(body);
  try {
    const part = await nextFile(parts);
    if (part === null) throw badBody("file", "required");
    const name = cleanFileName(part.fileName ?? "");
    if (!EXTENSIONS.includes(extensionOf(name))) throw new Refusal(ImportRefusal.UnsupportedFormat);
    return await storeUpload(context, caller, { name, part, parts });
  } finally {
    await parts.return(undefined);
  }
}

interface Incoming {
  name: string;
  part: Part;
  /** What comes after the part. */
  parts: AsyncGenerator<Part>;
}

async function storeUpload(
  context: ImportsContext,
  caller: SignedInContext,
  incoming: Incoming,
): Promise<ImportRow> {
  const { db, ports } = context;
  const userId = caller.user.id;
  const id = newImportId();
  return context.jobs.own(
    { subject: id, kind: ImportJob.Upload, user_id: userId },
    async (trx) => {
      await lockUser(db, trx, userId);
      if (await hasRunningImport(trx, userId)) throw new Refusal(ImportRefusal.ImportRunning);
      await insertUploading(trx, {
        id,
        user_id: userId,
        locale: caller.locale,
        file_name: firstCodePoints(incoming.name, LIMITS.fileNameChars),
        requested_at: ports.clock.now(),
      });
    },
    async (job) => {
      try {
        return await takeBytes(context, job, incoming);
      } catch (error) {
        await dropUpload(context, job);
        if (error instanceof Refusal || error instanceof GlobalRefusal) throw error;
        caller.log.error({ err: error, import: id }, "an upload to import could not be stored");
        throw new Refusal(ImportRefusal.ImportFailed);
      }
    },
  );
}

async function takeBytes(
  context: ImportsContext,
  job: HeldJob,
  { part, parts }: Incoming,
): Promise<ImportRow> {
  const { db, ports } = context;
  const { subject: id, user_id: userId } = job.row;
  const check = (bytes: number): void => {
    if (bytes > LIMITS.fileBytes) throw new Refusal(ImportRefusal.FileTooLarge);
  };
  const bytes = await ports.objectStore.put(importKey(id), piecesOf(part, check, job.signal));
  if (bytes === 0) throw new Refusal(ImportRefusal.UnsupportedFormat);
  if ((await nextFile(parts)) !== null) throw badBody("file", "more than one");
  return db.transaction(async (trx) => {
    await lockUser(db, trx, userId);
    await job.passOn(trx, ImportJob.Run);
    return markQueued(trx, { id, user_id: userId });
  });
}

/** Removes what has come. What cannot be removed now is so by whoever runs the job next. */
async function dropUpload(context: ImportsContext, job: HeldJob): Promise<void> {
  try {
    await endDeadImport(context, job);
  } catch (error) {
    context.log.warn({ err: error, import: job.row.subject }, "a broken upload is removed later");
  }
}
