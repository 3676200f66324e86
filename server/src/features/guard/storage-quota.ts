// One quota for all that is stored of an account: chats, copies of shares, imports and files. Over it, reading, deleting and
// chatting go on; what makes more at once is refused (wire-contract.md §17.3).
import type { RefusalCode } from "@plumb/protocol/wire/call";
import type { Config } from "../../config.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { Refusal } from "../../platform/refusal.ts";
import { storedBytesOf } from "./stored-bytes-store.ts";

const MIB = 1024 * 1024;

/** What is stored, and may be, in bytes. */
export interface Storage {
  used: number;
  /** Infinite for no limit. */
  quota: number;
}

/** `mb` is a setting: megabytes, 0 = no limit. */
export const quotaBytes = (mb: number): number => (mb === 0 ? Number.POSITIVE_INFINITY : mb * MIB);

/** What is stored of the user. Exact in a transaction that holds the user's row. */
export async function storageOf(
  q: Queryable,
  { storageQuotaMb }: Pick<Config, "storageQuotaMb">,
  userId: string,
): Promise<Storage> {
  const quota = quotaBytes(storageQuotaMb);
  return { used: quota === Number.POSITIVE_INFINITY ? 0 : await storedBytesOf(q, userId), quota };
}

/**
 * Throws `refusal` where `more` bytes have no room. Its data are the numbers from `before` the call where `storage` counts what
 * the call itself has stored, because a refused call leaves nothing.
 */
export function requireRoom(
  storage: Storage,
  more: number,
  refusal: RefusalCode,
  before: Storage = storage,
): void {
  if (storage.used + more > storage.quota)
    throw new Refusal(refusal, { used_bytes: before.used, quota_bytes: before.quota });
}
