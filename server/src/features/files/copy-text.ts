// A file of one's own that has the text of another's and none of its bytes: what continuing a share needs of a file.
import { UploadRefusal } from "@plumb/protocol/wire/files";
import { Refusal } from "../../platform/refusal.ts";
import { lockUser } from "../accounts/user-store.ts";
import { endDeadUpload } from "./accept-upload.ts";
import { newFileId, textKey } from "./file-keys.ts";
import { FileJob, type FileRow, insertUploading, markCopied } from "./file-store.ts";
import type { FilesContext } from "./files-context.ts";
import { bytesLeft } from "./upload-checks.ts";

/**
 * Returns the id of the new file, which no message carries yet. Throws Refusal 6 over FILE_QUOTA_MB, and NoSuchObject where
 * the source is gone; then nothing of it is left, also when this process dies.
 */
export async function copyText(context: FilesContext, source: FileRow, userId: string): Promise<string> {
  const { db, config, ports, jobs } = context;
  const id = newFileId();
  const now = () => ports.clock.now();
  return jobs.own(
    { subject: id, kind: FileJob.Copy, user_id: userId },
    async (trx) => {
      const { name } = source;
      await insertUploading(trx, { id, user_id: userId, name, thinking_enabled: 0, inserted_at: now() });
    },
    async (job) => {
      try {
        await ports.objectStore.put(textKey(id), ports.objectStore.read(textKey(source.id)));
        await db.transaction(async (trx) => {
          await lockUser(db, trx, userId);
          if (source.text_bytes > (await bytesLeft(trx, config, userId)))
            throw new Refusal(UploadRefusal.StorageQuotaExceeded);
          await job.finish(trx);
          await markCopied(trx, id, source, now());
        });
        return id;
      } catch (error) {
        // What cannot be removed now is so by whoever runs the job next.
        await endDeadUpload(context, job).catch((problem: unknown) =>
          context.log.warn({ err: problem, file: id }, "a broken copy of a text is removed later"),
        );
        throw error;
      }
    },
  );
}
