// What an account has left of the day, and giving it back.
import { beijingDay } from "../features/guard/thinking-quota.ts";
import { clearThinking, thinkingUsed } from "../features/guard/thinking-usage-store.ts";
import { addressOf, type Operation, requireUser } from "./account-commands.ts";

export async function showQuota(
  { db, out, nowMs, thinkingQuotaPerDay: quota }: Operation,
  account: string,
): Promise<void> {
  const user = await requireUser(db, account);
  const used = await thinkingUsed(db.kysely, user.id, beijingDay(nowMs));
  const limit = quota === 0 ? "no limit" : `${quota} a day`;
  out(
    `${addressOf(user)} has used ${used} message${used === 1 ? "" : "s"} with deep thinking today; ${limit}.`,
  );
}

/** The day begins anew. */
export async function resetQuota({ db, out, nowMs }: Operation, account: string): Promise<void> {
  const user = await requireUser(db, account);
  await clearThinking(db.kysely, user.id, beijingDay(nowMs));
  out(`${addressOf(user)} has all messages with deep thinking of today again.`);
}
