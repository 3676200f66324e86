// Verification codes: made, checked, consumed (wire-contract.md §7, "Codes").
import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { LIMITS } from "@plumb/protocol/limits";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import { type CodeKey, countWrongTry, deleteCode, lockCode, replaceCode } from "./verification-code-store.ts";

export type CodeOutcome = "right" | "wrong" | "expired";

/** `email` in lower case. A code is good for the scenario that it was asked for. */
export function emailCodeKey(
  email: string,
  scenario: "register" | "reset_password" | "bind_email" | "confirm",
): CodeKey {
  return { channel: "email", target: email, scenario };
}

/** `mobile` as 11 digits. Codes by text message have no scenario: what is asked for with them is not known when they are sent. */
export function smsCodeKey(mobile: string): CodeKey {
  return { channel: "sms", target: mobile, scenario: "any" };
}

/** The key of the codes' hashes, derived from the server key for this use alone. */
export function codeKeyOf(secretKey: string): Buffer {
  return createHmac("sha256", secretKey).update("verification-codes").digest();
}

/**
 * A code has a million values: whoever stole the table could break even a slow hash of it within hours. This is an HMAC
 * with a key that is not in the database; five tries and ten minutes limit guessing. It includes the key fields, so that
 * a row copied to another address is worthless.
 */
function hashCode(codeKey: Uint8Array, key: CodeKey, code: string): string {
  return createHmac("sha256", codeKey)
    .update(JSON.stringify(["code", key.channel, key.target, key.scenario, code]))
    .digest("hex");
}

export function makeCode(): string {
  const digits = LIMITS.verificationCodeDigits;
  return String(randomInt(10 ** digits)).padStart(digits, "0");
}

/** Stores a code that was made at `madeMs` in place of the older one. `deviceId` empty = not bound to a device. */
export async function storeCode(
  q: Queryable,
  codeKey: Uint8Array,
  key: CodeKey,
  { code, deviceId }: { code: string; deviceId: string | null | undefined },
  madeMs: number,
): Promise<void> {
  await replaceCode(q, key, {
    code_hash: hashCode(codeKey, key, code),
    device_id: deviceId || null,
    created_at: madeMs,
    expires_at: madeMs + LIMITS.verificationCodeLifeSecs * 1000,
  });
}

/**
 * Compares a code under the row's lock. `consume` removes a right one, so that of many parallel uses one is right.
 * A wrong try is counted in `trx`, which must be committed whatever the outcome; after five the code answers as expired.
 * A device that differs from the one that asked counts as wrong.
 */
export async function checkCode(
  db: Database,
  trx: Trx,
  codeKey: Uint8Array,
  key: CodeKey,
  presented: { code: string; deviceId: string | null | undefined; consume: boolean },
  nowMs: number,
): Promise<CodeOutcome> {
  const stored = await lockCode(db, trx, key);
  if (stored === undefined || stored.expires_at <= nowMs || stored.tries >= LIMITS.verificationCodeTries)
    return "expired";
  const fits = timingSafeEqual(
    Buffer.from(stored.code_hash, "hex"),
    Buffer.from(hashCode(codeKey, key, presented.code), "hex"),
  );
  const sameDevice = !stored.device_id || !presented.deviceId || stored.device_id === presented.deviceId;
  if (!fits || !sameDevice) {
    await countWrongTry(trx, key);
    return "wrong";
  }
  if (presented.consume) await deleteCode(trx, key);
  return "right";
}
