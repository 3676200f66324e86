// The browsers that an account was signed in from: each is told so by a cookie that it alone holds.
//
// The cookie opens nothing. It only takes its browser out of the count of failed passwords that all addresses share, so
// that a stranger who fails on purpose does not lock the owner out (wire-contract.md §1.9, §8.1).
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export const DEVICE_COOKIE = "plumb_device";
/** Browsers keep a cookie no longer. */
export const DEVICE_LIFE_SECS = 400 * 24 * 3600;
/** People of one household share a browser. Beyond that the account signed in longest ago is dropped. */
const ACCOUNTS_MAX = 5;

/** One account in the cookie: a random name of this browser for it, the end in Unix seconds, and the signature. */
interface Entry {
  device: string;
  expireAt: number;
  signature: string;
}

const ENTRY = /^([\w-]{22})\.(\d{10})\.([\w-]{43})$/;

/** The key of the cookie's signatures, made of the server key for this use alone. */
export function deviceKeyOf(secretKey: string): Buffer {
  return createHmac("sha256", secretKey).update("known-devices").digest();
}

/** The cookie holds no account's name: only who knows the user can tell that an entry is theirs. */
function sign(key: Uint8Array, userId: string, device: string, expireAt: number): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([userId, device, expireAt]))
    .digest("base64url");
}

/** Malformed and ended entries are left out; signatures are not looked at. */
function readEntries(cookie: string | null, nowMs: number): Entry[] {
  return (cookie ?? "").split("~", ACCOUNTS_MAX).flatMap((text) => {
    const [, device, expireAt, signature] = ENTRY.exec(text) ?? [];
    if (device === undefined || expireAt === undefined || signature === undefined) return [];
    return Number(expireAt) * 1000 > nowMs ? [{ device, expireAt: Number(expireAt), signature }] : [];
  });
}

function isOf(key: Uint8Array, userId: string, { device, expireAt, signature }: Entry): boolean {
  const expected = sign(key, userId, device, expireAt);
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
}

/** The account's name for the browser that sent the cookie; null when it was never signed in to from there. */
export function findKnownDevice(
  key: Uint8Array,
  cookie: string | null,
  userId: string,
  nowMs: number,
): string | null {
  return readEntries(cookie, nowMs).find((entry) => isOf(key, userId, entry))?.device ?? null;
}

/** The cookie's new value after a sign-in: what it held of other accounts, and a new entry of this one in front. */
export function addKnownDevice(
  key: Uint8Array,
  cookie: string | null,
  userId: string,
  nowMs: number,
): string {
  const others = readEntries(cookie, nowMs).filter((entry) => !isOf(key, userId, entry));
  const device = randomBytes(16).toString("base64url");
  const expireAt = Math.floor(nowMs / 1000) + DEVICE_LIFE_SECS;
  const own = { device, expireAt, signature: sign(key, userId, device, expireAt) };
  return [own, ...others]
    .slice(0, ACCOUNTS_MAX)
    .map((entry) => `${entry.device}.${entry.expireAt}.${entry.signature}`)
    .join("~");
}
