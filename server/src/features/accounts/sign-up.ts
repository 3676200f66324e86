// Signing up: an address and what lets its owner in (wire-contract.md §8.3, §8.4, §19.3).
import { randomUUID } from "node:crypto";
import { isVerificationCode } from "@plumb/protocol/rules/sign-in-rules";
import type { Database, Trx } from "../../platform/database/database.ts";
import { issueToken } from "./login-tokens.ts";
import { hashPassword } from "./passwords.ts";
import type { SignInOrigin } from "./sign-in-origin.ts";
import type { SignedInUser } from "./sign-in.ts";
import { insertUser } from "./user-store.ts";
import type { CodeKey } from "./verification-code-store.ts";
import { checkCode, type CodeOutcome, type PresentedCode } from "./verification-codes.ts";

/** What lets somebody sign up with an address: a code that was sent to it, or an invitation. */
export interface Permit {
  /**
   * Holds it until the transaction ends, so that of parallel uses one finds it right. "malformed": a code is needed, and what
   * was given is none.
   */
  check(trx: Trx): Promise<CodeOutcome | "malformed" | "uninvited">;
  /** It is used up. */
  spend(trx: Trx): Promise<void>;
  /** What is answered where the address has an account, and what that costs. */
  refuseTaken(trx: Trx): Promise<"taken" | "uninvited">;
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

/** The permit of a code. A wrong try is counted; one for an address that has an account is used up. */
export function codePermit(
  { db, codeKey }: { db: Database; codeKey: Uint8Array },
  key: CodeKey,
  presented: Omit<PresentedCode, "consume">,
  nowMs: number,
): Permit {
  const check = (trx: Trx, consume: boolean) =>
    checkCode(db, trx, codeKey, key, { ...presented, consume }, nowMs);
  return {
    check: async (trx) => (isVerificationCode(presented.code) ? check(trx, false) : "malformed"),
    async spend(trx) {
      await check(trx, true);
    },
    async refuseTaken(trx) {
      await check(trx, true);
      return "taken";
    },
  };
}

export type SignUpRefused = Exclude<CodeOutcome, "right"> | "malformed" | "uninvited" | "taken";

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
    if (user === undefined) return permit.refuseTaken(trx);
    await permit.spend(trx);
    return { user, token: await issueToken(trx, user.id, nowMs, origin) };
  });
}
