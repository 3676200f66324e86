// The token of an export's link: whose export whoever has it may download, and until when (wire-contract.md §14).
import { readSignedText, signText } from "../guard/signed-text.ts";
import { isExportId } from "./export-keys.ts";

interface ExportRight {
  exportId: string;
  userId: string;
  /** Unix seconds. */
  expireAt: number;
  /** The account's `link_generation`: a higher one ends the link. */
  generation: number;
}

const PURPOSE = "export link";

export function signExportToken(
  secretKey: string,
  { exportId, userId, expireAt, generation }: ExportRight,
): string {
  return signText(secretKey, PURPOSE, [exportId, userId, expireAt, generation].join(" "));
}

/** What the token allows; null for one that we did not sign. Says nothing of the time. */
export function readExportToken(secretKey: string, token: string): ExportRight | null {
  const text = readSignedText(secretKey, PURPOSE, token);
  if (text === null) return null;
  // A link of before there were generations has none, which is the first one's 0.
  const [exportId = "", userId = "", expireAt = "", generation = "0"] = text.split(" ");
  if (!isExportId(exportId)) return null;
  return { exportId, userId, expireAt: Number(expireAt), generation: Number(generation) };
}
