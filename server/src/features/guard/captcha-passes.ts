// What a solved puzzle gives: a random name that is good once, for five minutes (wire-contract.md §7, "Captcha fields").
import { createHash, randomBytes } from "node:crypto";
import type { Queryable } from "../../platform/database/database.ts";
import { insertPass, takePass } from "./slide-captcha-store.ts";

const LIFE_MS = 5 * 60_000;

export interface CaptchaPass {
  rid: string;
  /** Milliseconds. */
  expiresAt: number;
}

/** `deviceId` empty = any device may use it. */
export async function givePass(q: Queryable, deviceId: string | null, nowMs: number): Promise<CaptchaPass> {
  const rid = randomBytes(16).toString("hex");
  const expiresAt = nowMs + LIFE_MS;
  await insertPass(q, { rid_hash: hashOfName(rid), device_id: deviceId || null, expires_at: expiresAt });
  return { rid, expiresAt };
}

/** Whether a text has the shape of a pass at all. */
export function looksLikePass(rid: string): boolean {
  return /^[0-9a-f]{32}$/u.test(rid);
}

/** Spends a pass. False for one that is unknown, used, expired, or of another device where both are named. */
export async function spendPass(
  q: Queryable,
  { rid, deviceId }: { rid: string; deviceId: string | null },
  nowMs: number,
): Promise<boolean> {
  const pass = await takePass(q, hashOfName(rid));
  if (pass === undefined || pass.expires_at <= nowMs) return false;
  return !pass.device_id || !deviceId || pass.device_id === deviceId;
}

/** What is stored in place of a random name. */
export function hashOfName(name: string): string {
  return createHash("sha256").update(name).digest("hex");
}
