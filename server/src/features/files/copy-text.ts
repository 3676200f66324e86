// A file of one's own that has a text and no bytes: of another's file whose share is continued, or of an export.
import { UploadRefusal } from "@plumb/protocol/wire/files";
import type { Trx } from "../../platform/database/database.ts";
import { lockUser } from "../accounts/user-store.ts";
import { requireRoom, type Storage } from "../guard/storage-quota.ts";
import { endDeadFile } from "./accept-upload.ts";
import { newFileId, textKey } from "./file-keys.ts";
import { FileJob, type FileRow, holdFile, insertUploading, markCopied, TextOf } from "./file-store.ts";
import type { FilesContext } from "./files-context.ts";
import { storageForFiles } from "./upload-checks.ts";

/** A text that becomes a file. `bytes` are those of what was uploaded once, `text_bytes` its own. */
export interface TextOfFile extends Pick<FileRow, "name" | "bytes" | "text_bytes"> {
  textOf: TextOf;
  /** Of the text in a prompt, with the name of the file of this id. */
  tokens(id: string): Promise<number>;
  text: AsyncIterable<Uint8Array>;
  /** What was stored before the call of which this is a part. */
  before?: Storage;
  /** Done in the transaction that makes the file. */
  also?(trx: Trx, id: string): Promise<void>;
}

/**
 * Returns the id of the new file, which no message carries yet. Throws Refusal 6 where the storage is full, and what `text` throws;
 * then nothing of it is left, also when this process dies.
 */
export async function storeText(context: FilesContext, file: TextOfFile, userId: string): Promise<string> {
  const { db, config, ports, jobs } = context;
  const id = newFileId();
  const now = () => ports.clock.now();
  return jobs.own(
    { subject: id, kind: FileJob.Copy, user_id: userId },
    async (trx) => {
      const { name } = file;
      await insertUploading(trx, { id, user_id: userId, name, thinking_enabled: 0, inserted_at: now() });
    },
    async (job) => {
      try {
        await ports.objectStore.put(textKey(id), file.text);
        const copied = {
          bytes: file.bytes,
          text_bytes: file.text_bytes,
          tokens: await file.tokens(id),
          textOf: file.textOf,
        };
        await db.transaction(async (trx) => {
          await holdFile(db, trx, id);
          await lockUser(db, trx, userId);
          const storage = await storageForFiles(trx, config, userId);
          requireRoom(storage, file.text_bytes, UploadRefusal.StorageQuotaExceeded, file.before);
          await markCopied(trx, id, copied, now());
          await file.also?.(trx, id);
          await job.finish(trx);
        });
        return id;
      } catch (error) {
        // What cannot be removed now is so by whoever runs the job next.
        await endDeadFile(context, job).catch((problem: unknown) =>
          context.log.warn({ err: problem, file: id }, "a broken copy of a text is removed later"),
        );
        throw error;
      }
    },
  );
}

/** As `storeText`, of a text that another's file has. Throws NoSuchObject where that is gone. */
export async function copyText(
  context: FilesContext,
  source: FileRow,
  { userId, before }: { userId: string; before: Storage },
): Promise<string> {
  const text = context.ports.objectStore.read(textKey(source.id));
  const { name, bytes, text_bytes } = source;
  const tokens = async () => source.tokens;
  return storeText(context, { textOf: TextOf.Sharer, name, bytes, text_bytes, text, tokens, before }, userId);
}
