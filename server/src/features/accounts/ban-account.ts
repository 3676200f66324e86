// Banning an account and lifting the ban. Running servers, here or elsewhere, apply both within a second.
import type { Database } from "../../platform/database/database.ts";
import { setBannedAt } from "../moderation/account-status-store.ts";
import { endSignIns, notifyRevoked } from "./login-tokens.ts";
import { endLinks } from "./user-store.ts";

/**
 * Bans the account. None of its tokens is accepted any more; they are not deleted here, because each answers 40012 once,
 * which shows its owner the banned page (wire-contract.md §1.8). Links to its files and exports end for good. False when there is no such account.
 */
export async function banAccount(db: Database, userId: string, nowMs: number): Promise<boolean> {
  return db.transaction(async (trx) => {
    if (!(await setBannedAt(trx, userId, nowMs))) return false;
    await endLinks(trx, userId);
    await notifyRevoked(db, trx, { userId, tokenHash: null });
    return true;
  });
}

/** Lifts the ban and deletes the tokens from before it. False when there is no such account. */
export async function unbanAccount(db: Database, userId: string): Promise<boolean> {
  return db.transaction(async (trx) => {
    if (!(await setBannedAt(trx, userId, null))) return false;
    await endSignIns(db, trx, userId);
    return true;
  });
}
