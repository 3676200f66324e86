// A new password for who holds a code that was sent to the account (wire-contract.md §8.5, §8.6).
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import type { BindingKind } from "@plumb/protocol/wire/bindings";
import type { Database } from "../../platform/database/database.ts";
import { isBanned } from "../moderation/account-status.ts";
import { boundSince } from "./bindings.ts";
import { listIdentitiesOf } from "./identity-store.ts";
import { endSignIns } from "./login-tokens.ts";
import { tellOwner } from "./notices.ts";
import { forgetFailedPasswords } from "./password-tries.ts";
import { hashPassword } from "./passwords.ts";
import { removeBinding } from "./remove-binding.ts";
import { findUser, holdUserOf, setProvedPassword } from "./user-store.ts";
import type { CodeKey } from "./verification-code-store.ts";
import { checkCode, type CodeRequester } from "./verification-codes.ts";

export interface ResetRequest {
  key: CodeKey;
  who: { email: string } | { mobile: string };
  code: string;
  requester: CodeRequester;
  /** Valid: 8 to 50 printable ASCII characters. */
  password: string;
  /** What is removed of what was bound since the last reset. */
  unbind: readonly BindingKind[];
  locale: Locale;
}

export type ResetOutcome = "wrong" | "expired" | "unknown" | "banned" | { userId: string };

/**
 * Sets the password, removes what its owner does not know, ends every sign-in of the account, and tells its owner. The code is checked first, so that a password is hashed only
 * for someone who holds it, and consumed in the transaction that sets the password: of parallel uses one succeeds. Failed
 * passwords are forgotten, or who was locked out by them could not use the new one.
 */
export async function resetPassword(
  { db, codeKey }: { db: Database; codeKey: Uint8Array },
  { key, who, code, requester, password, unbind, locale }: ResetRequest,
  nowMs: number,
): Promise<ResetOutcome> {
  const presented = { code, deviceId: null, requester };
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
    const held = await holdUserOf(db, trx, who);
    if (held?.id !== user.id) return "unknown";
    const by = key.channel === "email" ? "email" : "phone";
    const added = boundSince(held, await listIdentitiesOf(trx, user.id), by);
    for (const { kind } of added) if (unbind.includes(kind)) await removeBinding(trx, user.id, kind);
    await setProvedPassword(trx, user.id, { passwordHash, by }, nowMs);
    await forgetFailedPasswords(trx, user.id);
    await endSignIns(db, trx, user.id);
    await tellOwner(db, trx, { userId: user.id, about: "password_changed", atMs: nowMs, locale });
    return { userId: user.id };
  });
}
