// The token of a raw link: it says which bytes whoever has it may read, and until when (wire-contract.md §12.4).
import type { PreviewKind } from "@plumb/protocol/wire/files";
import { readSignedText, signText } from "../guard/signed-text.ts";
import { isFileId } from "./file-keys.ts";

export interface RawRight {
  fileId: string;
  kind: PreviewKind;
  userId: string;
  /** Unix seconds. */
  expireAt: number;
  /** The account's `link_generation`: a higher one ends the link. */
  generation: number;
}

const PURPOSE = "raw link";

/** Letters, digits, `-` and `_`. Not of the length of a session's token. */
export function signRawToken(
  secretKey: string,
  { fileId, kind, userId, expireAt, generation }: RawRight,
): string {
  return signText(secretKey, PURPOSE, [fileId, kind, userId, expireAt, generation].join(" "));
}

/** What the token allows; null for one that we did not sign. Says nothing of the time. */
export function readRawToken(secretKey: string, token: string): RawRight | null {
  const text = readSignedText(secretKey, PURPOSE, token);
  if (text === null) return null;
  // A link of before there were generations has none, which is the first one's 0.
  const [fileId = "", kind = "", userId = "", expireAt = "", generation = "0"] = text.split(" ");
  if (!isFileId(fileId)) return null;
  return {
    fileId,
    kind: kind as PreviewKind,
    userId,
    expireAt: Number(expireAt),
    generation: Number(generation),
  };
}
