// A text that only this server can have written: the token of a link (wire-contract.md §12.4, §14).
import { createHmac } from "node:crypto";
import { sameText } from "./challenge-keys.ts";

const MAC_CHARS = 43;

/** `text` is Latin-1. Letters, digits, `-` and `_`. What is signed for one purpose is no proof for another. */
export function signText(secretKey: string, purpose: string, text: string): string {
  return Buffer.from(text + macOf(secretKey, purpose, text), "latin1").toString("base64url");
}

/** The text of a token; null for one that we did not sign for this purpose. */
export function readSignedText(secretKey: string, purpose: string, token: string): string | null {
  const signed = Buffer.from(token, "base64url").toString("latin1");
  const text = signed.slice(0, -MAC_CHARS);
  return sameText(signed.slice(-MAC_CHARS), macOf(secretKey, purpose, text)) ? text : null;
}

function macOf(secretKey: string, purpose: string, text: string): string {
  const key = createHmac("sha256", secretKey).update(purpose).digest();
  return createHmac("sha256", key).update(text, "latin1").digest("base64url");
}
