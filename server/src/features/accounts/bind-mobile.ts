// Makes a phone number the account's, which a code proves (wire-contract.md §19.2).
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import type { Database } from "../../platform/database/database.ts";
import { tellOwner } from "./notices.ts";
import { findUser, lockUserIfThere, setMobile, type UserRow } from "./user-store.ts";
import { checkCode, type CodeRequester, smsCodeKey } from "./verification-codes.ts";

/**
 * The account with its number; its owner is told. Whether another account has the number shows only with a right code, which is
 * used up by it. Of two who bind one number at once the code's row lets one through.
 */
export async function bindMobile(
  { db, codeKey }: { db: Database; codeKey: Uint8Array },
  {
    userId,
    mobile,
    code,
    requester,
    locale,
  }: { userId: string; mobile: string; code: string; requester: CodeRequester; locale: Locale },
  nowMs: number,
): Promise<UserRow | "wrong" | "expired" | "bound" | "taken" | "gone"> {
  // An outcome is returned, because a throw would roll back the count of a wrong try.
  return db.transaction(async (trx) => {
    // The account before the code: whoever holds the code of a number never asks for an account without one.
    if (!(await lockUserIfThere(db, trx, userId))) return "gone";
    const user = await findUser(trx, { id: userId });
    if (user === undefined) return "gone";
    if (user.mobile !== null) return "bound";
    const presented = { code, deviceId: null, requester, consume: true };
    const outcome = await checkCode(db, trx, codeKey, smsCodeKey(mobile, "bind_mobile"), presented, nowMs);
    if (outcome !== "right") return outcome;
    if ((await findUser(trx, { mobile })) !== undefined) return "taken";
    await setMobile(trx, userId, mobile, nowMs);
    await tellOwner(db, trx, { userId, about: "phone_bound", atMs: nowMs, locale });
    return { ...user, mobile, area_code: "+86", mobile_bound_at: nowMs };
  });
}
