// A new password for who holds a code that was sent to the account (wire-contract.md §8.5, §8.6).
import type { Database } from "../../platform/database/database.ts";
import { isBanned } from "../moderation/account-status.ts";
import { deleteTokensOf } from "./login-token-store.ts";
import { notifyRevoked } from "./login-tokens.ts";
import { forgetFailedPasswords } from "./password-tries.ts";
import { hashPassword } from "./passwords.ts";
import { findUser, lockUserIfThere, setPasswordHash, type UserKey } from "./user-store.ts";
import type { CodeKey } from "./verification-code-store.ts";
import { checkCode } from "./verification-codes.ts";

interface ResetRequest {
  key: CodeKey;
  who: UserKey;
  code: string;
  /** Valid: 8 to 50 printable ASCII characters. */
  password: string;
}

export type ResetOutcome = "wrong" | "expired" | "unknown" | "banned" | { userId: string };

/**
 * Sets the password and ends every sign-in of the account. The code is checked first, so that a password is hashed only
 * for someone who holds it, and consumed in the transaction that sets the password: of parallel uses one succeeds. Failed
 * passwords are forgotten, or who was locked out by them could not use the new one.
 */
export async function resetPassword(
  { db, codeKey }: { db: Database; codeKey: Uint8Array },
  { key, who, code, password }: ResetRequest,
  nowMs: number,
): Promise<ResetOutcome> {
  const presented = { code, deviceId: null };
  const checked = await db.transaction((trx) =>
    checkCode(db, trx, codeKey, key, { ...presented, consume: false }, nowMs),
  );
  if (checked !== "right") return checked;
  const user = await findUser(db.kysely, who);
  if (user === undefined) return "unknown";
  if (isBanned(user)) return "banned";
  const passwordHash = await hashPassword(password);

  return db.transaction(async (trx) => {
    // The code before its account, as whoever deletes an account takes them.
    const outcome = await checkCode(db, trx, codeKey, key, { ...presented, consume: true }, nowMs);
    if (outcome !== "right") return outcome;
    if (!(await lockUserIfThere(db, trx, user.id))) return "unknown";
    await setPasswordHash(trx, user.id, passwordHash);
    await forgetFailedPasswords(trx, user.id);
    await deleteTokensOf(trx, user.id);
    await notifyRevoked(db, trx, { userId: user.id, tokenHash: null });
    return { userId: user.id };
  });
}
