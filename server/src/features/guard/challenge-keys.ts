// Keys and hashes of proof of work on the server (wire-contract.md §2.4).
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { type Challenge, signatureText, signingKeyText } from "@plumb/protocol/proof-of-work/challenge";

/** SHA-256 of an ASCII text as lower-case hex. */
export function sha256Hex(ascii: string): string {
  return createHash("sha256").update(ascii, "latin1").digest("hex");
}

/** The key of one user's challenges, or of guests (null). */
export function signingKey(secretKey: string, userId: string | null): Buffer {
  return createHmac("sha256", secretKey).update(signingKeyText(userId)).digest();
}

/** 64 lower-case hex digits. */
export function signChallenge(
  key: Uint8Array,
  challenge: Omit<Challenge, "signature" | "expire_after">,
): string {
  return createHmac("sha256", key).update(signatureText(challenge)).digest("hex");
}

/** Compares in constant time; texts of other lengths are unequal. */
export function sameText(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}
