// Verification codes: made, checked, consumed (wire-contract.md §7, "Codes").
import { createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { LIMITS } from "@plumb/protocol/limits";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Database, Queryable, Trx } from "../../platform/database/database.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import { countBoth, type Counter, countHit, uncountBoth, uncountHit } from "../guard/counter-store.ts";
import { type CodeKey, countWrongTry, deleteCode, lockCode, replaceCode } from "./verification-code-store.ts";

export type CodeOutcome = "right" | "wrong" | "expired";

export type EmailScenario = "register" | "reset_password" | "bind_email" | "confirm";
export type SmsScenario = "login" | "register" | "reset_password" | "bind_mobile" | "confirm";

/** All but `device` are keyed hashes: the database does not tell from where somebody came. */
export interface CodeRequester {
  /** Its browser; of a client without the cookie one that nobody else has. */
  browser: string;
  /** Its IPv4 address or IPv6 /64: codes are bound to it. */
  network: string;
  /** Its IPv4 address or IPv6 /48: requests and wrong tries are counted by it. */
  site: string;
  /** The target's account's name for the browser; null where the account does not know it, or is not there. */
  device: string | null;
}

const DAY_MS = 24 * 3_600_000;
/**
 * Wrong tries per target and day, always counted, whatever RATE_LIMITS says. A try is compared with one code alone, so
 * that strangers and known browsers together guess 50 × 10⁻⁶ = 5 × 10⁻⁵ a day at most. One network has a part of what
 * strangers have, so that it alone cannot take it from all others.
 */
const WRONG_TRIES = {
  network: { limit: 10, windowMs: DAY_MS },
  strangers: { limit: 35, windowMs: DAY_MS },
  known: { limit: 15, windowMs: DAY_MS },
};

/** `email` in lower case. A code is good for the scenario that it was asked for. */
export function emailCodeKey(email: string, scenario: EmailScenario): CodeKey {
  return { channel: "email", target: email, scenario };
}

/** `mobile` as 11 digits. Null: who asked did not say what for, and the code is good for all but `confirm`. */
export function smsCodeKey(mobile: string, scenario: SmsScenario | null): CodeKey {
  return { channel: "sms", target: mobile, scenario: scenario ?? "any" };
}

/** The scenarios of the codes that are good for a use. */
function acceptedBy({ channel, scenario }: CodeKey): string[] {
  return channel === "sms" && scenario !== "confirm" ? [scenario, "any"] : [scenario];
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
function hashCode(codeKey: Uint8Array, { channel, target, scenario }: CodeKey, code: string): string {
  return createHmac("sha256", codeKey)
    .update(JSON.stringify(["code", channel, target, scenario, code]))
    .digest("hex");
}

export function makeCode(): string {
  const digits = LIMITS.verificationCodeDigits;
  return String(randomInt(10 ** digits)).padStart(digits, "0");
}

/**
 * Stores a code that was made at `madeMs` in place of the requester's older one. `deviceId` empty = not bound to a device.
 * `code` null: nothing was sent, and what is stored looks as if it had been, but no code fits.
 */
export async function storeCode(
  q: Queryable,
  codeKey: Uint8Array,
  key: CodeKey,
  made: { code: string | null; deviceId: string | null | undefined; requester: CodeRequester },
  madeMs: number,
): Promise<void> {
  const { browser, network } = made.requester;
  await replaceCode(
    q,
    key,
    { requester: browser, network },
    {
      code_hash: hashCode(codeKey, key, made.code ?? randomBytes(32).toString("hex")),
      device_id: made.deviceId || null,
      created_at: madeMs,
      expires_at: madeMs + LIMITS.verificationCodeLifeSecs * 1000,
    },
  );
}

export interface PresentedCode {
  code: string;
  deviceId: string | null | undefined;
  requester: CodeRequester;
  /** Whether a right one is used up, so that of many parallel uses one is right. */
  consume: boolean;
}

/**
 * Compares a code with the requester's own under the row's lock; that of another browser in another network is none. A
 * wrong try is counted in `trx`, which must be committed whatever the outcome; after five the code answers as expired to
 * who made them: tries of its browser and of others in its network are counted apart. A device that differs from the one
 * that asked counts as wrong. Throws 42903 with Retry-After when the target's wrong tries of the day are used up.
 */
export async function checkCode(
  db: Database,
  trx: Trx,
  codeKey: Uint8Array,
  key: CodeKey,
  { code, deviceId, requester, consume }: PresentedCode,
  nowMs: number,
): Promise<CodeOutcome> {
  const { browser, network } = requester;
  const holder = { scenarios: acceptedBy(key), requester: browser, network };
  const stored = await lockCode(db, trx, key, holder, nowMs);
  const tries = stored?.requester === browser ? "tries" : "network_tries";
  if (stored === undefined || stored[tries] >= LIMITS.verificationCodeTries) return "expired";

  // Counted before the comparison, so that parallel guesses at several codes cannot pass together.
  const [one, other] = wrongTriesOf(codeKey, key, requester);
  const waitMs =
    other === undefined
      ? await countHit(trx, one.key, one.limit, nowMs)
      : await countBoth(trx, one, other, nowMs);
  if (waitMs !== null)
    throw new GlobalRefusal(Global.OperationTooFrequent, { retryAfter: Math.ceil(waitMs / 1000) });
  const fits = timingSafeEqual(
    Buffer.from(stored.code_hash, "hex"),
    Buffer.from(hashCode(codeKey, stored, code), "hex"),
  );
  const sameDevice = !stored.device_id || !deviceId || stored.device_id === deviceId;
  if (!fits || !sameDevice) {
    await countWrongTry(trx, stored, tries);
    return "wrong";
  }
  if (other === undefined) await uncountHit(trx, one.key, one.limit, nowMs);
  else await uncountBoth(trx, one, other, nowMs);
  if (consume) await deleteCode(trx, stored);
  return "right";
}

function wrongTriesOf(
  codeKey: Uint8Array,
  { channel, target }: CodeKey,
  { device, site }: CodeRequester,
): readonly [Counter] | readonly [Counter, Counter] {
  const hash = createHmac("sha256", codeKey).update(JSON.stringify(["tries", channel, target]));
  const key = `wrong_code:${hash.digest("base64url")}`;
  return device === null
    ? [
        { key: `${key}:${site}`, limit: WRONG_TRIES.network },
        { key: `${key}:strangers`, limit: WRONG_TRIES.strangers },
      ]
    : [{ key: `${key}:known`, limit: WRONG_TRIES.known }];
}
