// The token of an export's link: whose export whoever has it may download, and until when (wire-contract.md §14).
import { readSignedText, signText } from "../guard/signed-text.ts";
import { isExportId } from "./export-keys.ts";

interface ExportRight {
  exportId: string;
  userId: string;
  /** Unix seconds. */
  expireAt: number;
}

const PURPOSE = "export link";

export function signExportToken(secretKey: string, { exportId, userId, expireAt }: ExportRight): string {
  return signText(secretKey, PURPOSE, [exportId, userId, expireAt].join(" "));
}

/** What the token allows; null for one that we did not sign. Says nothing of the time. */
export function readExportToken(secretKey: string, token: string): ExportRight | null {
  const text = readSignedText(secretKey, PURPOSE, token);
  if (text === null) return null;
  const [exportId = "", userId = "", expireAt = ""] = text.split(" ");
  return isExportId(exportId) ? { exportId, userId, expireAt: Number(expireAt) } : null;
}
