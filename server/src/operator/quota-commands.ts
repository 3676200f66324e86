// What an account has left of the day and of its storage, giving the day back, and counting what is stored anew.
import { beijingDay } from "../features/guard/thinking-quota.ts";
import { clearThinking, thinkingUsed } from "../features/guard/thinking-usage-store.ts";
import { storedBytesOf } from "../features/guard/stored-bytes-store.ts";
import type { Database } from "../platform/database/database.ts";
import { addressOf, type Operation, requireUser } from "./account-commands.ts";
import { recountStoredBytes } from "./stored-bytes-store.ts";

const MIB = 1024 * 1024;

export async function showQuota(
  { db, out, nowMs, thinkingQuotaPerDay: quota, storageQuotaMb }: Operation,
  account: string,
): Promise<void> {
  const user = await requireUser(db, account);
  const used = await thinkingUsed(db.kysely, user.id, beijingDay(nowMs));
  const limit = quota === 0 ? "no limit" : `${quota} a day`;
  out(
    `${addressOf(user)} has used ${used} message${used === 1 ? "" : "s"} with deep thinking today; ${limit}.`,
  );
  out(await storedLine(db, storageQuotaMb, user.id));
}

/** What is stored of an account, in megabytes with one decimal. */
async function storedLine(db: Database, storageQuotaMb: number, userId: string): Promise<string> {
  const used = await storedBytesOf(db.kysely, userId);
  const limit = storageQuotaMb === 0 ? "no limit" : `${storageQuotaMb} MB may be`;
  return `${(used / MIB).toFixed(1)} MB of its chats, files and copies are stored; ${limit}.`;
}

/** Corrects counts of stored bytes that are wrong. */
export async function recountStorage({ db, out }: Operation): Promise<void> {
  const count = await recountStoredBytes(db);
  out(
    count === 0
      ? "All counts were right."
      : `The counts of ${count} account${count === 1 ? "" : "s"} were corrected.`,
  );
}

/** The day begins anew. */
export async function resetQuota({ db, out, nowMs }: Operation, account: string): Promise<void> {
  const user = await requireUser(db, account);
  await clearThinking(db.kysely, user.id, beijingDay(nowMs));
  out(`${addressOf(user)} has all messages with deep thinking of today again.`);
}
