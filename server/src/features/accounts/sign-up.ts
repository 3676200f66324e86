// Signing up with an e-mail address that a code proves (wire-contract.md §8.3).
import { randomUUID } from "node:crypto";
import { RegisterRefusal } from "@plumb/protocol/wire/sign-in";
import type { Database } from "../../platform/database/database.ts";
import { Refusal } from "../../platform/refusal.ts";
import { issueToken } from "./login-tokens.ts";
import { hashPassword } from "./passwords.ts";
import type { SignedInUser } from "./sign-in.ts";
import type { SignInOrigin } from "./sign-in-origin.ts";
import { insertUser } from "./user-store.ts";
import { checkCode, type CodeOutcome } from "./verification-codes.ts";

interface SignUpRequest {
  /** Valid and in lower case. */
  email: string;
  /** Valid: 8 to 50 printable ASCII characters. */
  password: string;
  code: string;
  deviceId: string | null;
  origin: SignInOrigin;
}

function requireRight(outcome: CodeOutcome): void {
  if (outcome === "expired") throw new Refusal(RegisterRefusal.CodeExpired);
  if (outcome === "wrong") throw new Refusal(RegisterRefusal.PasscodeFailed);
}

/**
 * Makes the account and a token for it. The code is checked first, so that a password is hashed only for someone who holds
 * it. Then one transaction consumes the code and adds account and token: a crash leaves all or nothing, and of parallel
 * uses one succeeds. That the address already has an account (1) is revealed only with a right code, which is consumed.
 */
export async function signUpByEmail(
  { db, codeKey }: { db: Database; codeKey: Uint8Array },
  request: SignUpRequest,
  nowMs: number,
): Promise<SignedInUser> {
  const key = { channel: "email", target: request.email, scenario: "register" } as const;
  const { code, deviceId } = request;
  requireRight(
    await db.transaction((trx) =>
      checkCode(db, trx, codeKey, key, { code, deviceId, consume: false }, nowMs),
    ),
  );
  const passwordHash = await hashPassword(request.password);

  // The outcome is returned, because a throw would roll back the count of a wrong try.
  const result = await db.transaction(async (trx) => {
    const outcome = await checkCode(db, trx, codeKey, key, { code, deviceId, consume: true }, nowMs);
    if (outcome !== "right") return outcome;
    const user = await insertUser(trx, {
      id: randomUUID(),
      email: request.email,
      mobile: null,
      password_hash: passwordHash,
      created_at: nowMs,
    });
    if (user === undefined) return "exists";
    return { user, token: await issueToken(trx, user.id, nowMs, request.origin) };
  });
  if (result === "exists") throw new Refusal(RegisterRefusal.EmailExists);
  if (typeof result === "string") {
    requireRight(result);
    throw new Error("a right code made no account");
  }
  return result;
}
