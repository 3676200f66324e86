// One upload: from the socket through the object store to a row that its owner sees, or nothing at all.
import { LIMITS } from "@plumb/protocol/limits";
import { cleanFileName, fileProblem } from "@plumb/protocol/rules/upload-rules";
import { UploadRefusal } from "@plumb/protocol/wire/files";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import type { ByteSource } from "../../platform/http/body-reader.ts";
import { multipartParts, type Part } from "../../platform/http/multipart.ts";
import { firstOf } from "../../platform/http/request-context.ts";
import type { SignedInContext } from "../../platform/http/route.ts";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import { lockUser } from "../accounts/user-store.ts";
import { contentKey, keysOf, newFileId } from "./file-keys.ts";
import { deleteFileRow, FileJob, type FileRow, insertUploading, markUploaded } from "./file-store.ts";
import type { FilesContext } from "./files-context.ts";
import { badBody, nextFile, piecesOf } from "./sent-file.ts";
import { announcedBytes, bytesLeft, refuseConcurrent, refuseUnfit } from "./upload-checks.ts";

/**
 * Takes the one file of a multipart body. What refuses it without its bytes does so before they are read. Throws Refusal and
 * GlobalRefusal; then nothing of it is left, also when its sender goes, or this process dies.
 */
export async function acceptUpload(
  context: FilesContext,
  caller: SignedInContext,
  body: ByteSource,
): Promise<FileRow> {
  const { db, config } = context;
  const userId = caller.user.id;
  await refuseUnfit(db.kysely, config, { userId, announced: announcedBytes(caller) });
  const parts = multipartParts(body);
  try {
    const part = await nextFile(parts);
    if (part === null) throw badBody("file", "required");
    const name = cleanFileName(part.fileName ?? "");
    const problem = fileProblem({ name, bytes: null }, context.ports.documentReader.extensions);
    if (problem !== null) throw new Refusal(UploadRefusal[problem]);
    return await storeFile(context, caller, { name, part, parts });
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

async function storeFile(
  context: FilesContext,
  caller: SignedInContext,
  incoming: Incoming,
): Promise<FileRow> {
  const { db, ports } = context;
  const userId = caller.user.id;
  const id = newFileId();
  const thinking = firstOf(caller.headers[RequestHeader.ThinkingEnabled]) === "1" ? 1 : 0;
  return context.jobs.own(
    { subject: id, kind: FileJob.Upload, user_id: userId },
    async (trx) => {
      await lockUser(db, trx, userId);
      await refuseConcurrent(trx, userId);
      await insertUploading(trx, {
        id,
        user_id: userId,
        name: incoming.name,
        thinking_enabled: thinking,
        inserted_at: ports.clock.now(),
      });
    },
    async (job) => {
      try {
        return await takeBytes(context, job, incoming);
      } catch (error) {
        await dropUpload(context, job);
        if (error instanceof Refusal || error instanceof GlobalRefusal) throw error;
        caller.log.error({ err: error, file: id }, "an upload could not be stored");
        throw new Refusal(UploadRefusal.SystemException);
      }
    },
  );
}

async function takeBytes(context: FilesContext, job: HeldJob, { part, parts }: Incoming): Promise<FileRow> {
  const { db, config, ports } = context;
  const { subject: id, user_id: userId } = job.row;
  const left = await bytesLeft(db.kysely, config, userId);
  const bytes = await ports.objectStore.put(contentKey(id), piecesOf(part, refuseMore(left), job.signal));
  if (bytes === 0) throw new Refusal(UploadRefusal.FileSizeEmpty);
  if ((await nextFile(parts)) !== null) throw badBody("file", "more than one");
  return db.transaction(async (trx) => {
    await lockUser(db, trx, userId);
    // Others may have come meanwhile.
    if (bytes > (await bytesLeft(trx, config, userId))) throw new Refusal(UploadRefusal.StorageQuotaExceeded);
    await job.passOn(trx, FileJob.Read);
    return markUploaded(trx, id, bytes, ports.clock.now());
  });
}

/** Throws where there are too many bytes. */
function refuseMore(left: number): (bytes: number) => void {
  return (bytes) => {
    if (bytes > LIMITS.fileBytes) throw new Refusal(UploadRefusal.FileTooLarge);
    if (bytes > left) throw new Refusal(UploadRefusal.StorageQuotaExceeded);
  };
}

/** Removes what has come. What cannot be removed now is so by whoever runs the job next. */
async function dropUpload(context: FilesContext, job: HeldJob): Promise<void> {
  try {
    await endDeadUpload(context, job);
  } catch (error) {
    context.log.warn({ err: error, file: job.row.subject }, "a broken upload is removed later");
  }
}

/** The job of an upload whose process died, or whose sender went. Nothing is done where it is lost: then its bytes are wanted. */
export async function endDeadUpload({ db, ports }: FilesContext, job: HeldJob): Promise<void> {
  const { subject: id } = job.row;
  await db.transaction((trx) => job.hold(trx));
  await ports.objectStore.remove(keysOf(id));
  await db.transaction(async (trx) => {
    await job.finish(trx);
    await deleteFileRow(trx, id);
  });
}
