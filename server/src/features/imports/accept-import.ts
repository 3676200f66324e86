// An upload that is to be imported.
import { LIMITS } from "@plumb/protocol/limits";
import { firstCodePoints } from "@plumb/protocol/rules/code-points";
import { extensionOf } from "@plumb/protocol/rules/upload-rules";
import { ImportRefusal } from "@plumb/protocol/wire/imports";
import type { ByteSource } from "../../platform/http/body-reader.ts";
import type { SignedInContext } from "../../platform/http/route.ts";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { Refusal } from "../../platform/refusal.ts";
import { lockUser } from "../accounts/user-store.ts";
import { fourfolds } from "../files/reading-weight.ts";
import { requireRoom, storageOf } from "../guard/storage-quota.ts";
import { endDeadUpload, receiveUpload } from "../files/receive-upload.ts";
import { announcedBytes } from "../files/upload-checks.ts";
import { importKey, newImportId } from "./import-keys.ts";
import {
  deleteImportRow,
  hasRunningImport,
  ImportJob,
  type ImportRow,
  insertUploading,
  markQueued,
} from "./import-store.ts";
import type { ImportsContext } from "./imports-context.ts";

const MIB = 1024 * 1024;
const EXTENSIONS: readonly string[] = ["zip", "json"];

/** Takes the one file of a multipart body, as `receiveUpload` does. */
export async function acceptImport(
  context: ImportsContext,
  caller: SignedInContext,
  body: ByteSource,
): Promise<ImportRow> {
  refuseMore(announcedBytes(caller) ?? 0);
  const id = newImportId();
  const userId = caller.user.id;
  const storage = await storageOf(context.db.kysely, context.config, userId);
  // How much of it will be stored is known when it is read.
  requireRoom(storage, 1, ImportRefusal.StorageQuotaExceeded);
  return receiveUpload(context, caller, body, {
    id,
    kind: ImportJob.Upload,
    most: { atOnce: 1, whenMore: ImportRefusal.ImportRunning },
    key: importKey(id),
    checkName(name) {
      if (!EXTENSIONS.includes(extensionOf(name))) throw new Refusal(ImportRefusal.UnsupportedFormat);
    },
    async begin(trx, name) {
      if (await hasRunningImport(trx, userId)) throw new Refusal(ImportRefusal.ImportRunning);
      await insertUploading(trx, {
        id,
        user_id: userId,
        locale: caller.locale,
        file_name: firstCodePoints(name, LIMITS.fileNameChars),
        requested_at: context.ports.clock.now(),
      });
    },
    limit: async () => refuseMore,
    whenEmpty: ImportRefusal.UnsupportedFormat,
    async end(trx, job, bytes) {
      await lockUser(context.db, trx, userId);
      const row = await markQueued(trx, { id, user_id: userId });
      await job.passOn(trx, ImportJob.Run, fourfolds(bytes, MIB));
      return row;
    },
    drop: (job) => endDeadImport(context, job),
    whenBroken: ImportRefusal.ImportFailed,
  });
}

function refuseMore(bytes: number): void {
  if (bytes > LIMITS.fileBytes) throw new Refusal(ImportRefusal.FileTooLarge);
}

/** The job of such an upload that came to no end. */
export function endDeadImport(context: ImportsContext, job: HeldJob): Promise<void> {
  return endDeadUpload(context, job, { keys: [importKey(job.row.subject)], deleteRow: deleteImportRow });
}
