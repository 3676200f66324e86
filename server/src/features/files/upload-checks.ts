// What refuses an upload before any of its body is read (wire-contract.md §1.6, §12.1).
import { fileProblem } from "@plumb/protocol/rules/upload-rules";
import { LIMITS } from "@plumb/protocol/limits";
import { UploadRefusal } from "@plumb/protocol/wire/files";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import type { Config } from "../../config.ts";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { firstOf, type RequestContext } from "../../platform/http/request-context.ts";
import { countJobs } from "../../platform/jobs/job-store.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { RateLimits } from "../guard/rate-limit.ts";
import { quotaBytes, requireRoom, type Storage, storageOf } from "../guard/storage-quota.ts";
import { bytesOfUser, FileJob } from "./file-store.ts";

/** Step 9: 7 over the class of uploads, 8 while as many of the user's are under way as may be. Counts the upload. */
export async function checkUploadRate(db: Database, rates: RateLimits, userId: string): Promise<void> {
  await refuseConcurrent(db.kysely, userId);
  if (!(await rates.countUpload(userId))) throw new Refusal(UploadRefusal.RequestTooFrequent);
}

/** Throws 8 while as many uploads of the user are under way as may be. */
export async function refuseConcurrent(q: Queryable, userId: string): Promise<void> {
  if ((await countJobs(q, FileJob.Upload, userId)) >= LIMITS.uploadConcurrency)
    throw new Refusal(UploadRefusal.TooManyConcurrent);
}

export type QuotaConfig = Pick<Config, "storageQuotaMb" | "fileQuotaMb">;

/** The room that a file has: all that is stored of the user counts, and with FILE_QUOTA_MB the files alone where that is less. */
export async function storageForFiles(q: Queryable, config: QuotaConfig, userId: string): Promise<Storage> {
  const all = await storageOf(q, config, userId);
  if (config.fileQuotaMb === 0) return all;
  const files = { used: await bytesOfUser(q, userId), quota: quotaBytes(config.fileQuotaMb) };
  return files.quota - files.used < all.quota - all.used ? files : all;
}

/** What the client says of the size, to be believed only where it speaks against the upload; null when it says nothing. */
export function announcedBytes({ headers }: Pick<RequestContext, "headers">): number | null {
  const text = firstOf(headers[RequestHeader.FileSize]);
  return text !== null && /^\d{1,15}$/u.test(text) ? Number(text) : null;
}

/** Step 12, as far as it can be told without the body: 2, 3, 6 and 15. */
export async function refuseUnfit(
  q: Queryable,
  config: QuotaConfig,
  { userId, announced }: { userId: string; announced: number | null },
): Promise<void> {
  const problem = fileProblem({ name: "a.txt", bytes: announced }, ["txt"]);
  if (problem !== null) throw new Refusal(UploadRefusal[problem]);
  const storage = await storageForFiles(q, config, userId);
  requireRoom(storage, announced ?? 1, UploadRefusal.StorageQuotaExceeded);
  const own = await countJobs(q, FileJob.Read, userId);
  const all = await countJobs(q, FileJob.Read);
  const isFull =
    own >= LIMITS.filesToReadOfUser ||
    (own > 0 && all >= LIMITS.filesToRead) ||
    all >= LIMITS.filesToReadAtMost;
  if (isFull) throw new Refusal(UploadRefusal.ServerBusy);
}
