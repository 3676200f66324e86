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
import { bytesOfUser, FileJob } from "./file-store.ts";

const MIB = 1024 * 1024;

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

/** Bytes that the user's files may still take; infinite without FILE_QUOTA_MB. */
export async function bytesLeft(
  q: Queryable,
  { fileQuotaMb }: Pick<Config, "fileQuotaMb">,
  userId: string,
): Promise<number> {
  return fileQuotaMb === 0
    ? Number.POSITIVE_INFINITY
    : Math.max(0, fileQuotaMb * MIB - (await bytesOfUser(q, userId)));
}

/** What the client says of the size, to be believed only where it speaks against the upload; null when it says nothing. */
export function announcedBytes({ headers }: Pick<RequestContext, "headers">): number | null {
  const text = firstOf(headers[RequestHeader.FileSize]);
  return text !== null && /^\d{1,15}$/u.test(text) ? Number(text) : null;
}

/** Step 12, as far as it can be told without the body: 2, 3, 6 and 15. */
export async function refuseUnfit(
  q: Queryable,
  config: Pick<Config, "fileQuotaMb">,
  { userId, announced }: { userId: string; announced: number | null },
): Promise<void> {
  const problem = fileProblem({ name: "a.txt", bytes: announced }, ["txt"]);
  if (problem !== null) throw new Refusal(UploadRefusal[problem]);
  if ((announced ?? 1) > (await bytesLeft(q, config, userId)))
    throw new Refusal(UploadRefusal.StorageQuotaExceeded);
  const own = await countJobs(q, FileJob.Read, userId);
  const all = await countJobs(q, FileJob.Read);
  const isFull =
    own >= LIMITS.filesToReadOfUser ||
    (own > 0 && all >= LIMITS.filesToRead) ||
    all >= LIMITS.filesToReadAtMost;
  if (isFull) throw new Refusal(UploadRefusal.ServerBusy);
}
