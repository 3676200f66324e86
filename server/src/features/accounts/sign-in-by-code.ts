// Signing in by a code that was sent to a phone; where the phone has no account, one is made (wire-contract.md §8.2).
import { randomUUID } from "node:crypto";
import type { Database } from "../../platform/database/database.ts";
import { isBanned } from "../moderation/account-status.ts";
import { issueToken } from "./login-tokens.ts";
import type { SignInOrigin } from "./sign-in-origin.ts";
import type { SignedInUser } from "./sign-in.ts";
import { holdUserOf, insertUser } from "./user-store.ts";
import { checkCode, type CodeRequester, smsCodeKey } from "./verification-codes.ts";

interface CodeSignIn {
  /** 11 digits. */
  mobile: string;
  code: string;
  deviceId: string | null;
  requester: CodeRequester;
  origin: SignInOrigin;
  /** False: only accounts that are there may sign in. */
  mayMake: boolean;
}

/** An account made here has no password until one is set by a reset. */
export async function signInByCode(
  { db, codeKey }: { db: Database; codeKey: Uint8Array },
  { mobile, code, deviceId, requester, origin, mayMake }: CodeSignIn,
  nowMs: number,
): Promise<(SignedInUser & { isNew: boolean }) | "wrong" | "expired" | "banned" | "closed"> {
  return db.transaction(async (trx) => {
    const presented = { code, deviceId, requester, consume: true };
    const outcome = await checkCode(db, trx, codeKey, smsCodeKey(mobile, "login"), presented, nowMs);
    if (outcome !== "right") return outcome;
    const known = await holdUserOf(db, trx, { mobile });
    if (known !== undefined && isBanned(known)) return "banned";
    if (known === undefined && !mayMake) return "closed";
    const account = { id: randomUUID(), email: null, mobile, password_hash: null, created_at: nowMs };
    const user = known ?? (await insertUser(trx, account));
    if (user === undefined) throw new Error("the account of a phone was made twice at once");
    return { user, token: await issueToken(trx, user.id, nowMs, origin), isNew: known === undefined };
  });
}
