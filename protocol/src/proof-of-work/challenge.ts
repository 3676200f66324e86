// The challenge of proof of work: shape, scenes, end of life, and the texts that are hashed and signed (wire-contract.md §2).
import { LIMITS } from "../limits.ts";

/** `expire_at` and `expire_after` are milliseconds; the answer lies in [0, difficulty). */
export interface Challenge {
  algorithm: string;
  challenge: string;
  salt: string;
  signature: string;
  difficulty: number;
  expire_at: number;
  expire_after: number;
  target_path: string;
}

export const POW_ALGORITHM = "SHA-256";

export type Scene = "completion_like" | "upload_file";

const SCENES: ReadonlyMap<string, Scene> = new Map([
  ["/api/v0/file/upload_file", "upload_file"],
  ["/api/v0/import", "upload_file"],
  ["/api/v0/chat/completion", "completion_like"],
  ["/api/v0/chat/regenerate", "completion_like"],
  ["/api/v0/chat/edit_message", "completion_like"],
  ["/api/v0/chat/continue", "completion_like"],
  ["/api/v0/chat/resume_stream", "completion_like"],
  ["/api/v0/chat/stop_stream", "completion_like"],
]);

/** The calls that need a guest proof (§2.3). */
export const GUEST_TARGET_PATHS: ReadonlySet<string> = new Set([
  "/api/v0/users/register",
  "/api/v0/users/register_by_mobile",
  "/api/v0/users/login_by_mobile_sms",
  "/api/v0/users/create_sms_verification_code",
  "/api/v0/users/create_email_verification_code",
]);

/** The scene of a normalised path, null when it has none. An answer serves every call of its scene. */
export function sceneOf(targetPath: string): Scene | null {
  return SCENES.get(targetPath) ?? null;
}

/** Until when (ms) a client may use an answer to a challenge that it received at `receivedAtMs` of its own clock. */
export function usableUntilMs(challenge: Pick<Challenge, "expire_after">, receivedAtMs: number): number {
  return receivedAtMs + challenge.expire_after - LIMITS.powExpiryOffsetMs;
}

/** The ASCII text whose SHA-256 is `challenge`. */
export function puzzleText(salt: string, expireAtMs: number, answer: number): string {
  return `${salt}_${expireAtMs}_${answer}`;
}

/** 20 hex digits: 6 random ones, difficulty (6), end of life in seconds (8). `expireAtMs` must be a whole second. */
export function buildSalt(parts: { random: string; difficulty: number; expireAtMs: number }): string {
  const { random, difficulty, expireAtMs } = parts;
  const salt = `${random}${hex(difficulty, 6)}${hex(expireAtMs / 1000, 8)}`;
  if (parseSalt(salt) === null || expireAtMs % 1000 !== 0) throw new RangeError("salt parts out of range");
  return salt;
}

/** Null when `salt` was not made by this server. */
export function parseSalt(salt: string): { difficulty: number; expireAtMs: number } | null {
  if (!/^[0-9a-f]{20}$/.test(salt)) return null;
  return { difficulty: parseInt(salt.slice(6, 12), 16), expireAtMs: parseInt(salt.slice(12), 16) * 1000 };
}

/** The text that HMAC-SHA-256 signs, with the key that HMAC made of `signingKeyText`. */
export function signatureText(challenge: Omit<Challenge, "signature" | "expire_after">): string {
  const { algorithm, challenge: digest, salt, difficulty, expire_at, target_path } = challenge;
  return [algorithm, digest, salt, difficulty, expire_at, target_path].join("\n");
}

/** What the server key signs to make the key of one user, or of guests (null). */
export function signingKeyText(userId: string | null): string {
  return userId === null ? "pow:guest" : `pow:${userId}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
