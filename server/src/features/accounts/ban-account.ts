// Banning an account and lifting the ban. Both work beside running servers, which see them within a second.
import type { Database } from "../../platform/database/database.ts";
import { setBannedAt } from "../moderation/account-status-store.ts";
import { deleteTokensOf } from "./login-token-store.ts";
import { notifyRevoked } from "./login-tokens.ts";

/**
 * From now on no token of the account lets anybody in: each is answered 40012 once more and ends with that, so that its
 * owner learns why (wire-contract.md §1.8). False when there is no such account.
 */
export async function banAccount(db: Database, userId: string, nowMs: number): Promise<boolean> {
  return db.transaction(async (trx) => {
    if (!(await setBannedAt(trx, userId, nowMs))) return false;
    await notifyRevoked(db, trx, { userId, tokenHash: null });
    return true;
  });
}

/** Lifts the ban. The tokens from before it have ended: people sign in again. False when there is no such account. */
export async function unbanAccount(db: Database, userId: string): Promise<boolean> {
  return db.transaction(async (trx) => {
    if (!(await setBannedAt(trx, userId, null))) return false;
    await deleteTokensOf(trx, userId);
    await notifyRevoked(db, trx, { userId, tokenHash: null });
    return true;
  });
}
