// Forgets an account with all that is its owner's (requirements 0§8; wire-contract.md §9, unregister).
import type { Deps } from "../../platform/deps.ts";
import { forgetThinking } from "../guard/thinking-usage-store.ts";
import { deleteTokensOf } from "./login-token-store.ts";
import { notifyRevoked } from "./login-tokens.ts";
import { deleteUser } from "./user-store.ts";
import { deleteCodesOf } from "./verification-code-store.ts";

/**
 * In this order: nobody is signed in any more, on any replica after a second; what may be much is deleted step by step; the
 * rest goes in one transaction, with the account. Bytes of files and exports are taken by jobs that this leaves, and counters
 * that name the account lapse within a day. Throws where something keeps it from that: called again, it goes on.
 */
export async function forgetAccount(
  { db, events }: Pick<Deps, "db" | "events">,
  userId: string,
): Promise<void> {
  await db.transaction(async (trx) => {
    await deleteTokensOf(trx, userId);
    await notifyRevoked(db, trx, { userId, tokenHash: null });
  });
  await events.emit("accountDeleting", { userId });
  await db.transaction(async (trx) => {
    await events.emit("accountDeleted", { userId, trx });
    const user = await deleteUser(trx, userId);
    if (user === undefined) return;
    await deleteCodesOf(trx, user);
    await forgetThinking(trx, userId);
  });
}
