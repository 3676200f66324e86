// One upload of a file that messages can carry.
import { LIMITS } from "@plumb/protocol/limits";
import { fileProblem } from "@plumb/protocol/rules/upload-rules";
import { UploadRefusal } from "@plumb/protocol/wire/files";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import type { ByteSource } from "../../platform/http/body-reader.ts";
import { firstOf } from "../../platform/http/request-context.ts";
import type { SignedInContext } from "../../platform/http/route.ts";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { Refusal } from "../../platform/refusal.ts";
import { lockUser } from "../accounts/user-store.ts";
import { requireRoom, type Storage } from "../guard/storage-quota.ts";
import { contentKey, keysOf, newFileId } from "./file-keys.ts";
import {
  deleteFileRow,
  FileJob,
  type FileRow,
  holdFile,
  insertUploading,
  markUploaded,
} from "./file-store.ts";
import type { FilesContext } from "./files-context.ts";
import { readingWeight } from "./reading-weight.ts";
import { endDeadUpload, receiveUpload } from "./receive-upload.ts";
import { announcedBytes, refuseConcurrent, refuseUnfit, storageForFiles } from "./upload-checks.ts";

/** Takes the one file of a multipart body, as `receiveUpload` does. */
export async function acceptUpload(
  context: FilesContext,
  caller: SignedInContext,
  body: ByteSource,
): Promise<FileRow> {
  const { db, config, ports } = context;
  const userId = caller.user.id;
  await refuseUnfit(db.kysely, config, { userId, announced: announcedBytes(caller) });
  const id = newFileId();
  return receiveUpload(context, caller, body, {
    id,
    kind: FileJob.Upload,
    most: { atOnce: LIMITS.uploadConcurrency, whenMore: UploadRefusal.TooManyConcurrent },
    key: contentKey(id),
    checkName(name) {
      const problem = fileProblem({ name, bytes: null }, ports.documentReader.extensions);
      if (problem !== null) throw new Refusal(UploadRefusal[problem]);
    },
    async begin(trx, name) {
      await refuseConcurrent(trx, userId);
      await insertUploading(trx, {
        id,
        user_id: userId,
        name,
        thinking_enabled: firstOf(caller.headers[RequestHeader.ThinkingEnabled]) === "1" ? 1 : 0,
        inserted_at: ports.clock.now(),
      });
    },
    limit: async () => refuseMore(await storageForFiles(db.kysely, config, userId)),
    whenEmpty: UploadRefusal.FileSizeEmpty,
    async end(trx, job, bytes) {
      await holdFile(db, trx, id);
      await lockUser(db, trx, userId);
      // Others may have come meanwhile.
      requireRoom(await storageForFiles(trx, config, userId), bytes, UploadRefusal.StorageQuotaExceeded);
      const file = await markUploaded(trx, id, bytes, ports.clock.now());
      await job.passOn(trx, FileJob.Read, readingWeight(file.name, bytes));
      return file;
    },
    drop: (job) => endDeadFile(context, job),
    whenBroken: UploadRefusal.SystemException,
  });
}

/** Throws where there are too many bytes. */
function refuseMore(storage: Storage): (bytes: number) => void {
  return (bytes) => {
    if (bytes > LIMITS.fileBytes) throw new Refusal(UploadRefusal.FileTooLarge);
    requireRoom(storage, bytes, UploadRefusal.StorageQuotaExceeded);
  };
}

/** The job of such an upload that came to no end. */
export function endDeadFile(context: FilesContext, job: HeldJob): Promise<void> {
  return endDeadUpload(context, job, { keys: keysOf(job.row.subject), deleteRow: deleteFileRow });
}
