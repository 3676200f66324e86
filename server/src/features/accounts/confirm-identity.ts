// Whether it is the account's owner who holds a token, and how they show it (wire-contract.md §19.8).
import { ConfirmIdentityRefusal } from "@plumb/protocol/wire/account-security";
import { IdentityNotConfirmed } from "@plumb/protocol/wire/bindings";
import { Global } from "@plumb/protocol/wire/global-codes";
import { isVerificationCode } from "@plumb/protocol/rules/sign-in-rules";
import type { Database, Queryable } from "../../platform/database/database.ts";
import type { CurrentUser } from "../../platform/http/request-context.ts";
import { GlobalRefusal, Refusal } from "../../platform/refusal.ts";
import { bindingsOf, isRecent } from "./bindings.ts";
import { listIdentitiesOf } from "./identity-store.ts";
import { confirmToken, tokenConfirmedUntil } from "./login-token-store.ts";
import type { PasswordGuess, PasswordTries } from "./password-tries.ts";
import { verifyPassword } from "./passwords.ts";
import { findUser, type UserRow } from "./user-store.ts";
import type { CodeKey } from "./verification-code-store.ts";
import { checkCode, type CodeRequester, emailCodeKey, smsCodeKey } from "./verification-codes.ts";

/** Throws 20 unless the token was confirmed, or signed in with, within ten minutes. Reads the database, no cache. */
export async function requireConfirmed(
  q: Queryable,
  { tokenHash }: Pick<CurrentUser, "tokenHash">,
  nowMs: number,
): Promise<void> {
  if ((await tokenConfirmedUntil(q, tokenHash, nowMs)) === 0) throw new Refusal(IdentityNotConfirmed);
}

interface GivenCode {
  code: string;
  /** The caller as a requester of codes for that address or phone. */
  requesterOf(key: CodeKey): Promise<CodeRequester>;
}

export type Proof =
  | { way: "password"; password: string }
  | ({ way: "email" } & GivenCode)
  | ({ way: "sms" } & GivenCode)
  /** A sign-in at a provider that ended in this browser: whose account it led to, where it led to one. */
  | { way: "provider"; kind: "google" | "wechat"; accountOf: () => Promise<string | null> };

interface ConfirmDeps {
  db: Database;
  codeKey: Uint8Array;
  tries: PasswordTries;
}

/**
 * Confirms the token by one proof, and returns until when (ms). Throws the call's refusals; 42903 after too many wrong passwords,
 * which count with those of signing in.
 */
export async function confirmIdentity(
  deps: ConfirmDeps,
  { id, tokenHash }: CurrentUser,
  proof: Proof,
  guessOf: (user: UserRow) => PasswordGuess,
  nowMs: number,
): Promise<number> {
  const { db, tries } = deps;
  const user = await findUser(db.kysely, { id });
  if (user === undefined) throw new GlobalRefusal(Global.InvalidToken);
  if (proof.way === "email" || proof.way === "sms")
    return requireUntil(await confirmByCode(deps, { user, tokenHash }, proof, nowMs));
  if (proof.way === "password") {
    const fits = await tries.guess(guessOf(user), () => verifyPassword(user.password_hash, proof.password));
    if (!fits) throw new Refusal(ConfirmIdentityRefusal.PasswordIsWrong);
  } else {
    const binding = bindingsOf(user, await listIdentitiesOf(db.kysely, id)).find(
      ({ kind }) => kind === proof.kind,
    );
    if (binding !== undefined && isRecent(binding, user, nowMs))
      throw new Refusal(ConfirmIdentityRefusal.WayNotAvailable);
    if ((await proof.accountOf()) !== id) throw new Refusal(ConfirmIdentityRefusal.NonceInvalid);
  }
  return requireUntil(await confirmToken(db.kysely, tokenHash, nowMs));
}

async function confirmByCode(
  { db, codeKey }: ConfirmDeps,
  { user, tokenHash }: { user: UserRow; tokenHash: string },
  { way, code, requesterOf }: Extract<Proof, { way: "email" | "sms" }>,
  nowMs: number,
): Promise<number | null> {
  const key = ownCodeKey(user, way, nowMs);
  if (key === null) throw new Refusal(ConfirmIdentityRefusal.WayNotAvailable);
  if (!isVerificationCode(code)) throw new Refusal(ConfirmIdentityRefusal.CodeWrong);
  const requester = await requesterOf(key);
  // An outcome is returned, because a throw would roll back the count of a wrong try.
  const outcome = await db.transaction(async (trx) => {
    const presented = { code, deviceId: null, requester, consume: true };
    const checked = await checkCode(db, trx, codeKey, key, presented, nowMs);
    return checked === "right" ? confirmToken(trx, tokenHash, nowMs) : checked;
  });
  if (outcome === "wrong") throw new Refusal(ConfirmIdentityRefusal.CodeWrong);
  if (outcome === "expired") throw new Refusal(ConfirmIdentityRefusal.CodeExpired);
  return outcome;
}

/** The key of codes to the account's own address or phone; null where it has none, or one that was bound a moment ago. */
export function ownCodeKey(user: UserRow, way: "email" | "sms", nowMs: number): CodeKey | null {
  const kind = way === "email" ? "email" : "phone";
  const binding = bindingsOf(user, []).find((one) => one.kind === kind);
  if (binding === undefined || isRecent(binding, user, nowMs)) return null;
  if (way === "email") return user.email === null ? null : emailCodeKey(user.email, "confirm");
  return user.mobile === null ? null : smsCodeKey(user.mobile, "confirm");
}

/** The token may have ended meanwhile. */
function requireUntil(untilMs: number | null): number {
  if (untilMs === null) throw new GlobalRefusal(Global.InvalidToken);
  return untilMs;
}
