// The cookie of the browsers that an account was signed in from (wire-contract.md §1.9, §8).
//
// It gives no access. Failed passwords from such a browser are counted separately, so that a stranger who fails on purpose
// cannot lock the owner out.
import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";

export const DEVICE_COOKIE = "plumb_device";
/** 400 days, the longest that browsers keep a cookie. */
export const DEVICE_LIFE_SECS = 400 * 24 * 3600;
/** For browsers that several people share. Beyond it the account signed in longest ago is dropped. */
const ACCOUNTS_MAX = 5;

/** One account in the cookie: a random name of this browser for it, the end in Unix seconds, and the signature. */
interface Entry {
  device: string;
  expireAt: number;
  signature: string;
}

const ENTRY = /^([\w-]{22})\.(\d{10})\.([\w-]{43})$/;

/**
 * The key of the cookie's signatures, derived from the server key for this use alone. A ready key: of bytes Node makes one anew
 * for every signature, which takes three times as long as the signature.
 */
export function deviceKeyOf(secretKey: string): KeyObject {
  return createSecretKey(createHmac("sha256", secretKey).update("known-devices").digest());
}

/** The user's id is in the signature only: the cookie does not reveal which accounts it is for. */
function sign(key: KeyObject, userId: string, device: string, expireAt: number): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([userId, device, expireAt]))
    .digest("base64url");
}

/** The entries of a cookie without the malformed and the expired ones. Signatures are not checked here. */
function readEntries(cookie: string | null, nowMs: number): Entry[] {
  return (cookie ?? "").split("~", ACCOUNTS_MAX).flatMap((text) => {
    const [, device, expireAt, signature] = ENTRY.exec(text) ?? [];
    if (device === undefined || expireAt === undefined || signature === undefined) return [];
    return Number(expireAt) * 1000 > nowMs ? [{ device, expireAt: Number(expireAt), signature }] : [];
  });
}

function isOf(key: KeyObject, userId: string, { device, expireAt, signature }: Entry): boolean {
  const expected = sign(key, userId, device, expireAt);
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
}

/** The account's name for the browser that sent the cookie; null when it was never signed in to from there. */
export function findKnownDevice(
  key: KeyObject,
  cookie: string | null,
  userId: string,
  nowMs: number,
): string | null {
  return readEntries(cookie, nowMs).find((entry) => isOf(key, userId, entry))?.device ?? null;
}

/** The cookie's new value after a sign-in: a new entry for this account first, then those of the other accounts. */
export function addKnownDevice(key: KeyObject, cookie: string | null, userId: string, nowMs: number): string {
  const others = readEntries(cookie, nowMs).filter((entry) => !isOf(key, userId, entry));
  const device = randomBytes(16).toString("base64url");
  const expireAt = Math.floor(nowMs / 1000) + DEVICE_LIFE_SECS;
  const own = { device, expireAt, signature: sign(key, userId, device, expireAt) };
  return [own, ...others]
    .slice(0, ACCOUNTS_MAX)
    .map((entry) => `${entry.device}.${entry.expireAt}.${entry.signature}`)
    .join("~");
}
