// The words for an account whose storage is full (wire-contract.md §18.7).
import type { Text } from "../text.ts";
import { formatFileSize } from "./file-size.ts";

/** @param data biz_data of STORAGE_QUOTA_EXCEEDED; null where it does not tell how much is used. */
export function storageFullText(data: unknown): Text | null {
  const { used_bytes: used, quota_bytes: quota } = (data ?? {}) as Record<string, unknown>;
  if (typeof used !== "number" || typeof quota !== "number") return null;
  return { key: "storageFull", params: { used: formatFileSize(used), quota: formatFileSize(quota) } };
}
