// Makes an account from an address that a code has proved (wire-contract.md §8.3).
import { randomUUID } from "node:crypto";
import { RegisterRefusal } from "@plumb/protocol/wire/accounts";
import type { Database } from "../../platform/database/database.ts";
import { Refusal } from "../../platform/refusal.ts";
import { issueToken } from "./login-tokens.ts";
import { hashPassword } from "./passwords.ts";
import type { SignedInUser } from "./sign-in.ts";
import { insertEmailUser } from "./user-store.ts";
import { checkCode, type CodeOutcome } from "./verification-codes.ts";

interface SignUpRequest {
  /** Valid and in lower case. */
  email: string;
  /** Valid: 8 to 50 printable ASCII characters. */
  password: string;
  code: string;
  deviceId: string | null;
}

function requireRight(outcome: CodeOutcome): void {
  if (outcome === "expired") throw new Refusal(RegisterRefusal.CodeExpired);
  if (outcome === "wrong") throw new Refusal(RegisterRefusal.PasscodeFailed);
}

/**
 * The code is looked at first, so that only its holder costs a password hash. Then one transaction consumes it and adds
 * account and token: a crash leaves all or nothing, and of parallel uses one wins. Whether the address has an account
 * already (1) is told only to who holds a right code; that use consumes it too.
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

  // The outcome is returned and not thrown, so that a wrong try stays counted.
  const result = await db.transaction(async (trx) => {
    const outcome = await checkCode(db, trx, codeKey, key, { code, deviceId, consume: true }, nowMs);
    if (outcome !== "right") return outcome;
    const user = await insertEmailUser(trx, {
      id: randomUUID(),
      email: request.email,
      password_hash: passwordHash,
      created_at: nowMs,
    });
    if (user === undefined) return "exists";
    return { user, token: await issueToken(trx, user.id, nowMs) };
  });
  if (result === "exists") throw new Refusal(RegisterRefusal.EmailExists);
  if (typeof result === "string") {
    requireRight(result);
    throw new Error("a right code made no account");
  }
  return result;
}
