// Signing up: an address and what lets its owner in (wire-contract.md §8.3, §8.4, §19.3).
import { randomUUID } from "node:crypto";
import type { Database, Trx } from "../../platform/database/database.ts";
import { issueToken } from "./login-tokens.ts";
import { hashPassword } from "./passwords.ts";
import type { SignInOrigin } from "./sign-in-origin.ts";
import type { SignedInUser } from "./sign-in.ts";
import { insertUser } from "./user-store.ts";
import { type CodeKey, deleteCode } from "./verification-code-store.ts";
import { checkCode, type CodeOutcome } from "./verification-codes.ts";

/** What lets somebody sign up with an address: a code that was sent to it, or an invitation. */
export interface Permit {
  /**
   * Holds it until the transaction ends, so that of parallel uses one finds it right. "elsewhere": it is good, for another
   * address.
   */
  check(trx: Trx): Promise<CodeOutcome | "elsewhere">;
  /** It is used up. */
  spend(trx: Trx): Promise<void>;
  /** Used up also where the address turns out to have an account. */
  isSpentOnTaken: boolean;
}

export interface NewAccount {
  /** In lower case. */
  email: string | null;
  /** 11 digits. */
  mobile: string | null;
  /** Valid: 8 to 50 printable ASCII characters. */
  password: string;
  origin: SignInOrigin;
}

/** The permit of a code. A wrong try is counted. */
export function codePermit(
  { db, codeKey }: { db: Database; codeKey: Uint8Array },
  key: CodeKey,
  { code, deviceId }: { code: string; deviceId: string | null },
  nowMs: number,
): Permit {
  return {
    check: (trx) => checkCode(db, trx, codeKey, key, { code, deviceId, consume: false }, nowMs),
    spend: (trx) => deleteCode(trx, key),
    isSpentOnTaken: true,
  };
}

export type SignUpRefused = Exclude<CodeOutcome, "right"> | "elsewhere" | "taken";

/**
 * Makes the account and a token for it. The permit is checked first, so that a password is hashed only for someone who
 * holds it. Then one transaction uses it up and adds account and token: a crash leaves all or nothing. That the address
 * already has an account is revealed only with a right permit. The outcome is returned, because a throw would roll back
 * the count of a wrong try.
 */
export async function signUp(
  db: Database,
  permit: Permit,
  { email, mobile, password, origin }: NewAccount,
  nowMs: number,
): Promise<SignedInUser | SignUpRefused> {
  const checked = await db.transaction((trx) => permit.check(trx));
  if (checked !== "right") return checked;
  const passwordHash = await hashPassword(password);

  return db.transaction(async (trx) => {
    const outcome = await permit.check(trx);
    if (outcome !== "right") return outcome;
    const id = randomUUID();
    const user = await insertUser(trx, {
      id,
      email,
      mobile,
      password_hash: passwordHash,
      created_at: nowMs,
    });
    if (user !== undefined || permit.isSpentOnTaken) await permit.spend(trx);
    if (user === undefined) return "taken";
    return { user, token: await issueToken(trx, user.id, nowMs, origin) };
  });
}
