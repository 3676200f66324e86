// The token of a raw link: it says which bytes whoever has it may read, and until when (wire-contract.md §12.4).
import { createHmac } from "node:crypto";
import type { PreviewKind } from "@plumb/protocol/wire/files";
import { sameText } from "../guard/challenge-keys.ts";
import { isFileId } from "./file-keys.ts";

export interface RawRight {
  fileId: string;
  kind: PreviewKind;
  userId: string;
  /** Unix seconds. */
  expireAt: number;
}

const MAC_CHARS = 43;

/** Letters, digits, `-` and `_`. Not of the length of a session's token. */
export function signRawToken(secretKey: string, { fileId, kind, userId, expireAt }: RawRight): string {
  const text = [fileId, kind, userId, expireAt].join(" ");
  return Buffer.from(text + macOf(secretKey, text), "latin1").toString("base64url");
}

/** What the token allows; null for one that we did not sign. Says nothing of the time. */
export function readRawToken(secretKey: string, token: string): RawRight | null {
  const signed = Buffer.from(token, "base64url").toString("latin1");
  const text = signed.slice(0, -MAC_CHARS);
  if (!sameText(signed.slice(-MAC_CHARS), macOf(secretKey, text))) return null;
  const [fileId = "", kind = "", userId = "", expireAt = ""] = text.split(" ");
  if (!isFileId(fileId)) return null;
  return { fileId, kind: kind as PreviewKind, userId, expireAt: Number(expireAt) };
}

/** The key is the link's own: what is signed here is no proof anywhere else. */
function macOf(secretKey: string, text: string): string {
  const key = createHmac("sha256", secretKey).update("raw link").digest();
  return createHmac("sha256", key).update(text, "latin1").digest("base64url");
}
